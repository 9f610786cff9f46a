import { estimate } from "../../estimate/estimate.js";
import { prior } from "../../estimate/prior.js";
import type { Measurement } from "../../measurement.js";
import { invalid, isObject, known } from "../../options.js";
import { Accountant } from "../../privacy/accountant.js";
import { Rational } from "../../privacy/rational.js";
import type { MeasureRequest } from "../../privacy/request.js";
import type { Sealed } from "../../privacy/sealed.js";
import { placeOf } from "../../tables/provenance.js";
import type { Schema } from "../../tables/schema.js";
import { kWay } from "../../tables/workload.js";
import type { RankOptions, RankPlan, RankPlanOptions } from "./index.js";
import { reach } from "./noise.js";
import { type RankedTable, Ranking } from "./ranking.js";

const PLAN = ["data", "workload", "spend"];
const RANK = [...PLAN, "public", "label", "allowSameSource", "signal", "onProgress"];
/** The part of the noise's reach that mixtures are solved to. */
const EXACTNESS = 0.02;

/** See `rank.plan`. */
export async function planned<S extends Schema>(options: RankPlanOptions<S>): Promise<RankPlan> {
  known(options, PLAN, "rank.plan");
  const { data } = options;
  const plan = await data.plan(requests(options));
  const records = reach(plan.charges, isKnown(data));
  return { plan, reach: records, share: data.expectedRows && records / data.expectedRows };
}

/** See `rank`. */
export async function ranked<S extends Schema>(options: RankOptions<S>): Promise<Ranking> {
  known(options, RANK, "rank");
  const { data, public: tables, label, allowSameSource = false, signal, onProgress } = options;
  const list = Object.entries(isObject(tables) ? tables : {});
  if (list.length === 0) throw invalid("rank needs `public`: tables by what they are called");
  const wanted = requests(options);
  for (const [name, { schema }] of list)
    if (schema.normal() !== data.schema.normal())
      throw invalid(`${name} is under another schema than the private table: read it with the same one`);
  for (const [, table] of list) {
    const place = placeOf(table);
    if (place !== undefined) await data.startsFrom(place, { allowSame: allowSameSource });
  }
  const stop = signal && { signal };
  const measurements = await data.measure(wanted, { ...stop, ...(label !== undefined && { label }) });
  const noise = reach(measurements.map(noisy), isKnown(data));
  const found: RankedTable[] = [];
  let records = 1;
  for (const [i, [name, table]] of list.entries()) {
    onProgress?.({ done: i, total: list.length });
    using rows = await prior(table, { ...stop });
    const total = isKnown(data) ? { total: data.relation.replace.n } : {};
    // How far the noise reaches is said in records, and mixtures are solved in shares of these.
    const tolerance = Math.min(0.1, (EXACTNESS * noise) / (total.total ?? sizeOf(measurements)));
    using best = await estimate.minimax({ prior: rows, measurements, tolerance, ...total, ...stop });
    records = Math.max(1, best.total.records);
    const { error, bound, start } = best.certificate;
    const { rows: distinct } = rows;
    found.push({ name, rows: table.rows, distinct, error, bound, start, obstacles: best.obstacles });
  }
  const cells = measurements.reduce((sum, { values }) => sum + values.length, 0);
  return new Ranking(found, { records, noise: noise / records, cells });
}

type Known = { readonly relation: { readonly replace: { readonly n: number } } };

/** Whether the number of records is public. */
const isKnown = <T extends Sealed>(data: T): data is T & Known => data.relation !== "add-remove";

/** Every clique of the workload, each for as much. */
function requests<S extends Schema>({ data, workload, spend }: RankPlanOptions<S>): MeasureRequest<S>[] {
  if (!isObject(data) || !("schema" in data))
    throw invalid("rank needs `data`: a table that `seal` has sealed");
  const { schema, budget, unit, relation } = data;
  const list = [...(workload ?? kWay(schema, 2))];
  if (list.length === 0) throw invalid("rank needs a clique at least");
  const all = spend === undefined ? new Accountant(budget, { unit, relation }).limit : Rational.of(spend);
  const each = all.over(Rational.of(BigInt(list.length)));
  return list.map((clique) => ({ clique, spend: each }));
}

const noisy = ({ noise, values }: Measurement) => ({ ...noise, answers: values.length });

/** About how many records there are, by the measurement that says it with the least noise. */
function sizeOf(measurements: readonly Measurement[]): number {
  const errors = measurements.map(({ noise, values }) => noise.variance * values.length);
  const best = measurements[errors.indexOf(Math.min(...errors))];
  return Math.max(1, best?.values.reduce((sum, one) => sum + one, 0) ?? 1);
}
