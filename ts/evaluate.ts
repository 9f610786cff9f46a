/**
 * Scores of a table against the true one.
 *
 * Everything here reads true data without noise: it is for whoever holds them, and no part of a release.
 *
 * @packageDocumentation
 */
export type { Dictionary } from "./evaluate/binning.js";
export type { FileOptions } from "./evaluate/files.js";
export type { GroupScore, PairScore } from "./evaluate/kmarginal.js";
export type { EvaluationProgress, EvaluationSettings } from "./evaluate/meter.js";
export {
  type FileScoreOptions,
  KMarginal,
  type KMarginalSettings,
  kMarginal,
  type SubsampleScore,
  type TableScoreOptions,
} from "./evaluate/score.js";
