import { close, type Estimate, estimate, type MarginaliaError, prior } from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { A, cells, codeOf, domain, tableOf } from "./support.js";

afterAll(() => close());

const over = domain([50, 50, 50]);
const pairs = [
  ["a", "b"],
  ["b", "c"],
  ["a", "c"],
] as const;
/** Stiff and contradictory: many passes to a tight gap. */
const measurements = pairs.map((pair, k) =>
  cells(
    over,
    pair,
    Array.from({ length: 2500 }, (_, i) => ((i * (7 + k)) % 13) - 2),
    0.01,
  ),
);

async function large() {
  const rows = Array.from({ length: 60_000 }, (_, i) => [i % 50, (i * 7) % 47, (i * i) % 50]);
  using table = await tableOf(over, rows);
  return await prior(table);
}

describe("anytime", () => {
  it("a time limit answers with the best model so far and its gap", async () => {
    using before = await large();
    const options = { prior: before, measurements, strength: 1, tolerance: 1e-12, keepRefused: true };
    using fit = await estimate.calibrated({ ...options, timeLimit: 60 });
    expect(["stopped", "refused"]).toContain(fit.status);
    expect(fit.certificate.gap).toBeGreaterThan(0);
    expect((await fit.model.marginal(["a"])).length).toBe(50);
    const refusing = { ...options, keepRefused: false, timeLimit: 0 };
    using none = await estimate.calibrated(refusing);
    if (none.status === "refused") expect(() => none.model).toThrow(/keepRefused/);
  });

  it("an abort rejects within a tenth of a second, with the best estimate so far", async () => {
    using before = await large();
    const controller = new AbortController();
    let told = 0;
    let at = 0;
    const running = estimate.calibrated({
      prior: before,
      measurements,
      strength: 1,
      tolerance: 1e-12,
      keepRefused: true,
      signal: controller.signal,
      onProgress: () => {
        told += 1;
        if (told === 3) {
          at = performance.now();
          controller.abort(new Error("enough"));
        }
      },
    });
    const error = await running.then(
      () => expect.fail("it was not aborted"),
      (thrown: MarginaliaError & { partial?: Estimate<typeof over> }) => thrown,
    );
    expect(performance.now() - at).toBeLessThan(1000);
    expect([error.code, (error.cause as Error).message]).toEqual(["ABORTED", "enough"]);
    using partial = error.partial as Estimate<typeof over>;
    expect((await partial.model.marginal(["b"])).length).toBe(50);
    expect(
      await codeOf(estimate.calibrated({ prior: before, measurements, signal: AbortSignal.abort() })),
    ).toBe("ABORTED");
  });

  it("an abort is felt within 100 ms, and progress is told at least four times a second", async () => {
    const every = Array.from({ length: 120_000 }, (_, i) => [
      i % 50,
      Math.floor(i / 50) % 50,
      Math.floor(i / 2500),
    ]);
    using tall = await tableOf(over, every);
    using long = await prior(tall);
    let [soonest, mostOften] = [Number.POSITIVE_INFINITY, 0];
    // The machine may have other things to do: what counts is what it can.
    for (let attempt = 0; attempt < 6 && (soonest > 100 || mostOften < 4); attempt++) {
      const controller = new AbortController();
      const told: number[] = [];
      let at = 0;
      const onProgress = () => {
        told.push(performance.now());
        if (told.length < 8) return;
        at = performance.now();
        controller.abort();
      };
      const options = { prior: long, measurements, strength: 1e-3, tolerance: 1e-15, passes: 1e9 };
      const running = estimate.calibrated({ ...options, signal: controller.signal, onProgress });
      await expect(running).rejects.toMatchObject({ code: "ABORTED" });
      soonest = Math.min(soonest, performance.now() - at);
      const [first, last] = [told[0] as number, told.at(-1) as number];
      mostOften = Math.max(mostOften, (1000 * (told.length - 1)) / (last - first));
    }
    expect(soonest).toBeLessThan(100);
    expect(mostOften).toBeGreaterThan(4);
  });

  it("a gap above a tenth is refused unless it is asked for; the measurements are as good as before", async () => {
    using before = await large();
    const options = { prior: before, measurements, strength: 1, passes: 1, tolerance: 1e-12 };
    using refused = await estimate.calibrated(options);
    expect(refused.status).toBe("refused");
    expect(refused.certificate.relativeGap).toBeGreaterThan(0.1);
    expect(() => refused.model).toThrow(expect.objectContaining({ code: "ESTIMATE_REFUSED" }));
    using kept = await estimate.calibrated({ ...options, keepRefused: true });
    expect((await kept.model.marginal(["a"])).length).toBe(50);
    using again = await estimate.calibrated({ prior: before, measurements, tolerance: 1e-3 });
    expect(again.status).toBe("converged");
  });

  it("options that do not exist are refused by name, and values that make no sense", async () => {
    using table = await tableOf(A.over, A.rows);
    using before = await prior(table);
    const plain = { prior: before, measurements: [cells(A.over, ["a"], [1, 2])] };
    const misspelt = { ...plain, tolerence: 1 };
    for (const call of [estimate.calibrated(misspelt), estimate.iterative(misspelt)])
      await expect(call).rejects.toThrow(/no option `tolerence`/);
    for (const wrong of [
      { loss: "l3" },
      { strength: 0 },
      { strength: "strong" },
      { tolerance: 0 },
      { passes: 1.5 },
      { total: -1 },
      { timeLimit: -1 },
      { measurements: 3 },
      { prior: {} },
    ])
      expect(await codeOf(estimate.calibrated({ ...plain, ...wrong } as never)), JSON.stringify(wrong)).toBe(
        "OPTION_INVALID",
      );
    for (const wrong of [{ order: "up" }, { choice: "l7" }, { damping: 0 }, { steps: -1 }])
      expect(await codeOf(estimate.iterative({ ...plain, ...wrong } as never))).toBe("OPTION_INVALID");
    await expect(prior(table, { strenght: 3 } as never)).rejects.toThrow(/no option `strenght`/);
    const foreign = [cells(domain([2, 4]), ["b"], [1, 2, 3, 4])];
    expect(await codeOf(estimate.calibrated({ prior: before, measurements: foreign }))).toBe(
      "MEASUREMENT_INVALID",
    );
  });
});
