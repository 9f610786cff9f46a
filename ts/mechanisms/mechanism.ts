import { MarginaliaError } from "../errors.js";
import { invalid, isObject, known } from "../options.js";
import type { Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";

/** Refuses options without a public table, telling `advice`, and options that are none. */
export function checkPrior<S extends Schema>(
  options: { prior: Table<S> },
  names: readonly string[],
  who: string,
  advice: string,
): void {
  if (!isObject(options) || options.prior === undefined || options.prior === null)
    throw new MarginaliaError("PRIOR_MISSING", `${who} needs a public table as \`prior\`: ${advice}`);
  known(options, names, who);
  if (typeof (options.prior as Partial<Table>).distinct !== "function")
    throw invalid("`prior` is a table that readTable has read");
}

/** What several users have, until the last of them disposes of it. */
export abstract class Held implements Disposable {
  #users = 1;

  /** Whether the engine still has it. */
  abstract get alive(): boolean;

  protected abstract free(): void;

  /** For one more user, who disposes of it too. */
  share(): this {
    this.#users += 1;
    return this;
  }

  dispose(): void {
    this.#users -= 1;
    if (this.#users === 0) this.free();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** What starts from a public table, and keeps what it makes of it. */
export abstract class Mechanism<O extends object, P extends Held> implements Disposable {
  readonly options: Readonly<O>;
  readonly #prepared = new Map<string, Promise<P>>();

  /** @internal */
  constructor(options: O) {
    this.options = Object.freeze({ ...options });
  }

  /** @internal What `make` gives; made once for the same settings, as long as the engine lives. */
  async prepare(settings: object, make: () => Promise<P>): Promise<P> {
    const id = JSON.stringify(settings);
    const known = await this.#prepared.get(id)?.catch(() => undefined);
    if (known?.alive) return known;
    const making = make();
    this.#prepared.set(id, making);
    making.catch(() => this.#prepared.delete(id));
    return making;
  }

  /** Frees what was made of the public table; releases keep what they need. */
  dispose(): void {
    for (const prepared of this.#prepared.values())
      void prepared.then(
        (one) => one.dispose(),
        () => undefined,
      );
    this.#prepared.clear();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
