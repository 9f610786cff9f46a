// What is claimed of estimates on real data, worked out from the errors of single runs.

/** Mean and standard error. */
export function summary(values) {
  const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
  const squares = values.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return {
    mean,
    error: Math.sqrt(squares / Math.max(values.length - 1, 1) / values.length),
    runs: values.length,
  };
}

/** The summary of a way at an ε, by one of its errors. */
export function of(runs, way, epsilon, what) {
  const values = runs.filter((run) => run.way === way && run.epsilon === epsilon && run[what] !== undefined);
  return summary(values.map((run) => run[what]));
}

/** Each claim with whether it holds: `{ claim, epsilon, holds, figures }`. */
export function claims({ runs, untouched, epsilons }, what) {
  return epsilons.flatMap((epsilon) => {
    const [ours, theirs, printed, uniform, odd] = [
      "calibrated",
      "iterative",
      "iterative, as printed",
      "calibrated, uniform weights",
      "calibrated, distorted prior",
    ].map((way) => of(runs, way, epsilon, what));
    const one = (claim, holds, figures) => ({ claim, epsilon, what, holds, figures });
    const prior = untouched[what];
    const found = [
      one("calibrated is better than iterative", ours.mean < Math.min(theirs.mean, printed.mean), {
        ours: ours.mean,
        theirs: Math.min(theirs.mean, printed.mean),
      }),
      // Within a twentieth, and what chance allows: nobody would notice less.
      one(
        "a bad prior is never notably worse than uniform weights",
        odd.mean <= 1.05 * uniform.mean + 2 * Math.hypot(odd.error, uniform.error),
        { bad: odd.mean, uniform: uniform.mean },
      ),
    ];
    if (epsilon <= 0.3)
      found.push(
        one("at most 1.02 of what the untouched prior misses", ours.mean <= 1.02 * prior, {
          ours: ours.mean,
          untouched: prior,
        }),
      );
    if (epsilon >= 1)
      found.push(
        one("better than the untouched prior by 3 standard errors", ours.mean + 3 * ours.error < prior, {
          ours: ours.mean,
          error: ours.error,
          untouched: prior,
        }),
      );
    return found;
  });
}
