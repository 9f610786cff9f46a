import { sha256 } from "../bytes.js";
import { MarginaliaError } from "../errors.js";
import { type Measurement, type MeasurementJson, measurement } from "../measurement.js";
import { bytesOf, measurementsFromBytes, measurementsToBytes } from "../measurements.js";
import { invalid, isObject, known } from "../options.js";
import { guard, type Input } from "../tables/inputs.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Source } from "../tables/source.js";
import type { Accountant } from "./accountant.js";
import type { Budget } from "./budget.js";
import { cost } from "./cost.js";
import { type Charge, disagreement, Gate } from "./gate.js";
import { MOST_BYTES } from "./ledger/checks.js";
import type { Entry, Ledger } from "./ledger/index.js";
import { type LedgerView, viewOf } from "./ledgerView.js";
import { MeasurePlan } from "./measurePlan.js";
import type { Origin } from "./origin.js";
import { positive, Rational, show } from "./rational.js";
import { isReadAs, type ReadAs } from "./readAs.js";
import {
  describeNoises,
  describeRequests,
  identityOf,
  type MeasureRequest,
  measuredOf,
  type ResolvedRequest,
  resolveRequests,
  wire,
} from "./request.js";
import type { Kit } from "./select/kit.js";
import type { Selected, SelectOptions, SelectRequest } from "./select/types.js";
import { scoreSensitivity } from "./sensitivity.js";
import type { Relation, Unit } from "./unit.js";
import type { Vault } from "./vault.js";

