import type { CallSettings, Progress } from "../tables/read.js";
import type { ReleaseProgress, ReleaseSettings } from "./options.js";

/** How the engine is called in one phase of a release: with the caller's signal, and progress that names the phase. */
export type Stage = (phase: ReleaseProgress["phase"]) => CallSettings;

/** The stages of one call. */
export function stages({ signal, onProgress }: ReleaseSettings): Stage {
  return (phase) => ({
    ...(signal && { signal }),
    ...(onProgress && {
      onProgress: ({ done, total }: Progress) => onProgress({ phase, done, ...(total && { total }) }),
    }),
  });
}
