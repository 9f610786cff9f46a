import type { CallSettings, Progress } from "../../tables/read.js";

/** What a mechanism is doing. */
export type Phase = "prior" | "forecast" | "select" | "measure" | "estimate" | "records";

/** Where a release has come to. */
export interface ReleaseProgress extends Progress {
  readonly phase: Phase;
  /** Of what chooses in rounds: from 1; 0 before the first one. */
  readonly round?: number;
  readonly rounds?: number;
  /** About how long the phase takes on one thread, where that is foretold. */
  readonly seconds?: number;
}

/** What a long call of a mechanism can be given. */
export interface ReleaseSettings extends Pick<CallSettings, "signal"> {
  onProgress?: (progress: ReleaseProgress) => void;
}

/** How the engine is called in one phase of a release: with the caller's signal, and progress that names the phase and how long it takes. */
export type Stage = (phase: Phase, seconds?: number) => CallSettings;

/** Watches a call of so many rounds; of none where there are none, or before they are known. */
export function watched({ signal, onProgress }: ReleaseSettings, rounds?: number) {
  let round = 0;
  const tell = (phase: Phase, { done, total }: Progress, seconds?: number) => {
    const where = { ...(total && { total }), ...(rounds !== undefined && { round, rounds }) };
    onProgress?.({ phase, done, ...where, ...(seconds !== undefined && { seconds }) });
  };
  const stage: Stage = (phase, seconds) => {
    if (seconds !== undefined) tell(phase, { done: 0 }, seconds);
    return {
      ...(signal && { signal }),
      ...(onProgress && { onProgress: (progress: Progress) => tell(phase, progress, seconds) }),
    };
  };
  return {
    stage,
    signal,
    /** Goes on to a round, from 1. */
    enter(next: number) {
      round = next;
    },
    /** Tells that a phase begins which tells nothing of itself. */
    begins: (phase: Phase) => tell(phase, { done: 0 }),
  };
}

/** Where rounds have come to, for whoever watches. */
export type Watch = ReturnType<typeof watched>;

/** The stages of one call. */
export const stages = (settings: ReleaseSettings): Stage => watched(settings).stage;
