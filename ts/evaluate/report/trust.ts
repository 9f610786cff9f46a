import { count, fixed, percent } from "./words.js";

/** How far the priors of the groups of a level were trusted, as a release says it. */
export interface TrustPart {
  readonly factor: number;
  readonly excess: number;
}

/** What a plan says of a level, as far as priors go. */
export interface Trusting {
  readonly level: { readonly strength?: number };
  readonly iterative: boolean;
}

/** How far the priors of a level were trusted, and why, in words. */
export function trustInWords(trust: TrustPart | null | undefined, { level, iterative }: Trusting): string {
  if (iterative) return "not weighed: Algorithm 1 forgets what a prior is worth";
  if (level.strength !== undefined)
    return `taken as worth ${count(Math.round(level.strength), "record")} each, as was asked`;
  if (trust === undefined) return "not said: the release was saved before that was kept";
  if (trust === null) return "trusted in full: nothing was measured that could contradict them";
  const { factor, excess } = trust;
  const errors = `${fixed(excess, 1)} standard errors`;
  const agree = `answers are no farther from them than noise explains (${errors}; from ${AGREE} on they contradict)`;
  if (excess <= AGREE) return `trusted in full: ${agree}`;
  const contradicted = `answers are farther from them than noise explains (by ${errors})`;
  if (factor >= 1) return `trusted in full: ${contradicted}, but less trust would have fitted no better`;
  return `trusted for ${percent(factor)} of what they are worth by their sources: ${contradicted}`;
}

/** The gate of `crates/estimate/src/estimators/strength`. */
export const AGREE = 3;
