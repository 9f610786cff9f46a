// The ways to use a prior that are compared, and how far each ends from the truth.

/** Half the L1 distance of shares, the mean over the cliques of a workload. */
export function variation(counts, answers, rows) {
  const of = (cells, i) => {
    const sum = answers[i].reduce((all, one) => all + one, 0);
    return (
      cells.reduce((total, count, cell) => total + Math.abs(count / rows - answers[i][cell] / sum), 0) / 2
    );
  };
  return counts.reduce((total, cells, i) => total + of(cells, i), 0) / counts.length;
}

/** What a table or a model misses: of the workload that was measured, and of all pairs. */
export async function errors({ workload, pairs, counts, ofPairs, rows }, answering) {
  const [near, all] = [await answering.answer(workload), await answering.answer(pairs)];
  return { workload: variation(counts, near, rows), pairs: variation(ofPairs, all, rows) };
}

/** Every way: `prior` says from which of the study's priors. */
export const WAYS = {
  calibrated: { prior: "before", run: ({ estimate }, problem) => estimate.calibrated(problem) },
  iterative: { prior: "before", run: ({ estimate }, problem) => estimate.iterative(problem) },
  "iterative, as printed": {
    prior: "before",
    run: ({ estimate }, problem) =>
      estimate.iterative({
        ...problem,
        order: "random",
        choice: "rescale",
        damping: 1,
        tolerance: 0,
        steps: 2 * problem.measurements.length,
      }),
  },
  "two-stage": {
    prior: "before",
    run: ({ estimate }, problem) => estimate.twoStage({ ...problem, tolerance: 1e-2, timeLimit: 60_000 }),
  },
  "calibrated, uniform weights": {
    prior: "uniform",
    run: ({ estimate }, problem) => estimate.calibrated(problem),
  },
  "calibrated, distorted prior": {
    prior: "odd",
    run: ({ estimate }, problem) => estimate.calibrated(problem),
  },
};

/** The priors of a study. */
export async function priorsOf({ prior }, { before, odd }) {
  const strength = before.rows;
  return {
    before: await prior(before),
    uniform: await prior.uniform(before, { strength }),
    odd: await prior(odd, { strength }),
  };
}

/** One way on one set of measurements: its errors, how it ended, and the seconds it took. */
export async function tried(api, study, way, priors, measurements, seed) {
  const { prior, run } = WAYS[way];
  const start = performance.now();
  const found = await run(api, { prior: priors[prior], measurements, seed });
  const seconds = (performance.now() - start) / 1000;
  try {
    if (found.status === "refused") return { status: found.status, seconds };
    const { strength, consistency } = found;
    return { status: found.status, seconds, strength, consistency, ...(await errors(study, found.model)) };
  } finally {
    found.dispose();
  }
}
