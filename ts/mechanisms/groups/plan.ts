import { printed } from "../../print.js";
import { symbolOf } from "../../privacy/budget.js";
import type { MeasurePlan, MeasurePlanJson, PlannedCharge } from "../../privacy/plan.js";
import { Rational, show } from "../../privacy/rational.js";
import { aligned } from "../../privacy/table.js";
import { grouping } from "../../tables/grouping.js";
import type { Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import type { Forecast } from "../design.js";
import { inWords, type PlannedNeeds, type PlannedPrior, type PlannedRecords, points } from "../plan.js";
import type { Settled } from "../settled.js";
import type { LevelRequests } from "./planning.js";
import type { SharedPrior } from "./public.js";
import type { SettledGroups } from "./settled.js";
import { type SplitForecast, wordsOf } from "./splitting.js";

/** What is measured in the groups of one level. */
export interface PlannedLevel {
  /** The attributes whose combinations are its groups; none for all records together. */
  readonly by: readonly string[];
  /** How many groups the schema declares. */
  readonly groups: number;
  /** What its charge is known by in the ledger. */
  readonly label: string;
  /** How many records the prior of each group is worth, where somebody said so. */
  readonly strength?: number;
  /** How many records what a group lies within is worth to it, where public counts say how groups differ. */
  readonly between?: number;
  /** The counts of its groups first, where they are measured. */
  readonly charges: readonly PlannedCharge[];
}

/** A plan as data. */
export interface GroupedPlanJson {
  readonly format: "marginalia-grouped-plan";
  readonly version: 1;
  readonly mechanism: "priorAware";
  readonly label: string;
  readonly prior: PlannedPrior;
  /** The attributes within whose groups, the finest ones, pairs are judged, in the forecast and in reports. */
  readonly group: readonly string[];
  readonly expectedRows: number;
  readonly levels: readonly Omit<PlannedLevel, "charges">[];
  /** All charges, level by level. */
  readonly measure: MeasurePlanJson;
  readonly forecast?: Forecast;
  /** How the budget might be divided among levels, where a forecast chose it. */
  readonly split?: SplitForecast;
  readonly estimate: {
    readonly estimator: "calibrated" | "iterative";
    readonly tolerance: number;
    readonly totals: "consistent" | "combined" | "count";
    readonly local: boolean;
  };
  readonly records: PlannedRecords;
  readonly needs: PlannedNeeds;
  readonly seed: string;
  readonly reasons: readonly string[];
}

/** @internal */
export interface GroupedPlanParts<S extends Schema> {
  /** What made it, and for which table. */
  mechanism: object;
  sealed: object;
  settled: Settled<S>;
  asked: SettledGroups<S>;
  prepared: SharedPrior<S>;
  requests: readonly LevelRequests<S>[];
  targets: Workload<S>;
  measure: MeasurePlan;
  levels: readonly PlannedLevel[];
  label: string;
  prior: PlannedPrior;
  forecast: Forecast | undefined;
  split: SplitForecast | undefined;
  needs: PlannedNeeds;
  reasons: readonly string[];
}

/** What a release of groups will measure, level by level, and why. Nothing of it depends on private rows. */
export class GroupedPlan<S extends Schema = Schema> {
  /** All measurements: each with its clique, share, law, scale, cost, exact variance and expected error. */
  readonly measure: MeasurePlan;
  readonly charges: readonly PlannedCharge[];
  readonly levels: readonly PlannedLevel[];
  readonly prior: PlannedPrior;
  /** The attributes within whose groups, the finest ones, pairs are judged, in the forecast and in reports. */
  readonly group: readonly string[];
  /** Of the workload of the coarsest level, where it was chosen by one. */
  readonly forecast: Forecast | undefined;
  /** How the budget is divided among levels, and how else it might have been, where it was chosen by a forecast. */
  readonly split: SplitForecast | undefined;
  /** Whether what is left pays for it. */
  readonly fits: boolean;
  /** Why it is as it is. */
  readonly reasons: readonly string[];
  readonly #parts: GroupedPlanParts<S>;

  /** @internal */
  constructor(parts: GroupedPlanParts<S>) {
    const { measure, levels, prior, forecast, split, reasons } = parts;
    this.measure = measure;
    this.charges = measure.charges;
    this.levels = Object.freeze([...levels]);
    this.prior = prior;
    this.group = Object.freeze([...(levels.at(-1)?.by ?? [])]);
    this.forecast = forecast;
    this.split = split;
    this.fits = measure.fits;
    this.reasons = Object.freeze([...reasons]);
    this.#parts = parts;
    Object.freeze(this);
  }

  /** @internal */
  get parts(): GroupedPlanParts<S> {
    return this.#parts;
  }

  toJSON(): GroupedPlanJson {
    const { settled, asked, label, targets, needs } = this.#parts;
    const { tolerance, seed, deny, expectedRows } = settled;
    const { totals, estimator, local } = asked;
    return {
      format: "marginalia-grouped-plan",
      version: 1,
      mechanism: "priorAware",
      label,
      prior: this.prior,
      group: this.group,
      expectedRows,
      levels: this.levels.map(({ charges: _, ...level }) => level),
      measure: this.measure.toJSON(),
      ...(this.forecast && { forecast: this.forecast }),
      ...(this.split && { split: this.split }),
      estimate: { estimator, tolerance, totals, local },
      records: { method: "controlled", targets: targets.length, denied: deny.length },
      needs,
      seed: `${seed}`,
      reasons: this.reasons,
    };
  }

  /** The plan for people: what each level measures at which cost and error, and why. */
  toString(): string {
    const { currency } = this.measure.toJSON();
    const symbol = symbolOf(currency);
    const rows = this.levels.map((level) => {
      const spent = (counts: boolean) => {
        const own = level.charges.filter((charge) => isCount(charge) === counts);
        const sum = own.reduce((all, { cost }) => all.plus(Rational.of(cost)), Rational.of(0));
        return own.length === 0 ? "" : `${symbol} ${show(sum, true)}`;
      };
      const cliques = level.charges.filter((charge) => !isCount(charge)).length;
      return [nameOfLevel(level), `${level.groups}`, spent(true), `${cliques}`, spent(false)];
    });
    return printed(
      [
        `${this.measure}`,
        "",
        "Level by level",
        ...aligned([["in each", "groups", "counts", "marginals", "workload"], ...rows]),
        "",
        "Why",
        ...this.reasons.map((reason) => `- ${reason}`),
        "",
        ...(this.split ? splitTable(this.split, this.group) : []),
        inWords(this.#parts.needs),
      ].join("\n"),
    );
  }
}

/** What a forecast says of ways to divide a budget, for people. */
function splitTable({ chosen, untouched, candidates }: SplitForecast, group: readonly string[]): string[] {
  const percent = (part: number) => `${Math.round(100 * part)} %`;
  const rows = candidates.map(({ name, levels, close, ...score }, i) => [
    i === chosen ? "→" : close ? "≈" : "",
    wordsOf(name),
    levels.map(({ count, share }) => `${percent(count)} + ${percent(share)}`).join(", "),
    points(score),
  ]);
  return [
    `How the budget is divided, by a forecast of the k-marginal, ${grouping(group)}, from public data alone and rough (→ chosen, ≈ as good within its error)`,
    ...aligned([
      ["", "", "counts + workload, level by level", "points of 1000"],
      ["", "not at all: public groups as they are", "", points(untouched)],
      ...rows,
    ]),
    "",
  ];
}

/** Whether a charge is that of the counts of a level. */
export const isCount = ({ clique }: Pick<PlannedCharge, "clique">): boolean => clique.length === 0;

/** The groups of a level in words. */
export const nameOfLevel = ({ by }: Pick<PlannedLevel, "by">): string => by.join(" × ") || "table as a whole";
