import type { MeasurePlan, MeasurePlanJson, PlannedCharge } from "../../privacy/measurePlan.js";
import type { MeasureRequest } from "../../privacy/request.js";
import { grouping } from "../../tables/grouping.js";
import type { Schema } from "../../tables/schema.js";
import { type Candidate, chosen, type Forecast, forecastTable, nameOf } from "../kit/forecast.js";
import {
  type Charging,
  estimateOf,
  Plan,
  type PlanJson,
  type PlannedEstimate,
  type PlannedPrior,
  type PlanParts,
} from "../kit/plan.js";
import type { Prepared } from "../kit/prior.js";

/** A plan as data. */
export interface ReleasePlanJson extends PlanJson {
  readonly format: "marginalia-release-plan";
  readonly mechanism: "priorAware";
  readonly prior: PlannedPrior;
  readonly measure: MeasurePlanJson;
  readonly workload: Pick<Candidate, "family" | "pairs" | "exponent">;
  readonly forecast: Forecast;
  readonly estimate: PlannedEstimate;
}

/** @internal */
export interface ReleasePlanParts<S extends Schema> extends PlanParts<S> {
  prepared: Prepared<S>;
  prior: PlannedPrior;
  requests: readonly MeasureRequest<S>[];
  forecast: Forecast;
}

/** What a release will measure, at which cost and error, and why. Nothing of it depends on private rows. */
export class ReleasePlan<S extends Schema = Schema> extends Plan<S, ReleasePlanJson, ReleasePlanParts<S>> {
  readonly prior: PlannedPrior;
  /** The measurements: each with its clique, share, law, scale, cost, exact variance and expected error. */
  readonly measure: MeasurePlan;
  readonly charges: readonly PlannedCharge[];
  readonly forecast: Forecast;

  /** @internal */
  constructor(parts: ReleasePlanParts<S>) {
    super(parts);
    this.prior = parts.prior;
    this.measure = parts.measure;
    this.charges = parts.measure.charges;
    this.forecast = parts.forecast;
    Object.freeze(this);
  }

  get charging(): Charging {
    return { kind: "list", charges: [{ costs: this.charges.map(({ cost }) => cost) }] };
  }

  toJSON(): ReleasePlanJson {
    const { family, pairs, exponent } = chosen(this.forecast);
    const own = {
      measure: this.measure.toJSON(),
      workload: { family, ...(pairs !== undefined && { pairs }), exponent },
      forecast: this.forecast,
    };
    const head = { format: "marginalia-release-plan", version: 1, mechanism: "priorAware" } as const;
    return { ...this.json(head, own, estimateOf(this.parts.resolved)), prior: this.prior };
  }

  /** The plan for people: what is measured and at which error, why, what is expected of it, and what it needs. */
  override toString(): string {
    const rows = this.forecast.candidates.map((one) => [nameOf(one), `${one.cliques.length}`]);
    return this.text(
      [`${this.measure}`],
      forecastTable(this.forecast, `Forecast of the k-marginal, ${grouping(this.group)}`, [
        ["what is measured", "marginals"],
        ["nothing: the prior as it is", "0"],
        ...rows,
      ]),
    );
  }
}
