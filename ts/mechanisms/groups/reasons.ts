import { namedDependencies, type PlannedDependency } from "../../estimate/dependencies.js";
import type { Schema } from "../../tables/schema.js";
import { chosen, nameOf } from "../kit/forecast.js";
import { commonReasons, round } from "../kit/reasons.js";
import type { Divided } from "./choosing.js";
import { type GroupedPlanParts, isCount, nameOfLevel, type PlannedLevel } from "./plan.js";
import type { SharedPrior } from "./prior.js";
import type { ResolvedGroups } from "./resolved.js";
import { wordsOf } from "./splitting.js";

type Parts<S extends Schema> = Pick<
  GroupedPlanParts<S>,
  "resolved" | "hierarchy" | "prepared" | "prior" | "levels"
> & { found: Pick<Divided<S>, "forecast" | "split" | "way">; targets: number };

/** What those estimators do that do not weigh answers and priors. */
const ESTIMATES = {
  calibrated: [],
  iterative: ["Estimates: each answer is met as it is, as in Algorithm 1 of the paper, whatever its noise."],
  twoStage: ["Estimates: all answers are met as nearly as possible, whatever their noise."],
};

/** Why a plan is as it is, in sentences. */
export function reasons<S extends Schema>(parts: Parts<S>): string[] {
  const { resolved, hierarchy, prior, levels, found, targets } = parts;
  const { forecast } = found;
  const common = commonReasons(resolved, prior, 4);
  const [start, ...kept] = common.prior;
  const totals = {
    consistent: "what all measurements say, such that groups sum to what they lie within",
    combined: "what all measurements of each group say",
    count: "its count alone, cut off at zero and rounded down",
  }[hierarchy.totals];
  return [
    `Groups: all that the schema declares, ${levels.map((level) => `${level.groups} of ${nameOfLevel(level)}`).join(", ")}; the estimate of each is the prior of those within it.`,
    budget(found),
    ...levels.map((level, i) => measured(level, i, parts)),
    ...(forecast
      ? [
          `Forecast: ${nameOf(chosen(forecast))} is the best for ${nameOfLevel(levels[0] as PlannedLevel)}, from public data alone.`,
        ]
      : []),
    `${common.noise}, which costs ${resolved.law === "laplace" ? "ε" : "ρ"}; one charge pays for all groups of a level.`,
    `${start} All groups share these rows, without what tells groups apart.`,
    ...kept,
    ...brokenInWords(namedDependencies(resolved.schema, hierarchy.broken)),
    common.rows,
    ...ESTIMATES[hierarchy.estimator],
    `Totals: ${totals}.`,
    `Records: rounded in each group so that ${targets} tables come close to the model's.`,
    ...common.denied,
  ];
}

/** What says which group a row is in. */
function brokenInWords(list: readonly PlannedDependency[]): string[] {
  if (list.length === 0) return [];
  const words = list.map(({ from, to }) => `${to} from ${from}`).join(", ");
  return [
    `Not kept: ${words}. Groups share their rows: end the chain of groups with what says which group a row is in.`,
  ];
}

/** Why the budget is divided as it is. */
function budget<S extends Schema>({ split, way }: Pick<Divided<S>, "split" | "way">): string {
  const near = (split?.candidates.filter(({ close }) => close).length ?? 1) - 1;
  const why = split ? ` (the best of the forecast${near > 0 ? `; ${near} more within its error` : ""})` : "";
  return `Budget: divided ${wordsOf(way.name)}${why}.`;
}

function measured<S extends Schema>(
  level: PlannedLevel,
  at: number,
  { hierarchy, prepared }: Pick<Parts<S>, "hierarchy" | "prepared">,
): string {
  const { workload, strength } = hierarchy.levels[at] as ResolvedGroups<S>["levels"][number];
  const cliques = level.charges.filter((charge) => !isCount(charge));
  if (level.charges.length === 0)
    return `In each ${nameOfLevel(level)}: nothing; what is within it says how many records there are.`;
  const why = workload ? "as asked" : "chosen on public data";
  const worth =
    strength === undefined ? worthOf(prepared, at) : `counts for ${round(strength, 4)} records, as asked`;
  return `In each ${nameOfLevel(level)}: ${cliques.length} marginals, ${why}; the prior ${worth}.`;
}

function worthOf<S extends Schema>({ counts, between }: SharedPrior<S>, at: number): string {
  if (!counts[at]) return "counts for what went into it";
  const most = between[at] as number;
  const own = "for the public records of the group, moved to their counts";
  return most >= 1e9
    ? `counts ${own}, and for what went into what it lies within: public groups do not differ beyond chance`
    : `counts ${own}, and for ${round(most, 4)} more, because so much groups differ`;
}
