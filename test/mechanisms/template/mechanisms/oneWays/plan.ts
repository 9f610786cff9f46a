import type { MeasurePlan, MeasurePlanJson, PlannedCharge } from "../../privacy/measurePlan.js";
import type { MeasureRequest } from "../../privacy/request.js";
import type { Schema } from "../../tables/schema.js";
import { type Charging, estimateOf, Plan, type PlanJson, type PlanParts } from "../kit/plan.js";
import type { Prepared } from "../kit/prior.js";

/** A plan as data. */
export interface OneWaysPlanJson extends PlanJson {
  readonly measure: MeasurePlanJson;
}

interface Parts<S extends Schema> extends PlanParts<S> {
  prepared?: Prepared<S>;
  requests: readonly MeasureRequest<S>[];
}

/** Each attribute once. */
export class OneWaysPlan<S extends Schema = Schema> extends Plan<S, OneWaysPlanJson, Parts<S>> {
  readonly measure: MeasurePlan;
  readonly charges: readonly PlannedCharge[];

  constructor(parts: Parts<S>) {
    super(parts);
    this.measure = parts.measure;
    this.charges = parts.measure.charges;
    Object.freeze(this);
  }

  get charging(): Charging {
    return { kind: "list", charges: [{ costs: this.charges.map(({ cost }) => cost) }] };
  }

  toJSON(): OneWaysPlanJson {
    const head = { format: "marginalia-one-ways-plan", version: 1, mechanism: "oneWays" } as const;
    return this.json(head, { measure: this.measure.toJSON() }, estimateOf(this.parts.resolved));
  }

  override toString(): string {
    return this.text([`${this.measure}`]);
  }
}
