import { call, type Handle } from "../../engine/index.js";

/** How far the priors of the groups of a level were trusted, by what its answers said of them. */
export interface LevelTrust {
  /** Which part of what priors are worth by their sources they counted for: 1 unless answers contradict them. */
  readonly factor: number;
  /** By how many standard errors answers were farther from fits with all of it than noise explains; below 2 is agreement. */
  readonly excess: number;
}

/** @internal Of each level; null where its answers were not asked. */
export async function trustOf(groups: Handle): Promise<(LevelTrust | null)[]> {
  const flat = await call("groups.judged", undefined, { on: groups });
  return Array.from({ length: flat.length / 2 }, (_, level) => {
    const [factor, excess] = flat.subarray(2 * level) as unknown as [number, number];
    return Number.isNaN(factor) ? null : Object.freeze({ factor, excess });
  });
}
