import { MarginaliaError } from "../errors.js";

/** A number, which means its shortest decimal (0.1 is 1/10), or a text such as `"0.1"`, `"1e-9"` or `"1/3"`. */
export type Amount = number | string | bigint | Rational;

/** A limit keeps hostile texts cheap. */
export const LONGEST = 2 ** 13;
/** One over what sums of costs are rounded to once they are long: 80 places after the point. */
const GRID = 10n ** 80n;
/** Exponents that a double could have, with room. */
const WIDEST = 400;
/** Digits up to which an amount is shown exactly, and to which others are rounded. */
const SHOWN = 12;
const ROUNDED = 6;

/** An exact amount, in lowest terms. The same arithmetic as `crates/privacy/src/rational.rs`; a test compares. */
export class Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;

  private constructor(numerator: bigint, denominator: bigint) {
    this.numerator = numerator;
    this.denominator = denominator;
    Object.freeze(this);
  }

  /** The exact value of a number, a text or a whole number. */
  static of(value: Amount): Rational {
    if (value instanceof Rational) return value;
    if (typeof value === "bigint") return new Rational(value, 1n);
    const text = typeof value === "number" ? String(value) : value;
    const parsed = typeof text === "string" && text.length <= LONGEST ? parse(text) : undefined;
    if (parsed) return Rational.ratio(...parsed);
    throw invalid('an amount is a number, a decimal such as "0.1" or a ratio such as "1/10"');
  }

  /** p/q in lowest terms; q must not be zero. */
  static ratio(p: bigint, q: bigint): Rational {
    const sign = q < 0n ? -1n : 1n;
    const divisor = sign * gcd(p < 0n ? -p : p, q * sign);
    return new Rational(p / divisor, q / divisor);
  }

  /** Only what the denominators share is looked for in the sum: no more can cancel, and it is mostly small. */
  plus(other: Rational): Rational {
    const { numerator: a, denominator: b } = this;
    const { numerator: c, denominator: d } = other;
    const shared = gcd(b, d);
    const sum = a * (d / shared) + c * (b / shared);
    const cancelled = gcd(sum < 0n ? -sum : sum, shared);
    return new Rational(sum / cancelled, (b / shared) * (d / cancelled));
  }

  minus(other: Rational): Rational {
    return this.plus(new Rational(-other.numerator, other.denominator));
  }

  times(other: Rational): Rational {
    return Rational.ratio(this.numerator * other.numerator, this.denominator * other.denominator);
  }

  /** `other` must not be zero. */
  over(other: Rational): Rational {
    return Rational.ratio(this.numerator * other.denominator, this.denominator * other.numerator);
  }

  /**
   * The sum of two costs: exact where its denominator is at most 10⁸⁰, otherwise the least multiple of 10⁻⁸⁰ above it. So
   * sums never grow long, and are never too small; `crates/privacy/src/rational.rs` says why so many places.
   */
  plusUp(other: Rational): Rational {
    return this.plus(other).kept();
  }

  /** As sums of costs are kept: see `plusUp`. */
  kept(): Rational {
    const { numerator: p, denominator: q } = this;
    // The quotient is rounded towards zero, which is up below zero.
    return q <= GRID ? this : Rational.ratio((p * GRID) / q + (p > 0n ? 1n : 0n), GRID);
  }

  /** Negative, zero or positive as this is less than, equal to or greater than the other. */
  compare(other: Rational): number {
    const difference = this.numerator * other.denominator - other.numerator * this.denominator;
    return difference < 0n ? -1 : difference > 0n ? 1 : 0;
  }

  /** -1, 0 or 1. */
  get sign(): number {
    return this.numerator < 0n ? -1 : this.numerator > 0n ? 1 : 0;
  }

  /** The one text that formats and ledgers hold: `"p"` or `"p/q"`. */
  toString(): string {
    return this.denominator === 1n ? String(this.numerator) : `${this.numerator}/${this.denominator}`;
  }

  toJSON(): string {
    return this.toString();
  }
}

/** The amount, if it is greater than zero. */
export function positive(value: Amount, name: string): Rational {
  const amount = Rational.of(value);
  if (amount.sign > 0) return amount;
  throw invalid(`${name} must be greater than zero`);
}

