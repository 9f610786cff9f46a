import { MarginaliaError } from "../../errors.js";
import type { Measurement } from "../../measurement.js";
import { measurementsFromBytes } from "../../measurements.js";
import { invalid } from "../../options.js";
import { symbolOf } from "../../privacy/budget.js";
import type { Entry } from "../../privacy/ledger/index.js";
import { Rational, show } from "../../privacy/rational.js";
import type { MeasureRequest } from "../../privacy/request.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import type { Charging, PlannedStep } from "./plan.js";

/** The runs of each label on a table, in this program: those that are under way, and those that ended well. */
const RUNS = new WeakMap<object, Map<string, Set<number>>>();

/** Tells by its details whether a charge is one of a release's, in any of its runs, and of rows as they are read now. */
export const chargeOf =
  (label: string, sealed: Pick<Sealed, "isReadAs">) =>
  (details: unknown): boolean => {
    const { label: other } = Object(details) as { label?: unknown };
    if (typeof other !== "string" || !sealed.isReadAs(details)) return false;
    return other === label || other.startsWith(`${label}, `) || other.startsWith(`${label} again `);
  };

/**
 * The charges of one run, by label. The n-th run of the same in a program has labels of its own, so that it draws anew and
 * finds its own answers again when the program is run once more; one that failed leaves its number, and with it all that it
 * paid for, to the next.
 */
export class Run<S extends Schema> {
  readonly sealed: Sealed<S>;
  readonly #label: string;
  readonly #leave: () => void;

  constructor(sealed: Sealed<S>, label: string) {
    const runs = RUNS.get(sealed) ?? new Map<string, Set<number>>();
    RUNS.set(sealed, runs);
    const taken = runs.get(label) ?? new Set<number>();
    runs.set(label, taken);
    let run = 1;
    while (taken.has(run)) run++;
    taken.add(run);
    this.sealed = sealed;
    this.#label = run === 1 ? label : `${label} again ${run}`;
    this.#leave = () => taken.delete(run);
  }

  /** Does the work of the run; where that fails its number goes back. */
  async doing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** What a charge is known by: that of a step, or the only one. */
  named(step?: string): string {
    return step === undefined ? this.#label : `${this.#label}, ${step}`;
  }

  /** The outcome of a charge: the values where there are some, else that they are lost. */
  entry(step?: string): Entry | undefined {
    const label = this.named(step);
    const own = this.sealed.ledger
      .entries()
      .filter(({ details }) => Object(details).label === label && this.sealed.isReadAs(details));
    return own.find(({ state }) => state === "released") ?? own.find(({ state }) => state === "lost");
  }

  /**
   * Refuses to begin what could not be ended: all charges that are not in the ledger must fit what is left. What was paid
   * and lost is paid again where a list says so, and not by a rule, whose later charges follow from what was seen.
   */
  admit(charging: Charging): void {
    const { asks } = charging;
    if (asks === undefined) return;
    const isOpen = charging.kind === "rule" && charging.charges === undefined;
    const due = isOpen ? this.#rest(charging.ceiling) : this.#due(charging.kind, charging.charges ?? []);
    const { left, ledger } = this.sealed;
    if (due.compare(left) <= 0) return;
    const message =
      `${asks} ${symbolOf(ledger.header.total.currency)} = ${show(due, true)}, and only ${show(left, false)} is left: ` +
      "ask for less by `spend`";
    throw new MarginaliaError("BUDGET_EXCEEDED", message);
  }

