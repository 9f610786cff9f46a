import type { Kit } from "./kit.js";
import type { ResolvedSelection } from "./resolve.js";

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** What is asked, in words: `one of 55 cells, in 2 cliques`. */
export function describeCandidates({ workload, candidates, quantile, among }: ResolvedSelection): string {
  const cliques = counted(workload.length, "clique", "cliques");
  if (candidates === "edges")
    return `one of ${counted(among, "edge", "edges")} of ${workload.clique(0)}, for its quantile ${quantile?.join("/")}`;
  if (candidates === "cliques") return `one of ${counted(among, "clique", "cliques")}`;
  return `one of ${counted(among, "cell", "cells")}, in ${cliques}`;
}

/** How it is made private, in words. */
export function describeLaw({ mechanism, epsilon }: ResolvedSelection, { show }: Kit): string {
  const law = mechanism === "exponential" ? "exponential mechanism" : "permute-and-flip";
  return `${law}, ε = ${show(epsilon, true)}`;
}
