import type { CallSettings, Progress } from "../../tables/read.js";

/** What a mechanism is doing. */
export type Phase = "prior" | "forecast" | "select" | "measure" | "estimate" | "records";

/** Where a release has come to. */
export interface ReleaseProgress extends Progress {
  readonly phase: Phase;
  /** Of what chooses in rounds: from 1; 0 before the first one. */
  readonly round?: number;
  readonly rounds?: number;
}

/** What a long call of a mechanism can be given. */
export interface ReleaseSettings extends Pick<CallSettings, "signal"> {
  onProgress?: (progress: ReleaseProgress) => void;
}

/** How the engine is called in one phase of a release: with the caller's signal, and progress that names the phase. */
export type Stage = (phase: Phase) => CallSettings;

/** Where rounds have come to, for whoever watches. */
export interface Watch {
  readonly stage: Stage;
  /** Goes on to a round, from 1. */
  enter(round: number): void;
  /** Tells that a phase begins which tells nothing of itself. */
  begins(phase: Phase): void;
  readonly signal: AbortSignal | undefined;
}

/** Watches a call of so many rounds; of none where there are none, or before they are known. */
export function watched({ signal, onProgress }: ReleaseSettings, rounds?: number): Watch {
  let round = 0;
  const tell = (phase: Phase, { done, total }: Progress) => {
    onProgress?.({ phase, done, ...(total && { total }), ...(rounds !== undefined && { round, rounds }) });
  };
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

/** The stages of one call. */
export const stages = (settings: ReleaseSettings): Stage => watched(settings).stage;
