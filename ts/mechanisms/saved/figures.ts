import type { Figures } from "../groups/tree.js";

/** The figures of a group in a section, in their order; each of all groups before the next. */
const FIELDS = ["relativeGap", "relativeEntropy", "records", "variance", "worth", "outside"] as const;
const STATUS = ["converged", "limit", "refused"] as const;
/** With how an estimation ended, and how many steps make it again. */
export const COLUMNS = FIELDS.length + 2;

/** No estimate comes near: sums of so large numbers are finite. */
const MOST = 1e100;

/** Figures as one list. */
export function flatFigures(
  figures: readonly Figures[],
  steps: ArrayLike<number>,
): Float64Array<ArrayBuffer> {
  const all = new Float64Array(COLUMNS * figures.length);
  const put = (column: number, of: (one: Figures, at: number) => number) => {
    for (const [at, one] of figures.entries()) {
      const value = of(one, at);
      // One of many numbers that are none: which it is would be up to the platform.
      all[column * figures.length + at] = Number.isNaN(value) ? Number.NaN : value;
    }
  };
  put(0, ({ status }) => STATUS.indexOf(status));
  for (const [i, name] of FIELDS.entries()) put(i + 1, (one) => one[name]);
  put(COLUMNS - 1, (_, at) => steps[at] as number);
  return all;
}

/** Figures from a list, and the steps; nothing where they are of no estimate. */
export function figuresOf(
  list: Float64Array,
): { figures: Figures[]; steps: Float64Array<ArrayBuffer> } | undefined {
  const groups = list.length / COLUMNS;
  const at = (column: number, group: number) => list[column * groups + group] as number;
  const figures = Array.from({ length: groups }, (_, group): Figures => {
    const [relativeGap, relativeEntropy, records, variance, worth, outside] = FIELDS.map((_, i) =>
      at(i + 1, group),
    ) as [number, number, number, number, number, number];
    const status = STATUS[at(0, group)] as Figures["status"];
    return { status, relativeGap, relativeEntropy, records, variance, worth, outside };
  });
  const steps = Float64Array.from({ length: groups }, (_, group) => at(COLUMNS - 1, group));
  const sound = ({ status, records, variance, worth, outside }: Figures) =>
    status !== undefined &&
    [records, variance, outside].every((one) => Math.abs(one) <= MOST) &&
    variance >= 0 &&
    worth > 0 &&
    worth < Number.POSITIVE_INFINITY;
  const whole = (one: number) => Number.isSafeInteger(one) && one >= 0 && one < 2 ** 31;
  return figures.every(sound) && steps.every(whole) ? { figures, steps } : undefined;
}
