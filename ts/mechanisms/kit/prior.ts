import { open } from "../../engine/index.js";
import { type Dependency, dependenciesOf, flatDependencies } from "../../estimate/dependencies.js";
import type { Rational } from "../../privacy/rational.js";
import { double } from "../../privacy/rational.js";
import { key } from "../../seed.js";
import type { Schema } from "../../tables/schema.js";
import { Table } from "../../tables/table.js";
import { type Held, held } from "./mechanism.js";
import type { Resolved } from "./resolved.js";
import type { Stage } from "./stages.js";

/** What was made of a public table. */
export type Prepared<S extends Schema = Schema> = Held<{
  /** Distinct rows with their weights, none of which is zero. */
  table: Table<S>;
  /** The share of the pooled weights, where groups lend each other rows. */
  alpha?: number;
  /** How many of its rows the public table has. */
  distinct: number;
  /** What no row of it breaks. */
  dependencies: readonly Dependency[];
}>;

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
  const { pool, dependencies: kept = "keep" } = resolved;
  const request = pool ? pooling(resolved, pool, spend) : widening(resolved, resolved.widen);
  return mechanism.prepare({ ...request, kept }, async () => {
    const dependencies = await dependenciesOf(prior, kept, stage("prior"));
    const own = pool ? [] : dependencies;
    const { table, distinct } = await widened(
      prior,
      widening(resolved, pool ? false : resolved.widen),
      own,
      stage,
    );
    if (!pool) return held({ table, distinct, dependencies }, table.handle);
    table.dispose();
    const how = { on: prior.handle, ...stage("prior") };
    const [handle, { rows, alpha }] = await open("public.pool", wired(request, dependencies), how);
    return held(
      { table: new Table(prior.schema, handle, rows, true), alpha, distinct, dependencies },
      handle,
    );
  });
}

/** The rows of a table that a release starts from, and how many of them the table has. */
export const started = <S extends Schema>(
  table: Table<S>,
  resolved: Resolved<S>,
  dependencies: readonly Dependency[],
  stage: Stage,
) => widened(table, widening(resolved, resolved.widen), dependencies, stage);

/** Of a table its distinct rows that are not denied, and as many more as are asked for. */
function widening(
  { deny, priorStrength: strength, seed }: Resolved<Schema>,
  widen: Resolved<Schema>["widen"],
) {
  const { share, rows } = widen || { share: 0, rows: 0 };
  return { share, rows, strength, deny, limit: COUNT_BYTES, seed: `${key(seed, "prior")}` };
}

/** Of a table rows that groups lend each other. */
function pooling(
  resolved: Resolved<Schema>,
  { alpha = null }: { alpha: number | undefined | null },
  spend: Rational,
) {
  const { deny, priorStrength: strength, seed, group, exponents } = resolved;
  return {
    ...{ group, strength, alpha, alphas: ALPHAS, exponent: exponents.at(-1) },
    ...{ cells: MOST_CELLS, mostRows: MOST_ROWS, noise: noiseOf(resolved, spend) },
    ...{ expected: resolved.expectedRows, deny, seed: `${key(seed, "prior")}` },
  };
}

/** What the engine is asked for, as `crates/model-wasm/src/public.rs` reads it. */
const wired = (request: object, dependencies: readonly Dependency[]) => ({
  options: JSON.stringify({ ...request, dependencies: flatDependencies(dependencies) }),
});

async function widened<S extends Schema>(
  table: Table<S>,
  request: object,
  dependencies: readonly Dependency[],
  stage: Stage,
): Promise<{ table: Table<S>; distinct: number }> {
  const how = { on: table.handle, ...stage("prior") };
  const [handle, { rows, own }] = await open("public.prior", wired(request, dependencies), how);
  return { table: new Table(table.schema, handle, rows, true), distinct: own };
}
