import { MarginaliaError } from "../errors.js";
import { invalid, known } from "../options.js";
import { made, type Schema } from "../tables/schema.js";
import { Accountant, spentOn } from "./accountant.js";
import type { Budget } from "./budget.js";
import { fileStore, type Json, Ledger, type LedgerPlace, memoryStore, type Store } from "./ledger/index.js";
import { Origin, type SealedSource } from "./origin.js";
import { Rational } from "./rational.js";
import { readAsOf } from "./readAs.js";
import { Sealed } from "./sealed.js";
import type { Relation, Unit } from "./unit.js";
import { Vault } from "./vault.js";

/** How a private table is sealed. */
export interface SealOptions {
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
  /** What becomes of a line that is no row: it does not count, or it counts as one without any value. */
  badRows?: "drop" | "null";
  /** How rows are written; recognised as in `readTable` unless given. */
  format?: "csv" | "ndjson" | "parquet" | "arrow";
  /** The character between fields; `,` unless given. */
  delimiter?: string;
  /** Whether numbers are written as `1,5`. */
  decimalComma?: boolean;
  /** How characters are written; `utf-8` unless given. */
  encoding?: "utf-8" | "latin-1" | "utf-16" | "utf-16le" | "utf-16be";
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
  "format",
  "delimiter",
  "decimalComma",
  "encoding",
  "expectedRows",
];

/**
 * Seals a private table: opens its account, or continues it, and reads nothing. Rows are read when the first
 * measurement was paid for, and only noisy answers ever leave.
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
  const { dataset, unit, relation = "add-remove", badRows = "drop", expectedRows } = checked(options);
  const { delimiter = ",", decimalComma = false, encoding = "utf-8", format, recover } = options;
  // The caller may change what it gave while this is waited for.
  const place = placed(options.ledger);
  made(schema);
  const declared = new Accountant(options.budget, { unit, relation });
  const { budget, neighbours, currency, limit } = declared;
  const own = neighbours.unit === "row" || !("column" in neighbours.unit) ? [] : [neighbours.unit.column];
  const origin = new Origin(source, format, [...Object.keys(schema.attributes), ...own]);
  const text = { delimiter, decimalComma, encoding, badRows };
  const readAs = readAsOf({ ...text, format });
  const vault = new Vault(schema.normal(), { ...text, ...neighbours, budget });
  try {
    await vault.check();
    const total = { currency, amount: `${limit}` };
    const plain = { unit: json(neighbours.unit), relation: json(neighbours.relation), budget: json(budget) };
    const header = { dataset, schema: schema.normal(), ...plain, total };
    const store = await storeOf(place);
    const ledger = await Ledger.open(header, store, { recover, now: thisMinute });
    try {
      if (ledger.header.total.amount !== total.amount) throw otherTotal();
      const prices = ledger.entries().map(({ cost }) => cost);
      const accountant = new Accountant(budget, neighbours, spentOn(prices, limit));
      return new Sealed({ schema, dataset, ledger, accountant, vault, origin, readAs, expectedRows });
    } catch (error) {
      await ledger.close();
      throw error;
    }
  } catch (error) {
    vault.dispose();
    throw error;
  }
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

async function storeOf(ledger: SealOptions["ledger"]): Promise<Store> {
  if (ledger === undefined) return memoryStore();
  return typeof ledger === "object" && "open" in ledger ? ledger : fileStore(ledger);
}

/** Another version of this package worked out another sum from the same budget. */
function otherTotal(): MarginaliaError {
  const message =
    "the ledger was begun by another version of marginalia, which came to another sum for the same budget: use that " +
    "version, or begin another ledger under another dataset name, whose budget is spent on top of this one's";
  return new MarginaliaError("LEDGER_MISMATCH", message);
}

/** Ledgers are published, and how long reading takes depends on the rows: so they tell no seconds. */
const thisMinute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000);

/** As it stands in the ledger. */
const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
