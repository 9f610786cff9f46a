import type { TrustPart } from "./trust.js";

/** An account as data: what `ledger.toJSON()` gives. */
export interface LedgerPart {
  readonly dataset: string;
  readonly unit: unknown;
  readonly relation: unknown;
  readonly currency: "epsilon" | "rho";
  /** Exact fractions. */
  readonly total: string;
  readonly spent: string;
  readonly left: string;
  /** How rows were read, in words, and for which charges; missing in what older versions saved. */
  readonly readings?: readonly { readonly reading: string; readonly charges: readonly number[] }[];
  readonly entries: readonly {
    readonly what: string;
    readonly mechanism: string;
    readonly cost: string;
    readonly state: string;
    readonly details?: unknown;
  }[];
}

/** One measurement of the plan. */
export interface ChargePart {
  readonly clique: readonly string[];
  /** The attributes of the groups in each of which it is asked, if so. */
  readonly groups?: readonly string[];
  readonly answers: number;
  readonly law: string;
  readonly scale: string;
  readonly cost: string;
  readonly share: number;
  /** The exact variance of the noise in each value. */
  readonly variance: number;
}

/** A workload that might have been measured, and the points that were expected of it. */
export interface CandidatePart {
  readonly family: string;
  readonly pairs?: number;
  readonly exponent: number;
  readonly cliques: readonly unknown[];
  readonly score: number;
  readonly standardError?: number;
}

/** What a forecast said of ways to spend the budget. */
export interface ForecastPart {
  readonly chosen: number;
  readonly untouched: { readonly score: number; readonly standardError?: number };
  readonly candidates: readonly CandidatePart[];
}

/** What every plan says. */
export interface StartPart {
  readonly format: string;
  /** Missing where nothing public was started from. */
  readonly prior?: PriorPart;
  /** The attributes within whose groups pairs are judged, here as in the forecast; absent in plans of earlier versions. */
  readonly group?: readonly string[];
  readonly expectedRows: number;
  readonly reasons: readonly string[];
}

/** The public table that a release started from. */
export interface PriorPart {
  readonly name?: string;
  readonly declaredPublicBy?: string;
  readonly hash: string;
  readonly strength: number;
  readonly rows: number;
  readonly distinct?: number;
  readonly added?: number;
  readonly support: number;
  readonly widen?: { readonly share: number; readonly rows: number };
  readonly pool?: { readonly group: string; readonly alpha: number };
}

/** A plan that lists its charges. */
export interface FlatPlanPart extends StartPart {
  readonly measure: { readonly price: string; readonly charges: readonly ChargePart[] };
  /** Ways to spend the budget, where simulations chose one. */
  readonly forecast?: ForecastPart | undefined;
}

/** One round of a plan by rounds. */
export interface RoundPlanPart {
  readonly round: number;
  readonly select: {
    readonly mechanism: string;
    readonly epsilon: string;
    readonly among: number;
    readonly cost: string;
    readonly share: number;
  };
  readonly measure: Pick<ChargePart, "law" | "scale" | "cost" | "share"> &
    Partial<Pick<ChargePart, "variance">>;
}

/** A plan by a rule: rounds that choose what they measure. */
export interface RoundsPlanPart extends StartPart {
  readonly label: string;
  readonly price: string;
  readonly start: readonly ChargePart[];
  readonly rounds: readonly RoundPlanPart[];
}

/** A plan of groups within groups: the charges of all levels, from the coarsest. */
export interface GroupsPlanPart extends FlatPlanPart {
  readonly levels: readonly {
    readonly by: readonly string[];
    readonly groups: number;
    /** How many records the prior of each group is worth, where somebody said so. */
    readonly strength?: number;
  }[];
  readonly estimate?: { readonly estimator: string };
  readonly split?: SplitPart;
}

/** A plan of any mechanism: what it has tells how it is shown. */
export type PlanPart = StartPart & Partial<FlatPlanPart & RoundsPlanPart & GroupsPlanPart>;

/** Ways to divide a budget among levels, and the points that were expected of them. */
export interface SplitPart {
  readonly chosen: number;
  readonly untouched: { readonly score: number; readonly standardError?: number };
  readonly candidates: readonly {
    readonly name: string;
    /** What counts and workload of each level get, as parts of all. */
    readonly levels: readonly { readonly count: number; readonly share: number }[];
    readonly score: number;
    readonly standardError?: number;
  }[];
}

/** How one measurement was met. */
export interface MetPart {
  readonly clique: readonly string[];
  /** The expected error of each answer, in records. */
  readonly error: number;
  /** The root of the mean square of what the model misses, in records. */
  readonly misfit: number;
  readonly outside: { readonly answers: number; readonly records: number; readonly standardError: number };
}

/** What a release of one model says of itself: `release.report`. */
export interface ModelPart<P extends StartPart = PlanPart> {
  readonly plan: P;
  readonly total: { readonly records: number; readonly standardError: number };
  readonly estimate: {
    readonly status: string;
    /** Missing where it is the calibrated one; what follows is there as far as it knows it. */
    readonly estimator?: string;
    readonly relativeGap?: number;
    readonly relativeEntropy?: number;
    readonly strength?: number;
    readonly consistency?: number;
    readonly loss?: number;
  };
  readonly measurements: readonly MetPart[];
}

