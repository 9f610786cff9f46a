import fc from "fast-check";
import { category, Rational, schema } from "marginalia";
import { describe, expect, it } from "vitest";
import { Schedule } from "../../../ts/mechanisms/aim/schedule.js";
import { ModelSize, rootsOf } from "../../../ts/mechanisms/aim/size.js";

/** The least sum of cells over all orders in which attributes can be eliminated. */
function least(sizes: readonly number[], cliques: readonly (readonly number[])[]): number {
  const beside = sizes.map((_, a) => new Set([a, ...cliques.filter((c) => c.includes(a)).flat()]));
  const go = (graph: readonly ReadonlySet<number>[], left: readonly number[]): number => {
    if (left.length === 0) return 0;
    const costs = left.map((a) => {
      const around = [...(graph[a] as Set<number>)].filter((b) => left.includes(b));
      const next = graph.map((set, b) => (around.includes(b) ? new Set([...set, ...around]) : set));
      const cells = around.reduce((product, b) => product * (sizes[b] as number), 1);
      return (
        cells +
        go(
          next,
          left.filter((b) => b !== a),
        )
      );
    });
    return Math.min(...costs);
  };
  return go(
    beside,
    sizes.map((_, a) => a),
  );
}

const sizes = fc.array(fc.integer({ min: 2, max: 9 }), { minLength: 5, maxLength: 5 });
const cliques = fc.array(fc.subarray([0, 1, 2, 3, 4], { minLength: 1, maxLength: 3 }), { maxLength: 6 });

describe("the size of a model", () => {
  it("is that of a good order of elimination, with one clique more too", () => {
    fc.assert(
      fc.property(sizes, cliques, fc.subarray([0, 1, 2, 3, 4], { minLength: 1 }), (of, list, more) => {
        const size = new ModelSize(of, list);
        expect(size.cells).toBeGreaterThanOrEqual(least(of, list));
        expect(size.cells).toBeLessThanOrEqual(4 * least(of, list));
        const best = least(of, [...list, more]);
        expect(size.fits(more, best - 1)).toBe(false);
        expect(size.fits(more, 4 * best)).toBe(true);
        for (const one of list) expect(size.fits(one, size.cells)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    [
      "a chain",
      [
        [0, 1],
        [1, 2],
        [2, 3],
      ],
      2 * 3 + 3 * 4 + 4 * 5 + 5,
    ],
    [
      "a cycle",
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [0, 3],
      ],
      2 * 3 * 4 + 2 * 4 * 5 + 4 * 5 + 5,
    ],
    ["nothing", [], 2 + 3 + 4 + 5],
  ] as const)("of %s", (_, list, cells) => {
    expect(new ModelSize([2, 3, 4, 5], list).cells).toBe(cells);
  });

  it("is of what derived attributes follow from", () => {
    const some = schema(
      { a: category(["x", "xy"]), b: category(["u", "v"]) },
      { derive: { first: { from: "a", prefix: 1 } } },
    );
    expect(rootsOf(some, ["b", "first", "a"])).toEqual([1, 0]);
  });
});

describe("a schedule", () => {
  const of = (text: string) => Rational.of(text);
  const amounts = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 9 }));

  /** What each round spends, where those of a list are found too little, and all together with what came before. */
  function spent(schedule: Schedule, start: number, slight: readonly boolean[]): [Rational[], Rational] {
    const each: Rational[] = [];
    const before = schedule.start(start).times(of(`${start}`));
    while (!schedule.ended) {
      each.push(schedule.next());
      if (slight[each.length - 1]) schedule.grow();
    }
    return [each, each.reduce((sum, one) => sum.plus(one), before)];
  }

  it("spends all and no more, in no more rounds than were planned, whatever is found too little", () => {
    const found = fc.array(fc.boolean(), { minLength: 50, maxLength: 50 });
    fc.assert(
      fc.property(amounts, found, fc.constantFrom("2", "3/2"), ([rounds, start], slight, factor) => {
        const all = of("7/3");
        const schedule = new Schedule(all, { each: all.over(of(`${rounds + start}`)), factor: of(factor) });
        const [each, sum] = spent(schedule, start, slight);
        expect(`${sum}`).toBe("7/3");
        expect(schedule.spent).toBe(1);
        expect(each.length).toBeLessThanOrEqual(rounds);
        if (!slight.slice(0, rounds).includes(true)) expect(each.length).toBe(rounds);
        each.slice(1).forEach((spend, i) => {
          expect(spend.compare(each[i] as Rational)).toBeGreaterThanOrEqual(0);
        });
      }),
    );
  });
});
