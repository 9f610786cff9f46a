import type { Measurement } from "../measurement.js";
import { measurementsFromBytes } from "../measurements.js";
import { invalid } from "../options.js";
import type { Entry } from "../privacy/ledger/index.js";
import type { MeasureRequest } from "../privacy/request.js";
import type { Sealed } from "../privacy/sealed.js";
import type { Schema } from "../tables/schema.js";

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
  protected readonly sealed: Sealed<S>;
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

  /** What became of a charge: the values where there are some, else that they are lost. */
  entry(step?: string): Entry | undefined {
    const label = this.named(step);
    const own = this.sealed.ledger
      .entries()
      .filter(({ details }) => Object(details).label === label && this.sealed.isReadAs(details));
    return own.find(({ state }) => state === "released") ?? own.find(({ state }) => state === "lost");
  }

  /** Whether the values of a charge are in the ledger. */
  paid(step?: string): boolean {
    return this.entry(step)?.state === "released";
  }

  /** The answers to requests: from the ledger where they were paid, in whichever program. */
  async measure(
    requests: readonly MeasureRequest<S>[],
    { step, signal }: { step?: string; signal?: AbortSignal | undefined },
  ): Promise<Measurement[]> {
    const entry = this.entry(step);
    const cliques = requests.map(({ clique, spread }) => {
      const keys = typeof spread === "object" ? spread.groups : [];
      return [...keys, ...clique];
    });
    if (entry?.state === "released") return this.answered(entry, cliques);
    return this.sealed.measure(requests, { label: this.named(step), ...(signal && { signal }) });
  }

  /** The answers to cliques, by a charge whose values are kept. */
  async answered(entry: Entry, cliques: readonly (readonly string[])[]): Promise<Measurement[]> {
    const values = await this.values(entry);
    if (!(values instanceof Uint8Array)) throw other();
    const found = measurementsFromBytes(values);
    const same =
      found.length === cliques.length && found.every(({ clique }, i) => `${clique}` === `${cliques[i]}`);
    if (same) return found;
    throw other();
  }

  protected async values({ key }: Entry): Promise<unknown> {
    return this.sealed.ledger.find(key)?.values();
  }
}

export function other() {
  return invalid(
    "the ledger has other answers under the labels of this release, of another version of this package perhaps: give " +
      "another `label`, which pays anew",
  );
}
