import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
  aim,
  type Budget,
  MarginaliaError,
  type OpenSchemaJson,
  pure,
  Rational,
  type SchemaJson,
  type SealedSource,
  schemaFromJson,
  sealOpen,
  workload,
  zcdp,
} from "marginalia";
import { expect, it } from "vitest";
import { readOpen as openSchema } from "../../ts/tables/open.js";

const clamped = { other: "clamp", nullable: true } as const;
const number = (bounds: object, more: object = {}) =>
  ({
    attributes: [{ name: "x", type: "number", bins: 4, ...clamped, bounds, ...more }],
  }) as unknown as OpenSchemaJson;
const grid = { from: 0, to: 100, step: 10 };
const json: OpenSchemaJson = {
  attributes: [
    { name: "sex", type: "category", values: ["F", "M"], other: null },
    {
      name: "wage",
      type: "number",
      bins: 4,
      ...clamped,
      bounds: { grid: { decades: [10, 1e5] }, share: "1/10" },
    },
    { name: "age", type: "integer", bins: 5, ...clamped, bounds: { grid, share: 0.2, cuts: "quantiles" } },
  ],
};
/** 1,000 rows: wages from 100 up to 1,100, and one of a million; ages from 20 to 69, two of each fifty. */
const rows = Array.from({ length: 1000 }, (_, i) => `${i % 3 ? "F" : "M"},${100 + i},${20 + (i % 50)}`);
const text = `sex,wage,age\n${rows.join("\n")}\nF,1000000,\nM,,x\n`;
const source = () => new Blob([text]);
const sealed = (from: SealedSource = source, budget: Budget = pure(1), more: object = {}) =>
  sealOpen(from, openSchema(json), { dataset: "people", unit: "row", budget, ...more });
const folder = () => mkdtemp(join(tmpdir(), "marginalia-"));
const refusal = (work: () => unknown) =>
  Promise.resolve()
    .then(work)
    .then(
      () => "nothing",
      (error: unknown) => (error instanceof MarginaliaError ? `${error.code}: ${error.message}` : `${error}`),
    );

it("grids are lists, steps, or 1, 2 and 5 of each power of ten", () => {
  const edges = (of: unknown) => openSchema(number({ grid: of, share: 0.1 })).open[0]?.edges;
  expect(edges([0, 1.5, 7])).toEqual([0, 1.5, 7]);
  expect(edges({ from: 0, to: 1, step: 0.1 })).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]);
  expect(edges({ decades: [0.1, 10] })).toEqual([0, 0.1, 0.2, 0.5, 1, 2, 5, 10]);
  expect(edges({ decades: [1, 10], signed: true })).toEqual([-10, -5, -2, -1, 0, 1, 2, 5, 10]);
});

it.each<[string, OpenSchemaJson | string, string]>([
  ["no bounds", { attributes: [{ name: "x", type: "boolean" }] }, "schemaFromJson() takes it"],
  ["no JSON", "{", "is not JSON"],
  ["no grid", number({ share: 0.1 }), "x needs a `grid`"],
  ["a grid that falls", number({ grid: [2, 1], share: 0.1 }), "x needs a `grid`"],
  ["endless steps", number({ grid: { from: 0, to: 1, step: 0 }, share: 0.1 }), "x needs a `grid`"],
  ["decades of nothing", number({ grid: { decades: [5, 5] }, share: 0.1 }), "x needs a `grid`"],
  ["a grid that is too fine", number({ grid: [1e14, 1e14 + 1], share: 0.1 }), "too fine"],
  ["no bins", number({ grid, share: 0.1 }, { bins: 0 }), "number of `bins`"],
  ["a misspelt option", number({ grid, shares: 0.1 }), "no option `shares`"],
  ["bounds that are known as well", number({ grid, share: 0.1 }, { min: 0 }), "no option `min`"],
  [
    "a grid with fewer edges than bins",
    number({ grid: [1, 2, 3], share: 0.1, cuts: "quantiles" }),
    "too few",
  ],
  ["a category", number({ grid, share: 0.1 }, { type: "category" }), "neither an integer nor a number"],
  ["halves", number({ grid: [0, 0.5, 10], share: 0.1 }, { type: "integer" }), "no whole numbers"],
  [
    "what follows from it",
    { ...number({ grid, share: 0.1 }), derive: [{ name: "y", from: "x", prefix: 1 }] },
    "y is derived from x",
  ],
])("refuses %s", (_, of, message) => {
  expect(() => openSchema(of)).toThrow(message);
});

it("is no schema before the bounds are found", async () => {
  const { openSchema: read } = await import("marginalia");
  expect((await read(JSON.stringify(json))).normal()).toBe(openSchema(json).normal());
  expect(() => schemaFromJson(json as unknown as SchemaJson)).toThrow(
    "the bounds of wage are to be found first",
  );
});

