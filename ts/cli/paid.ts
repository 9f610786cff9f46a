import { MarginaliaError } from "../errors.js";
import { Rational, type Sealed } from "../index.js";
import { symbolOf } from "../privacy/budget.js";
import type { Entry } from "../privacy/ledger/index.js";
import { show } from "../privacy/rational.js";
import { pathOf } from "./files.js";

interface Paying {
  sealed: Sealed;
  /** Where the account is kept, as the options say it. */
  ledger: unknown;
  signal: AbortSignal;
  /** Whether a charge is one of the command's, and not of another, or of the same asked differently. */
  isOwn(entry: Entry): boolean;
  /** What all charges of the command come to. */
  price: Rational;
}

/** Does what pays. Where it stops or fails after that, the error says what was paid, where that stands, and how it goes on. */
export async function paying<T>(parts: Paying, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw accounted(parts, thrown);
  }
}

function accounted({ sealed, ledger, signal, isOwn, price }: Paying, thrown: unknown): unknown {
  const entries = sealed.ledger.entries();
  const symbol = symbolOf(sealed.ledger.toJSON().currency);
  const named = (amount: Rational) => `${symbol} ${show(amount, true)}`;
  const place = `in the account ${pathOf(ledger)}`;
  const paid = sum(entries.filter((entry) => entry.state === "released" && isOwn(entry)));
  const lost = sum(entries.slice(sealed.earlier).filter(({ state }) => state !== "released"));
  const known = thrown instanceof MarginaliaError ? thrown : undefined;
  const stopped = signal.aborted;
  if (!stopped && !known) return thrown;
  const next =
    paid.compare(price) >= 0
      ? "the same command finishes it for nothing"
      : "the same command goes on from there, and does not pay that again";
  const account = [
    ...(lost.sign > 0
      ? [`${named(lost)} is paid for answers that nobody saw and stays spent, ${place}`]
      : []),
    ...(paid.sign > 0 ? [`${named(paid)} is paid, ${place}; ${next}`] : []),
  ].join("; ");
  if (stopped) {
    const message = `the command was stopped: ${account === "" ? "it paid nothing" : account}`;
    return new MarginaliaError("ABORTED", message, { cause: thrown });
  }
  if (!known || account === "") return thrown;
  const hint = known.hint === undefined ? account : `${known.hint}; ${account}`;
  return new MarginaliaError(known.code, known.message, { cause: known.cause ?? known, hint });
}

const sum = (entries: readonly Entry[]): Rational =>
  entries.reduce((all, { cost }) => all.plus(Rational.of(cost)), Rational.of(0n));
