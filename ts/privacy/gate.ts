import { aborted } from "../engine/failure.js";
import { MarginaliaError } from "../errors.js";
import type { Accountant } from "./accountant.js";
import { symbolOf } from "./budget.js";
import type { Cost } from "./cost.js";
import { keyOf, Turns } from "./keys.js";
import type { Json, Ledger } from "./ledger/index.js";
import type { Origin } from "./origin.js";
import { type Rational, show } from "./rational.js";
import { type ReadAs, readByLines } from "./readAs.js";
import type { Reading, Vault } from "./vault.js";

/** One thing that is drawn from private rows: what it is, what it costs, and how it is done. */
export interface Charge<T> {
  readonly verb: "measure" | "select";
  /** What makes it the same as another. Nothing private. */
  readonly request: string;
  readonly label: string;
  readonly cost: Cost;
  /** For the ledger: what is asked, how it is made private, and whatever else an auditor may want to see. */
  readonly what: string;
  readonly mechanism: string;
  readonly details: { readonly [name: string]: Json };
  /** Refuses what could not be drawn or kept; gives the price by the engine's account. Spends nothing. */
  price(signal: AbortSignal | undefined): Promise<string>;
  /** Draws, given what was spent before; gives what the engine's account has come to. */
  draw(spent: string, signal: AbortSignal | undefined): Promise<{ drawn: T; spent: string }>;
  /** The form that the ledger keeps, and what is made of it again. */
  encode(drawn: T): Uint8Array | Json;
  decode(kept: Uint8Array | Json): T;
}

interface GateParts {
  readonly ledger: Ledger;
  readonly accountant: Accountant;
  readonly vault: Vault;
  readonly origin: Origin;
  readonly readAs: ReadAs;
}

/**
 * The only way to private rows. In this order: both accounts agree on the price and it fits; the source is there and has
 * the columns; the charge is in the ledger and synced; the rows are read, if they are not there; noise is drawn; the
 * values are in the ledger and synced; the caller gets them. What stops in between stays spent from the charge on.
 */
export class Gate {
  readonly #parts: GateParts;
  readonly #turns = new Turns();

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /**
   * Draws, or takes from the ledger what the same call of the program drew before. Calls are served in order; what has
   * yet to be worked out of a charge is worked out in its turn.
   */
  take<T>(what: Charge<T> | (() => Promise<Charge<T>>), signal: AbortSignal | undefined): Promise<T> {
    return this.#turns.take(signal, async () => {
      const charge = typeof what === "function" ? await what() : what;
      const { ledger, readAs } = this.#parts;
      const base = await keyOf(charge, readAs);
      const number = this.#turns.next(base);
      const key = `${base} ${number}`;
      const earlier = readByLines(readAs);
      const found = ledger.find(key) ?? (earlier && ledger.find(`${await keyOf(charge, earlier)} ${number}`));
      const drawn = found ? charge.decode(await found.values()) : await this.#pay(charge, key, signal);
      this.#turns.done(base);
      return drawn;
    });
  }

  /** Returns when all calls so far are served. */
  idle(): Promise<void> {
    return this.#turns.last();
  }

  async #pay<T>(charge: Charge<T>, key: string, signal: AbortSignal | undefined): Promise<T> {
    const { accountant, ledger, origin, readAs, vault } = this.#parts;
    const price = accountant.price(charge.cost);
    if ((await charge.price(signal)) !== `${price}`) throw disagreement();
    accountant.admit(charge.cost);
    const reading = vault.full ? undefined : await vault.begin(origin, signal);
    const before = accountant.spent;
    let grant: number;
    try {
      if (signal?.aborted) throw aborted(signal);
      accountant.charge(charge.cost);
      const { what, mechanism } = charge;
      const details = { ...charge.details, readAs };
      grant = await ledger.grant({ key, what, mechanism, cost: `${price}`, details });
    } catch (error) {
      reading?.leave();
      throw error;
    }
    try {
      const drawn = await this.#drawn(charge, { reading, before, signal });
      await ledger.journal(grant, charge.encode(drawn));
      return drawn;
    } catch (error) {
      // A ledger that could not be written takes this no more, and need not: opened again, it says the same.
      await ledger.abandon(grant).catch(() => undefined);
      throw this.#lost(error, price);
    }
  }

  async #drawn<T>(
    charge: Charge<T>,
    {
      reading,
      before,
      signal,
    }: { reading: Reading | undefined; before: Rational; signal: AbortSignal | undefined },
  ): Promise<T> {
    await reading?.rows(signal);
    const { drawn, spent } = await charge.draw(`${before}`, signal);
    if (spent !== `${this.#parts.accountant.spent}`) throw disagreement();
    return drawn;
  }

  /** What went wrong after paying and before the values were kept. What a source says itself is in the cause alone. */
  #lost(error: unknown, price: Rational): MarginaliaError {
    const known = error instanceof MarginaliaError;
    const what = known ? error.message : "the private source failed while it was read";
    const paid = `${symbolOf(this.#parts.accountant.currency)} = ${show(price, true)}`;
    const message = `${what}; it was charged before, and the ${paid} stays spent`;
    const cause = known ? (error.cause ?? error) : error;
    return new MarginaliaError(known ? error.code : "SOURCE_FAILED", message, {
      cause,
      hint: known ? error.hint : undefined,
    });
  }
}

/** The two accounts must come to the same. */
export function disagreement(): MarginaliaError {
  const message =
    "this is a defect of marginalia, please report it (the two accounts disagree; nothing is shown)";
  return new MarginaliaError("INTERNAL", message);
}
