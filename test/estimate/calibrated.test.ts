import { estimate, prior } from "marginalia";
import { describe, expect, it } from "vitest";
import { A, B, cells, tableOf, varianceOf } from "./support.js";

const near = (got: ArrayLike<number>, wanted: readonly number[], within: number) => {
  expect(got.length).toBe(wanted.length);
  for (const [i, one] of wanted.entries()) {
    expect(Math.abs((got[i] as number) - one)).toBeLessThan(within);
  }
};

const TOTAL = 1000;
const times = (list: readonly number[]) => list.map((one) => one * TOTAL);

async function fitA(options: object = {}) {
  using table = await tableOf(A.over, A.rows, A.p);
  const before = await prior(table, { strength: 50 });
  const variance = varianceOf(10, TOTAL, 50);
  const measurements = [
    cells(A.over, ["a"], times(A.a), variance),
    cells(A.over, ["b"], times(A.b), variance),
  ];
  const fit = await estimate.calibrated({
    prior: before,
    measurements,
    total: TOTAL,
    strength: 50,
    tolerance: 1e-13,
    ...options,
  });
  return { before, fit };
}

describe("calibrated", () => {
  it("gives golden vector A", async () => {
    const { before, fit } = await fitA();
    expect(fit.status).toBe("converged");
    using model = fit.model;
    const q = [0.073764380746, 0.270828456413, 0.122623703638, 0.212328448632, 0.320455010572];
    near(await model.weights({ normalize: true }), q, 2e-7);
    near(await model.weights(), times(q), 2e-4);
    expect(fit.certificate.value).toBeCloseTo(0.251652529449, 11);
    expect(fit.certificate.relativeEntropy).toBeCloseTo(0.156978004763, 6);
    expect(await model.relativeEntropy()).toBeCloseTo(fit.certificate.relativeEntropy, 12);
    near(await model.marginal(["a"], { normalize: true }), [0.467216540797, 0.532783459204], 1e-6);
    expect(model.total).toBe(TOTAL);
    expect([before.rows, fit.strength]).toEqual([5, 50]);
    expect(fit.total).toEqual({ records: TOTAL, variance: 0 });
  });

  it("gives golden vector B, whose last row has no weight and whose cell ab = 11 no row", async () => {
    using table = await tableOf(B.over, B.rows, B.p);
    using before = await prior(table, { strength: 20 });
    expect(before.rows).toBe(6);
    const variance = varianceOf(5, TOTAL, 20);
    const measurements = (["ab", "bc", "ac"] as const).map((clique) =>
      cells(B.over, [...clique], times(B[clique]), variance),
    );
    const options = { prior: before, measurements, total: TOTAL, strength: 20, tolerance: 1e-13 };
    using fit = await estimate.calibrated(options);
    const q = [
      0.191442498867, 0.146028645407, 0.118887684602, 0.076443120799, 0.218652627783, 0.248545422541,
    ];
    near(await fit.model.weights({ normalize: true }), q, 1e-7);
    expect(fit.certificate.value).toBeCloseTo(0.03639799322, 11);
    expect(fit.outside.map(({ answers }) => answers)).toEqual([1, 0, 0]);
    expect(fit.outside[0]?.records).toBeCloseTo(40, 10);
    expect(fit.outside[0]?.variance).toBeCloseTo(variance, 10);
  });
});
