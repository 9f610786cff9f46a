import type { KeepDependencies } from "../../estimate/dependencies.js";
import type { GraphicalModel } from "../../estimate/graphical.js";
import type { ProductModel } from "../../estimate/product.js";
import type { Mapping, Sum } from "../../estimate/rules.js";
import type { SupportModel } from "../../estimate/support.js";
import type { Amount } from "../../privacy/rational.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import type { Workload } from "../../tables/workload.js";

/** A combination of values that cannot be: for each attribute one of its labels or several, null where it is null. */
export type Denied<S extends Schema = Schema> = {
  readonly [K in NameOf<S>]?: string | null | readonly (string | null)[];
};

/** The model that each estimator of a release gives. */
export interface EstimatorModels<S extends Schema = Schema> {
  calibrated: SupportModel<S>;
  iterative: SupportModel<S>;
  twoStage: SupportModel<S>;
  independent: ProductModel<S>;
  graphical: GraphicalModel<S>;
  multiplicativeWeights: SupportModel<S>;
}

/** The estimators that a release can be asked for. */
export const ESTIMATORS = ["calibrated", "iterative", "twoStage", "independent", "graphical"] as const;
export type EstimatorName = keyof EstimatorModels;
/** Those that need no prior. */
export const PRIORLESS: readonly EstimatorName[] = ["independent", "graphical"];
/** The model of a release, whichever estimator made it: its `kind` says what it has. */
export type AnyModel<S extends Schema = Schema> = EstimatorModels<S>[EstimatorName];

/** The options of every mechanism that starts from a public table; all but that has a default. */
export interface CommonOptions<S extends Schema = Schema, E extends EstimatorName = EstimatorName> {
  /** A *public* table of the same schema, such as the year before: nothing of it is protected. */
  prior: Table<S>;
  /** How many public records it is worth; unless given, its rows, or the effective size of weighted ones (Kish). */
  priorStrength?: number;
  /** What the prior is known by, and who vouches that it is public: for the record of the release. */
  provenance?: { readonly name?: string; readonly declaredPublicBy?: string };
  /**
   * The attributes that the release is to be right about; those of the file unless given. All are released. Where bins of
   * many numbers are derived (docs/releasing.md), pairs count the bins, and the numbers are counted alone.
   */
  attributes?: readonly NameOf<S>[];
  /** An attribute whose groups matter, such as the area: pairs within each group are what is judged. */
  group?: NameOf<S>;
  /**
   * Groups lend each other rows. Where there is a `group`, with a share of `alpha` that is found on public halves,
   * unless given; `false` for not at all.
   */
  pool?: false | { readonly alpha?: number };
  /** What is measured; what a forecast on public data alone finds best, unless given. */
  workload?: Workload<S> | readonly (readonly NameOf<S>[])[];
  /** What is spent, in ε of a pure budget and in ρ of others; unless given, all that nobody else spent before. */
  spend?: Amount;
  /** How many records the private table is expected to have: a public guess; as given to `seal`, or the prior's. */
  expectedRows?: number;
  /** The number of records, where it is public; otherwise the answers say. */
  total?: number;
  /** The share of the weight of rows that a public network draws, and how many; 0.05 and 2 for each public one. */
  widen?: false | { readonly share?: number; readonly rows?: number };
  /** Combinations that cannot be: no record of the release has one. */
  deny?: readonly Denied<S>[];
  /** Lists of combinations: each record has one of every list. */
  allow?: readonly (readonly Denied<S>[])[];
  /** Attributes that follow from others. */
  mapping?: readonly Mapping<S>[];
  /** Attributes that are the sum of others, wherever none of them is null. */
  sums?: readonly Sum<S>[];
  /**
   * Where an attribute follows from another in every public row, as a category does from its code, no record breaks that
   * (`"keep"`, unless given); or rows that are drawn may (`"ignore"`).
   */
  dependencies?: KeepDependencies;
  /**
   * What makes the model; unless given it is the calibrated estimate, which weighs answers and prior, and without a prior the
   * graphical one, which `estimate.calibrated` makes of a schema.
   */
  estimator?: E;
  /** How many records the prior is worth: see `estimate.calibrated`. */
  strength?: number | "harmonic" | "coupledBootstrap";
  /** The relative gap of the estimate; 1e-3 unless given. */
  tolerance?: number;
  /** The tables that records keep; those that are measured and judged, of the latter about a half where they are many, unless given. */
  targets?: Workload<S> | readonly (readonly NameOf<S>[])[];
  /** The seed of all but the noise, which has none. The same measurements and seed give the same bytes. */
  seed?: string | number;
  /** Sets releases apart that are asked for with the same options: another label draws and pays anew. */
  label?: string;
  /** Goes on where the prior was read from the very place that the private table is read from. */
  allowSameSource?: boolean;
}

/** The common options of mechanisms that need no public table. */
export const ALONE = [
  ...["prior", "priorStrength", "provenance", "attributes", "spend", "expectedRows", "total"],
  ...["deny", "allow", "mapping", "sums", "tolerance", "targets", "seed", "label", "allowSameSource"],
] as const;

/** The options that all mechanisms have that need no public table. */
export interface AloneOptions<S extends Schema = Schema>
  extends Partial<Pick<CommonOptions<S>, Exclude<(typeof ALONE)[number], "prior">>> {
  /** A *public* table, if there is one: of the same attributes, or of some of them. */
  prior?: Table;
}

/** How what is measured is chosen by simulations on the public table. */
export interface ForecastOptions {
  /** Shares of the budget go as the number of cells to one of these powers; 0 and 1/2 unless given. */
  exponents?: readonly number[];
  /** How often each candidate is simulated; 3 unless given. */
  draws?: number;
}

/** The names of these options. */
export const FORECAST = ["exponents", "draws"];
export const COMMON = [
  ...[
    "prior",
    "priorStrength",
    "provenance",
    "attributes",
    "group",
    "pool",
    "workload",
    "spend",
    "expectedRows",
  ],
  ...["total", "widen", "deny", "allow", "mapping", "sums", "dependencies"],
  ...["strength", "tolerance", "targets", "seed", "label"],
  "allowSameSource",
  "estimator",
];
