import { Rational, type Sealed } from "../index.js";
import type { Console } from "./console.js";

/** Short, because a release of several charges soon goes on to the next, and would have to wait for that too. */
const LOOK_MS = 10;

/**
 * A signal that stops a release as the given one does, but not while an answer that was paid for is on its way: it would be
 * lost, and the budget with it. Who does not want to wait asks twice.
 */
export function patient(
  sealed: Pick<Sealed, "ledger" | "spent">,
  io: Pick<Console, "signal" | "note">,
): AbortSignal {
  const stop = new AbortController();
  const underWay = () => sealed.spent.compare(releasedCost(sealed)) > 0;
  const end = () => {
    if (!underWay()) return stop.abort(io.signal.reason);
    io.note("The answers are paid for: it stops when they are in the account. Again, to lose them.");
    const look = setInterval(() => {
      if (underWay()) return;
      clearInterval(look);
      stop.abort(io.signal.reason);
    }, LOOK_MS);
    // A charge that could not be written never ends, but its call does.
    look.unref();
  };
  if (io.signal.aborted) end();
  else io.signal.addEventListener("abort", end, { once: true });
  return stop.signal;
}

/** What was paid for answers that are in the account, or lost; a charge counts as spent before it is written there. */
function releasedCost({ ledger }: Pick<Sealed, "ledger">): Rational {
  const ended = ledger.entries().filter(({ state }) => state !== "under way");
  return ended.reduce((sum, { cost }) => sum.plus(Rational.of(cost)), Rational.of(0n));
}
