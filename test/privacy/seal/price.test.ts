import fc from "fast-check";
import {
  type CellQuery,
  type CliqueQuery,
  integer,
  type MeasureRequest,
  pure,
  type Relation,
  schema,
  seal,
  type Unit,
  zcdp,
} from "marginalia";
import { expect, it } from "vitest";

const attribute = (max: number) => integer({ min: 0, max, other: max + 1 });
const small = schema({ a: attribute(0), b: attribute(1), c: attribute(3) });
const sizes = { a: 2, b: 3, c: 5 };
type Name = keyof typeof sizes;

const big = (bits: bigint) => fc.bigInt({ min: 1n, max: 2n ** bits });
/** Ordinary scales, and some that no sampler takes as they are. */
const scale = fc.oneof(
  fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1000 })).map(([p, q]) => `${p}/${q}`),
  fc
    .tuple(big(160n), big(160n))
    .filter(([p, q]) => p < q * 2n ** 40n)
    .map(([p, q]) => `${p}/${q}`),
  fc.constantFrom("1e-300", "1e-19", `${2n ** 48n}`, "0.1", `1/${2n ** 64n}`),
);

function queryOf(shape: readonly number[]): fc.Arbitrary<CliqueQuery> {
  const factors = fc.tuple(...shape.map((size) => cellQueryOf(size, fc.integer({ min: -3, max: 3 }))));
  const entry = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(2 ** 31 - 1, -(2 ** 31)));
  return fc.oneof(
    cellQueryOf(
      shape.reduce((cells, size) => cells * size, 1),
      entry,
    ),
    factors.map((factors) => ({ type: "product" as const, factors })),
  );
}

function cellQueryOf(cells: number, entry: fc.Arbitrary<number>): fc.Arbitrary<CellQuery> {
  const run = fc
    .tuple(fc.nat(cells - 1), fc.nat(cells - 1))
    .map(([a, b]): [number, number] => (a < b ? [a, b] : [b, a]));
  return fc.oneof(
    fc.constant<CellQuery>({ type: "identity" }),
    fc.constant<CellQuery>({ type: "prefix" }),
    fc.array(run, { minLength: 1, maxLength: 5 }).map((ranges) => ({ type: "ranges" as const, ranges })),
    fc
      .array(fc.array(entry, { minLength: cells, maxLength: cells }), { minLength: 1, maxLength: 4 })
      .filter((rows) => rows.some((row) => row.some((value) => value !== 0)))
      .map((rows) => ({ type: "matrix" as const, rows })),
  );
}

/** The first of some attributes make the groups, the others the clique. */
const attributes = fc.tuple(fc.shuffledSubarray<Name>(["a", "b", "c"]), fc.nat(2));
const placed = attributes.map(([names, groups]) => [names.slice(0, groups), names.slice(groups)] as const);
const request = placed.chain(([groups, clique]) =>
  fc.record({
    clique: fc.constant(clique),
    spread: fc.constant(groups.length === 0 ? ("whole" as const) : { groups }),
    query: queryOf(clique.map((name) => sizes[name])),
    law: fc.constantFrom("laplace" as const, "gaussian" as const),
    scale,
  }),
);

const units: fc.Arbitrary<Unit> = fc.oneof(
  fc.constant("row" as const),
  fc.integer({ min: 1, max: 5 }).map((maxRows) => ({ maxRows })),
  fc.integer({ min: 1, max: 2 ** 32 - 1 }).map((maxRows) => ({ column: "id", maxRows })),
);
const relations: fc.Arbitrary<Relation> = fc.constantFrom<Relation[]>("add-remove", { replace: { n: 10 } });

it("property: both accounts come to the same price, for any requests, units and relations", async () => {
  await fc.assert(
    fc.asyncProperty(
      units,
      relations,
      fc.boolean(),
      fc.array(request, { minLength: 1, maxLength: 4 }),
      async (unit, relation, isPure, drawn) => {
        const requests = drawn.map(({ law, ...rest }): MeasureRequest<typeof small> => {
          return isPure ? rest : { ...rest, law };
        });
        const budget = isPure ? pure(1) : zcdp(1);
        await using sealed = await seal([], small, { dataset: "d", unit, relation, budget });
        // A plan is refused as INTERNAL where the two differ.
        const plan = await sealed.plan(requests);
        expect(plan.charges.length).toBe(requests.length);
        expect(plan.fits).toBe(plan.price.compare(sealed.left) <= 0);
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

it("property: what is spent is at most what may be, and all but a hair of it", async () => {
  await fc.assert(
    fc.asyncProperty(
      units,
      relations,
      fc.boolean(),
      request,
      scale,
      async (unit, relation, isPure, drawn, spend) => {
        const { law: _, scale: __, ...rest } = drawn;
        const budget = isPure ? pure(1) : zcdp(1);
        await using sealed = await seal([], small, { dataset: "d", unit, relation, budget });
        const plan = await sealed.plan([{ ...rest, spend }]).catch((error: { code: string }) => error.code);
        // Some amounts are so small that the noise would be too wide, or so large that it would be none.
        if (typeof plan === "string") {
          expect(plan).toBe("OPTION_INVALID");
          return;
        }
        const [p, q] = spend.includes("/") ? spend.split("/").map(Number) : [Number(spend), 1];
        const ratio =
          Number(plan.price.numerator) / Number(plan.price.denominator) / ((p as number) / (q as number));
        expect(ratio).toBeLessThanOrEqual(1 + 1e-12);
        if (Number(plan.price.numerator) < 2 ** 60) expect(ratio).toBeGreaterThan(1 - 1e-6);
      },
    ),
    { numRuns: 200 },
  );
}, 60_000);

it("a number of rows costs what it changes by: as much for a row that is another as for one that comes", async () => {
  const price = async (relation: Relation, clique: Name[], groups: Name[]) => {
    await using sealed = await seal([], small, {
      dataset: "d",
      unit: { maxRows: 3 },
      relation,
      budget: pure(1),
    });
    const spread = groups.length === 0 ? "whole" : { groups };
    return `${(await sealed.plan([{ clique, spread, scale: 1 }])).price}`;
  };
  for (const [relation, whole, cells] of [
    ["add-remove", "3", "3"],
    [{ replace: { n: 9 } }, "3", "6"],
  ] as const) {
    expect(await price(relation, [], [])).toBe(whole);
    expect(await price(relation, ["b"], [])).toBe(cells);
    expect(await price(relation, [], ["b"])).toBe(cells);
    expect(await price(relation, ["c"], ["b"])).toBe(cells);
  }
});
