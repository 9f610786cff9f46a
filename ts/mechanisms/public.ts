import { open } from "../engine/index.js";
import type { Rational } from "../privacy/rational.js";
import { double } from "../privacy/rational.js";
import { key } from "../seed.js";
import type { Schema } from "../tables/schema.js";
import { Table } from "../tables/table.js";
import { type Dependency, dependenciesOf, flatDependencies } from "./dependencies.js";
import { Held, type Mechanism } from "./mechanism.js";
import type { Settled } from "./settled.js";
import type { Stage } from "./stage.js";

/** What was made of a public table. */
export class Prepared<S extends Schema = Schema> extends Held {
  /** Distinct rows with their weights, none of which is zero. */
  readonly table: Table<S>;
  /** The share of the pooled weights, where groups lend each other rows. */
  readonly alpha: number | undefined;
  /** What no row of it breaks. */
  readonly dependencies: readonly Dependency[];

  constructor(table: Table<S>, alpha: number | undefined, dependencies: readonly Dependency[]) {
    super();
    this.table = table;
    this.alpha = alpha;
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
export function noiseOf({ law, sensitivity }: Settled<Schema>, spend: Rational) {
  const { l1, l2Squared } = sensitivity;
  const size = law === "laplace" ? Number(l1) : Math.sqrt(Number(l2Squared));
  return { law, budget: double(spend, false), sensitivity: size };
}

/** The prior of a mechanism, widened or pooled. */
export async function prepare<S extends Schema>(
  mechanism: Mechanism<{ prior: Table<S> }, Prepared<S>>,
  settled: Settled<S>,
  spend: Rational,
  stage: Stage,
): Promise<Prepared<S>> {
  const { prior } = mechanism.options;
  const asked = options(settled, spend);
  return mechanism.prepare({ ...asked, kept: settled.dependencies ?? "keep" }, async () => {
    const dependencies = await dependenciesOf(prior, settled.dependencies, stage);
    return (settled.pool ? pooled : widened)(prior, { ...asked, dependencies }, stage);
  });
}

function options<S extends Schema>(settled: Settled<S>, spend: Rational): Omit<Asked, "dependencies"> {
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

/** What the engine is asked for, as `crates/model-wasm/src/public.rs` reads it. */
interface Asked extends Readonly<Record<string, unknown>> {
  readonly dependencies: readonly Dependency[];
}

const wired = ({ dependencies, ...asked }: Asked) =>
  JSON.stringify({ ...asked, dependencies: flatDependencies(dependencies) });

export async function widened<S extends Schema>(
  table: Table<S>,
  asked: Asked,
  stage: Stage,
): Promise<Prepared<S>> {
  const how = { on: table.handle, ...stage("prior") };
  const [handle, { rows }] = await open("public.prior", { options: wired(asked) }, how);
  return new Prepared(new Table(table.schema, handle, rows, true), undefined, asked.dependencies);
}

async function pooled<S extends Schema>(table: Table<S>, asked: Asked, stage: Stage): Promise<Prepared<S>> {
  const how = { on: table.handle, ...stage("prior") };
  const [handle, { rows, alpha }] = await open("public.pool", { options: wired(asked) }, how);
  return new Prepared(new Table(table.schema, handle, rows, true), alpha, asked.dependencies);
}
