import { close, estimate, integer, type MarginaliaError, prior, readTable, schema } from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { A, cells, codeOf, domain, tableOf } from "./support.js";

afterAll(() => close());

const near = (got: ArrayLike<number>, wanted: readonly number[]) => {
  expect(got.length).toBe(wanted.length);
  for (const [i, one] of wanted.entries()) expect(got[i]).toBeCloseTo(one, 12);
};

describe("a prior of a model", () => {
  it("is the same distribution, and worth its prior and its total", async () => {
    using table = await tableOf(A.over, A.rows, A.p);
    using before = await prior(table, { strength: 70 });
    const measurements = [cells(A.over, ["a"], [30, 70], 9)];
    using fit = await estimate.calibrated({ prior: before, measurements, strength: 40 });
    using next = await prior(fit.model, { name: "release" });
    expect([next.kind, next.rows, next.name]).toEqual(["model", 5, "release"]);
    expect(next.strength).toBeCloseTo(140, 9);
    using rows = await next.table();
    near((await rows.weights()) as Float64Array, [...(await fit.model.weights({ normalize: true }))]);
    using again = await estimate.iterative({
      prior: next,
      measurements: [cells(A.over, ["a"], [1, 1])],
      steps: 0,
    });
    near(await again.model.weights({ normalize: true }), [...(await fit.model.weights({ normalize: true }))]);
  });

  it("drops rows that the model gave up, and must be told what a model without strength is worth", async () => {
    using table = await tableOf(A.over, A.rows, A.p);
    using before = await prior(table);
    using fit = await estimate.step({ prior: before, measurement: cells(A.over, ["a"], [0, 100]) });
    expect(await codeOf(prior(fit.model))).toBe("OPTION_INVALID");
    using next = await prior(fit.model, { strength: 5 });
    expect([next.rows, next.strength]).toEqual([2, 5]);
    expect(await codeOf(prior({} as never))).toBe("OPTION_INVALID");
  });
});

describe("uniform priors", () => {
  it("give all rows of a table the same, however often they occur", async () => {
    using table = await tableOf(A.over, [...A.rows, ...A.rows.slice(0, 3)], [1, 2, 3, 4, 5, 6, 7, 8]);
    using before = await prior.uniform(table, { strength: 9 });
    expect([before.kind, before.rows, before.strength]).toEqual(["uniform", 5, 9]);
    using rows = await before.table();
    near((await rows.weights()) as Float64Array, [0.2, 0.2, 0.2, 0.2, 0.2]);
    expect(await codeOf(prior.uniform(table, {} as never))).toBe("OPTION_INVALID");
    expect(await codeOf(prior.uniform(3 as never, { strength: 1 }))).toBe("OPTION_INVALID");
  });

  it("give all rows that a schema allows the same, nulls and derived attributes included", async () => {
    const over = schema(
      { a: integer({ min: 0, max: 1, nullable: true }), b: integer({ min: 0, max: 2 }) },
      { derive: { c: { from: "b", map: { 0: "x", 1: "y", 2: "y" } } } },
    );
    using before = await prior.full(over, { strength: 2 });
    expect([before.kind, before.rows]).toEqual(["full", 9]);
    using rows = await before.table();
    near(await rows.marginal(["a", "b"]), new Array(9).fill(1 / 9));
    near(await rows.marginal(["c"]), [1 / 3, 2 / 3]);
    const huge = domain([1000, 1000, 1000, 1000]);
    expect(await codeOf(prior.full(huge, { strength: 1 }))).toBe("MODEL_TOO_LARGE");
    expect(await codeOf(prior.full({} as never, { strength: 1 }))).toBe("SCHEMA_INVALID");
    // Cases 2 and 4 of Definition 3.1 need no care here: every cell has a row.
    using fit = await estimate.calibrated({
      prior: before,
      measurements: [cells(over, ["a"], [5, 5, 90], 1)],
    });
    expect(fit.outside.every(({ answers }) => answers === 0)).toBe(true);
  });
});

describe("mixtures", () => {
  it("add up what their parts give to each row", async () => {
    const over = domain([2, 2]);
    using one = await tableOf(
      over,
      [
        [0, 0],
        [0, 1],
      ],
      [3, 1],
    );
    using other = await tableOf(over, [
      [0, 1],
      [1, 1],
    ]);
    using first = await prior(one, { name: "one" });
    using second = await prior(other);
    using mixed = await prior.mix([{ prior: first, share: 3 }, { prior: second }], { name: "both" });
    expect([mixed.kind, mixed.rows, mixed.strength]).toEqual(["mixture", 3, first.strength]);
    using rows = await mixed.table();
    near(await rows.marginal(["a", "b"]), [9 / 16, 3 / 16 + 1 / 8, 0, 1 / 8]);
    using full = await prior.full(over, { strength: 1 });
    using wide = await prior.mix([
      { prior: mixed, share: 0.9 },
      { prior: full, share: 0.1 },
    ]);
    expect(wide.rows).toBe(4);
    using fit = await estimate.step({ prior: wide, measurement: cells(over, ["a", "b"], [0, 0, 10, 0]) });
    near(await fit.model.marginal(["a", "b"]), [0, 0, 10, 0]);
  });

  it("are refused where they make no sense", async () => {
    using table = await tableOf(A.over, A.rows);
    using before = await prior(table);
    using elsewhere = await prior.full(domain([3]), { strength: 1 });
    const wrong: unknown[] = [
      [],
      3,
      [{ share: 1 }],
      [{ prior: {} }],
      [{ prior: before, share: 0 }],
      [{ prior: before, share: Number.NaN }],
      [{ prior: before }, { prior: elsewhere }],
    ];
    for (const parts of wrong) expect(await codeOf(prior.mix(parts as never))).toBe("OPTION_INVALID");
    expect(await codeOf(prior.mix([{ prior: before }], { strength: -1 }))).toBe("OPTION_INVALID");
    expect(await codeOf(prior.mix([{ prior: before }], { share: 1 } as never))).toBe("OPTION_INVALID");
  });
});

describe("provenance", () => {
  it("says where a prior comes from, with a hash of its rows and shares", async () => {
    using table = await tableOf(A.over, A.rows, A.p);
    using same = await tableOf(
      A.over,
      A.rows,
      A.p.map((share) => 2 * share),
    );
    using other = await tableOf(A.over, A.rows);
    const said = { name: "survey", declaredPublicBy: "the office", strength: 8 };
    using before = await prior(table, said);
    using twin = await prior(same);
    using flat = await prior(other);
    const origin = await before.provenance();
    expect(origin).toEqual({
      kind: "table",
      rows: 5,
      ...said,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect((await twin.provenance()).hash).toBe(origin.hash);
    expect((await flat.provenance()).hash).not.toBe(origin.hash);
    const mixed = await prior.mix([
      { prior: before, share: 1 },
      { prior: flat, share: 3 },
    ]);
    const [part] = (await mixed.provenance()).parts ?? [];
    expect(part).toEqual({ ...origin, share: 0.25 });
    expect(JSON.parse(JSON.stringify(await mixed.provenance()))).toEqual(await mixed.provenance());
    mixed.dispose();
    // It was worked out before.
    expect((await mixed.provenance()).kind).toBe("mixture");
    const gone = await prior(await readTable({ a: [0], b: [0] }, A.over));
    gone.dispose();
    const code = await gone.provenance().catch(({ code }: MarginaliaError) => code);
    expect(code).toBe("HANDLE_DISPOSED");
  });
});
