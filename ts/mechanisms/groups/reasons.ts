import type { Schema } from "../../tables/schema.js";
import { dependenciesInWords, namedDependencies, type PlannedDependency } from "../dependencies.js";
import { chosen, nameOf, type PlannedPrior, priorInWords } from "../plan.js";
import type { Settled } from "../settled.js";
import type { Divided } from "./choosing.js";
import { isCount, nameOfLevel, type PlannedLevel } from "./plan.js";
import type { SharedPrior } from "./public.js";
import type { SettledGroups } from "./settled.js";
import { wordsOf } from "./splitting.js";

interface Parts<S extends Schema> {
  settled: Settled<S>;
  asked: SettledGroups<S>;
  prepared: SharedPrior<S>;
  prior: PlannedPrior;
  levels: readonly PlannedLevel[];
  found: Pick<Divided<S>, "forecast" | "split" | "way">;
  targets: number;
}

/** Why a plan is as it is, in sentences. */
export function reasons<S extends Schema>(parts: Parts<S>): string[] {
  const { settled, asked, prior, levels, found, targets } = parts;
  const { forecast } = found;
  const { expectedRows, expectedBy, law, deny } = settled;
  const by = { plan: "as asked", seal: "as said when the table was sealed", relation: "which is public" };
  const totals = {
    consistent: "what all measurements say, such that groups sum to what they lie within",
    combined: "what all measurements of each group say",
    count: "its count alone, cut off at zero and rounded down",
  }[asked.totals];
  return [
    `Groups: all that the schema declares, ${levels.map((level) => `${level.groups} of ${nameOfLevel(level)}`).join(", ")}; the estimate of each is the prior of those within it.`,
    budget(found),
    ...levels.map((level, i) => measured(level, i, parts)),
    ...(forecast
      ? [
          `Forecast: ${nameOf(chosen(forecast))} is the best for ${nameOfLevel(levels[0] as PlannedLevel)}, from public data alone.`,
        ]
      : []),
    `Noise: discrete ${law === "laplace" ? "Laplace" : "Gaussian"}, which costs ${law === "laplace" ? "ε" : "ρ"}; one charge pays for all groups of a level.`,
    `${priorInWords(prior)} All groups share these rows, without what tells groups apart.`,
    ...dependenciesInWords(prior.dependencies ?? []),
    ...brokenInWords(namedDependencies(settled.schema, asked.broken)),
    `Rows expected: ${round(expectedRows)}, ${expectedBy === "prior" ? "as many as the prior is worth, because nobody said" : by[expectedBy]}.`,
    ...(asked.estimator === "iterative"
      ? ["Estimates: each answer is met as it is, as in Algorithm 1 of the paper, whatever its noise."]
      : []),
    `Totals: ${totals}.`,
    `Records: rounded in each group so that ${targets} tables come close to the model's.`,
    ...(deny.length > 0 ? [`Denied: ${deny.length} combinations, which no record has.`] : []),
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
  { asked, prepared }: Pick<Parts<S>, "asked" | "prepared">,
): string {
  const { workload, strength } = asked.levels[at] as SettledGroups<S>["levels"][number];
  const cliques = level.charges.filter((charge) => !isCount(charge));
  if (level.charges.length === 0)
    return `In each ${nameOfLevel(level)}: nothing; what is within it says how many records there are.`;
  const why = workload ? "as asked" : "chosen on public data";
  const worth =
    strength === undefined ? worthOf(prepared, at) : `counts for ${round(strength)} records, as asked`;
  return `In each ${nameOfLevel(level)}: ${cliques.length} marginals, ${why}; the prior ${worth}.`;
}

function worthOf<S extends Schema>({ counts, between }: SharedPrior<S>, at: number): string {
  if (!counts[at]) return "counts for what went into it";
  const most = between[at] as number;
  const own = "for the public records of the group, moved to their counts";
  return most >= 1e9
    ? `counts ${own}, and for what went into what it lies within: public groups do not differ beyond chance`
    : `counts ${own}, and for ${round(most)} more, because so much groups differ`;
}

const round = (value: number) => `${Number(value.toPrecision(4))}`;
