import type { Measured, Measuring, Vault as RawVault, SealedReader } from "../../../pkg/simd/marginalia.js";
import { MarginaliaError } from "../../errors.js";
import type { Context, Opened } from "../host.js";
import type { Raw } from "../raw.js";
import { sent } from "./objects.js";

/** Bytes that an engine holds for private rows. */
const hidden = new WeakMap<object, number>();

/** How much memory nobody is told of. */
export const hiddenBytes = (raw: Raw): number => hidden.get(raw) ?? 0;

/** What a reader needs to work, beside what it reads: it cannot do without. */
const READER_BYTES = 1 << 21;
/** Bytes that a character of JSON may become while it is read: lists of single digits, in lists that double. */
export const JSON_BYTES = 48;

/**
 * Calls what works on private rows: keeps its memory apart, and lets no error tell of it. What is left of the memory,
 * and what an allocation asked for, depend on the rows.
 */
function veiled<T>(raw: Raw, work: () => T): T {
  // Calls may lie within each other: the outer one counts for both.
  const others = raw.memoryUsed() - hiddenBytes(raw);
  try {
    return work();
  } catch (thrown) {
    if ((thrown as { code?: unknown } | undefined)?.code !== "OUT_OF_MEMORY") throw thrown;
    const message = "the private rows and what is asked of them do not fit the memory: raise `memoryLimit`";
    throw new MarginaliaError("OUT_OF_MEMORY", message);
  } finally {
    hidden.set(raw, raw.memoryUsed() - others);
  }
}

/** An object of the Rust side that has to do with private rows. */
export class Veiled<T extends { free(): void }> {
  readonly #raw: Raw;
  #object: T | undefined;

  constructor(raw: Raw, make: () => T) {
    this.#raw = raw;
    this.#object = veiled(raw, make);
  }

  use<U>(work: (object: T) => U): U {
    const object = this.#object;
    if (!object) throw new MarginaliaError("HANDLE_DISPOSED", "the reader has ended");
    return veiled(this.#raw, () => work(object));
  }

  /** Takes the object out: it ends with the call that it is given to. */
  take(): T {
    const object = this.use((taken) => taken);
    this.#object = undefined;
    return object;
  }

  free(): void {
    const object = this.#object;
    this.#object = undefined;
    if (object) veiled(this.#raw, () => object.free());
  }
}

/** What the noise of some requests costs, and how large it is. */
export interface Priced {
  /** In the currency of the budget, as a fraction. */
  price: string;
  variances: Float64Array;
}

/** What was measured, safe to publish, and the sum that the engine's account has come to. */
export interface Drawn {
  values: Float64Array<ArrayBuffer>[];
  spent: string;
}

/** Tables of cells may take half of the memory, whatever the rows take: a refusal must not depend on them. */
export const limitOf = (raw: Raw): number => Math.floor(raw.memoryLimit() / 2);

export const privacy = {
  /** A vault without rows; refuses whatever a reader of rows would refuse. */
  "vault.open"(ctx: Context, { schema, options }: { schema: string; options: string }): Opened<undefined> {
    const vault = new Veiled(ctx.raw, () => new ctx.raw.Vault(schema, options));
    const kept = ctx.keep(vault);
    vault.use((object) => object.reader().free());
    return { kept, value: undefined };
  },

  "vault.price"(ctx: Context, { requests }: { requests: string }): Priced {
    return ctx.on<Veiled<RawVault>>().use((vault) => {
      ctx.room(JSON_BYTES * requests.length);
      const price = vault.price(requests, limitOf(ctx.raw));
      return { price, variances: vault.variances(requests) };
    });
  },

  "vault.reader"(ctx: Context, _: undefined): Opened<undefined> {
    const vault = ctx.on<Veiled<RawVault>>();
    const open = () => {
      ctx.room(READER_BYTES);
      return vault.use((object) => object.reader());
    };
    return { kept: ctx.keep(new Veiled(ctx.raw, open)), value: undefined };
  },

  async "vault.push"(ctx: Context, { bytes }: { bytes: Uint8Array }): Promise<void> {
    const reader = ctx.on<Veiled<SealedReader>>();
    let at = 0;
    await untold(ctx, (work) => {
      const piece = bytes.subarray(at, at + work);
      reader.use((object) => {
        ctx.room(piece.length + READER_BYTES);
        object.push(piece);
      });
      at += piece.length;
      return at === bytes.length;
    });
  },

  /** On a vault and a reader of it, which ends. */
  "vault.fill"(ctx: Context, _: undefined): void {
    const reader = ctx.on<Veiled<SealedReader>>(1).take();
    ctx.on<Veiled<RawVault>>().use((vault) => vault.fill(reader));
  },

  async "vault.measure"(
    ctx: Context,
    { requests, spent }: { requests: string; spent: string },
  ): Promise<Drawn> {
    const vault = ctx.on<Veiled<RawVault>>();
    const measuring = new Veiled(ctx.raw, () =>
      vault.use((object) => {
        ctx.room(JSON_BYTES * requests.length);
        return object.measure(requests, spent, limitOf(ctx.raw));
      }),
    );
    try {
      await untold(ctx, (work) => measuring.use((object: Measuring) => object.step(work)));
      const measured = new Veiled(ctx.raw, () => measuring.take().finish());
      try {
        return {
          ...measured.use((object) => out(ctx, object)),
          spent: vault.use((object) => object.spent()),
        };
      } finally {
        measured.free();
      }
    } finally {
      measuring.free();
    }
  },
};

/** Runs steps without telling anybody how far they are. */
export function untold(ctx: Context, step: (work: number) => boolean): Promise<void> {
  return ctx.run({ step, done: () => 0, total: () => 0 });
}

function out(ctx: Context, measured: Measured): Pick<Drawn, "values"> {
  const places = Array.from({ length: measured.length() }, (_, i) => i);
  return { values: places.map((i) => sent(ctx, measured.values(i) as Float64Array<ArrayBuffer>)) };
}
