import { MarginaliaError } from "../errors.js";
import type { FullDialect } from "../tables/dialect.js";
import type { OpenSchema } from "../tables/open.js";
import type { Schema } from "../tables/schema.js";
import { Accountant, spentOn } from "./accountant.js";
import type { fileStore, Json, Ledger, memoryStore, Store } from "./ledger/index.js";
import { OpenSealed } from "./open.js";
import { Origin, type SealedSource } from "./origin.js";
import { readAsOf } from "./readAs.js";
import type { SealOptions } from "./seal.js";
import { Sealed, type SealedParts } from "./sealed.js";
import { Vault, type VaultOptions } from "./vault.js";

/** Options that were checked, and copied where a caller could change them. */
export interface ResolvedSealing {
  dataset: string;
  declared: Accountant;
  ledger: SealOptions["ledger"] | undefined;
  recover: string | undefined;
  text: FullDialect & Pick<VaultOptions, "badRows">;
  format: SealOptions["format"];
  expectedRows: number | undefined;
}

/** What a page has anyway when it imports everything; handed over, it is in no page that imports less. */
export interface Kit {
  Ledger: typeof Ledger;
  fileStore: typeof fileStore;
  memoryStore: typeof memoryStore;
}

/** See `seal`. */
export async function sealing<S extends Schema>(
  source: SealedSource,
  schema: S,
  resolved: ResolvedSealing,
  kit: Kit,
): Promise<Sealed<S>> {
  return new Sealed(await begun(source, { schema, known: schema.normal() }, resolved, kit));
}

/** See `sealOpen`. */
export async function sealingOpen(
  source: SealedSource,
  schema: OpenSchema,
  resolved: ResolvedSealing,
  kit: Kit,
): Promise<OpenSealed> {
  const parts = await begun(source, { schema: schema.grid, known: schema.normal() }, resolved, kit);
  const { text, declared } = resolved;
  const options = { ...text, ...declared.neighbours, budget: declared.budget };
  return new OpenSealed(schema, parts, (closed) => new Vault(closed.normal(), options));
}

/** The account and the vault of a table; `known` is the schema that the account is known by. */
async function begun<S extends Schema>(
  source: SealedSource,
  { schema, known }: { readonly schema: S; readonly known: string },
  { dataset, declared, ledger: place, recover, text, format, expectedRows }: ResolvedSealing,
  kit: Kit,
): Promise<SealedParts<S>> {
  const { budget, neighbours, currency, limit } = declared;
  const own = neighbours.unit === "row" || !("column" in neighbours.unit) ? [] : [neighbours.unit.column];
  const origin = new Origin(source, format, [...Object.keys(schema.attributes), ...own]);
  const readAs = readAsOf({ ...text, format });
  const vault = new Vault(schema.normal(), { ...text, ...neighbours, budget });
  try {
    await vault.check();
    const total = { currency, amount: `${limit}` };
    const plain = { unit: json(neighbours.unit), relation: json(neighbours.relation), budget: json(budget) };
    const header = { dataset, schema: known, ...plain, total };
    const store = await storeOf(place, kit);
    const ledger = await kit.Ledger.open(header, store, { recover, now: thisMinute });
    try {
      if (ledger.header.total.amount !== total.amount) throw otherTotal();
      const prices = ledger.entries().map(({ cost }) => cost);
      const accountant = new Accountant(budget, neighbours, spentOn(prices, limit));
      const hidden = {
        get source() {
          return origin.source;
        },
        what: "the private source",
      };
      const inputs = [hidden, ...(store.inputs ?? [])];
      return { schema, dataset, ledger, accountant, vault, origin, readAs, inputs, expectedRows };
    } catch (error) {
      await ledger.close();
      throw error;
    }
  } catch (error) {
    vault.dispose();
    throw error;
  }
}

async function storeOf(ledger: ResolvedSealing["ledger"], { fileStore, memoryStore }: Kit): Promise<Store> {
  if (ledger === undefined) return memoryStore();
  return typeof ledger === "object" && "open" in ledger ? ledger : fileStore(ledger);
}

/** Another version of this package worked out another sum from the same budget. */
function otherTotal(): MarginaliaError {
  const message =
    "the ledger was begun by another version of marginalia, which came to another sum for the same budget: use that " +
    "version, or begin another ledger for another `dataset`, whose budget is spent on top of this one's";
  return new MarginaliaError("LEDGER_MISMATCH", message);
}

/** Ledgers are published: they tell the minute in which a program began, and no times of what it did. */
const thisMinute = () => new Date(Math.floor(Date.now() / 60_000) * 60_000);

/** As it stands in the ledger. */
const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
