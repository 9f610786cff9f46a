import type { Currency } from "./budget.js";
import { type Amount, positive, Rational } from "./rational.js";
import type { Sensitivity } from "./sensitivity.js";

/**
 * What something costs in each currency that has a price for it. For plans: what is charged in the end is derived by
 * `crates/privacy/src/cost.rs`, which also cites why; a test shows that both agree.
 */
export interface Cost {
  /** Missing for Gaussian noise. */
  readonly epsilon?: Rational;
  readonly rho: Rational;
}

/** Costs of mechanisms, from their scale and sensitivity. */
export const cost = {
  /** Discrete Laplace noise of scale b on every answer: ε = Δ₁/b. */
  laplace(sensitivity: Sensitivity, scale: Amount): Cost {
    return ofPure(Rational.of(sensitivity.l1).over(positive(scale, "the scale")), 2n);
  },

  /** Discrete Gaussian noise with parameter σ² on every answer: ρ = Δ₂²/2σ². */
  gaussian(sensitivity: Sensitivity, sigmaSquared: Amount): Cost {
    const divisor = positive(sigmaSquared, "σ²").times(Rational.of(2n));
    return Object.freeze({ rho: Rational.of(sensitivity.l2Squared).over(divisor) });
  },

  /** The exponential mechanism at ε. */
  exponential(epsilon: Amount): Cost {
    return ofPure(positive(epsilon, "ε"), 8n);
  },

  /** Permute-and-flip at ε. */
  permuteAndFlip(epsilon: Amount): Cost {
    return ofPure(positive(epsilon, "ε"), 2n);
  },

  /** One after the other, each may depend on what came before: prices add in each currency, by `plusUp`. */
  sum(costs: Iterable<Cost>): Cost {
    let epsilon: Rational | undefined = Rational.of(0n);
    let rho = Rational.of(0n);
    for (const one of costs) {
      epsilon = epsilon && one.epsilon && epsilon.plusUp(one.epsilon);
      rho = rho.plusUp(one.rho);
    }
    return Object.freeze(epsilon ? { epsilon, rho } : { rho });
  },

  /** The price in a currency, if it has one. */
  price(of: Cost, currency: Currency): Rational | undefined {
    return of[currency];
  },
};

function ofPure(epsilon: Rational, divisor: bigint): Cost {
  return Object.freeze({ epsilon, rho: epsilon.times(epsilon).over(Rational.of(divisor)) });
}