/** Handed to selections, which are loaded when they are needed. */
export const KIT: Kit = { Rational, positive, show, cost, scoreSensitivity, sha256, disagreement };

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
  readAs: ReadAs;
  /** The private source, and the files of the account. */
  inputs: readonly Input[];
  expectedRows: number | undefined;
  /** Of a table for plans: charges that will be made before. Its account is another's to close. */
  pending?: readonly Entry[];
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
  readonly #view: LedgerView;
  /** Plans that are being made. */
  readonly #planning = new Set<Promise<unknown>>();
  readonly #earlier: number;
  readonly #inputs: Input[];
  readonly #unguard: () => void;
  #closed = false;

  /** @internal */
  constructor(parts: SealedParts<S>) {
    this.schema = parts.schema;
    this.dataset = parts.dataset;
    this.#parts = parts;
    this.#gate = new Gate(parts);
    this.#view = viewOf(parts.ledger, parts.pending);
    this.#earlier = this.#view.entries().length;
    this.#inputs = [...parts.inputs];
    this.#unguard = guard(this.#inputs, this.#view);
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

  /** @internal Notes what a public table was read from: it is not written over, and refused where it is the private one. */
  async startsFrom(source: Source, settings: { allowSame: boolean }): Promise<void> {
    this.#inputs.push({ source, what: "the public source" });
    if (!settings.allowSame) await this.#parts.origin.keepApart(source);
  }

  /** @internal How rows are read. */
  get readAs(): ReadAs {
    return this.#parts.readAs;
  }

  /** @internal Whether a charge, by its details, is of rows as they are read here. */
  isReadAs(details: unknown): boolean {
    return isReadAs(details, this.#parts.readAs);
  }

  /** @internal How many charges the account had when the table was sealed: those of programs before. */
  get earlier(): number {
    return this.#earlier;
  }

  /** The account: `ledger.toString()` is a table for people. It can be read, and not written to. */
  get ledger(): LedgerView {
    return this.#view;
  }

  /**
   * What measuring and selecting would cost and how noisy it would be. The same for any rows: it depends on the requests,
   * the budget, and what was spent. Nothing is read or charged. What has `candidates` is a selection, and needs no answers.
   */
  async plan(
    requests: readonly (MeasureRequest<S> | SelectRequest<S>)[],
    options: PlanOptions = {},
  ): Promise<MeasurePlan> {
    known(options, ["expectedRows"], "plan");
    const { expectedRows = this.#parts.expectedRows } = options;
    if (expectedRows !== undefined && !(Number.isFinite(expectedRows) && expectedRows > 0))
      throw invalid("`expectedRows` is a number of rows above zero");
    this.#checkOpen();
    const planned = this.#plan(requests, expectedRows);
    this.#planning.add(planned);
    return planned.finally(() => this.#planning.delete(planned));
  }

  async #plan(
    requests: readonly (MeasureRequest<S> | SelectRequest<S>)[],
    expectedRows: number | undefined,
  ): Promise<MeasurePlan> {
    const [measures, selects] = parted(requests);
    const resolved = selects.length > 0 && measures.length === 0 ? [] : this.#resolve(measures);
    const { accountant, readAs, vault } = this.#parts;
    const price = accountant.price(costOf(resolved));
    const { price: theirs, variances } = await vault.price(wire(resolved), undefined);
    if (theirs !== `${price}`) throw disagreement();
    const selections =
      selects.length === 0
        ? []
        : await (await import("./select/choices.js")).choices(selects, this.#parts, KIT);
    const sizes = Object.keys(this.schema.attributes).map((name) => this.schema.size(name as NameOf<S>));
    const parts = { variances, accountant, readAs, expectedRows, selections, sizes };
    return new MeasurePlan(this.dataset, resolved, parts);
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
    const resolved = this.#resolve(requests);
    return this.#gate.take(this.#charge(resolved, label), signal);
  }

  /**
   * Chooses one candidate by how far the private counts are from public answers: one charge, written to the ledger before
   * anything is drawn. Only the choice leaves, and no score. The counts of a workload are counted once and stay sealed for
   * the next selection. Like `measure`, it finds what it selected in the ledger when the program is run again.
   *
   * ```ts
   * const { clique, codes } = await data.select({ workload, answers, candidates: "cells", spend: 0.1 });
   * ```
   */
  async select(options: SelectOptions<S>): Promise<Selected<S>> {
    this.#checkOpen();
    const charge = async () => (await import("./select/charge.js")).selection(options, this.#parts, KIT);
    return this.#gate.take(charge, options?.signal);
  }

  /** Waits for calls and plans that are under way, gives up the rows, and closes the account so that others can open it. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#gate.idle();
    // One that asked the vault after it was given up would open another, which nobody would close.
    await Promise.allSettled(this.#planning);
    this.#parts.vault.dispose();
    this.#unguard();
    if (this.#parts.pending === undefined) await this.#parts.ledger.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #checkOpen(): void {
    if (!this.#closed) return;
    throw new MarginaliaError("HANDLE_DISPOSED", "the sealed table was closed: seal it again");
  }

  #resolve(requests: readonly MeasureRequest[]): ResolvedRequest[] {
    this.#checkOpen();
    const { neighbours, currency } = this.#parts.accountant;
    return resolveRequests(requests, { schema: this.schema, neighbours, currency });
  }

  #charge(resolved: readonly ResolvedRequest[], label: string): Charge<Measurement[]> {
    const { accountant, vault } = this.#parts;
    const request = wire(resolved);
    let variances = new Float64Array();
    return {
      verb: "measure",
      request: identityOf(resolved),
      label,
      cost: costOf(resolved),
      what: describeRequests(resolved),
      mechanism: describeNoises(resolved),
      details: {
        ...(label === "" ? {} : { label }),
        measurements: resolved.map(({ clique, groups, query, answers, law, scale, cost: own }) => {
          return {
            clique,
            ...(groups.length > 0 ? { groups } : {}),
            query: query.type,
            answers,
            law,
            scale: `${scale}`,
            cost: `${accountant.price(own)}`,
          };
        }),
      },
      price: async (signal) => {
        const priced = await vault.price(request, signal);
        variances = Float64Array.from(priced.variances);
        admit(this.#unchecked(resolved, variances));
        return priced.price;
      },
      draw: async (before, signal) => {
        const { values, spent } = await vault.measure(request, before, signal);
        return { drawn: this.#unchecked(resolved, variances, values).map(measurement), spent };
      },
      encode: measurementsToBytes,
      decode: (kept) => measurementsFromBytes(kept as Uint8Array),
    };
  }

  /** Measurements with these values; without, with zeros. */
  #unchecked(
    resolved: readonly ResolvedRequest[],
    variances: Float64Array,
    values?: readonly Float64Array[],
  ): MeasurementJson[] {
    const { currency, neighbours } = this.#parts.accountant;
    return resolved.map((request, i) => {
      const { shape, answers, law, scale } = request;
      return {
        version: 1,
        ...measuredOf(request),
        shape,
        values: values?.[i] ?? new Float64Array(answers),
        noise: { law, scale: `${scale}`, variance: variances[i] as number },
        relation: neighbours.relation,
        cost: { currency, amount: `${this.#parts.accountant.price(request.cost)}` },
      };
    });
  }
}

/** Measurements and selections, told apart by what only one of them has. */
function parted<S extends Schema>(
  requests: readonly (MeasureRequest<S> | SelectRequest<S>)[],
): [MeasureRequest<S>[], SelectRequest<S>[]] {
  if (!Array.isArray(requests)) throw invalid("a plan is of a list of requests, one at least");
  const isSelection = (one: MeasureRequest<S> | SelectRequest<S>): one is SelectRequest<S> =>
    isObject(one) && "candidates" in one;
  const isMeasure = (one: MeasureRequest<S> | SelectRequest<S>): one is MeasureRequest<S> =>
    !isSelection(one);
  return [requests.filter(isMeasure), requests.filter(isSelection)];
}

const costOf = (resolved: readonly ResolvedRequest[]) => cost.sum(resolved.map((request) => request.cost));

/** Refuses more values than one entry of a ledger holds. */
function admit(list: readonly MeasurementJson[]): void {
  if (bytesOf(list) <= MOST_BYTES) return;
  const message = "so many values do not fit one entry of the ledger: measure in several calls";
  throw new MarginaliaError("MODEL_TOO_LARGE", message);
}