it("whatever edges are found, there are as many codes as in plans", () => {
  const kind = fc.constantFrom("integer" as const, "number" as const);
  const cuts = fc.constantFrom("equal" as const, "quantiles" as const);
  const edges = fc.uniqueArray(fc.integer({ min: -1000, max: 1000 }), { minLength: 12, maxLength: 40 });
  fc.assert(
    fc.property(
      kind,
      cuts,
      edges,
      fc.integer({ min: 1, max: 9 }),
      fc.nat(),
      (type, how, list, bins, seed) => {
        const sorted = [...list].sort((a, b) => a - b);
        const open = openSchema(number({ grid: sorted, share: 0.1, cuts: how }, { type, bins }));
        const count = how === "quantiles" ? bins + 1 : 2;
        const from = seed % (sorted.length - count);
        const places = Array.from({ length: count }, (_, i) => from + i);
        const span = (sorted[from + count - 1] as number) - (sorted[from] as number);
        fc.pre(how === "quantiles" || type === "number" || span >= bins);
        expect(open.closed(new Map([["x", places]])).sizes).toEqual(open.assumed().sizes);
      },
    ),
    { numRuns: 500 },
  );
});

it("finds bounds where nothing is left to chance, and measures under them", async () => {
  await using open = await sealed(source, pure(1_000_000));
  const data = await open.find();
  // Half a percent of each side is 5 rows: 105 and 1,095 lie between 100 and 200 and between 1,000 and 2,000; of ages quantiles are edges.
  expect(data.schema.toJSON().attributes).toEqual([
    json.attributes[0],
    { name: "wage", type: "number", ...clamped, cuts: [100, 575, 1050, 1525, 2000] },
    { name: "age", type: "integer", ...clamped, min: 20, max: 69, cuts: [30, 40, 50, 60] },
  ]);
  const [ages, wages] = await data.measure([
    { clique: ["age"], spend: 1000 },
    { clique: ["wage"], spend: 1000 },
  ]);
  const near = (values: ArrayLike<number> | undefined) =>
    Array.from(values ?? [], (value) => Math.round(value));
  expect(near(ages?.values)).toEqual([200, 200, 200, 200, 200, 2]);
  // The million counts in the last bin.
  expect(near(wages?.values)).toEqual([475, 475, 50, 1, 1]);
  expect(await refusal(() => open.find())).toContain("HANDLE_DISPOSED");
  await data.close();
});

it("says before what it costs, pays that and no more, and a later program pays nothing", async () => {
  for (const budget of [pure(1), zcdp("1/8")]) {
    const ledger = `${await folder()}/account.json`;
    const open = await sealed(source, budget, { ledger, expectedRows: 1000 });
    const plan = await open.plan();
    expect(plan.selections.map(({ attribute, quantile }) => [attribute, quantile])).toEqual([
      ...[
        ["wage", "1/200"],
        ["wage", "199/200"],
        ["age", "1/200"],
        ["age", "199/200"],
      ],
      ...["1/5", "2/5", "3/5", "4/5"].map((part) => ["age", part]),
    ]);
    const share = Rational.of("3/10").times(
      open.ledger.header.total.amount === "1" ? Rational.of(1) : Rational.of("1/8"),
    );
    expect(plan.price.compare(share)).toBeLessThanOrEqual(0);
    expect(share.minus(plan.price).compare(Rational.of("1/1000000000"))).toBeLessThan(0);
    expect(open.ledger.entries()).toEqual([]);
    const data = await open.find();
    expect(`${data.spent}`).toBe(`${plan.price}`);
    const found = data.schema.normal();
    await data.measure([{ clique: ["wage"], spend: "1/100" }]);
    const entries = data.ledger.entries();
    expect(entries.map(({ state }) => state)).toEqual(Array(9).fill("released"));
    expect(entries[0]?.what).toBe("one of 13 edges of wage, for its quantile 1/200");
    await data.close();

    const never = () => expect.fail("the source was opened");
    const again = await (await sealed(never, budget, { ledger })).find();
    expect(again.schema.normal()).toBe(found);
    expect(again.ledger.entries()).toEqual(entries);
    await again.measure([{ clique: ["wage"], spend: "1/100" }]);
    expect(again.ledger.entries()).toHaveLength(9);
    await again.close();
  }
});

