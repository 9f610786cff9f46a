import { symbolOf } from "../../privacy/budget.js";
import type { MeasurePlan, MeasurePlanJson, PlannedCharge } from "../../privacy/measurePlan.js";
import { Rational, show } from "../../privacy/rational.js";
import type { MeasureRequest } from "../../privacy/request.js";
import { aligned } from "../../privacy/table.js";
import { grouping } from "../../tables/grouping.js";
import type { Schema } from "../../tables/schema.js";
import { type Forecast, forecastTable } from "../kit/forecast.js";
import { type Charging, Plan, type PlanJson, type PlannedPrior, type PlanParts } from "../kit/plan.js";
import type { GroupEstimatorName } from "./index.js";
import type { SharedPrior } from "./prior.js";
import type { ResolvedGroups } from "./resolved.js";
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
export interface GroupedPlanJson extends PlanJson {
  readonly format: "marginalia-grouped-plan";
  readonly mechanism: "priorAware";
  readonly prior: PlannedPrior;
  readonly levels: readonly Omit<PlannedLevel, "charges">[];
  /** All charges, level by level. */
  readonly measure: MeasurePlanJson;
  readonly forecast?: Forecast;
  /** How the budget might be divided among levels, where a forecast chose it. */
  readonly split?: SplitForecast;
  readonly estimate: {
    readonly estimator: GroupEstimatorName;
    readonly tolerance: number;
    readonly totals: "consistent" | "combined" | "count";
    readonly local: boolean;
  };
}

/** @internal */
export interface GroupedPlanParts<S extends Schema> extends PlanParts<S> {
  hierarchy: ResolvedGroups<S>;
  prepared: SharedPrior<S>;
  prior: PlannedPrior;
  /** Of each level. */
  requests: readonly (readonly MeasureRequest<S>[])[];
  levels: readonly PlannedLevel[];
  forecast: Forecast | undefined;
  split: SplitForecast | undefined;
}

/** What the charge of a level is known by, after the label of its release. */
export const stepOf = (level: number): string => `level ${level + 1}`;

/** What a release of groups will measure, level by level, and why. Nothing of it depends on private rows. */
export class GroupedPlan<S extends Schema = Schema> extends Plan<S, GroupedPlanJson, GroupedPlanParts<S>> {
  readonly prior: PlannedPrior;
  /** All measurements: each with its clique, share, law, scale, cost, exact variance and expected error. */
  readonly measure: MeasurePlan;
  readonly charges: readonly PlannedCharge[];
  readonly levels: readonly PlannedLevel[];
  /** Of the workload of the coarsest level, where it was chosen by one. */
  readonly forecast: Forecast | undefined;
  /** How the budget is divided among levels, and how else it might have been, where it was chosen by a forecast. */
  readonly split: SplitForecast | undefined;

  /** @internal */
  constructor(parts: GroupedPlanParts<S>) {
    const { measure, levels, prior, forecast, split } = parts;
    // The attributes within whose groups, the finest ones, pairs are judged.
    super(parts, levels.at(-1)?.by ?? []);
    this.prior = prior;
    this.measure = measure;
    this.charges = measure.charges;
    this.levels = Object.freeze([...levels]);
    this.forecast = forecast;
    this.split = split;
    Object.freeze(this);
  }

  get charging(): Charging {
    const charges = this.levels.map(({ charges: own }, level) => {
      return { step: stepOf(level), costs: own.map(({ cost }) => cost) };
    });
    return { kind: "list", charges, asks: "all levels together need" };
  }

  toJSON(): GroupedPlanJson {
    const { totals, estimator, local } = this.parts.hierarchy;
    const own = {
      levels: this.levels.map(({ charges: _, ...level }) => level),
      measure: this.measure.toJSON(),
      ...(this.forecast && { forecast: this.forecast }),
      ...(this.split && { split: this.split }),
    };
    const head = { format: "marginalia-grouped-plan", version: 1, mechanism: "priorAware" } as const;
    const { tolerance } = this.parts.resolved;
    return { ...this.json(head, own, { estimator, tolerance, totals, local }), prior: this.prior };
  }

  /** The plan for people: what each level measures at which cost and error, and why. */
  override toString(): string {
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
    const table = aligned([["in each", "groups", "counts", "marginals", "workload"], ...rows]);
    return this.text(
      [`${this.measure}`, "", "Level by level", ...table],
      this.split ? splitTable(this.split, this.group) : [],
    );
  }
}

/** What a forecast says of ways to divide a budget, for people. */
function splitTable(split: SplitForecast, group: readonly string[]): string[] {
  const percent = (part: number) => `${Math.round(100 * part)} %`;
  const rows = split.candidates.map(({ name, levels }) => [
    wordsOf(name),
    levels.map(({ count, share }) => `${percent(count)} + ${percent(share)}`).join(", "),
  ]);
  const title = `How the budget is divided, by a forecast of the k-marginal, ${grouping(group)}`;
  return forecastTable(split, title, [
    ["", "counts + workload, level by level"],
    ["not at all: public groups as they are", ""],
    ...rows,
  ]);
}

/** Whether a charge is that of the counts of a level. */
export const isCount = ({ clique }: Pick<PlannedCharge, "clique">): boolean => clique.length === 0;

/** The groups of a level in words. */
export const nameOfLevel = ({ by }: Pick<PlannedLevel, "by">): string => by.join(" × ") || "table as a whole";
