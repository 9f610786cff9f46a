import { MarginaliaError } from "../errors.js";
import { invalid, known } from "../options.js";
import { isPrinted } from "../print.js";
import { DIALECT, type Dialect, fullDialect } from "../tables/dialect.js";
import type { OpenSchema } from "../tables/open.js";
import { made, type Schema } from "../tables/schema.js";
import { Accountant } from "./accountant.js";
import type { Budget } from "./budget.js";
import { fileStore, Ledger, type LedgerPlace, memoryStore, type Store } from "./ledger/index.js";
import type { OpenSealed } from "./open.js";
import { consumed, onlyOnce, type SealedSource } from "./origin.js";
import { Rational } from "./rational.js";
import type { Sealed } from "./sealed.js";
import type { ResolvedSealing } from "./sealing.js";
import type { Relation, Unit } from "./unit.js";

/** How a private table is sealed. */
export interface SealOptions extends Dialect {
  /** The name of the data: what the account is known by. The same people under another name have another budget. */
  dataset: string;
  /** Whom the promise protects. */
  unit: Unit;
  /** What makes two tables neighbours; `"add-remove"` unless given: how many units there are stays private. */
  relation?: Relation;
  /** What may be spent in all, by this program and all others. */
  budget: Budget;
  /**
   * Where the account is kept: the path of a file, with that of a counter if there is one, or a store. Unless given, in
   * memory: then it lasts as long as the program, and the next program has the whole budget again.
   */
  ledger?: LedgerPlace | Store;
  /** The code that an earlier refusal of the ledger gave for exactly this situation. */
  recover?: string;
  /** What becomes of a record that is no row: it does not count, or it counts as one without any value. */
  badRows?: "drop" | "null";
  /** How many rows are expected, for plans: a public guess, never a count. */
  expectedRows?: number;
}

const OPTIONS = [
  "dataset",
  "unit",
  "relation",
  "budget",
  "ledger",
  "recover",
  "badRows",
  "expectedRows",
  ...DIALECT,
];

/**
 * Seals a private table: opens its account, which the first charge begins where there is none, and reads nothing. Rows are
 * read when the first measurement was paid for, and only noisy answers ever leave.
 *
 * ```ts
 * await using data = await seal("survey-2019.csv", people, {
 *   dataset: "survey-2019", unit: "row", budget: pure(1), ledger: "account.json",
 * });
 * const [ages] = await data.measure([{ clique: ["age"], spend: 0.1 }]);
 * ```
 *
 * Every attribute of the schema must say what becomes of any other value. Columns that it does not declare are passed
 * over.
 */
export async function seal<S extends Schema>(
  source: SealedSource,
  schema: S,
  options: SealOptions,
): Promise<Sealed<S>> {
  const resolved = resolvedOf(options);
  made(schema);
  const { sealing } = await import("./sealing.js");
  return sealing(source, schema, resolved, { Ledger, fileStore, memoryStore });
}

/**
 * Seals a private table of whose numbers some bounds are not known: opens its account, and reads nothing. `find` pays for the bounds
 * and gives the table that is sealed under the schema with them; `plan` says before what that costs.
 *
 * ```ts
 * await using open = await sealOpen("survey-2019.csv", await openSchema(json), {
 *   dataset: "survey-2019", unit: "row", budget: pure(1), ledger: "account.json",
 * });
 * const data = await open.find();
 * ```
 *
 * The table is read once to find the bounds and once under them: a source that can be read only once is refused.
 */
export async function sealOpen(
  source: SealedSource,
  schema: OpenSchema,
  options: SealOptions,
): Promise<OpenSealed> {
  const resolved = resolvedOf(options);
  if (typeof (schema as Partial<OpenSchema> | undefined)?.closed !== "function")
    throw invalid("sealOpen needs a schema that openSchema() has made");
  if (typeof source !== "function" && onlyOnce(source)) throw consumed();
  const { sealingOpen } = await import("./sealing.js");
  return sealingOpen(source, schema, resolved, { Ledger, fileStore, memoryStore });
}

/** Options that are checked; what the caller may change while this is waited for is copied. */
function resolvedOf(options: SealOptions): ResolvedSealing {
  const { dataset, unit, relation = "add-remove", badRows = "drop", expectedRows } = checked(options);
  const { format, recover } = options;
  const declared = new Accountant(options.budget, { unit, relation });
  const text = { ...fullDialect(options), badRows };
  return { dataset, declared, ledger: placed(options.ledger), recover, text, format, expectedRows };
}

function checked(options: SealOptions): SealOptions {
  if (typeof options !== "object" || options === null) throw invalid("seal needs { dataset, unit, budget }");
  if ("weight" in options) {
    throw invalid(
      "a sealed table takes no weights: one row of a large weight could change every answer by as much, and no noise " +
        "would hide it. Leave `weight` out; rows count as one each",
    );
  }
  if ("nulls" in options)
    throw invalid("the texts that mean null are declared by the schema: schema(…, { nulls })");
  known(options, OPTIONS, "seal");
  const { dataset, badRows = "drop", budget, expectedRows } = options;
  if (typeof dataset !== "string" || dataset === "")
    throw invalid("seal needs the name of the data as `dataset`: the account is known by it");
  if (!isPrinted(dataset))
    throw invalid("`dataset` has control characters, ends of lines or marks of direction: give another name");
  if (!isBudget(budget))
    throw invalid("seal needs a `budget`: pure(ε), zcdp(ρ), approximate(ε, δ), or budgetFromJson(…)");
  if (badRows !== "drop" && badRows !== "null") throw invalid('`badRows` is "drop" or "null"');
  if (expectedRows !== undefined && !(Number.isFinite(expectedRows) && expectedRows > 0))
    throw invalid("`expectedRows` is a number of rows above zero");
  return options;
}

function placed(ledger: SealOptions["ledger"]): SealOptions["ledger"] {
  if (ledger === undefined || typeof ledger === "string") return ledger;
  if (typeof ledger === "object" && ledger !== null) return "open" in ledger ? ledger : { ...ledger };
  throw new MarginaliaError("OPTION_INVALID", "`ledger` is a path, { path, counter } or a store");
}

/** Whether it was made by the functions for it: one that was not would only fail when a ledger had begun. */
function isBudget(budget: unknown): boolean {
  const { type, n: _, ...amounts } = Object(budget) as Partial<Budget> & { n?: unknown };
  const needed = type === "zcdp" ? "rho" : "epsilon";
  return (
    ["pure", "zcdp", "approximate"].includes(type as string) &&
    needed in amounts &&
    Object.values(amounts).every((amount) => amount instanceof Rational)
  );
}
