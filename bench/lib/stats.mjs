// Medians, quartiles and intervals of repeated measurements.

/** The value below which the share `p` of the sorted values lies, interpolated between neighbours. */
export function quantile(values, p) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = p * (sorted.length - 1);
  const below = Math.floor(place);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
}

export const median = (values) => quantile(values, 0.5);

/** A small seeded generator (mulberry32), so that an interval is the same each time it is computed. */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The ratio of two medians (b over a) and its bootstrap percentile interval: both sets of repeats are drawn
 * anew with replacement, `draws` times.
 */
export function ratioInterval(a, b, { level = 0.95, draws = 2000, seed = 1 } = {}) {
  const next = random(seed);
  const redraw = (values) => values.map(() => values[Math.floor(next() * values.length)]);
  const ratios = Array.from({ length: draws }, () => median(redraw(b)) / median(redraw(a)));
  return {
    ratio: median(b) / median(a),
    low: quantile(ratios, (1 - level) / 2),
    high: quantile(ratios, (1 + level) / 2),
  };
}
