import {
  advantage,
  type Budget,
  type Forecast,
  type PlannedCharge,
  type PlannedLevel,
  type PlannedRound,
} from "../index.js";
import { describe } from "../privacy/budget.js";
import { aligned } from "../privacy/table.js";
import { grouping } from "../tables/grouping.js";
import type { AnyPlan } from "./mechanism.js";

/** What a plan may have, whichever mechanism made it. */
type PlanParts = AnyPlan & {
  readonly levels?: readonly PlannedLevel[];
  readonly rounds?: readonly PlannedRound[];
  readonly forecast?: Forecast;
  readonly charges?: readonly PlannedCharge[];
};

/** A plan for one of several budgets. */
export interface Compared {
  readonly budget: Budget;
  readonly plan: AnyPlan;
}

/** Several budgets side by side, of the same release. */
export function compared(plans: readonly Compared[]): string {
  const [first] = plans as [Compared];
  const rows = plans.map(({ budget, plan }) => {
    const chance = Math.ceil(5000 * (1 + advantage(budget))) / 100;
    return [describe(budget), `${chance} %`, ...cellsOf(plan).map(([, cell]) => cell)];
  });
  const { said, untouched } = about(first.plan);
  return [
    `${said}; nothing was read or spent`,
    "",
    ...aligned([
      ["budget", "a bet on anybody is right", ...cellsOf(first.plan).map(([head]) => head)],
      ...(untouched ? [["none: the public file as it is", "50 %", ...untouched]] : []),
      ...rows,
    ]),
    "",
    "`plan` with one of them says more. The budget is decided before any answer is seen.",
  ].join("\n");
}

/** What the table is of, and what the public file as it is comes to, where simulations say it. */
function about({ levels, rounds, forecast, group }: PlanParts): { said: string; untouched?: string[] } {
  if (levels) return { said: "What a release of groups would measure, and at which error" };
  if (rounds) return { said: "What each round would choose and measure, and at which error" };
  if (!forecast) return { said: "What a release would measure, and at which error" };
  return {
    said: `What a release is expected to reach of the k-marginal, ${grouping(group)}, simulated on public data alone and rough`,
    untouched: [points(forecast.untouched), "0", ""],
  };
}

type Cell = readonly [head: string, cell: string];

function cellsOf({ levels, rounds, forecast, charges = [] }: PlanParts): Cell[] {
  if (levels) return levels.flatMap(ofLevel);
  if (rounds) return ofRounds(rounds);
  return [
    ...(forecast ? [["points of 1000", points(forecast.candidates[forecast.chosen])] as const] : []),
    ["marginals", `${charges.length}`],
    ["error of each count", meanError(charges)],
  ];
}

/** How far off the number of records of a group would be by its count alone, and the counts within it. */
function ofLevel({ by, charges }: PlannedLevel): Cell[] {
  const name = by.length === 0 ? "all records" : `each ${by.join(" × ")}`;
  const isCount = ({ clique }: PlannedCharge) => clique.length === 0;
  const within = charges.filter((charge) => !isCount(charge));
  return [
    [`records of ${name}`, meanError(charges.filter(isCount))],
    [
      "counts within",
      within.length === 0
        ? ""
        : `${meanError(within)} in ${within.length} marginal${within.length === 1 ? "" : "s"}`,
    ],
  ];
}

function ofRounds(rounds: readonly PlannedRound[]): Cell[] {
  const short = Math.max(0, ...rounds.map(({ select }) => select.shortfall ?? 0));
  return [
    ["rounds", `${rounds.length}`],
    ["error of each count", meanError(rounds.map(({ measure }) => measure))],
    ["a choice is worse than the best by", `≤ ${digits(short)} records`],
  ];
}

const digits = (value: number): string => `${Number(value.toPrecision(3))}`;

function meanError(charges: readonly Pick<PlannedCharge, "error">[]): string {
  if (charges.length === 0) return "not asked";
  return `± ${digits(charges.reduce((sum, { error }) => sum + error, 0) / charges.length)}`;
}

function points(of: { readonly score: number; readonly standardError?: number } | undefined): string {
  if (of === undefined) return "";
  const { score, standardError: error } = of;
  return error === undefined ? score.toFixed(1) : `${score.toFixed(1)} ± ${error.toFixed(1)}`;
}
