import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { MarginaliaError } from "../../ts/errors.js";
import { Accountant } from "../../ts/privacy/accountant.js";
import { advantage } from "../../ts/privacy/advantage.js";
import { approximate, type Budget, pure, zcdp } from "../../ts/privacy/budget.js";
import { convert } from "../../ts/privacy/convert.js";
import { type Cost, cost } from "../../ts/privacy/cost.js";
import { Rational } from "../../ts/privacy/rational.js";
import {
  type FactorEntries,
  type Query,
  type Sensitivity,
  sensitivity,
} from "../../ts/privacy/sensitivity.js";
import type { Neighbours } from "../../ts/privacy/unit.js";

/**
 * Mirrors `crates/privacy/tests/agreement.rs`, which runs the same random plans and conversions: both must come to
 * the digests of one file.
 */
const expected = JSON.parse(readFileSync("test/golden/agreement.json", "utf8"));

class Draws {
  #state: number;
  constructor(seed: number) {
    this.#state = seed;
  }

  below(n: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return (this.#state >>> 8) % n;
  }

  ratio(size: number): Rational {
    const p = this.below(size) + 1;
    return Rational.ratio(BigInt(p), BigInt(this.below(size) + 1));
  }

  decimal(exponents: number): Rational {
    const p = this.below(1_000_000) + 1;
    return Rational.ratio(BigInt(p), 10n ** BigInt(this.below(exponents)));
  }
}

class Digest {
  value = 2_166_136_261;

  add(bytes: Uint8Array | string) {
    for (const byte of typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes)
      this.value = Math.imul(this.value ^ byte, 16_777_619) >>> 0;
  }
}

function queryOf(draws: Draws): Query {
  const groups = draws.below(2) === 1;
  switch (draws.below(3)) {
    case 0:
      return { type: "marginals", count: draws.below(200) + 1 };
    case 1:
      return { type: "count", groups };
    default: {
      const columns = draws.below(4) + 1;
      const rows = draws.below(4) + 1;
      const values = Array.from({ length: rows * columns }, () => draws.below(11) - 5);
      return { type: "linear", columns, values, groups };
    }
  }
}

function costOf(draws: Draws, norms: Sensitivity): Cost {
  const kind = draws.below(4);
  const scale = draws.ratio(1000);
  if (kind === 0) return cost.laplace(norms, scale.times(Rational.of(100)));
  if (kind === 1) return cost.gaussian(norms, scale.times(Rational.of(10_000)));
  const epsilon = scale.over(Rational.of(50));
  return kind === 2 ? cost.exponential(epsilon) : cost.permuteAndFlip(epsilon);
}

function budgetOf(draws: Draws): Budget {
  const kind = draws.below(3);
  const amount = draws.ratio(100);
  if (kind === 0) return pure(amount);
  return kind === 1 ? zcdp(amount) : approximate(amount, `1e-${draws.below(20) + 1}`);
}

function plan(draws: Draws, digest: Digest) {
  const unit = { maxRows: draws.below(5) + 1 };
  const neighbours: Neighbours = {
    unit,
    relation: draws.below(2) === 1 ? { replace: { n: 1000 } } : "add-remove",
  };
  const account = new Accountant(budgetOf(draws), neighbours);
  digest.add(String(account.limit));
  for (let charge = 0; charge < 20; charge++) {
    const norms = sensitivity(neighbours, queryOf(draws));
    digest.add(`${norms.l1} ${norms.l2Squared}`);
    const asked = costOf(draws, norms);
    try {
      digest.add(String(account.charge(asked)));
    } catch (error) {
      digest.add((error as MarginaliaError).message);
    }
    digest.add(String(account.spent));
  }
}

/** Charges whose denominators share nothing, until the budget is gone. */
function odd(draws: Draws, digest: Digest, budget: Budget) {
  const neighbours: Neighbours = { unit: "row", relation: "add-remove" };
  const norms = sensitivity(neighbours, { type: "marginals", count: 3 });
  const account = new Accountant(budget, neighbours);
  for (let charge = 0; charge < 3000; charge++) {
    const kind = draws.below(4);
    const scale = draws.ratio(2 ** 24);
    const large = scale.times(Rational.of(1000));
    const small = scale.over(Rational.of(100));
    const makers = [
      () => cost.laplace(norms, large),
      () => cost.gaussian(norms, large),
      () => cost.exponential(small),
      () => cost.permuteAndFlip(small),
    ];
    try {
      account.charge((makers[kind] as () => Cost)());
    } catch {
      digest.add("refused");
    }
    digest.add(String(account.spent));
  }
}

function factorsOf(draws: Draws): FactorEntries[] {
  const least = [0, 0, -3][draws.below(3)] as number;
  const most = 1 + draws.below(4);
  return Array.from({ length: draws.below(3) + 1 }, () => {
    const columns = draws.below(4) + 1;
    if (draws.below(3) === 0) return { columns };
    const values = Array.from(
      { length: (draws.below(4) + 1) * columns },
      () => draws.below(most + 1) + least,
    );
    return { columns, values };
  });
}

describe("the accounts of Rust and TypeScript agree", () => {
  it("on what a unit can change in products of queries", () => {
    const draws = new Draws(4);
    const digest = new Digest();
    const add = (neighbours: Neighbours, query: Query) => {
      const { l1, l2Squared } = sensitivity(neighbours, query);
      digest.add(`${l1} ${l2Squared}`);
    };
    for (let i = 0; i < 2000; i++) {
      const unit = { maxRows: draws.below(3) + 1 };
      const relation = draws.below(2) === 1 ? { replace: { n: 9 } } : "add-remove";
      const groups = draws.below(4) === 0;
      add({ unit, relation }, { type: "product", factors: factorsOf(draws), groups });
    }
    for (const columns of [300, 40]) {
      const values = Array.from({ length: columns ** 2 }, (_, at) =>
        Number(at % columns <= Math.floor(at / columns)),
      );
      const neighbours: Neighbours = { unit: "row", relation: { replace: { n: 9 } } };
      add(neighbours, { type: "product", factors: Array(2).fill({ columns, values }) });
    }
    expect(digest.value).toBe(expected.products);
  });

  it("on plans, to the last digit and word", () => {
    const draws = new Draws(1);
    const digest = new Digest();
    for (let i = 0; i < 300; i++) plan(draws, digest);
    expect(digest.value).toBe(expected.plans);
  });

  it("on thousands of odd charges, however often their sum is rounded", () => {
    const draws = new Draws(3);
    const digest = new Digest();
    for (const budget of ["1000000", "100/3", "12345678901234567890/1234567890123456789"]) {
      odd(draws, digest, pure(budget));
      odd(draws, digest, zcdp(budget));
    }
    expect(digest.value).toBe(expected.odd);
  });

  it("on conversions and advantages, to the last bit", () => {
    const draws = new Draws(2);
    const digest = new Digest();
    for (let i = 0; i < 2000; i++) {
      const drawn = draws.decimal(10);
      const large = drawn.compare(Rational.of(100_000)) > 0;
      const epsilon = large ? Rational.of(1).over(drawn) : drawn;
      const rho = draws.ratio(100_000);
      const delta = draws.ratio(1000).over(Rational.of(10n ** BigInt(draws.below(250) + 4)));
      const results = [
        convert.rho({ epsilon, delta }),
        convert.epsilon({ rho, delta }),
        convert.delta({ rho, epsilon }),
        advantage(pure(epsilon)),
        advantage(zcdp(rho)),
      ];
      digest.add(new Uint8Array(new Float64Array(results).buffer));
    }
    expect(digest.value).toBe(expected.conversions);
  });
});
