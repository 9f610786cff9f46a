import type { CallSettings, Progress } from "../../tables/read.js";
import type { AdaptiveProgress, AdaptiveSettings } from "./options.js";

/** Where rounds have come to, for whoever watches. */
export interface Watch {
  /** How the engine is called in one phase. */
  stage(phase: AdaptiveProgress["phase"]): CallSettings;
  /** Goes on to a round, from 1. */
  enter(round: number): void;
  /** Tells that a phase begins which tells nothing of itself. */
  begins(phase: AdaptiveProgress["phase"]): void;
  readonly signal: AbortSignal | undefined;
}

/** Watches a call of so many rounds; of none before they are known. */
export function watched({ signal, onProgress }: AdaptiveSettings, rounds?: number): Watch {
  let round = 0;
  const tell = (phase: AdaptiveProgress["phase"], { done, total }: Progress) =>
    onProgress?.({ phase, done, ...(total && { total }), ...(rounds !== undefined && { round, rounds }) });
  return {
    stage: (phase) => ({
      ...(signal && { signal }),
      ...(onProgress && { onProgress: (progress: Progress) => tell(phase, progress) }),
    }),
    enter: (next) => {
      round = next;
    },
    begins: (phase) => tell(phase, { done: 0 }),
    signal,
  };
}
