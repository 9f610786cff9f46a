import type { Handle } from "../../engine/index.js";
import { MarginaliaError } from "../../errors.js";
import { invalid, isObject, known } from "../../options.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import type { Plan } from "./plan.js";
import { Run } from "./run.js";
import type { ReleaseSettings } from "./stages.js";

/** Refuses options that are none, and options without a public table where one is needed, telling `advice`. */
export function checkOptions(
  options: { prior?: unknown },
  names: readonly string[],
  who: string,
  advice?: string,
): void {
  const prior = isObject(options) ? options.prior : undefined;
  if (advice !== undefined && (prior === undefined || prior === null))
    throw new MarginaliaError("PRIOR_MISSING", `${who} needs a public table as \`prior\`: ${advice}`);
  known(options, names, who);
  if (prior !== undefined && typeof (prior as Partial<Table>).distinct !== "function")
    throw invalid("`prior` is a table that readTable has read");
}

/** What several users have, until the last of them disposes of it: its own fields, and objects of the engine. */
class Shared implements Disposable {
  readonly #handles: readonly Handle[];
  #users = 1;

  constructor(handles: readonly Handle[]) {
    this.#handles = handles;
  }

  /** Whether the engine still has it. */
  get alive(): boolean {
    return this.#handles.every(({ alive }) => alive);
  }

  /** For one more user, who disposes of it too. */
  share(): this {
    this.#users += 1;
    return this;
  }

  dispose(): void {
    this.#users -= 1;
    if (this.#users === 0) for (const handle of this.#handles) handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** Something that several users have. */
export type Held<T extends object = object> = Shared & Readonly<T>;

/** Lets several users have something that is on these objects of the engine. */
export const held = <T extends object>(made: T, ...handles: readonly Handle[]): Held<T> =>
  Object.assign(new Shared(handles), made);

/** How a mechanism is run. */
export interface RunOf<P extends Plan> extends ReleaseSettings {
  /** What is run, exactly: a plan of this mechanism, or its JSON. Made unless given. */
  plan?: P | ReturnType<P["toJSON"]>;
  /** The seed of estimation and records; that of the mechanism unless given. */
  seed?: string | number;
  /** Releases an estimate whose relative gap is above 0.1 too. */
  keepRefused?: boolean;
}

/** What a mechanism does: imported when it is first asked to. */
export interface Steps<S extends Schema, M, P extends Plan, R, X> {
  /** The class of its plans. */
  readonly Plan: abstract new (
    ...parts: never[]
  ) => P;
  plan(mechanism: M, sealed: Sealed<S>, settings: ReleaseSettings): Promise<P>;
  /** Pays what is planned and estimates from the answers; `run` finds what was paid before. */
  run(plan: P, run: Run<S>, settings: X): Promise<R>;
}

/** What releases records of a private table, and keeps what it makes of a public one. */
export abstract class Mechanism<
  S extends Schema,
  O extends object,
  P extends Plan,
  R,
  X extends RunOf<P> = RunOf<P>,
> implements Disposable
{
  readonly options: Readonly<O>;
  readonly #prepared = new Map<string, Promise<Held>>();

  /** @internal */
  constructor(options: O) {
    this.options = Object.freeze({ ...options });
  }

  protected abstract steps(): Promise<Steps<S, this, P, R, X>>;

  /** The settings of `run` beside those of every mechanism. */
  protected get own(): readonly string[] {
    return [];
  }

  /**
   * What a run would ask and pay, and why. Nothing private is read and nothing is charged: for two tables of the same
   * schema, unit, budget and account, plans are the same to the byte.
   */
  async plan(sealed: Sealed<S>, settings: ReleaseSettings = {}): Promise<P> {
    known(settings, ["signal", "onProgress"], "plan");
    return this.#made(await this.steps(), sealed, settings);
  }

  /** A plan; where it is too large, who asks has options and a schema, and nothing to raise. */
  async #made(steps: Steps<S, this, P, R, X>, sealed: Sealed<S>, settings: ReleaseSettings): Promise<P> {
    try {
      return await steps.plan(this, sealed, settings);
    } catch (error) {
      if (!(error instanceof MarginaliaError) || error.code !== "MODEL_TOO_LARGE") throw error;
      const advice =
        "fewer or coarser attributes in the schema (`width`, `bins`) need less, and so does a smaller `workload`";
      throw new MarginaliaError(error.code, `${error.message.replace(/: [^:]*$/, "")}: ${advice}`, {
        cause: error,
      });
    }
  }

  /**
   * Pays and measures what a plan says, and estimates from the answers. A run that was interrupted takes what was answered
   * from the ledger when the program is run again, and goes on from there.
   */
  async run(sealed: Sealed<S>, settings: X = {} as X): Promise<R> {
    known(settings, ["plan", "seed", "keepRefused", ...this.own, "signal", "onProgress"], "run");
    const steps = await this.steps();
    const plan = await this.#planOf(steps, sealed, settings);
    const run = new Run(sealed, plan.label);
    return run.doing(async () => {
      run.admit(plan.charging);
      return steps.run(plan, run, settings);
    });
  }

  /** The plan that is run: as given, where this mechanism makes the same now. */
  async #planOf(steps: Steps<S, this, P, R, X>, sealed: Sealed<S>, settings: X): Promise<P> {
    const { plan } = settings;
    if (plan instanceof steps.Plan && plan.isOf(this, sealed)) return plan;
    const now = await this.#made(steps, sealed, settings);
    if (plan === undefined) return now;
    if (!isObject(plan)) throw invalid("`plan` is what `plan` of this mechanism gave, or its JSON");
    if (essence(plan) === essence(now)) return now;
    throw invalid(
      "the plan is of another mechanism, prior or account, or of an account that has been spent from since: make it anew",
    );
  }

  /** @internal What `make` gives; made once for the same settings, as long as the engine lives. */
  async prepare<H extends Held>(settings: object, make: () => Promise<H>): Promise<H> {
    const id = JSON.stringify(settings);
    const known = await this.#prepared.get(id)?.catch(() => undefined);
    if (known?.alive) return known as H;
    const made = make();
    this.#prepared.set(id, made);
    made.catch(() => this.#prepared.delete(id));
    return made;
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

/** What a plan says, but for what was spent before, which an interrupted run has changed itself. */
const essence = (plan: object): string =>
  JSON.stringify(plan, (name, value) => (name === "spent" || name === "fits" ? undefined : value));
