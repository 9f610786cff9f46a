import { open } from "../../engine/index.js";
import type { Rational } from "../../privacy/rational.js";
import { double } from "../../privacy/rational.js";
import { key } from "../../seed.js";
import type { Schema } from "../../tables/schema.js";
import { Table } from "../../tables/table.js";
import { type Dependency, dependenciesOf, flatDependencies, namedDependencies } from "./dependencies.js";
import { Held } from "./mechanism.js";
import type { Resolved } from "./resolved.js";
import type { Stage } from "./stages.js";

/** What was made of a public table. */
export class Prepared<S extends Schema = Schema> extends Held {
  /** Distinct rows with their weights, none of which is zero. */
  readonly table: Table<S>;
  /** The share of the pooled weights, where groups lend each other rows. */
  readonly alpha: number | undefined;
  /** How many of its rows the public table has. */
  readonly distinct: number;
  /** What no row of it breaks. */
  readonly dependencies: readonly Dependency[];

  constructor(
    table: Table<S>,
    { alpha, distinct, dependencies }: Pick<Prepared, "distinct" | "dependencies"> & { alpha?: number },
  ) {
    super();
    this.table = table;
    this.alpha = alpha;
    this.distinct = distinct;
    this.dependencies = dependencies;
  }

  get alive(): boolean {
    return this.table.handle.alive;
  }

  protected free(): void {
    this.table.dispose();
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
export function noiseOf({ law, sensitivity }: Resolved<Schema>, spend: Rational) {
  const { l1, l2Squared } = sensitivity;
  const size = law === "laplace" ? Number(l1) : Math.sqrt(Number(l2Squared));
  return { law, budget: double(spend, false), sensitivity: size };
}

/** What makes something of a public table once for the same settings. */
export interface Preparing<H> {
  prepare(by: object, make: () => Promise<H>): Promise<H>;
}

/** The prior of a mechanism, widened or pooled. */
export async function prepare<S extends Schema>(
  mechanism: Preparing<Prepared<S>>,
  prior: Table<S>,
  { resolved, spend }: { resolved: Resolved<S>; spend: Rational },
  stage: Stage,
): Promise<Prepared<S>> {
  const request = requestOf(resolved, spend);
  return mechanism.prepare({ ...request, kept: resolved.dependencies ?? "keep" }, async () => {
    const dependencies = await dependenciesOf(prior, resolved.dependencies, stage);
    if (!resolved.pool) {
      const [made, counts] = await started(prior, resolved, dependencies, stage);
      return new Prepared(made, { ...counts, dependencies });
    }
    const [own, distinct] = await widened(prior, { ...widening(resolved, false), dependencies: [] }, stage);
    own.dispose();
    const [made, { alpha }] = await pooled(prior, { ...request, dependencies }, stage);
    return new Prepared(made, { alpha, distinct, dependencies });
  });
}

/** What was made of a prior, as plans tell it. */
export function madeOf<S extends Schema>(
  { schema }: Resolved<S>,
  { table: { rows }, distinct, alpha, dependencies }: Prepared<S>,
) {
  return { rows, distinct, alpha, dependencies: namedDependencies(schema, dependencies) };
}

/** The rows of a table that a release starts from, and how many of them the table has. */
export async function started<S extends Schema>(
  table: Table<S>,
  resolved: Resolved<S>,
  dependencies: readonly Dependency[],
  stage: Stage,
): Promise<[made: Table<S>, counts: { distinct: number }]> {
  const [made, distinct] = await widened(
    table,
    { ...widening(resolved, resolved.widen), dependencies },
    stage,
  );
  return [made, { distinct }];
}

/** Of a table its distinct rows that are not denied, and as many more as are asked for. */
function widening(
  { deny, priorStrength: strength, seed }: Resolved<Schema>,
  widen: Resolved<Schema>["widen"],
): object {
  const { share, rows } = widen || { share: 0, rows: 0 };
  return { share, rows, strength, deny, limit: COUNT_BYTES, seed: `${key(seed, "prior")}` };
}

function requestOf<S extends Schema>(resolved: Resolved<S>, spend: Rational): object {
  const { deny, priorStrength: strength, seed, widen, pool, group, exponents } = resolved;
  if (!pool) return widening(resolved, widen);
  return {
    group,
    strength,
    alpha: pool.alpha ?? null,
    alphas: ALPHAS,
    exponent: exponents.at(-1),
    cells: MOST_CELLS,
    mostRows: MOST_ROWS,
    noise: noiseOf(resolved, spend),
    expected: resolved.expectedRows,
    deny,
    seed: `${key(seed, "prior")}`,
  };
}

/** What the engine is asked for, as `crates/model-wasm/src/public.rs` reads it. */
interface PriorRequest extends Readonly<Record<string, unknown>> {
  readonly dependencies: readonly Dependency[];
}

const wired = ({ dependencies, ...request }: PriorRequest) =>
  JSON.stringify({ ...request, dependencies: flatDependencies(dependencies) });

async function widened<S extends Schema>(
  table: Table<S>,
  request: PriorRequest,
  stage: Stage,
): Promise<[made: Table<S>, distinct: number]> {
  const how = { on: table.handle, ...stage("prior") };
  const [handle, { rows, own }] = await open("public.prior", { options: wired(request) }, how);
  return [new Table(table.schema, handle, rows, true), own];
}

async function pooled<S extends Schema>(
  table: Table<S>,
  request: PriorRequest,
  stage: Stage,
): Promise<[made: Table<S>, choice: { alpha: number }]> {
  const how = { on: table.handle, ...stage("prior") };
  const [handle, { rows, alpha }] = await open("public.pool", { options: wired(request) }, how);
  return [new Table(table.schema, handle, rows, true), { alpha }];
}
