import { category, estimate, measurement, prior, readTable, schema } from "marginalia";
import { describe, expect, it } from "vitest";

const coins = schema({
  a: category(["0", "1"], { other: "0" }),
  b: category(["0", "1"], { other: "0" }),
});

/** A cell of a clique of both, that was measured. */
const cell = (clique: string[], at: number, value: number) =>
  measurement({
    version: 1,
    clique,
    query: { type: "ranges", ranges: [[at, at]] },
    shape: clique.map(() => 2),
    values: [value],
    noise: { law: "gaussian", scale: "1", variance: 1 },
    relation: "add-remove",
  });

describe("multiplicative weights", () => {
  /** On paper: 00, 01, 10 and 11 with equal weights, and 70 of 100 records with a = 1. */
  it("move as on paper, on the whole domain", async () => {
    using full = await prior.full(coins, { strength: 1 });
    const measurements = [cell(["a"], 1, 70)];
    const shares = async (options: object) => {
      using found = await estimate.multiplicativeWeights({
        prior: full,
        measurements,
        total: 100,
        ...options,
      });
      expect(found.trace).toMatchObject([{ rounds: 1, off: 0.7 - 0.5 }]);
      return [...(await found.model.marginal(["a"], { normalize: true }))];
    };
    const up = (by: number) => Math.exp(by) / (1 + Math.exp(by));
    const close = (found: number[], share: number) => {
      expect(found[1]).toBeCloseTo(share, 14);
      expect(found[0]).toBeCloseTo(1 - share, 14);
    };
    close(await shares({ rule: "newest" }), up(0.1));
    close(await shares({}), up(0.2));
    close(await shares({ rule: "projected" }), 0.7);
    close(await shares({ average: true }), 0.5);
  });

  it("are the same on rows that are the whole domain", async () => {
    using full = await prior.full(coins, { strength: 4 });
    using rows = await readTable(
      ["11", "00", "10", "01"].map(([a, b]) => ({ a, b })),
      coins,
    );
    using listed = await prior(rows);
    const measurements = [cell(["a", "b"], 3, 60), cell(["b"], 0, 20), cell(["a", "b"], 1, -5)];
    for (const rule of ["newest", "recycled", "projected"] as const) {
      using one = await estimate.multiplicativeWeights({ prior: full, measurements, total: 100, rule });
      using other = await estimate.multiplicativeWeights({ prior: listed, measurements, total: 100, rule });
      const [a, b] = [await one.model.marginal(["a", "b"]), await other.model.marginal(["a", "b"])];
      a.forEach((count, i) => {
        expect(count).toBeCloseTo(b[i] as number, 9);
      });
    }
  });

  it.each([[{ rule: "all" }], [{ projections: -1 }], [{ average: 1 }], [{ start: 1 }]])(
    "%j is refused",
    async (wrong) => {
      using full = await prior.full(coins, { strength: 4 });
      const asked = estimate.multiplicativeWeights({
        prior: full,
        measurements: [],
        total: 1,
        ...(wrong as object),
      });
      await expect(asked).rejects.toMatchObject({ code: "OPTION_INVALID" });
    },
  );
});
