/** The laws of the noise once more, from their definitions: what measurements are held against. */

export interface Law {
  readonly law: "laplace" | "gaussian";
  /** b or σ², as a fraction. */
  readonly scale: string;
}

/** An interval, and how likely it is to hold what it is for. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  readonly chance: number;
}

function numberOf(fraction: string): number {
  const [above = 1, below = 1] = fraction.split("/").map(Number);
  return above / below;
}

/** P(|X| = k) for k from 0 to where less than 10⁻¹⁵ is left: P(x) ∝ e^(−|x|/b), or ∝ e^(−x²/2σ²). */
export function sizes({ law, scale }: Law): Float64Array {
  const by = numberOf(scale);
  const weight = (k: number) => Math.exp(law === "laplace" ? -k / by : (-k * k) / (2 * by));
  const list = [1];
  for (let k = 1; weight(k) > 1e-18; k++) list.push(2 * weight(k));
  const sum = list.reduce((so, one) => so + one, 0);
  return Float64Array.from(list, (one) => one / sum);
}

/** The least k with P(|X| ≤ k) ≥ `level`: noise is from −k to k. */
export function around(chances: Float64Array, level: number): Interval {
  let [k, chance] = [0, chances[0] as number];
  while (chance < level) chance += chances[++k] as number;
  return { low: -k, high: k, chance };
}

/** The part of a law between its tails, of which neither has more than half of what is left. */
export function between(chances: Float64Array, level: number): Interval {
  const tail = (1 - level) / 2;
  let [low, below] = [0, 0];
  while (below + (chances[low] as number) <= tail) below += chances[low++] as number;
  let [high, above] = [chances.length - 1, 0];
  while (above + (chances[high] as number) <= tail) above += chances[high--] as number;
  let chance = 0;
  for (let k = low; k <= high; k++) chance += chances[k] as number;
  return { low, high, chance };
}

/** The law of the sum of `n` independent ones. */
export function sumOf(one: Float64Array, n: number): Float64Array {
  let all = Float64Array.of(1);
  let power = one;
  for (let left = n; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) all = folded(all, power);
    if (left > 1) power = folded(power, power);
  }
  return all;
}

/** The law of the sum of two, without its end that is rarer than 10⁻¹⁷. */
function folded(a: Float64Array, b: Float64Array): Float64Array<ArrayBuffer> {
  const sum = new Float64Array(a.length + b.length - 1);
  for (let i = 0; i < a.length; i++) {
    const p = a[i] as number;
    for (let j = 0; j < b.length; j++) sum[i + j] = (sum[i + j] as number) + p * (b[j] as number);
  }
  let end = sum.length;
  while ((sum[end - 1] as number) < 1e-17) end -= 1;
  return sum.slice(0, end);
}
