import type { Context, Job } from "../../ts/engine/host.js";
import { estimates } from "../../ts/engine/operations/estimate.js";
import { lp } from "../../ts/engine/operations/lp.js";
import { priors } from "../../ts/engine/operations/priors.js";
import { tables } from "../../ts/engine/operations/tables.js";
import { MarginaliaError } from "../../ts/errors.js";

/** Operations of the tests: they stand in the place of `ts/engine/operations.ts` in the tests' bundles. */

class Thing {
  static freed = 0;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  free(): void {
    Thing.freed += 1;
  }
}

/** Busy for about `ms`, one part in 100,000 of a millisecond per unit of work. */
class Busy implements Job {
  #left: number;
  readonly #units: number;

  constructor(ms: number) {
    this.#units = ms * 100_000;
    this.#left = this.#units;
  }

  step(work: number): boolean {
    const part = Math.min(work, this.#left);
    const end = performance.now() + part / 100_000;
    while (performance.now() < end);
    this.#left -= part;
    return this.#left <= 0;
  }

  done(): number {
    return this.#units - this.#left;
  }

  total(): number {
    return this.#units;
  }
}

/** `(module (func (export "f") unreachable))` */
const UNREACHABLE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0, 10, 5, 1, 3, 0, 0, 11,
];

function trap(): void {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(UNREACHABLE)));
  (exports.f as () => void)();
}

export const operations = {
  echo: (_ctx: Context, args: unknown) => args,
  memory: (ctx: Context) => ({
    used: ctx.raw.memoryUsed(),
    limit: ctx.raw.memoryLimit(),
    objects: ctx.objects,
  }),
  busy: async (ctx: Context, { ms }: { ms: number }) => {
    await ctx.run(new Busy(ms));
    return ms;
  },
  open: (ctx: Context, { name }: { name: string }) => ({
    kept: ctx.keep(new Thing(name)),
    value: name.length,
  }),
  openSlowly: async (ctx: Context, { name, ms }: { name: string; ms: number }) => {
    const kept = ctx.keep(new Thing(name));
    await ctx.run(new Busy(ms));
    return { kept, value: name.length };
  },
  openAndFail: (ctx: Context) => {
    ctx.keep(new Thing("lost"));
    throw new MarginaliaError("OPTION_INVALID", "no");
  },
  names: (ctx: Context, { count }: { count: number }) =>
    Array.from({ length: count }, (_, place) => ctx.on<Thing>(place).name),
  freed: () => Thing.freed,
  give: (ctx: Context, { length }: { length: number }) => {
    const values = new Float64Array(length).fill(1);
    ctx.transfer(values.buffer);
    return values;
  },
  refuse: () => {
    // biome-ignore lint/style/useThrowOnlyError: this is what the bindings throw
    throw { code: "COLUMN_MISSING", message: "the file lacks a column" };
  },
  fail: () => {
    throw new TypeError("something else");
  },
  function: () => () => 1,
  hoard: () => new Float64Array(2 ** 52).length,
  recurse: () => {
    const deeper = (): number => 1 + deeper();
    return deeper();
  },
  trap,
  exit: () => process.exit(3),
  ...lp,
  ...tables,
  ...estimates,
  ...priors,
  /** Asks for the module for models and does nothing with it. */
  model: async (ctx: Context) => {
    const raw = await ctx.model();
    return { own: raw.memoryOwn(), used: raw.memoryUsed(), limit: raw.memoryLimit() };
  },
  block: () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
};

export type Operations = typeof operations;