  /** What charges cost that are not in the ledger. */
  #due(kind: Charging["kind"], charges: readonly PlannedStep[]): Rational {
    const isDue = ({ step, follows }: PlannedStep) => {
      const state = this.entry(step)?.state;
      if (kind === "list") return state !== "released";
      return state === undefined && (follows === undefined || this.entry(follows)?.state !== "lost");
    };
    return sum(charges.filter(isDue).flatMap((charge) => charge.costs));
  }

  /** What is left of a ceiling. */
  #rest(ceiling: Rational): Rational {
    const isOwn = (label: unknown) => `${label}`.startsWith(`${this.#label}, `);
    const own = this.sealed.ledger
      .entries()
      .filter(({ details }) => isOwn(Object(details).label) && this.sealed.isReadAs(details));
    return ceiling.minus(sum(own.map(({ cost }) => cost)));
  }

  /** The answers to requests: from the ledger where they were paid, in whichever program. */
  async measure(requests: readonly MeasureRequest<S>[], how: MeasureStep = {}): Promise<Measurement[]> {
    const { step, signal, begins } = how;
    const entry = this.entry(step);
    if (entry?.state === "released") return this.#measurements(entry, requests);
    begins?.();
    return this.sealed.measure(requests, { label: this.named(step), ...(signal && { signal }) });
  }

  /** The place that was chosen, among so many: from the ledger where it was paid, and not asked for then. */
  async select(
    ask: () => Promise<Omit<Choice<S>, "label" | "signal">>,
    among: number,
    { step, signal }: MeasureStep,
  ): Promise<number> {
    const entry = this.entry(step);
    if (entry?.state === "released") return this.#chosen(entry, among);
    const request = { ...(await ask()), label: this.named(step), ...(signal && { signal }) };
    return (await this.sealed.select(request as Choice<S>)).place;
  }

  /** The cell that was chosen, in the same way. */
  async selectCell(
    ask: () => Promise<Omit<Choice<S>, "label" | "signal">>,
    among: Workload<S>,
    { step, signal }: MeasureStep,
  ): Promise<Cell> {
    const entry = this.entry(step);
    if (entry?.state !== "released") {
      const request = { ...(await ask()), label: this.named(step), ...(signal && { signal }) };
      const { place, cell = 0 } = await this.sealed.select(request as Choice<S>);
      return { place, cell };
    }
    const place = await this.#chosen(entry, among.length);
    const { cell } = (await this.#values(entry)) as { cell?: unknown };
    if (Number.isInteger(cell) && (cell as number) >= 0 && (cell as number) < among.size(place))
      return { place, cell: cell as number };
    throw other();
  }

  async #measurements(entry: Entry, requests: readonly MeasureRequest<S>[]): Promise<Measurement[]> {
    const values = await this.#values(entry);
    if (!(values instanceof Uint8Array)) throw other();
    const found = measurementsFromBytes(values);
    const cliques = requests.map(({ clique, spread }) => {
      const keys = typeof spread === "object" ? spread.groups : [];
      return [...keys, ...clique];
    });
    const same =
      found.length === cliques.length && found.every(({ clique }, i) => `${clique}` === `${cliques[i]}`);
    if (same) return found;
    throw other();
  }

  async #chosen(entry: Entry, among: number): Promise<number> {
    const { clique } = Object(await this.#values(entry)) as { clique?: unknown };
    if (Number.isInteger(clique) && (clique as number) >= 0 && (clique as number) < among)
      return clique as number;
    throw other();
  }

  async #values({ key }: Entry): Promise<unknown> {
    return this.sealed.ledger.find(key)?.values();
  }
}

const sum = (costs: readonly string[]): Rational =>
  costs.reduce((so, one) => so.plus(Rational.of(one)), Rational.of(0n));

/** A cell of a clique of a workload, by both places. */
export interface Cell {
  readonly place: number;
  readonly cell: number;
}

/** What is chosen by. */
type Choice<S extends Schema> = Parameters<Sealed<S>["select"]>[0];

/** A charge that is made: by its step, telling when it begins to be paid. */
interface MeasureStep {
  step?: string;
  signal?: AbortSignal | undefined;
  begins?: () => void;
}

function other() {
  return invalid(
    "the ledger has other answers under the labels of this release, of another version of this package perhaps: give " +
      "another `label`, which pays anew",
  );
}

/** What a run is rejected with whose last estimate is no estimate: `measurements` are the answers that were paid for. */
export interface ReleaseRefused extends MarginaliaError {
  readonly code: "ESTIMATE_REFUSED";
  readonly measurements: readonly Measurement[];
}

/** The error of a run that measured, and whose estimate is refused. */
export function refused(what: string, measurements: readonly Measurement[]): ReleaseRefused {
  const message =
    `${what} is so far from the optimum that it is no estimate; the answers are paid for and stay in the ledger, so that ` +
    "running again costs nothing: `keepRefused: true` of `run` takes the model as it is";
  const hint =
    "`measurements` of this error are the answers: estimate.calibrated({ prior, measurements }) with a larger `strength`, " +
    "more `passes`, or some of them only";
  const error = new MarginaliaError("ESTIMATE_REFUSED", message, { hint });
  return Object.defineProperty(error, "measurements", {
    value: Object.freeze([...measurements]),
  }) as ReleaseRefused;
}