/** An amount for people: exact where twelve digits suffice, otherwise six digits, rounded up or down. */
export function show(value: Rational, up: boolean): string {
  if (value.sign < 0) return `-${show(Rational.of(0n).minus(value), !up)}`;
  if (value.sign === 0) return "0";
  let exponent = magnitude(value);
  const exact = scaled(value, SHOWN - 1 - exponent);
  const count = exact.denominator === 1n ? SHOWN : ROUNDED;
  const { numerator, denominator } = count === SHOWN ? exact : scaled(value, ROUNDED - 1 - exponent);
  const whole = (numerator + (up ? denominator - 1n : 0n)) / denominator;
  const digits = String(whole);
  // Rounding up may have carried into one more digit.
  exponent += digits.length - count;
  return layout(digits.replace(/0+$/, ""), exponent);
}

/**
 * The largest double not above a positive amount, or with `up` the smallest not below it, for amounts within the
 * normal range; others give 0 or infinity.
 */
export function double(value: Rational, up: boolean): number {
  const order = bits(value.numerator) - bits(value.denominator);
  if (value.sign <= 0 || order < -1000) return up && value.sign > 0 ? 1e-300 : 0;
  if (order > 1000) return up ? Number.POSITIVE_INFINITY : 1e300;
  // 2^52 ≤ value·2^shift < 2^54: one bit too many at most.
  let shift = 53 - order;
  let p = value.numerator << BigInt(Math.max(shift, 0));
  let q = value.denominator << BigInt(Math.max(-shift, 0));
  if (bits(p / q) > 53) {
    shift -= 1;
    q <<= 1n;
  }
  p += up ? q - 1n : 0n;
  let result = Number(p / q);
  for (let i = Math.abs(shift); i > 0; i--) result *= shift > 0 ? 0.5 : 2;
  return result;
}

/** `BUDGET_INVALID` with a message. */
export function invalid(message: string): MarginaliaError {
  return new MarginaliaError("BUDGET_INVALID", message);
}

function parse(text: string): [bigint, bigint] | undefined {
  const ratio = /^(-?[0-9]+)\/([0-9]+)$/.exec(text);
  if (ratio) {
    const q = BigInt(ratio[2] as string);
    return q === 0n ? undefined : [BigInt(ratio[1] as string), q];
  }
  const decimal = /^(-?[0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text);
  if (!decimal) return undefined;
  const [, whole = "", fraction = "", exponent = "0"] = decimal;
  if (Math.abs(Number(exponent)) > WIDEST) return undefined;
  const power = Number(exponent) - fraction.length;
  const ten = 10n ** BigInt(Math.abs(power));
  const digits = BigInt(whole + fraction);
  return power < 0 ? [digits, ten] : [digits * ten, 1n];
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

function bits(value: bigint): number {
  const hex = (value < 0n ? -value : value).toString(16);
  return hex.length * 4 + Math.clz32(Number.parseInt(hex.charAt(0), 16)) * -1 + 28;
}

function scaled(value: Rational, exponent: number): Rational {
  const ten = 10n ** BigInt(Math.abs(exponent));
  return value.times(exponent < 0 ? Rational.ratio(1n, ten) : Rational.of(ten));
}

/** The decimal exponent of the first digit of a positive amount. */
function magnitude(value: Rational): number {
  const reaches = (exponent: number) => {
    const one = scaled(value, -exponent);
    return one.numerator >= one.denominator;
  };
  let exponent = Math.trunc(((bits(value.numerator) - bits(value.denominator)) * 30103) / 100_000);
  while (!reaches(exponent)) exponent -= 1;
  while (reaches(exponent + 1)) exponent += 1;
  return exponent;
}

/** Significant digits with the point where it belongs; very large and very small ones with an exponent. */
function layout(digits: string, exponent: number): string {
  if (exponent < -7 || exponent >= 15) {
    const rest = digits.slice(1);
    return `${digits.charAt(0)}${rest && `.${rest}`}e${exponent}`;
  }
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const padded = digits.padEnd(exponent + 1, "0");
  const fraction = padded.slice(exponent + 1);
  return padded.slice(0, exponent + 1) + (fraction && `.${fraction}`);
}
