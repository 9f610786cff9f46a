import { MarginaliaError } from "../errors.js";
import { type Measurement, measurement } from "../measurement.js";
import { bytesOf, measurementsFromBytes, measurementsToBytes } from "../measurements.js";
import { invalid, known } from "../options.js";
import type { Schema } from "../tables/schema.js";
import type { Accountant } from "./accountant.js";
import type { Budget } from "./budget.js";
import { cost } from "./cost.js";
import { type Charge, disagreement, Gate } from "./gate.js";
import { MOST_BYTES } from "./ledger/checks.js";
import type { Ledger } from "./ledger/index.js";
import type { Origin } from "./origin.js";
import { MeasurePlan } from "./plan.js";
import type { Rational } from "./rational.js";
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
import type { Vault } from "./vault.js";

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
  readonly #gate: Gate;
  #closed = false;

  /** @internal */
  constructor(parts: SealedParts<S>) {
    this.schema = parts.schema;
    this.dataset = parts.dataset;
    this.#parts = parts;
    this.#gate = new Gate(parts);
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

  /** How many rows are expected: a public guess, as given to `seal`. */
  get expectedRows(): number | undefined {
    return this.#parts.expectedRows;
  }

  /** @internal Whether its rows are read from there. Nothing is opened. */
  readsFrom(source: unknown): boolean {
    return this.#parts.origin.is(source);
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
    const { accountant, vault } = this.#parts;
    const price = accountant.price(costOf(settled));
    const { price: theirs, variances } = await vault.price(wire(settled), undefined);
    if (theirs !== `${price}`) throw disagreement();
    return new MeasurePlan(this.dataset, settled, variances, accountant, expectedRows);
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
    return this.#gate.take(this.#charge(settled, label), signal);
  }

  /** Waits for calls that are under way, gives up the rows, and closes the account so that others can open it. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#gate.idle();
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

  #charge(settled: readonly Settled[], label: string): Charge<Measurement[]> {
    const { accountant, vault } = this.#parts;
    const asked = wire(settled);
    let variances = new Float64Array();
    return {
      asked: identityOf(settled),
      label,
      cost: costOf(settled),
      what: describeRequests(settled),
      mechanism: describeNoises(settled),
      details: {
        ...(label === "" ? {} : { label }),
        measurements: settled.map(({ clique, query, answers, law, scale, cost: own }) => {
          return {
            clique,
            query: query.type,
            answers,
            law,
            scale: `${scale}`,
            cost: `${accountant.price(own)}`,
          };
        }),
      },
      price: async (signal) => {
        const priced = await vault.price(asked, signal);
        variances = Float64Array.from(priced.variances);
        admit(this.#measurements(settled, variances));
        return priced.price;
      },
      draw: async (before, signal) => {
        const { values, spent } = await vault.measure(asked, before, signal);
        return { drawn: this.#measurements(settled, variances, values), spent };
      },
      encode: measurementsToBytes,
      decode: (kept) => measurementsFromBytes(kept as Uint8Array),
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
}

const costOf = (settled: readonly Settled[]) => cost.sum(settled.map((request) => request.cost));

/** Refuses more values than one entry of a ledger holds. */
function admit(list: readonly Measurement[]): void {
  if (bytesOf(list) <= MOST_BYTES) return;
  const message = "so many values do not fit one entry of the ledger: measure in several calls";
  throw new MarginaliaError("MODEL_TOO_LARGE", message);
}
