import { open } from "../engine/index.js";
import { concat, sha256, utf8 } from "../privacy/ledger/bytes.js";
import type { Rational } from "../privacy/rational.js";
import { double } from "../privacy/rational.js";
import { key } from "../seed.js";
import type { Schema } from "../tables/schema.js";
import { Table } from "../tables/table.js";
import type { PriorAware } from "./priorAware.js";
import type { Settled } from "./settled.js";
import type { Stage } from "./stage.js";

/** What was made of a public table. */
export class Prepared<S extends Schema = Schema> implements Disposable {
  /** Distinct rows with their weights, none of which is zero. */
  readonly table: Table<S>;
  /** The share of the pooled weights, where groups lend each other rows. */
  readonly alpha: number | undefined;
  #users = 1;

  constructor(table: Table<S>, alpha: number | undefined) {
    this.table = table;
    this.alpha = alpha;
  }

  /** Whether the engine still has it. */
  get alive(): boolean {
    return this.table.handle.alive;
  }

  /** For one more user, who disposes of it too: the table goes with the last of them. */
  share(): this {
    this.#users += 1;
    return this;
  }

  dispose(): void {
    this.#users -= 1;
    if (this.#users === 0) this.table.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Cliques with more cells are neither measured nor judged. */
export const MOST_CELLS = 2 ** 20;
const MOST_ROWS = 2 ** 22;
/** Memory for counts of the public table. */
const COUNT_BYTES = 2 ** 28;
/** The shares of pooling that public halves choose from. */
const ALPHAS = [0.2, 0.4, 0.6, 0.8, 0.95];

/** The noise of a plan, as simulations draw it. */
export function noiseOf({ law, sensitivity }: Settled<Schema>, spend: Rational) {
  const { l1, l2Squared } = sensitivity;
  const size = law === "laplace" ? Number(l1) : Math.sqrt(Number(l2Squared));
  return { law, budget: double(spend, false), sensitivity: size };
}

/** The prior of a mechanism, widened or pooled; made once for the same settings, as long as the engine lives. */
export async function prepare<S extends Schema>(
  mechanism: { readonly options: { readonly prior: Table<S> }; readonly prepared: PriorAware<S>["prepared"] },
  settled: Settled<S>,
  spend: Rational,
  stage: Stage,
): Promise<Prepared<S>> {
  const { prior } = mechanism.options;
  const asked = options(settled, spend);
  const id = JSON.stringify(asked);
  const known = await mechanism.prepared.get(id)?.catch(() => undefined);
  if (known?.alive) return known;
  const making = settled.pool ? pooled(prior, asked, stage) : widened(prior, asked, stage);
  mechanism.prepared.set(id, making);
  making.catch(() => mechanism.prepared.delete(id));
  return making;
}

function options<S extends Schema>(settled: Settled<S>, spend: Rational): object {
  const { deny, priorStrength: strength, seed, widen, pool, group, exponents } = settled;
  if (!pool) {
    const { share, rows } = widen || { share: 0, rows: 0 };
    return { share, rows, strength, deny, limit: COUNT_BYTES, seed: `${key(seed, "prior")}` };
  }
  return {
    group,
    strength,
    alpha: pool.alpha ?? null,
    alphas: ALPHAS,
    exponent: exponents.at(-1),
    cells: MOST_CELLS,
    mostRows: MOST_ROWS,
    noise: noiseOf(settled, spend),
    expected: settled.expectedRows,
    deny,
    seed: `${key(seed, "prior")}`,
  };
}

async function widened<S extends Schema>(table: Table<S>, asked: object, stage: Stage): Promise<Prepared<S>> {
  const how = { on: table.handle, ...stage("prior") };
  const [handle, { rows }] = await open("public.prior", { options: JSON.stringify(asked) }, how);
  return new Prepared(new Table(table.schema, handle, rows, true), undefined);
}

async function pooled<S extends Schema>(table: Table<S>, asked: object, stage: Stage): Promise<Prepared<S>> {
  const how = { on: table.handle, ...stage("prior") };
  const [handle, { rows, alpha }] = await open("public.pool", { options: JSON.stringify(asked) }, how);
  return new Prepared(new Table(table.schema, handle, rows, true), alpha);
}

/** SHA-256 of the codes and weights of a public table: which one a release started from. */
export async function hashOf(table: Table): Promise<string> {
  const parts = [utf8(table.schema.normal())];
  for (const name of Object.keys(table.schema.attributes))
    parts.push(bytes(await table.codes(name as never)));
  const weights = await table.weights();
  if (weights) parts.push(bytes(weights));
  return sha256(concat(parts));
}

const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** How many records a table is worth: those that it counts, or Kish's effective size where it weighs them. */
export async function sizeOf(table: Table): Promise<number> {
  if (table.records !== undefined) return table.records;
  const weights = (await table.weights()) ?? new Float64Array();
  const largest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  let [sum, squares] = [0, 0];
  // Divided by the largest, so that no square overflows or vanishes.
  for (const weight of weights) {
    sum += weight / largest;
    squares += (weight / largest) ** 2;
  }
  return (sum * sum) / squares;
}
