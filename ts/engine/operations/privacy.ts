import type { Measured, Measuring, Vault as RawVault, SealedReader } from "../../../pkg/simd/marginalia.js";
import { MarginaliaError } from "../../errors.js";
import type { Context, Opened } from "../host.js";
import type { Raw } from "../raw.js";
import { sent } from "./objects.js";

/** What a reader needs to work, beside what it reads: it cannot do without. */
const READER_BYTES = 1 << 21;
/** Bytes that a character of JSON may become while it is read: lists of single digits, in lists that double. */
export const JSON_BYTES = 48;

/**
 * The parts of the memory, which are fixed: whether something fits must depend on nothing else. Rows take a quarter, what
 * is counted of them as much, and everything that is not private the half that is left.
 */
const ROWS = 1 / 4;
const PRIVATE = 1 / 2;

/**
 * Calls what works on private rows: its memory is counted apart, and no error tells of it. What is left of it, and what an
 * allocation asked for, depend on the rows.
 */
function veiled<T>(raw: Raw, part: number, work: () => T): T {
  raw.enterPrivate(Math.floor(part * raw.memoryOfAll()));
  try {
    return work();
  } catch (thrown) {
    if ((thrown as { code?: unknown } | undefined)?.code !== "OUT_OF_MEMORY") throw thrown;
    const message = "the private rows and what is asked of them do not fit the memory: raise `memoryLimit`";
    throw new MarginaliaError("OUT_OF_MEMORY", message);
  } finally {
    raw.leavePrivate();
  }
}

/** An object of the Rust side that has to do with private rows. */
export class Veiled<T extends { free(): void }> {
  readonly #raw: Raw;
  readonly #part: number;
  #object: T | undefined;

  constructor(raw: Raw, make: () => T, part = PRIVATE) {
    this.#raw = raw;
    this.#part = part;
    this.#object = veiled(raw, part, make);
  }

  use<U>(work: (object: T) => U): U {
    return veiled(this.#raw, this.#part, () => this.openly(work));
  }

  /** For what works on public terms alone, and counts with what is not private. */
  openly<U>(work: (object: T) => U): U {
    if (!this.#object) throw new MarginaliaError("HANDLE_DISPOSED", "the reader has ended");
    return work(this.#object);
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
    if (object) veiled(this.#raw, this.#part, () => object.free());
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

/** What tables of cells may take, beside the rows. */
export const limitOf = (raw: Raw): number => Math.floor((PRIVATE - ROWS) * raw.memoryOfAll());

export const privacy = {
  /** A vault without rows; refuses whatever a reader of rows would refuse. */
  "vault.open"(ctx: Context, { schema, options }: { schema: string; options: string }): Opened<undefined> {
    const vault = new Veiled(ctx.raw, () => new ctx.raw.Vault(schema, options));
    const kept = ctx.keep(vault);
    vault.use((object) => object.reader().free());
    return { kept, value: undefined };
  },

  "vault.price"(ctx: Context, { requests }: { requests: string }): Priced {
    return ctx.on<Veiled<RawVault>>().openly((vault) => {
      ctx.room(JSON_BYTES * requests.length);
      const price = vault.price(requests, limitOf(ctx.raw));
      return { price, variances: vault.variances(requests) };
    });
  },

  "vault.reader"(ctx: Context, _: undefined): Opened<undefined> {
    const vault = ctx.on<Veiled<RawVault>>();
    const open = () => {
      ctx.room(READER_BYTES);
      return vault.openly((object) => object.reader());
    };
    return { kept: ctx.keep(new Veiled(ctx.raw, open, ROWS)), value: undefined };
  },

  /** The whole buffer of the bytes comes back. */
  async "vault.push"(
    ctx: Context,
    { bytes }: { bytes: Uint8Array<ArrayBuffer> },
  ): Promise<Uint8Array<ArrayBuffer>> {
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
    return sent(ctx, new Uint8Array(bytes.buffer));
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
  return { values: places.map((i) => sent(ctx, measured.take(i) as Float64Array<ArrayBuffer>)) };
}
