import {
  approximate,
  type Budget,
  budgetFromJson,
  type LedgerPlace,
  type OpenSchema,
  type OpenSealed,
  pure,
  type Relation,
  type Schema,
  type Sealed,
  type SealedSource,
  type SealOptions,
  seal,
  sealOpen,
  type Unit,
  zcdp,
} from "../index.js";
import { amount, fromText, type Option, type Options, oneOf, text, type Values, whole } from "../option.js";
import { invalid, isObject } from "../options.js";
import { checkedRelation, checkedUnit } from "../privacy/unit.js";
import { schemaOption } from "./files.js";
import { TEXT, textOf } from "./text-options.js";

const unit: Option<Unit> = {
  help: "whom the promise protects: row; or COLUMN:N, all rows with one value there, of which N are kept; or N, at most N rows of anybody; row unless given",
  shown: "row|COLUMN:N|N",
  schema: {
    description: '"row", { column, maxRows } or { maxRows }.',
    type: ["string", "object"],
  },
  parse(text) {
    const [, column, rows] = /^(?:(.+):)?(\d+)$/s.exec(text) ?? [];
    if (text === "row" || rows === undefined) return checkedUnit(text);
    const maxRows = Number(rows);
    return checkedUnit(column === undefined ? { maxRows } : { column, maxRows });
  },
  check: (value) => checkedUnit(value),
};

const relation: Option<Relation> = {
  help: "what makes two tables neighbours: add-remove; or replace:N, where the number N of units is public; add-remove unless given",
  shown: "add-remove|replace:N",
  schema: {
    description: '"add-remove" or { replace: { n } }.',
    type: ["string", "object"],
  },
  parse(text) {
    const [, n] = /^replace:(\d+)$/.exec(text) ?? [];
    return checkedRelation(n === undefined ? text : { replace: { n: Number(n) } });
  },
  check: (value) => checkedRelation(value),
};

const budget: Option<Budget> = {
  help: 'the budget as JSON, such as {"type":"pure","epsilon":"1"}, in the place of --epsilon, --delta and --rho',
  shown: "JSON",
  schema: { description: "A budget as JSON.stringify gives it.", type: "object" },
  parse: (text) => budgetFromJson(fromText(text, "budget")),
  check: (value) => budgetFromJson(value),
};

const ledger: Option<string | Exclude<LedgerPlace, string>> = {
  help: "where the account of the data is kept; begun where there is none",
  shown: "FILE",
  schema: { description: "A path, or { path, counter }.", type: ["string", "object"] },
  parse: (text) => text,
  check(value) {
    if (typeof value === "string" && value !== "") return value;
    if (isObject(value) && typeof (value as { path?: unknown }).path === "string")
      return value as Exclude<LedgerPlace, string>;
    throw invalid("`ledger` is a path, or { path, counter }");
  },
};

/** What says how a private table is sealed: the options of `seal`, and the budget in numbers. */
export const SEALING = {
  private: text("PRIVATE", "the private file; - is standard input"),
  schema: schemaOption,
  dataset: text(
    "NAME",
    "the name of the data, what its account is known by; that of the private file unless given",
  ),
  epsilon: amount("ε", "the budget of the data, all that may ever be spent: ε"),
  delta: amount("δ", "δ beside ε: then costs add up in ρ"),
  rho: amount("ρ", "the budget as ρ of zero-concentrated privacy"),
  budget,
  unit,
  relation,
  ledger,
  counter: text("FILE", "a counter of the account on another disk, which tells an old copy"),
  recover: text("CODE", "the code that a refusal of the ledger gave for exactly this situation"),
  badRows: oneOf(["drop", "null"], "what becomes of a record that is no row; drop unless given"),
  expectedRows: whole("N", 1, "how many rows you expect, for the plan: a public guess"),
  ...TEXT,
} as const satisfies Options;

type Sealing = Values<typeof SEALING>;

/** The budget, as exactly one of the ways to say it gives it. */
export function budgetOf({ epsilon, delta, rho, budget: whole }: Sealing): Budget {
  const ways = [epsilon, rho, whole].filter((way) => way !== undefined);
  if (ways.length !== 1 || (delta !== undefined && epsilon === undefined)) {
    throw invalid("the budget is one of --epsilon E, --epsilon E --delta D, or --rho R");
  }
  if (whole !== undefined) return whole;
  if (rho !== undefined) return zcdp(rho);
  return delta === undefined ? pure(epsilon as string) : approximate(epsilon as string, delta);
}

/** The place of the ledger with its counter. */
export function ledgerOf({ ledger: place, counter }: Sealing): LedgerPlace | undefined {
  if (counter === undefined || place === undefined) return place;
  if (typeof place !== "string") throw invalid("`counter` is given twice");
  return { path: place, counter };
}

/** The options of `seal` that need no more work. */
export function sealingOf(values: Sealing) {
  const { recover, badRows, expectedRows } = values;
  return {
    ...textOf(values),
    ...(recover === undefined ? {} : { recover }),
    ...(badRows === undefined ? {} : { badRows }),
    ...(expectedRows === undefined ? {} : { expectedRows }),
  };
}

/** The name of the data: as given, or that of the file without its ending. */
export function datasetOf({ dataset, private: place }: Sealing): string {
  if (dataset !== undefined) return dataset;
  const [, stem] = /([^/\\]+?)(\.[^./\\]*)?(\.gz)?$/i.exec(place ?? "") ?? [];
  if (stem !== undefined && place !== "-") return stem;
  throw invalid("the name of the data is missing: --dataset NAME");
}

/** How a table is sealed by a command. */
export interface Opening<S = Schema> {
  schema: S;
  source: SealedSource;
  budget: Budget;
  dataset: string;
}

/** The table, sealed, with its account, which the first charge begins where there is none. Nothing of the table is read. */
export const sealedOf = (values: Sealing, { schema, source, ...named }: Opening): Promise<Sealed> =>
  seal(source, schema, sealedBy(values, named));

/** The same where bounds are to be found. */
export const openOf = (
  values: Sealing,
  { schema, source, ...named }: Opening<OpenSchema>,
): Promise<OpenSealed> => sealOpen(source, schema, sealedBy(values, named));

function sealedBy(values: Sealing, named: Pick<Opening, "budget" | "dataset">): SealOptions {
  const { unit = "row", relation = "add-remove" } = values;
  const ledger = ledgerOf(values);
  return { ...sealingOf(values), ...named, unit, relation, ...(ledger === undefined ? {} : { ledger }) };
}
