import { joined } from "../../estimate/wire.js";
import { ENDS, FIGURES, type Figures, figuresOf } from "../groups/tree.js";

/** The figures of a group in a section, each of all groups before the next; then how many steps make its estimate again. */
export const COLUMNS = FIGURES.length + 2;

/** No estimate comes near: sums of so large numbers are finite. */
const MOST = 1e100;

/** Figures as one list. */
export function flatFigures(
  figures: readonly Figures[],
  steps: ArrayLike<number>,
): Float64Array<ArrayBuffer> {
  const all = new Float64Array(COLUMNS * figures.length);
  for (const [at, one] of figures.entries()) {
    const row = [ENDS.indexOf(one.status), ...FIGURES.map((name) => one[name]), steps[at] as number];
    // One of many numbers that are none: which it is would be up to the platform.
    for (const [column, value] of row.entries())
      all[column * figures.length + at] = Number.isNaN(value) ? Number.NaN : value;
  }
  return all;
}

/** Figures from a list, and the steps; nothing where they are of no estimate. */
export function readFigures(
  list: Float64Array,
): { figures: Figures[]; steps: Float64Array<ArrayBuffer> } | undefined {
  const groups = list.length / COLUMNS;
  const rows = Array.from({ length: groups }, (_, group) =>
    Array.from({ length: COLUMNS }, (_, column) => list[column * groups + group] as number),
  );
  const figures = rows.map((row) => figuresOf(row) as Figures);
  const steps = Float64Array.from(rows, (row) => row.at(-1) as number);
  const sound = ({ status, records, variance, worth, outside }: Figures) =>
    status !== undefined &&
    [records, variance, outside].every((one) => Math.abs(one) <= MOST) &&
    variance >= 0 &&
    worth > 0 &&
    worth < Number.POSITIVE_INFINITY;
  const whole = (one: number) => Number.isSafeInteger(one) && one >= 0 && one < 2 ** 31;
  return figures.every(sound) && steps.every(whole) ? { figures, steps } : undefined;
}

/** How many potentials the prior of a group has, and the group itself. */
interface Lengths {
  readonly prior: number;
  readonly potentials: number;
}

/** Potentials of groups: first those of the priors of all of them, then their own. */
interface Lists {
  readonly priors: Float64Array<ArrayBuffer>;
  readonly own: Float64Array<ArrayBuffer>;
}

/** The two lists of potentials that come group after group. */
export function parted(numbers: Float64Array, groups: readonly Lengths[]): Lists {
  let at = 0;
  const parts = groups.map(({ prior, potentials }) => {
    at += prior + potentials;
    return [
      numbers.subarray(at - prior - potentials, at - potentials),
      numbers.subarray(at - potentials, at),
    ];
  });
  const [priors, own] = [0, 1].map((i) => joined(parts.map((part) => part[i] as Float64Array)));
  return { priors, own } as Lists;
}

/** Potentials group after group again. */
export function woven({ priors, own }: Lists, groups: readonly Lengths[]): Float64Array<ArrayBuffer> {
  let [v, u] = [0, 0];
  const parts = groups.flatMap(({ prior, potentials }) => {
    v += prior;
    u += potentials;
    return [priors.subarray(v - prior, v), own.subarray(u - potentials, u)];
  });
  return joined(parts);
}
