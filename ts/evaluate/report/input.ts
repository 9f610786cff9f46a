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
  readonly entries: readonly {
    readonly what: string;
    readonly mechanism: string;
    readonly cost: string;
    readonly state: string;
  }[];
}

/** One measurement of the plan. */
export interface ChargePart {
  readonly clique: readonly string[];
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

export interface PlanPart {
  readonly prior: {
    readonly name?: string;
    readonly declaredPublicBy?: string;
    readonly hash: string;
    readonly strength: number;
    readonly rows: number;
    readonly support: number;
    readonly widen?: { readonly share: number; readonly rows: number };
    readonly pool?: { readonly group: string; readonly alpha: number };
  };
  readonly expectedRows: number;
  readonly measure: { readonly price: string; readonly charges: readonly ChargePart[] };
  readonly forecast: {
    readonly chosen: number;
    readonly untouched: { readonly score: number; readonly standardError?: number };
    readonly candidates: readonly CandidatePart[];
  };
  readonly reasons: readonly string[];
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

/** What a release says of itself: `release.report`. */
export interface ReleasePart {
  readonly plan: PlanPart;
  readonly total: { readonly records: number; readonly standardError: number };
  readonly estimate: {
    readonly status: string;
    readonly relativeGap: number;
    readonly relativeEntropy: number;
    readonly strength: number;
    readonly consistency?: number;
  };
  readonly measurements: readonly MetPart[];
}

/** The values of one attribute, as shares. */
export interface OneWayPart {
  readonly attribute: string;
  readonly labels: readonly (string | null)[];
  readonly synthetic: readonly number[];
  readonly public: readonly number[];
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
  /** For each measurement: which part of what is known comes from it, and not from the prior. From 0 to 1. */
  readonly dataShares: readonly number[];
  readonly oneWays: readonly OneWayPart[];
  /** The synthetic table beside the public one. */
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
  readonly fabricated: { readonly share: number };
  readonly suppressed: { readonly share: number };
}

/** What `evaluate` says. */
export interface EvaluationPart {
  readonly private: false;
  readonly columns: readonly (keyof Beside<unknown>)[];
  readonly rows: Readonly<Record<string, number>>;
  readonly scores: Beside<number>;
  readonly kMarginal: {
    readonly pairs: readonly { readonly attributes: readonly [string, string]; readonly distance: number }[];
  };
  readonly marginals: readonly (Beside<VariationPart> & { readonly k: number })[];
  readonly workload: Beside<{ readonly l1: number; readonly l2: number; readonly max: number }>;
  readonly correlation: Beside<{ readonly mean: number }>;
}

/** Comparisons with the true table: not differentially private. */
export interface InternalParts {
  readonly origin: "internal";
  readonly evaluation: EvaluationPart;
  /** The true shares of each attribute's values, in the order of its labels. */
  readonly oneWays: readonly { readonly attribute: string; readonly shares: readonly number[] }[];
  /** The values of each attribute in the synthetic and the public table, where no release says them. */
  readonly beside?: readonly OneWayPart[];
}

export interface ReportOptions {
  /** The heading. */
  title?: string;
  /** Printed as it is given; a report has no date of its own, so that the same input gives the same bytes. */
  date?: string;
}
