import type { Schema } from "../../tables/schema.js";
import type { Resolved } from "../kit/resolved.js";
import type { ResolvedGroups } from "./resolved.js";

/** How a budget is divided among levels, in a few words. */
export type SplitName =
  | "even"
  | "few counts"
  | "no counts"
  | "many counts"
  | "finest first"
  | "coarsest first"
  | "finest alone"
  | "coarsest, and counts"
  | "given";

/** What counts and workload of one level get of a budget, in thousandths of some unit. */
export interface Part {
  readonly count: bigint;
  readonly share: bigint;
}

/** A way to divide a budget among levels. */
export interface Way {
  readonly name: SplitName;
  readonly levels: readonly Part[];
}

/** Parts of one level by its place and the number of levels. */
type Idea = readonly [name: SplitName, part: (level: number, levels: number) => readonly [number, number]];

const FEW = 100;
const ONE = 1000;

/** For one level. */
const SINGLE: readonly Idea[] = [
  ["even", () => [ONE, ONE]],
  ["few counts", () => [FEW, ONE]],
  ["no counts", () => [0, ONE]],
  ["many counts", () => [3 * ONE, ONE]],
];

/** For several: the first is the paper's. */
const SEVERAL: readonly Idea[] = [
  ["even", () => [ONE, ONE]],
  ["few counts", () => [FEW, ONE]],
  ["finest first", (level, levels) => [FEW, Math.round(ONE * 4 ** (level / (levels - 1)))]],
  ["coarsest first", (level, levels) => [FEW, Math.round(ONE * 4 ** (1 - level / (levels - 1)))]],
  ["finest alone", (level, levels) => [0, level === levels - 1 ? ONE : 0]],
  ["many counts", (level, levels) => [level === levels - 1 ? 3 * ONE : FEW, ONE]],
  ["coarsest, and counts", (level, levels) => (level === levels - 1 ? [ONE, 0] : [FEW, 4 * ONE])],
];

/**
 * The ways to divide a budget that a forecast chooses from; one, where nothing is left to choose. What somebody asked for
 * holds in all of them. Algorithm 1 of the paper has the paper's.
 */
export function ways<S extends Schema>(
  { levels, totals, estimator }: ResolvedGroups<S>,
  { total }: Pick<Resolved<S>, "total">,
): Way[] {
  const found: Way[] = [];
  const seen = new Set<string>();
  const free = levels.some(({ count, share }) => count === undefined || share === undefined);
  for (const [name, part] of levels.length === 1 ? SINGLE : SEVERAL) {
    const parts = levels.map((level, i): Part => {
      const [count, share] = part(i, levels.length);
      // Nobody needs to ask what is public.
      const known = total !== undefined && totals === "consistent" && level.keys.length === 0;
      return {
        count: level.count ?? BigInt(known ? 0 : count),
        share: level.share ?? (level.workload?.length === 0 ? 0n : BigInt(share)),
      };
    });
    const text = parts.map(({ count, share }) => `${count} ${share}`).join();
    if (seen.has(text) || !tells(parts, totals)) continue;
    seen.add(text);
    found.push({ name: free ? name : "given", levels: parts });
    if (estimator !== "calibrated") break;
  }
  return found;
}

/** Whether answers say how many records each group has: those of the finest level, or of all where totals do not agree. */
export function tells(parts: readonly Part[], totals: ResolvedGroups<Schema>["totals"]): boolean {
  if (parts.every(({ count, share }) => count + share === 0n)) return false;
  const needed = totals === "consistent" ? parts.slice(-1) : parts;
  return needed.every(({ count, share }) => count > 0n || (totals !== "count" && share > 0n));
}
