import { disposed } from "../engine/failure.js";
import { call, type Handle, open } from "../engine/index.js";
import type { Drawn, Priced } from "../engine/operations/privacy.js";
import type { FullDialect } from "../tables/dialect.js";
import type { Spare } from "../tables/stages.js";
import type { Written } from "../tables/text.js";
import type { Origin } from "./origin.js";
import type { Opened } from "./text.js";

/** How private text is read, and whom the account protects: fixed when a table is sealed. */
export interface VaultOptions extends Readonly<FullDialect> {
  readonly badRows: "drop" | "null";
  readonly unit: object | string;
  readonly relation: object | string;
  readonly budget: object;
}

/**
 * The private rows in the engine. When an engine ends, the rows go with it: the next use opens a vault in a new engine,
 * which must be filled again.
 */
export class Vault {
  readonly #schema: string;
  readonly #options: VaultOptions;
  #handle: Handle | undefined;
  #format: Written = "csv";
  #full = false;
  #opening: Promise<void> | undefined;
  /** How often what was here was given up. */
  #epoch = 0;

  constructor(schema: string, options: VaultOptions) {
    this.#schema = schema;
    this.#options = options;
  }

  /** Whether the rows are there. */
  get full(): boolean {
    return this.#full && this.#handle?.alive === true;
  }

  /** Checks schema and options; nothing is read. */
  async check(): Promise<void> {
    await this.#open();
  }

  /** What requests cost and how noisy they are; refuses what could not be measured. */
  async price(requests: string, signal: AbortSignal | undefined): Promise<Priced> {
    let on = await this.#open();
    while (!on.alive) on = await this.#open();
    return call("vault.price", { requests }, { on, signal });
  }

  /** Opens a source and checks what names its columns; reads no row yet. */
  async begin(origin: Origin, signal: AbortSignal | undefined): Promise<Reading> {
    const opened = await origin.open(this.#options, signal);
    const { format } = opened;
    let reader: Handle | undefined;
    try {
      if (format !== this.#format) this.dispose();
      this.#format = format;
      const vault = await this.#open();
      reader = (await open("vault.reader", undefined, { on: vault, signal }))[0];
      const filled = () => {
        this.#full = this.#handle === vault;
      };
      const reading = new Reading({ vault, reader, opened, filled });
      await reading.header(signal);
      return reading;
    } catch (error) {
      reader?.dispose();
      opened.leave();
      throw error;
    }
  }

  /** Measures; `spent` is the sum of all charges before this one. Fails where the rows went with their engine. */
  async measure(requests: string, spent: string, signal: AbortSignal | undefined): Promise<Drawn> {
    return call("vault.measure", { requests, spent }, { on: this.rows, signal });
  }

  /** The vault in the engine, with rows or without: to ask what things cost. */
  handle(): Promise<Handle> {
    return this.#open();
  }

  /** The vault as it was filled. Fails where the rows went with their engine. */
  get rows(): Handle {
    if (!this.#handle) throw disposed();
    return this.#handle;
  }

  /** Gives the rows up. */
  dispose(): void {
    this.#epoch += 1;
    this.#opening = undefined;
    this.#handle?.dispose();
    this.#handle = undefined;
    this.#full = false;
  }

  /** The one vault that there is: whoever needs it at the same time gets the same, so that none is filled in vain. */
  async #open(): Promise<Handle> {
    while (!this.#handle?.alive) {
      this.#opening ??= this.#make();
      await this.#opening;
    }
    return this.#handle;
  }

  /** Puts a vault in the place of one that is gone, unless that was given up meanwhile. */
  async #make(): Promise<void> {
    this.dispose();
    const epoch = this.#epoch;
    const options = JSON.stringify({ ...this.#options, format: this.#format });
    try {
      const [handle] = await open("vault.open", { schema: this.#schema, options });
      if (epoch === this.#epoch) this.#handle = handle;
      else handle.dispose();
    } finally {
      if (epoch === this.#epoch) this.#opening = undefined;
    }
  }
}

interface ReadingParts {
  vault: Handle;
  reader: Handle;
  opened: Opened;
  filled: () => void;
}

/** Private rows on their way into a vault. */
export class Reading {
  readonly #parts: ReadingParts;

  constructor(parts: ReadingParts) {
    this.#parts = parts;
  }

  /** Reads the first line, where it names the columns; refuses what lacks one. */
  async header(signal: AbortSignal | undefined): Promise<void> {
    const { head } = this.#parts.opened;
    if (!head) return;
    if (head.length === 0) await this.#fill(signal);
    else await this.#push(head, signal);
  }

  /** Reads all rows. */
  async rows(signal: AbortSignal | undefined): Promise<void> {
    try {
      let before: Promise<unknown> = Promise.resolve();
      const spare: Spare = [];
      for await (const bytes of this.#parts.opened.rest(spare)) {
        await before;
        before = this.#push(bytes, signal).then((back) => spare.push(back));
        before.catch(() => undefined);
      }
      await before;
      await this.#fill(signal);
    } finally {
      this.leave();
    }
  }

  /** Leaves the source, and forgets what was read of it. */
  leave(): void {
    this.#parts.opened.leave();
    this.#parts.reader.dispose();
  }

  #push(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal | undefined): Promise<Uint8Array<ArrayBuffer>> {
    return call("vault.push", { bytes }, { on: this.#parts.reader, transfer: [bytes.buffer], signal });
  }

  async #fill(signal: AbortSignal | undefined): Promise<void> {
    const { vault, reader, filled } = this.#parts;
    await call("vault.fill", undefined, { on: [vault, reader], signal });
    filled();
  }
}