it("goes on from where it was stopped, in the same program and in the next", async () => {
  const ledger = `${await folder()}/account.json`;
  const stop = new AbortController();
  let opened = 0;
  const open = await sealed(
    () => {
      opened += 1;
      return source();
    },
    pure(1),
    { ledger },
  );
  const first = open.find({ signal: stop.signal });
  while (open.ledger.entries().filter(({ state }) => state === "released").length < 2)
    await new Promise((turn) => setTimeout(turn, 1));
  stop.abort();
  expect(await refusal(() => first)).toContain("ABORTED");
  const seen = open.ledger.entries().filter(({ state }) => state === "released").length;
  expect(seen).toBeGreaterThanOrEqual(2);
  await open.close();

  const next = await sealed(source, pure(1), { ledger });
  const data = await next.find();
  const released = data.ledger.entries().filter(({ state }) => state === "released");
  expect(new Set(released.map(({ key }) => key)).size).toBe(8);
  expect(released).toHaveLength(8);
  expect(opened).toBe(1);
  await data.close();
});

it("another declaration of what is to be found is another account", async () => {
  const ledger = `${await folder()}/account.json`;
  await (await (await sealed(source, pure(1), { ledger })).find()).close();
  for (const change of [{ bins: 5 }, { bounds: { grid: { decades: [10, 1e5] }, share: "1/20" } }]) {
    const attributes = json.attributes.map((one) => (one.name === "wage" ? { ...one, ...change } : one));
    const other = openSchema({ attributes } as OpenSchemaJson);
    const options = { dataset: "people", unit: "row", budget: pure(1), ledger } as const;
    expect(await refusal(() => sealOpen(source, other, options))).toContain("LEDGER_MISMATCH");
  }
});

it("refuses what could not be read twice, or leaves nothing, before an account is begun", async () => {
  const ledger = `${await folder()}/account.json`;
  expect(await refusal(() => sealed(source().stream(), pure(1), { ledger }))).toContain("SOURCE_CONSUMED");
  const options = { dataset: "x", unit: "row", budget: pure(1) } as const;
  for (const [bounds, message] of [
    [{ grid, share: 1 }, "a fraction above 0 and below 1"],
    [{ grid, share: 0.1, tail: "1/2" }, "below 1/2"],
    [{ grid, share: 0.1, tail: "1/2001" }, "at most 1000 parts"],
  ] as const)
    expect(await refusal(() => sealOpen(source, openSchema(number(bounds)), options))).toContain(message);
});

it("a release is planned before the bounds are found as it is made after", async () => {
  const ledger = `${await folder()}/account.json`;
  const make = () => aim({ rounds: 2 });
  const never = () => expect.fail("the source was opened");
  const open = await sealed(never, pure(1), { ledger, expectedRows: 1000 });
  const later = await open.assumed();
  const before = JSON.stringify(await make().plan(later));
  expect(await refusal(() => later.measure([{ clique: ["age"], spend: 0.1 }]))).toContain("for plans");
  await later.close();
  expect(open.ledger.entries()).toEqual([]);
  await open.close();

  const data = await (await sealed(source, pure(1), { ledger, expectedRows: 1000 })).find();
  expect(JSON.stringify(await make().plan(data))).toBe(before);
  using release = await make().run(data);
  expect(`${data.left}`).toBe("0");
  expect(release.model.schema.normal()).toBe(data.schema.normal());
  await data.close();
  // Planned once more, when the bounds are in the account.
  const again = await sealed(never, pure(1), { ledger, expectedRows: 1000 });
  await using assumed = await again.assumed();
  expect(JSON.stringify(await make().plan(assumed))).toBe(before);
  await again.close();
});

it("edges are chosen among those that a mask leaves, and take no answers", async () => {
  const open = openSchema(json);
  const { seal } = await import("marginalia");
  await using data = await seal(source, open.grid, { dataset: "x", unit: "row", budget: pure(1_000_000) });
  const ask = { workload: workload(open.grid, [["age"]]), candidates: "edges", spend: 1000 } as const;
  const chosen = async (more: object) => (await data.select({ ...ask, ...more })).edge;
  expect(await chosen({ quantile: "2/5" })).toBe(4);
  expect(await chosen({ quantile: "2/5", mask: [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1] })).toBe(6);
  // All edges from 70 on have all values below them.
  expect(await chosen({ quantile: "999/1000", lean: "lower", spend: 10_000 })).toBe(7);
  for (const [more, message] of [
    [{ quantile: "1/2", answers: new Float64Array(11) }, "no `answers`"],
    [{ quantile: 0 }, "above 0 and below 1"],
    [{ quantile: "1/2", weights: Array(11).fill(1) }, "neither `penalties` nor `weights`"],
    [{ quantile: "1/2", lean: "left" }, '"lower" or "upper"'],
    [{ candidates: "cells", quantile: "1/2" }, "of edges"],
    [{ quantile: "1/2", workload: workload(open.grid, [["sex"]]) }, "an integer, a number or a date"],
  ] as const)
    expect(await refusal(() => chosen(more))).toContain(message);
});