/** One group as it was estimated. */
export interface GroupPart {
  /** The place of its level, and its label of each attribute of that. */
  readonly level: number;
  readonly labels: readonly (string | null)[];
  readonly records: number;
  readonly standardError: number;
  readonly status: string;
  readonly relativeGap: number;
  readonly relativeEntropy: number;
  /** Records, by its answers, where no public row is. */
  readonly outside: number;
}

/** What a release of groups says of itself. */
export interface GroupsPart {
  readonly plan: GroupsPlanPart;
  readonly total: number;
  /** Of each level how far the priors of its groups were trusted; null where answers were not asked. */
  readonly trust?: readonly (TrustPart | null)[];
  readonly groups: readonly GroupPart[];
}

export type ReleasePart = ModelPart | GroupsPart;

/** What was measured in one round, and how much of it the release changed. */
export interface RoundPart {
  /** From 1; 0 before the first. */
  readonly round: number;
  readonly clique: readonly string[];
  readonly cells: number;
  /** The synthetic table beside the public one, if any, in these attributes: total variation, from 0 to 1. */
  readonly variation?: number;
}

/** The values of one attribute, as shares. */
export interface OneWayPart {
  readonly attribute: string;
  readonly labels: readonly (string | null)[];
  readonly synthetic: readonly number[];
  /** Missing where nothing public was started from. */
  readonly public?: readonly number[];
  /** The noisy answer that knows them best, and its standard error. */
  readonly measured?: { readonly shares: readonly number[]; readonly standardError: number };
}

/** How far two tables are apart in a pair of attributes: total variation, from 0 to 1. */
export interface PairPart {
  readonly attributes: readonly [string, string];
  readonly variation: number;
}

/** All that a shareable report is made of, as plain JSON. */
export interface ReportJson {
  readonly format: "marginalia-report";
  readonly version: 1;
  readonly origin: "released";
  readonly ledger: LedgerPart;
  readonly release: ReleasePart;
  /** How many records the synthetic table has. */
  readonly records: number;
  /** For each measurement of a model: which part of what is known comes from it, and not from the prior. From 0 to 1. */
  readonly dataShares: readonly number[];
  /** Each measurement of a release by rounds, in their order. */
  readonly rounds?: readonly RoundPart[];
  readonly oneWays: readonly OneWayPart[];
  /** The synthetic table beside the public one, within the groups of the plan; none where nothing public was started from. */
  readonly pairs: readonly PairPart[];
}

declare const released: unique symbol;

/**
 * What a shareable report is made of: released values alone. No literal has this type; `reportInput` makes it of a
 * release, `parseReportInput` of what was kept of one.
 */
export interface ReportInput extends ReportJson {
  readonly [released]: true;
}

/** A score of the synthetic table and of each baseline. */
export interface Beside<T> {
  readonly synthetic: T;
  readonly public?: T;
  readonly subsample: T;
}

interface VariationPart {
  readonly mean: number;
  readonly worst?: { readonly variation: number } | undefined;
  readonly fabricated: { readonly share: number };
  readonly suppressed: { readonly share: number };
}

/** How far the correlations of some pairs are off. */
interface CorrelationErrorPart {
  readonly count: number;
  readonly mean: number;
  readonly shift: number;
  readonly corrected: number;
}

/** The same of all pairs, and of those that a release measured and others, where these are known. */
interface CorrelationPart extends CorrelationErrorPart {
  readonly measured?: CorrelationErrorPart;
  readonly others?: CorrelationErrorPart;
}

/** What `evaluate` says. */
export interface EvaluationPart {
  readonly private: false;
  readonly columns: readonly (keyof Beside<unknown>)[];
  readonly rows: Readonly<Record<string, number>>;
  readonly scores: Beside<number>;
  readonly kMarginal: {
    /** The attributes within whose groups pairs are counted. */
    readonly group: readonly string[];
    readonly pairs: readonly { readonly attributes: readonly [string, string]; readonly distance: number }[];
  };
  readonly marginals: readonly (Beside<VariationPart> & { readonly k: number })[];
  readonly workload: Beside<{ readonly l1: number; readonly l2: number; readonly max: number }>;
  readonly correlation: Beside<CorrelationPart>;
}

/** Comparisons with the true table: not differentially private. */
export interface InternalParts {
  readonly origin: "internal";
  readonly evaluation: EvaluationPart;
  /** The true shares of each attribute's values, in the order of its labels. */
  readonly oneWays: readonly { readonly attribute: string; readonly shares: readonly number[] }[];
  /** The values of each attribute in the synthetic and the public table, where no release says them. */
  readonly beside?: readonly OneWayPart[];
  /** Of each level the true number of records of each group that has some. */
  readonly groups?: readonly (readonly TrueGroupPart[])[];
}

export interface TrueGroupPart {
  readonly labels: readonly (string | null)[];
  readonly records: number;
}

export interface ReportOptions {
  /** The heading. */
  title?: string;
  /** Printed as it is given; a report has no date of its own, so that the same input gives the same bytes. */
  date?: string;
}
