/** An exact fraction, not necessarily in lowest terms; what printing what is left needs, and no more. */
export interface Amount {
  readonly over: bigint;
  readonly under: bigint;
}

const FORM = /^(0|[1-9]\d*)(?:\/([1-9]\d*))?$/;

/** Whether a text is a whole number or a fraction `p/q`, neither of them negative. */
export const isAmount = (text: unknown): text is string => typeof text === "string" && FORM.test(text);

export function amount(text: string): Amount {
  const [, over, under] = FORM.exec(text) ?? [];
  if (over === undefined) throw new RangeError("not a fraction");
  return { over: BigInt(over), under: BigInt(under ?? 1) };
}

export const zero: Amount = { over: 0n, under: 1n };

export const plus = (a: Amount, b: Amount): Amount =>
  lowest(a.over * b.under + b.over * a.under, a.under * b.under);

export const minus = (a: Amount, b: Amount): Amount =>
  lowest(a.over * b.under - b.over * a.under, a.under * b.under);

/** What the account says is spent after one more charge of `cost`: `Accountant` says why. */
export function charged(spent: Amount, cost: Amount, total: Amount): Amount {
  const sum = plus(spent, cost);
  const up = rounded(sum);
  return isLess(total, sum) || isLess(up, total) ? up : total;
}

/** 10⁸⁰: sums with more than that below the line are rounded up to multiples of its inverse. */
const GRID = 10n ** 80n;

const rounded = (sum: Amount): Amount =>
  sum.under <= GRID ? sum : lowest((sum.over * GRID) / sum.under + 1n, GRID);

const isLess = (a: Amount, b: Amount): boolean => a.over * b.under < b.over * a.under;

function lowest(over: bigint, under: bigint): Amount {
  let [a, b] = [over < 0n ? -over : over, under];
  while (b !== 0n) [a, b] = [b, a % b];
  return { over: over / a, under: under / a };
}

/** `p/q`, or a whole number. */
export const fraction = ({ over, under }: Amount): string => (under === 1n ? `${over}` : `${over}/${under}`);

/** A decimal for people: exact where six digits after the point are enough, otherwise marked by `≈`. */
export function decimal({ over, under }: Amount): string {
  const size = over < 0n ? -over : over;
  let digits = 6;
  const scaled = () => (size * 10n ** BigInt(digits)) / under;
  const exact = (size * 10n ** BigInt(digits)) % under === 0n;
  while (!exact && scaled() < 1000n && digits < 60) digits += 3;
  const text = scaled()
    .toString()
    .padStart(digits + 1, "0");
  const after = text.slice(-digits).replace(/0+$/, "");
  const whole = `${over < 0n ? "−" : ""}${text.slice(0, -digits)}`;
  return `${exact ? "" : "≈ "}${whole}${after ? `.${after}` : ""}`;
}
