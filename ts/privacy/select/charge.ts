import { call, open } from "../../engine/index.js";
import { invalid, isObject } from "../../options.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import type { Accountant } from "../accountant.js";
import type { Charge } from "../gate.js";
import type { Json } from "../ledger/index.js";
import type { Vault } from "../vault.js";
import { SelectionAnswers } from "./answers.js";
import type { Kit } from "./kit.js";
import { type ResolvedSelection, resolveSelection, wire } from "./resolve.js";
import type { Selected, SelectOptions } from "./types.js";
import { describeCandidates, describeLaw } from "./words.js";

/** What selections are made with. */
interface Parts<S extends Schema> {
  readonly schema: S;
  readonly accountant: Accountant;
  readonly vault: Vault;
}

/** A selection as something that is paid for: refuses it where it makes no sense. */
export async function selection<S extends Schema>(
  options: SelectOptions<S>,
  { schema, accountant, vault }: Parts<S>,
  kit: Kit,
): Promise<Charge<Selected<S>>> {
  if (!isObject(options)) throw invalid("a selection is like { workload, answers, candidates, spend }");
  const { label = "", signal } = options;
  if (typeof label !== "string") throw invalid("`label` is a text");
  const { neighbours, currency } = accountant;
  const resolved = resolveSelection(options, { schema, neighbours, currency, kit });
  const price = accountant.price(resolved.cost);
  const answers =
    resolved.candidates === "edges" ? undefined : new SelectionAnswers(resolved, options.answers);
  if (answers === undefined && options.answers !== undefined)
    throw invalid("edges are compared with no `answers`: leave them out");
  const request = await identityOf(resolved, (await answers?.known(signal)) ?? new Uint8Array(0), kit);
  const choosing = wire(resolved);
  const selected = (index: number): Selected<S> => ({
    ...placed<S>(resolved, options.workload, index),
    epsilon: `${resolved.epsilon}`,
    cost: { currency, amount: `${price}` },
  });
  return {
    verb: "select",
    request,
    label,
    cost: resolved.cost,
    what: describeCandidates(resolved),
    mechanism: describeLaw(resolved, kit),
    details: { ...(label === "" ? {} : { label }), selection: detailsOf(resolved) },
    price: async (until) => call("selection.price", choosing, { on: await vault.handle(), signal: until }),
    draw: async (before, until) => {
      const args = { choosing, spent: before };
      const [selecting, spent] = await open("selection.begin", args, { on: vault.rows, signal: until });
      try {
        await answers?.push(selecting, until);
        const index = await call("selection.finish", undefined, { on: selecting, signal: until });
        return { drawn: selected(index), spent };
      } finally {
        selecting.dispose();
      }
    },
    encode: ({ place, cell, edge }) => ({
      clique: place,
      ...(cell !== undefined && { cell }),
      ...(edge !== undefined && { edge }),
    }),
    decode: (kept) => selected(indexOf(resolved, kept as Json)),
  };
}

/** What makes a selection the same as another: candidates, law, and all public numbers. */
async function identityOf(
  resolved: ResolvedSelection,
  answers: Uint8Array,
  { sha256 }: Kit,
): Promise<string> {
  const { workload, candidates, mechanism, epsilon, difference, quantile, lean, cells, terms } = resolved;
  const { factors, penalties, weights, mask } = terms;
  const lists = [workload.flat, workload.starts, factors, penalties, weights, mask, answers];
  if (cells) lists.push(cells);
  const hashes = lists.map((list) => (list ? sha256(bytesOf(list)) : null));
  const how = quantile === undefined ? (difference ?? null) : [quantile.join("/"), lean ?? null];
  return JSON.stringify([candidates, mechanism, epsilon, how, ...(await Promise.all(hashes))]);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** For an auditor. */
function detailsOf({
  workload,
  candidates,
  quantile,
  lean,
  mechanism,
  epsilon,
  sensitivity,
  among,
}: ResolvedSelection): Json {
  return {
    candidates,
    ...(quantile && { attribute: `${workload.clique(0)}`, quantile: quantile.join("/") }),
    ...(lean && { lean }),
    cliques: workload.length,
    cells: workload.cells,
    among,
    mechanism,
    epsilon: `${epsilon}`,
    sensitivity: `${sensitivity}`,
  };
}

/** The clique that a candidate is, or the one that it is a cell of. */
function placed<S extends Schema>(
  { candidates, cells }: ResolvedSelection,
  workload: Workload<S>,
  index: number,
) {
  if (candidates === "cliques") return { clique: named(workload, index), place: index };
  if (candidates === "edges") return { clique: named(workload, 0), place: 0, edge: index };
  let [place, cell] = [0, cells?.[index] ?? index];
  for (let size = workload.size(0); cell >= size; size = workload.size(++place)) cell -= size;
  return { clique: named(workload, place), place, cell, codes: codesOf(workload.shape(place), cell) };
}

const named = <S extends Schema>(workload: Workload<S>, place: number): readonly NameOf<S>[] =>
  Object.freeze([...workload.clique(place)]);

/** Row-major, the last attribute fastest. */
function codesOf(shape: readonly number[], cell: number): readonly number[] {
  const codes = new Array<number>(shape.length);
  let rest = cell;
  for (let i = shape.length - 1; i >= 0; i--) {
    codes[i] = rest % (shape[i] as number);
    rest = Math.floor(rest / (shape[i] as number));
  }
  return Object.freeze(codes);
}

/** The candidate that a ledger names. */
function indexOf({ workload, candidates, cells }: ResolvedSelection, kept: Json): number {
  const { clique, cell, edge } = Object(kept) as { clique: number; cell: number; edge: number };
  if (candidates === "edges") return edge;
  if (candidates === "cliques") return clique;
  let index = cell;
  for (let place = 0; place < clique; place++) index += workload.size(place);
  return cells?.indexOf(index) ?? index;
}
