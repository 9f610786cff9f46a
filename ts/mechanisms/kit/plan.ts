import type { PlannedDependency } from "../../estimate/dependencies.js";
import { printed } from "../../print.js";
import type { MeasurePlan } from "../../privacy/measurePlan.js";
import type { Rational } from "../../privacy/rational.js";
import type { Schema } from "../../tables/schema.js";
import { type StartRows, startInWords } from "../../tables/start.js";
import type { Workload } from "../../tables/workload.js";
import type { EstimatorName } from "./common.js";
import type { Held } from "./mechanism.js";
import { inWords, type PlannedNeeds } from "./needs.js";
import type { Opening } from "./opening.js";
import type { Resolved } from "./resolved.js";

/** The public table that a release starts from, and what was made of it. */
export interface PlannedPrior extends Required<Omit<StartRows, "pool">> {
  readonly name?: string;
  readonly declaredPublicBy?: string;
  /** SHA-256 of its schema, codes and weights. */
  readonly hash: string;
  /** How many public records it is worth. */
  readonly strength: number;
  /** The share of the weight of rows that a public network drew, and how many it drew: some twice, some of the table's. */
  readonly widen?: { readonly share: number; readonly rows: number };
  readonly pool?: { readonly group: string; readonly alpha: number };
  /** What follows from what in every public row, so that no record breaks it. */
  readonly dependencies?: readonly PlannedDependency[];
}

/** How an estimate will be made. */
export interface PlannedEstimate {
  readonly estimator: EstimatorName;
  /** Of the calibrated one: what it minimises, and what the prior is worth. */
  readonly loss?: "l2";
  readonly strength?: number | string;
  readonly tolerance: number;
  /** The number of records, where it is public. */
  readonly total?: number;
}

/** How records will be made: by how many tables, and without how many combinations. */
export interface PlannedRecords {
  readonly method: "controlled";
  readonly targets: number;
  readonly denied: number;
}

/** One charge of a plan: what its label in the ledger ends with, and what it costs. */
export interface PlannedStep {
  readonly step?: string;
  /** Exact fractions that add up. */
  readonly costs: readonly string[];
  /** The step whose released value says what it asks: where that is lost, it is not made. */
  readonly follows?: string;
}

/**
 * What a plan pays: a list of charges, each known before; or a rule by which every later charge follows from released
 * values, with a ceiling: the most rounds, and what all of them may cost together.
 */
export type Charging =
  | { readonly kind: "list"; readonly charges: readonly PlannedStep[]; readonly asks?: string }
  | {
      readonly kind: "rule";
      readonly rounds: number;
      readonly ceiling: Rational;
      /** How a later charge follows from what was released, in words. */
      readonly rule: string;
      /** All charges; missing where what they cost follows from what was released too. */
      readonly charges?: readonly PlannedStep[];
      /** The subject and verb of the sentence that says what they cost where that does not fit. */
      readonly asks?: string;
    };

/** What every plan as data has. */
export interface PlanJson {
  readonly format: string;
  readonly version: 1;
  readonly mechanism: string;
  /** What its charges are known by in the ledger: each label begins with it. */
  readonly label: string;
  /** Missing where nothing public is started from. */
  readonly prior?: PlannedPrior;
  /** The attributes within whose groups pairs are judged, in forecasts and in reports; none where they are not. */
  readonly group: readonly string[];
  readonly expectedRows: number;
  readonly estimate: { readonly estimator: string };
  readonly records: PlannedRecords;
  readonly needs: PlannedNeeds;
  readonly seed: string;
  readonly reasons: readonly string[];
}

/** @internal */
export interface PlanParts<S extends Schema>
  extends Pick<Opening<S>, "mechanism" | "sealed" | "resolved" | "label"> {
  /** What was made of the public table. */
  prepared?: Held;
  targets: Workload<S>;
  /** Of all charges, with something in the place of what is not known before. */
  measure: MeasurePlan;
  prior?: PlannedPrior;
  needs: PlannedNeeds;
  reasons: readonly string[];
}

/** What a mechanism will ask and pay, and why. Nothing of it depends on private rows. */
export abstract class Plan<
  S extends Schema = Schema,
  J extends PlanJson = PlanJson,
  P extends PlanParts<S> = PlanParts<S>,
> {
  /** The attributes within whose groups pairs are judged, in forecasts and in reports; none where they are not. */
  readonly group: readonly string[];
  /** All charges together, in the currency of the budget. */
  readonly price: Rational;
  /** Whether what is left pays for it. */
  readonly fits: boolean;
  /** Why it is as it is. */
  readonly reasons: readonly string[];
  readonly #parts: P;

  /** @internal */
  constructor(parts: P, group: readonly string[] = groupOf(parts.resolved)) {
    this.group = Object.freeze([...group]);
    this.price = parts.measure.price;
    this.fits = parts.measure.fits;
    this.reasons = Object.freeze([...parts.reasons]);
    this.#parts = parts;
  }

  /** What it pays, by steps of the ledger. */
  abstract get charging(): Charging;
  abstract toJSON(): J;

  /** @internal */
  get parts(): P {
    return this.#parts;
  }

  /** @internal What its charges are known by. */
  get label(): string {
    return this.#parts.label;
  }

  /** @internal Whether it was made by this mechanism for this table, and what it is made of is still there. */
  isOf(mechanism: object, sealed: object): boolean {
    const { parts } = this;
    return parts.mechanism === mechanism && parts.sealed === sealed && (parts.prepared?.alive ?? true);
  }

  /** What every plan says, around what only plans of its kind say. */
  protected json<H extends object, O extends object, E extends object>(head: H, own: O, estimate: E) {
    const { resolved, label, prior, targets, needs } = this.#parts;
    const { expectedRows, deny, seed } = resolved;
    return {
      ...head,
      label,
      ...(prior && { prior }),
      group: this.group,
      expectedRows,
      ...own,
      estimate,
      records: { method: "controlled" as const, targets: targets.length, denied: deny.length },
      needs,
      seed: `${seed}`,
      reasons: this.reasons,
    };
  }

  /** The plan for people: what stands before the reasons, and after them. */
  protected text(before: readonly string[], after: readonly string[] = []): string {
    const why = ["", "Why", ...this.reasons.map((reason) => `- ${reason}`), ""];
    return printed([...before, ...why, ...after, inWords(this.#parts.needs)].join("\n"));
  }
}

/** What a release starts from. */
export function priorInWords(prior: PlannedPrior): string {
  const { strength, widen, pool } = prior;
  const how = pool
    ? `; groups lend each other rows with a share of ${pool.alpha}`
    : widen
      ? `; ${100 * widen.share} % of the weight on ${widen.rows} draws from a public network, so that what it lacks has somewhere to go`
      : "";
  return `Prior: worth ${Number(strength.toPrecision(6))} records; ${startInWords(prior)}${how}.`;
}

/** How an estimate will be made. */
export function estimateOf({ estimator, strength, tolerance, total }: Resolved<Schema>): PlannedEstimate {
  const own = estimator ? { estimator } : ({ estimator: "calibrated", loss: "l2", strength } as const);
  return { ...own, tolerance, ...(total !== undefined && { total }) };
}

/** The attribute within whose groups pairs are judged, where there is one. */
export const groupOf = ({ schema, group }: Resolved<Schema>): readonly string[] =>
  group === undefined ? [] : [schema.names[group] as string];
