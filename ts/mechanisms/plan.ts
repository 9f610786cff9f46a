import { printed } from "../print.js";
import type { MeasurePlan, MeasurePlanJson, PlannedCharge } from "../privacy/plan.js";
import type { MeasureRequest } from "../privacy/request.js";
import { aligned } from "../privacy/table.js";
import { grouping } from "../tables/grouping.js";
import type { Schema } from "../tables/schema.js";
import { type StartRows, startInWords } from "../tables/start.js";
import type { Workload } from "../tables/workload.js";
import type { PlannedDependency } from "./dependencies.js";
import type { Candidate, Forecast } from "./design.js";
import type { Prepared } from "./public.js";
import type { Settled } from "./settled.js";

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
  readonly estimator: "calibrated";
  readonly loss: "l2";
  readonly strength: number | string;
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

/** Rough: bytes of memory, and seconds on one thread of a usual machine. */
export interface PlannedNeeds {
  readonly bytes: number;
  readonly seconds: number;
  /** Seconds where the answers contradict the prior, so that its strength is chosen by many more fits. */
  readonly contradicted?: number;
}

/** A plan as data. */
export interface ReleasePlanJson {
  readonly format: "marginalia-release-plan";
  readonly version: 1;
  readonly mechanism: "priorAware";
  /** What the charge is known by in the ledger. */
  readonly label: string;
  readonly prior: PlannedPrior;
  /** The attributes within whose groups pairs are judged, in the forecast and in reports; none where they are not. */
  readonly group: readonly string[];
  readonly expectedRows: number;
  readonly measure: MeasurePlanJson;
  readonly workload: Pick<Candidate, "family" | "pairs" | "exponent">;
  readonly forecast: Forecast;
  readonly estimate: PlannedEstimate;
  readonly records: PlannedRecords;
  readonly needs: PlannedNeeds;
  readonly seed: string;
  readonly reasons: readonly string[];
}

/** @internal */
export interface PlanParts<S extends Schema> {
  /** What made it, and for which table. */
  mechanism: object;
  sealed: object;
  settled: Settled<S>;
  prepared: Prepared<S>;
  requests: readonly MeasureRequest<S>[];
  targets: Workload<S>;
  measure: MeasurePlan;
  label: string;
  prior: PlannedPrior;
  forecast: Forecast;
  needs: PlannedNeeds;
  reasons: readonly string[];
}

/** What a release will measure, at which cost and error, and why. Nothing of it depends on private rows. */
export class ReleasePlan<S extends Schema = Schema> {
  /** The measurements: each with its clique, share, law, scale, cost, exact variance and expected error. */
  readonly measure: MeasurePlan;
  readonly charges: readonly PlannedCharge[];
  readonly prior: PlannedPrior;
  /** The attributes within whose groups pairs are judged, in the forecast and in reports; none where they are not. */
  readonly group: readonly string[];
  readonly forecast: Forecast;
  /** Whether what is left pays for it. */
  readonly fits: boolean;
  /** Why it is as it is. */
  readonly reasons: readonly string[];
  readonly #parts: PlanParts<S>;

  /** @internal */
  constructor(parts: PlanParts<S>) {
    const { measure, prior, forecast, reasons } = parts;
    this.measure = measure;
    this.charges = measure.charges;
    this.prior = prior;
    this.group = groupOf(parts.settled);
    this.forecast = forecast;
    this.fits = measure.fits;
    this.reasons = Object.freeze([...reasons]);
    this.#parts = parts;
    Object.freeze(this);
  }

  /** @internal */
  get parts(): PlanParts<S> {
    return this.#parts;
  }

  toJSON(): ReleasePlanJson {
    const { settled, label, targets, needs } = this.#parts;
    const { family, pairs, exponent } = chosen(this.forecast);
    const { seed, deny } = settled;
    return {
      format: "marginalia-release-plan",
      version: 1,
      mechanism: "priorAware",
      label,
      prior: this.prior,
      group: this.group,
      expectedRows: settled.expectedRows,
      measure: this.measure.toJSON(),
      workload: { family, ...(pairs !== undefined && { pairs }), exponent },
      forecast: this.forecast,
      estimate: estimateOf(settled),
      records: { method: "controlled", targets: targets.length, denied: deny.length },
      needs,
      seed: `${seed}`,
      reasons: this.reasons,
    };
  }

  /** The plan for people: what is measured and at which error, why, what is expected of it, and what it needs. */
  toString(): string {
    const { needs } = this.#parts;
    const { candidates, chosen: best, untouched } = this.forecast;
    const rows = candidates.map((candidate, i) => [
      i === best ? "→" : candidate.close ? "≈" : "",
      nameOf(candidate),
      `${candidate.cliques.length}`,
      points(candidate),
    ]);
    return printed(
      [
        `${this.measure}`,
        "",
        "Why",
        ...this.reasons.map((reason) => `- ${reason}`),
        "",
        `Forecast of the k-marginal, ${grouping(this.group)}, from public data alone and rough (→ chosen, ≈ as good within its error)`,
        ...aligned([
          ["", "what is measured", "marginals", "points of 1000"],
          ["", "nothing: the prior as it is", "0", points(untouched)],
          ...rows,
        ]),
        "",
        inWords(needs),
      ].join("\n"),
    );
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
export function estimateOf({ strength, tolerance, total }: Settled<Schema>): PlannedEstimate {
  return { estimator: "calibrated", loss: "l2", strength, tolerance, ...(total !== undefined && { total }) };
}

/** The attribute within whose groups pairs are judged, where there is one. */
export const groupOf = ({ schema, group }: Settled<Schema>): readonly string[] =>
  Object.freeze(group === undefined ? [] : [schema.names[group] as string]);

/** The candidate that a plan is of. */
export const chosen = ({ candidates, chosen: best }: Forecast): Candidate => candidates[best] as Candidate;

/** A candidate in words. */
export function nameOf({ family, pairs, exponent, cliques }: Candidate): string {
  const what = {
    "one-ways": "each attribute",
    tree: `a tree of ${pairs} cheap pairs, the rest alone`,
    top: `the ${pairs} most informative pairs`,
    "all pairs": "all pairs",
    "group pairs": "all pairs with the group",
    given: `the ${cliques.length} marginals asked for`,
  }[family];
  if (cliques.length === 1) return what;
  return exponent === 0 ? `${what}, equal shares` : `${what}, shares as cells^${exponent}`;
}

/** A score with its standard error, in words. */
export function points({ score, standardError }: { score: number; standardError?: number }): string {
  return standardError === undefined ? score.toFixed(1) : `${score.toFixed(1)} ± ${standardError.toFixed(1)}`;
}

/** What a plan needs. */
export function inWords({ bytes, seconds: time, contradicted }: PlannedNeeds): string {
  const longer = contradicted !== undefined && contradicted >= 1 && contradicted > time;
  const more = longer ? `, ${seconds(contradicted)} where the answers contradict the prior` : "";
  return `Needs about ${megabytes(bytes)} of memory and ${seconds(time)} on one thread${more}.`;
}

const megabytes = (bytes: number) => `${Math.max(1, Math.ceil(bytes / 2 ** 20))} MB`;
const seconds = (time: number) => (time < 1 ? "less than a second" : `${Math.ceil(time)} s`);
