import { invalid } from "../../options.js";
import type { Schema } from "../../tables/schema.js";
import { type Workload, workload } from "../../tables/workload.js";
import { cellsOf } from "./shares.js";

/** Cells of all candidates together: each has a private count and a public answer. */
const ALL_CELLS = 2 ** 23;
const MOST_ROUNDS = 200;

/** Refuses rounds that make no sense. */
export function checkRounds(rounds: unknown, selectShare: unknown): void {
  if (
    rounds !== undefined &&
    !(Number.isSafeInteger(rounds) && (rounds as number) >= 1 && (rounds as number) <= MOST_ROUNDS)
  )
    throw invalid(`\`rounds\` is from 1 to ${MOST_ROUNDS}`);
  checkShare(selectShare);
}

/** Refuses what is no part of a budget. */
export function checkShare(selectShare: unknown): void {
  if (!(typeof selectShare === "number" && selectShare > 0 && selectShare < 1))
    throw invalid("`selectShare` is above 0 and below 1");
}

/** How much each clique of a workload matters. */
export function factorsOf<S extends Schema>(
  { factors, workload }: { readonly factors?: readonly number[]; readonly workload?: unknown },
  cliques: Workload<S>,
): readonly number[] | undefined {
  if (factors === undefined) return undefined;
  if (workload === undefined) throw invalid("`factors` go with a `workload`: one for each of its cliques");
  const whole = (factor: unknown) =>
    Number.isInteger(factor) && (factor as number) >= 1 && (factor as number) < 2 ** 32;
  if (Array.isArray(factors) && factors.length === cliques.length && factors.every(whole))
    return [...factors];
  throw invalid("`factors` are whole numbers from 1, one for each clique of the workload");
}

/** Of cliques those with at most so many cells, the smallest first where all together have too many; and how many are left out. */
export function few<S extends Schema>(
  all: Workload<S>,
  most: number,
): { candidates: Workload<S>; omitted: number } {
  let sum = 0;
  const kept = cellsOf(all)
    .map((cells, i) => [cells, i] as const)
    .sort(([a, i], [b, j]) => a - b || i - j)
    .filter(([cells]) => {
      sum += cells;
      return cells <= most && sum <= ALL_CELLS;
    })
    .map(([, i]) => i)
    .sort((a, b) => a - b);
  if (kept.length === 0)
    throw invalid("no pair of attributes has few enough cells: give a `workload` of what may be measured");
  const cliques = kept.map((i) => all.clique(i));
  return { candidates: workload(all.schema, cliques), omitted: all.length - kept.length };
}
