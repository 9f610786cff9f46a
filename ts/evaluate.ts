/**
 * Scores of a table against the true one.
 *
 * {@link evaluate} gives all of them, beside those of the public file as it is and of a part of the true rows. Each can
 * be had alone: {@link kMarginal} (of tables or files, as SDNist 2 defines it), {@link contestScore},
 * {@link workloadError}, {@link totalVariation}, {@link correlation}.
 *
 * Everything here reads true data without noise. It is for whoever holds them, and *no part of a release*.
 *
 * @packageDocumentation
 */
export type { Dictionary } from "./evaluate/binning.js";
export {
  CONTEST_BINS,
  type ContestGroup,
  ContestScore,
  contestScore,
  type FileContestOptions,
  type TableContestOptions,
} from "./evaluate/contest.js";
export {
  type Association,
  Correlation,
  type CorrelationError,
  type CorrelationOptions,
  correlation,
  type PairCorrelation,
} from "./evaluate/correlation.js";
export {
  type AnswerSource,
  type CliqueError,
  WorkloadError,
  type WorkloadErrorOptions,
  workloadError,
} from "./evaluate/errors.js";
export { type EvaluateOptions, evaluate } from "./evaluate/evaluate.js";
export {
  type Column,
  Evaluation,
  type MarginalScores,
  type Side,
  type WorkloadScores,
} from "./evaluate/evaluation.js";
export type { FileOptions } from "./evaluate/files.js";
export { type InternalPartsOptions, internalParts } from "./evaluate/internal.js";
export type { GroupScore, PairScore } from "./evaluate/kmarginal.js";
export type { EvaluationProgress, EvaluationSettings } from "./evaluate/meter.js";
export { BestMixture, type BestMixtureOptions, bestMixture } from "./evaluate/mixture.js";
export {
  type FileScoreOptions,
  KMarginal,
  type KMarginalSettings,
  kMarginal,
  type SubsampleScore,
  type TableScoreOptions,
} from "./evaluate/score.js";
export {
  type CliqueVariation,
  type Combinations,
  totalVariation,
  Variation,
  type VariationOptions,
} from "./evaluate/variation.js";
