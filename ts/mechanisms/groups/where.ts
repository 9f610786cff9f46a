import { MarginaliaError } from "../../errors.js";
import { type Condition, type Flagged, flagged } from "../../estimate/condition.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { type Workload, workload } from "../../tables/workload.js";
import type { GroupTree } from "./tree.js";

/** Which of an attribute's codes are meant. */
type Meant = ReadonlyMap<string, Uint8Array>;

/** A condition taken apart: the finest groups that can meet it, and what it asks of their records. */
export interface Parted {
  readonly leaves: readonly number[];
  readonly rest: Meant;
}

/** Takes a condition apart; refuses it where no group can meet it. */
export function parted<S extends Schema>(
  tree: GroupTree<S>,
  leaves: readonly number[],
  condition: Condition<S>,
): Parted {
  const { attributes, allowed } = flagged(tree.schema, condition as Condition);
  const rest = new Map<string, Uint8Array>();
  let [kept, at] = [leaves, 0];
  for (const place of attributes) {
    const name = tree.schema.names[place] as string;
    const flags = allowed.subarray(at, at + tree.schema.size(name as NameOf<S>));
    at += flags.length;
    if (kept[0] === undefined) break;
    if (tree.code(kept[0], name) === undefined) rest.set(name, flags);
    else kept = kept.filter((leaf) => flags[tree.code(leaf, name) as number] === 1);
  }
  if (kept.length === 0) throw impossible();
  return { leaves: kept, rest };
}

/** What is asked of records, as the engine takes it. */
export function flagsOf(schema: Schema, rest: Meant): Flagged {
  const attributes = Uint16Array.from(rest.keys(), (name) => schema.index(name));
  return { attributes, allowed: Uint8Array.from([...rest.values()].flatMap((flags) => [...flags])) };
}

/** The cliques with what is asked of records among their attributes. */
export function widened<S extends Schema>(list: Workload<S>, rest: Meant): Workload<S> {
  const names = [...rest.keys()] as NameOf<S>[];
  const cliques = [...list].map((clique) => [...clique, ...names.filter((name) => !clique.includes(name))]);
  return workload(list.schema, cliques);
}

/** The cells of a clique, by those of the same with what is asked of records: of these the ones that are meant. */
export function narrowed<S extends Schema>(
  schema: S,
  clique: readonly NameOf<S>[],
  cells: Float64Array,
  rest: Meant,
): Float64Array<ArrayBuffer> {
  const more = [...rest.keys()].filter((name) => !clique.includes(name as NameOf<S>));
  const names = [...clique, ...more];
  const sizes = names.map((name) => schema.size(name as NameOf<S>));
  const flags = names.map((name) => rest.get(name));
  const beyond = sizes.slice(clique.length).reduce((all, size) => all * size, 1);
  const sums = new Float64Array(cells.length / beyond);
  for (let cell = 0; cell < cells.length; cell++) {
    let [left, meant] = [cell, true];
    for (let i = names.length - 1; i >= 0 && meant; i--) {
      const size = sizes[i] as number;
      meant = flags[i]?.[left % size] !== 0;
      left = Math.floor(left / size);
    }
    if (meant) {
      const to = Math.floor(cell / beyond);
      sums[to] = (sums[to] as number) + (cells[cell] as number);
    }
  }
  return sums;
}

/** No group, or no record of one. */
export function impossible(): MarginaliaError {
  const message =
    "no record can meet this condition: the groups that it means give no weight to any that does";
  return new MarginaliaError("CONDITION_IMPOSSIBLE", message);
}
