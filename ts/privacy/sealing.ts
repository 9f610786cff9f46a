import { MarginaliaError } from "../errors.js";
import { invalid, known } from "../options.js";
import type { Schema } from "../tables/schema.js";
import { Accountant } from "./accountant.js";
import { fileStore, type Json, Ledger, memoryStore, type Store } from "./ledger/index.js";
import { Origin, type SealedSource } from "./origin.js";
import { Rational } from "./rational.js";
import type { SealOptions } from "./seal.js";
import { Sealed } from "./sealed.js";
import { Vault } from "./vault.js";

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

/** See `seal`. */
export async function sealing<S extends Schema>(
  source: SealedSource,
  schema: S,
  options: SealOptions,
): Promise<Sealed<S>> {
  const { dataset, unit, relation = "add-remove", badRows = "drop", expectedRows } = checked(options);
  const { delimiter = ",", decimalComma = false, encoding = "utf-8", format } = options;
  const declared = new Accountant(options.budget, { unit, relation });
  const { budget, neighbours, currency, limit } = declared;
  const own = neighbours.unit === "row" || !("column" in neighbours.unit) ? [] : [neighbours.unit.column];
  const origin = new Origin(source, format, [...Object.keys(schema.attributes), ...own]);
  const text = { delimiter, decimalComma, encoding, badRows };
  const vault = new Vault(schema.normal(), { ...text, ...neighbours, budget });
  try {
    await vault.check();
    const total = { currency, amount: `${limit}` };
    const plain = { unit: json(neighbours.unit), relation: json(neighbours.relation), budget: json(budget) };
    const header = { dataset, schema: schema.normal(), ...plain, total };
    const { recover } = options;
    const store = await storeOf(options.ledger);
    const ledger = await Ledger.open(header, store, recover === undefined ? {} : { recover });
    if (ledger.header.total.amount !== total.amount) throw await otherTotal(ledger);
    const spent = ledger.entries().reduce((sum, { cost }) => sum.plus(Rational.of(cost)), Rational.of(0n));
    const accountant = new Accountant(budget, neighbours, spent);
    return new Sealed({ schema, dataset, ledger, accountant, vault, origin, expectedRows });
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
  if (typeof budget !== "object" || budget === null || !["pure", "zcdp", "approximate"].includes(budget.type))
    throw invalid("seal needs a `budget`: pure(ε), zcdp(ρ) or approximate(ε, δ)");
  if (badRows !== "drop" && badRows !== "null") throw invalid('`badRows` is "drop" or "null"');
  if (expectedRows !== undefined && !(Number.isFinite(expectedRows) && expectedRows > 0))
    throw invalid("`expectedRows` is a number of rows above zero");
  return options;
}

async function storeOf(ledger: SealOptions["ledger"]): Promise<Store> {
  if (ledger === undefined) return memoryStore();
  if (typeof ledger === "object" && ledger !== null && "open" in ledger) return ledger;
  const place = typeof ledger === "string" || (typeof ledger === "object" && ledger !== null);
  if (!place) throw new MarginaliaError("OPTION_INVALID", "`ledger` is a path, { path, counter } or a store");
  return fileStore(ledger);
}

/** Another version of this package worked out another sum from the same budget. */
async function otherTotal(ledger: Ledger): Promise<MarginaliaError> {
  await ledger.close();
  const message =
    "the ledger was begun by another version of marginalia, which came to another sum for the same budget: use that " +
    "version, or begin another ledger under another dataset name, whose budget is spent on top of this one's";
  return new MarginaliaError("LEDGER_MISMATCH", message);
}

/** As it stands in the ledger. */
const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
