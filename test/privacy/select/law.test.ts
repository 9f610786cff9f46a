import { type Budget, pure, type Relation, type SelectOptions, workload, zcdp } from "marginalia";
import { expect, it } from "vitest";
import { people, sealing } from "../seal/support.js";

/**
 * Selections of three candidates, many times, against their exact law: χ² with two degrees of freedom, whose tail is
 * exp(−x/2). Each case raises a false alarm once in ten million runs, all of them once in a million.
 */
const ALARM = 1e-7;
const DRAWS = 1500;

/** F 3, M 2, null 2. */
const sexes = workload(people, [["sex"]]);
const none = new Float64Array(3);

/** P ∝ w·exp(ε·score/2Δ). */
function exponential(scores: readonly number[], rate: number, weights = [1, 1, 1]): number[] {
  const all = scores.map((score, i) => (weights[i] as number) * Math.exp(rate * score));
  const sum = all.reduce((a, b) => a + b, 0);
  return all.map((one) => one / sum);
}

/** Candidates in a random order, the first accepted coin of exp(−ε·(best − score)/2Δ); all orders are tried. */
function permuteAndFlip(scores: readonly number[], rate: number): number[] {
  const best = Math.max(...scores);
  const chances = scores.map((score) => Math.exp(rate * (score - best)));
  const found = scores.map(() => 0);
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ];
  for (const order of orders) {
    let open = 1 / orders.length;
    for (const i of order) {
      found[i] = (found[i] as number) + open * (chances[i] as number);
      open *= 1 - (chances[i] as number);
    }
  }
  return found;
}

type Asked = Omit<SelectOptions<typeof people>, "label">;

/** How often each of three candidates is selected, and that nothing else is. */
async function often(
  asked: Asked,
  relation: Relation = "add-remove",
  budget: Budget = pure(1e6),
): Promise<number[]> {
  const sealed = await sealing(undefined, { budget, relation });
  const found = [0, 0, 0];
  const place = asked.candidates === "cells" ? "cell" : "place";
  const draws = Array.from({ length: DRAWS }, () => sealed.select(asked));
  for (const drawn of await Promise.all(draws)) {
    const i = drawn[place] as number;
    found[i] = (found[i] as number) + 1;
  }
  expect(found).toHaveLength(3);
  return found;
}

function agrees(found: readonly number[], law: readonly number[]) {
  const squares = found.map((count, i) => {
    const expected = DRAWS * (law[i] as number);
    return expected === 0 ? (count === 0 ? 0 : Number.POSITIVE_INFINITY) : (count - expected) ** 2 / expected;
  });
  expect(
    squares.reduce((a, b) => a + b, 0),
    `${found} of ${law}`,
  ).toBeLessThan(-2 * Math.log(ALARM));
}

const cells = { workload: sexes, answers: none, candidates: "cells" } as const;

it("cells: the exponential mechanism, with ties", async () => {
  const asked = { ...cells, mechanism: "exponential", epsilon: 2 } as const;
  agrees(await often(asked), exponential([3, 2, 2], 1));
});

it("cells: permute-and-flip, with ties", async () => {
  const asked = { ...cells, mechanism: "permute-and-flip", epsilon: 2 } as const;
  agrees(await often(asked), permuteAndFlip([3, 2, 2], 1));
});

it("cells: penalties, weights and a mask, signed, from a function", async () => {
  const more = { penalties: [0.5, 0, 1], weights: [1, 3, 7], difference: "signed" } as const;
  const answers = async (from: number, to: number) => Float64Array.of(2, 2, 3.5).subarray(from, to);
  const asked = { ...cells, ...more, answers, epsilon: 3 };
  agrees(await often(asked), exponential([0.5, 0, -2.5], 1.5, more.weights as unknown as number[]));
  const masked = { ...asked, mask: [true, false, true] };
  agrees(await often(masked), exponential([0.5, 0, -2.5], 1.5, [1, 0, 7]));
});

it("cells under replace move by one record, as under add/remove; what a ρ buys is ε = √8ρ", async () => {
  const asked = { ...cells, spend: "1/2" } as const;
  agrees(await often(asked, { replace: { n: 7 } }, zcdp(1e6)), exponential([3, 2, 2], 1));
});

it("cliques: distances with factors and penalties, which move by twice as much under replace", async () => {
  const cliques = workload(people, [[], ["age"], ["sex"]]);
  const answers = new Float64Array(1 + 11 + 3);
  // Distances from nothing at all are 7, whatever the clique.
  const terms = { factors: [2, 1, 1], penalties: [4, 0, 1] };
  const asked = { workload: cliques, answers, candidates: "cliques", epsilon: 4, ...terms } as const;
  agrees(await often({ ...asked, mechanism: "exponential" }), exponential([6, 7, 6], 1));
  agrees(await often(asked, { replace: { n: 7 } }), permuteAndFlip([6, 7, 6], 0.5));
});
