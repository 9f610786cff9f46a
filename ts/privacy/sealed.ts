import { aborted } from "../engine/failure.js";
import { MarginaliaError } from "../errors.js";
import { type Measurement, measurement } from "../measurement.js";
import { bytesOf, measurementsFromBytes, measurementsToBytes } from "../measurements.js";
import { invalid, known } from "../options.js";
import type { Schema } from "../tables/schema.js";
import type { Accountant } from "./accountant.js";
import { type Budget, symbolOf } from "./budget.js";
import { cost } from "./cost.js";
import { keyOf, Turns } from "./keys.js";
import { MOST_BYTES } from "./ledger/checks.js";
import type { GrantRequest, Ledger } from "./ledger/index.js";
import type { Origin } from "./origin.js";
import { MeasurePlan } from "./plan.js";
import { type Rational, show } from "./rational.js";
import {
  describeNoises,
  describeRequests,
  identityOf,
  type MeasureRequest,
  type Settled,
  settle,
  wire,
} from "./request.js";
import type { Relation, Unit } from "./unit.js";
import type { Drawn, Reading, Vault } from "./vault.js";

/** What can be done with an account from outside: it is read, printed and exported. */
export type LedgerView = Pick<Ledger, "header" | "entries" | "find" | "export" | "toString" | "toJSON">;

export interface MeasureOptions {
  /**
   * Sets calls apart that ask for the same. Within a program, equal calls of one label are told apart by their order,
   * so each is a draw of its own, and the first one of the program after an interruption is the first one again.
   */
  label?: string;
  /** Ends the call. What was charged before stays spent. */
  signal?: AbortSignal;
}

export interface PlanOptions {
  /** How many rows are expected: a public guess, never a count. As given to `seal` unless given. */
  expectedRows?: number;
}

/** @internal */
export interface SealedParts<S extends Schema> {
  schema: S;
  dataset: string;
  ledger: Ledger;
  accountant: Accountant;
  vault: Vault;
  origin: Origin;
  expectedRows: number | undefined;
}

/**
 * A private table that only answers noisily, and its account. Nothing else is known of it: no number of rows, no
 * progress, no error that depends on a row. Made by `seal`; `close()` it, or declare it with `await using`, so that
 * others can open the account.
 */
export class Sealed<S extends Schema = Schema> implements AsyncDisposable {
  readonly schema: S;
  readonly dataset: string;
  readonly #parts: SealedParts<S>;
  readonly #turns = new Turns();
  #closed = false;

  /** @internal */
  constructor(parts: SealedParts<S>) {
    this.schema = parts.schema;
    this.dataset = parts.dataset;
    this.#parts = parts;
  }

  /** Whom the promise protects. */
  get unit(): Unit {
    return this.#parts.accountant.neighbours.unit;
  }

  /** What makes two tables neighbours. */
  get relation(): Relation {
    return this.#parts.accountant.neighbours.relation;
  }

  /** What may be spent in all. */
  get budget(): Budget {
    return this.#parts.accountant.budget;
  }

  /** What was spent, by this program and those before, in ε of a pure budget and in ρ of others. */
  get spent(): Rational {
    return this.#parts.accountant.spent;
  }

  /** What may still be spent. */
  get left(): Rational {
    return this.#parts.accountant.left;
  }

  /** The account: `ledger.toString()` is a table for people. */
  get ledger(): LedgerView {
    return this.#parts.ledger;
  }

  /**
   * What measuring would cost and how noisy it would be. The same for any rows: it depends on the requests, the budget,
   * and what was spent. Nothing is read or charged.
   */
  async plan(requests: readonly MeasureRequest<S>[], options: PlanOptions = {}): Promise<MeasurePlan> {
    known(options, ["expectedRows"], "plan");
    const { expectedRows = this.#parts.expectedRows } = options;
    if (expectedRows !== undefined && !(Number.isFinite(expectedRows) && expectedRows > 0))
      throw invalid("`expectedRows` is a number of rows above zero");
    const settled = this.#settle(requests);
    const { variances } = await this.#priced(settled, undefined);
    return new MeasurePlan(this.dataset, settled, variances, this.#parts.accountant, expectedRows);
  }

  /**
   * Answers requests with noise: one charge for all, and one pass over the rows. The charge is written to the ledger
   * before anything is drawn, and the values before they are returned. After an interruption, the same call of the
   * program that is run again returns the values that are in the ledger and costs nothing.
   *
   * Calls may overlap; they are served one after another, in order.
   */
  async measure(
    requests: readonly MeasureRequest<S>[],
    options: MeasureOptions = {},
  ): Promise<Measurement[]> {
    known(options, ["label", "signal"], "measure");
    const { label = "", signal } = options;
    if (typeof label !== "string") throw invalid("`label` is a text");
    const settled = this.#settle(requests);
    return this.#turns.take(signal, async () => {
      const base = await keyOf(identityOf(settled), label);
      const key = this.#turns.next(base);
      const found = this.#parts.ledger.find(key);
      const list = found
        ? measurementsFromBytes((await found.values()) as Uint8Array)
        : await this.#draw(settled, { key, label, signal });
      this.#turns.done(base);
      return list;
    });
  }

