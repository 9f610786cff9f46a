import type { MeasureRequest } from "../../privacy/request.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { type Workload, workload } from "../../tables/workload.js";
import { tells } from "../kit/coarsenings.js";
import type { EstimatorName } from "../kit/common.js";
import { estimated } from "../kit/estimating.js";
import { chosen, type Forecast, forecast, leftOut, nameOf } from "../kit/forecast.js";
import type { Release } from "../kit/modelled.js";
import { needsOf } from "../kit/needs.js";
import { type BeginningFrom, beginning, measurePlan, type Opening, resolved } from "../kit/opening.js";
import { noiseOf } from "../kit/prior.js";
import { commonReasons, round } from "../kit/reasons.js";
import type { Run } from "../kit/run.js";
import { cellsOf, parts, sharesOf } from "../kit/shares.js";
import type { ReleaseSettings } from "../kit/stages.js";
import { targetsOf } from "../kit/targets.js";
import type { PriorAware, RunSettings } from "./index.js";
import { ReleasePlan } from "./plan.js";

export { ReleasePlan as Plan } from "./plan.js";

/** See `Mechanism.plan`. */
export async function plan<S extends Schema>(
  mechanism: PriorAware<S, EstimatorName>,
  sealed: Sealed<S>,
  settings: ReleaseSettings,
): Promise<ReleasePlan<S>> {
  const { options } = mechanism;
  const filled = await resolved(options, sealed, settings);
  const own = { workload: filled.workload && [...filled.workload] };
  const start = await beginning(mechanism, sealed, filled, own, settings);
  const { prepared, stage } = start;
  const found = await forecast(options.prior, prepared.table, start, stage);
  const requests = requested(start, found);
  const cliques = requests.map(({ clique }) => clique);
  const targets = targetsOf(filled, prepared, cliques);
  const marginals = cliques.length;
  const answers = cellsOf(workload(start.resolved.schema, cliques)).reduce((sum, cells) => sum + cells, 0);
  const sizes = { rows: prepared.table.rows, kept: marginals, marginals, targets: targets.length, answers };
  return new ReleasePlan({
    ...{ ...start, requests, targets, forecast: found },
    measure: await measurePlan(start, requests),
    needs: needsOf(filled, sizes),
    reasons: reasons(start, found, { cliques, targets: targets.length }),
  });
}

/** See `Mechanism.run`: one charge, and one estimate from its answers. */
export async function run<S extends Schema>(
  made: ReleasePlan<S>,
  charges: Run<S>,
  settings: RunSettings<S>,
): Promise<Release<S, ReleasePlan<S>, never>> {
  const { signal } = settings;
  const measurements = await charges.measure(made.parts.requests, { signal });
  return estimated<S, ReleasePlan<S>>(made, charges, measurements, settings);
}

/** Every marginal with its exact share: the sum of what they spend is the amount. */
function requested<S extends Schema>(start: Opening<S>, found: Forecast): MeasureRequest<S>[] {
  const { schema, law } = start.resolved;
  const { cliques, exponent } = chosen(found);
  const listed = workload(schema, cliques as readonly (readonly NameOf<S>[])[]);
  const list = workload(schema, [...listed, ...aloneOf(start, listed, exponent)]);
  const shares = sharesOf(start.spend, list, exponent);
  return shares.map((share, i) => ({ clique: list.clique(i), spend: share, law }));
}

/** Attributes that pairs count by a coarsening, each alone or with the group, as long as that tells anything. */
function aloneOf<S extends Schema>(
  { resolved, spend }: Opening<S>,
  listed: Workload<S>,
  exponent: number,
): NameOf<S>[][] {
  const { schema, fine = [], group, workload: fixed, expectedRows: rows, priorStrength: strength } = resolved;
  if (fixed || fine.length === 0) return [];
  const alone = fine.map((place) => schema.at(group === undefined ? [place] : [group, place]));
  const cells = cellsOf(workload(schema, [...listed, ...alone]));
  const weights = parts(cells, exponent).map(Number);
  const { law, budget, sensitivity: size } = noiseOf(resolved, spend);
  const all = weights.reduce((sum, one) => sum + one, 0);
  const variance = (weight: number) => {
    const cost = (budget * weight) / all;
    return law === "laplace" ? 2 * (size / cost) ** 2 : size ** 2 / (2 * cost);
  };
  return alone.filter((_, i) => {
    const at = listed.length + i;
    return tells({ cells: cells[at] as number, variance: variance(weights[at] as number), rows, strength });
  });
}

function reasons<S extends Schema>(
  { resolved, prior }: BeginningFrom<S>,
  found: Forecast,
  { cliques, targets }: { cliques: readonly (readonly string[])[]; targets: number },
): string[] {
  const { total, law, attributes } = resolved;
  const best = chosen(found);
  const near = found.candidates.filter(({ close }) => close).length - 1;
  const why = best.family === "given" ? "as asked" : "the best of the forecast";
  const alone = cliques.slice(best.cliques.length).map((clique) => clique.at(-1));
  const common = commonReasons(resolved, prior);
  return [
    `Measured: ${nameOf(best)} (${why}${near > 0 ? `; ${near} more within its error` : ""}).${
      alone.length > 0 ? ` Beside them each value of ${alone.join(", ")}, which pairs count by bins.` : ""
    }`,
    ...(leftOut(found)
      ? [
          `Left out: all pairs of ${attributes.length} attributes, which would take too much time and memory; a \`workload\` is measured as it is.`,
        ]
      : []),
    `${common.noise}, which costs ${law === "laplace" ? "ε" : "ρ"}.`,
    ...common.prior,
    common.rows,
    `Total: ${total === undefined ? "what all answers together say, so that no part of the budget goes into it" : `${round(total)}, which is public`}.`,
    common.balance,
    `Records: rounded so that ${targets} tables come close to the model's.`,
    ...common.denied,
  ];
}