  /** Waits for calls that are under way, gives up the rows, and closes the account so that others can open it. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#turns.last();
    this.#parts.vault.dispose();
    await this.#parts.ledger.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #settle(requests: readonly MeasureRequest[]): Settled[] {
    if (this.#closed) {
      throw new MarginaliaError("HANDLE_DISPOSED", "the sealed table was closed: seal it again");
    }
    const { neighbours, currency } = this.#parts.accountant;
    return settle(requests, { schema: this.schema, neighbours, currency });
  }

  /** What requests cost by both accounts, which must be the same; before anything is spent. */
  async #priced(settled: readonly Settled[], signal: AbortSignal | undefined) {
    const { accountant, vault } = this.#parts;
    const price = accountant.price(cost.sum(settled.map((request) => request.cost)));
    const { price: theirs, variances } = await vault.price(wire(settled), signal);
    if (theirs !== `${price}`) throw disagreement();
    return { price, variances };
  }

  async #draw(settled: readonly Settled[], call: Call): Promise<Measurement[]> {
    const { accountant, vault, origin } = this.#parts;
    const { price, variances } = await this.#priced(settled, call.signal);
    admit(this.#measurements(settled, variances));
    const all = cost.sum(settled.map((request) => request.cost));
    if (!accountant.fits(all)) accountant.charge(all);
    // A source that is not there, or lacks a column, is found out before anything is paid.
    const reading = vault.full ? undefined : await vault.begin(origin, call.signal);
    let drawn: Drawn;
    let grant: number;
    const spent = accountant.spent;
    try {
      if (call.signal?.aborted) throw aborted(call.signal);
      accountant.charge(all);
      grant = await this.#parts.ledger.grant(this.#grant(settled, price, call));
    } catch (error) {
      reading?.leave();
      throw error;
    }
    try {
      drawn = await this.#answers(settled, { reading, spent, signal: call.signal });
    } catch (error) {
      throw this.#lost(error, price);
    }
    const list = this.#measurements(settled, variances, drawn.values);
    await this.#parts.ledger.journal(grant, measurementsToBytes(list));
    return list;
  }

  /** Reads the rows if need be, and draws. */
  async #answers(
    settled: readonly Settled[],
    { reading, spent, signal }: { reading: Reading | undefined; spent: Rational; signal: Call["signal"] },
  ): Promise<Drawn> {
    const { accountant, vault } = this.#parts;
    await reading?.rows(signal);
    const drawn = await vault.measure(wire(settled), `${spent}`, signal);
    const agreed = settled.every(({ scale }, i) => drawn.scales[i] === `${scale}`);
    if (!agreed || drawn.spent !== `${accountant.spent}`) throw disagreement();
    return drawn;
  }

  #grant(settled: readonly Settled[], price: Rational, { key, label }: Call): GrantRequest {
    const { accountant } = this.#parts;
    const measurements = settled.map(({ clique, query, answers, law, scale, cost: own }) => {
      return { clique, query: query.type, answers, law, scale: `${scale}`, cost: `${accountant.price(own)}` };
    });
    return {
      key,
      what: describeRequests(settled),
      mechanism: describeNoises(settled),
      cost: `${price}`,
      details: { ...(label === "" ? {} : { label }), measurements },
    };
  }

  /** Measurements with these values; without, with zeros. */
  #measurements(
    settled: readonly Settled[],
    variances: Float64Array,
    values?: readonly Float64Array[],
  ): Measurement[] {
    const { currency, neighbours } = this.#parts.accountant;
    return settled.map((request, i) => {
      const { clique, query, shape, answers, law, scale } = request;
      return measurement({
        version: 1,
        clique,
        query,
        shape,
        values: values?.[i] ?? new Float64Array(answers),
        noise: { law, scale: `${scale}`, variance: variances[i] as number },
        relation: neighbours.relation,
        cost: { currency, amount: `${this.#parts.accountant.price(request.cost)}` },
      });
    });
  }

  /** What went wrong after paying and before the values were kept. */
  #lost(error: unknown, price: Rational): unknown {
    if (!(error instanceof MarginaliaError)) return error;
    const paid = `${symbolOf(this.#parts.accountant.currency)} = ${show(price, true)}`;
    const message = `${error.message}; it was charged before, and the ${paid} stays spent`;
    return new MarginaliaError(error.code, message, { cause: error.cause ?? error, hint: error.hint });
  }
}

interface Call {
  key: string;
  label: string;
  signal: AbortSignal | undefined;
}

/** Refuses more values than one entry of a ledger holds. */
function admit(list: readonly Measurement[]): void {
  if (bytesOf(list) <= MOST_BYTES) return;
  const message = "so many values do not fit one entry of the ledger: measure in several calls";
  throw new MarginaliaError("MODEL_TOO_LARGE", message);
}

function disagreement(): MarginaliaError {
  const message =
    "this is a defect of marginalia, please report it (the two accounts disagree; nothing is shown)";
  return new MarginaliaError("INTERNAL", message);
}
