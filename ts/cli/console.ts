import type { Readable } from "node:stream";
import type { ReleaseProgress } from "../index.js";
import { dashed, type Options } from "../option.js";
import { oneLine, printed, printedJson } from "../print.js";
import type { Progress } from "../tables/read.js";
import { classOf, coded, EXIT } from "./exit.js";
import { writeOut } from "./output.js";
import { Bar } from "./progress.js";

export type Phase = ReleaseProgress["phase"];

/** What a release is at, in words. */
const PHASES: Readonly<Record<Phase, string>> = {
  prior: "preparing the public rows",
  forecast: "choosing what to measure",
  select: "choosing where the model is wrong",
  measure: "measuring",
  estimate: "estimating",
  records: "making records",
};

/** How many seconds of a phase are foretold, and what is quicker. */
const LONG = 10;
const QUICKER: Partial<Record<Phase, string>> = {
  forecast: " A `workload` is measured as it is; fewer `attributes`, or one of the `draws`, are quicker too.",
};

/** The streams of a process. */
export interface Streams {
  readonly stdin: Readable;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** How a command is to speak. */
export interface Manner {
  json?: boolean;
  quiet?: boolean;
  progress?: boolean;
}

/**
 * How a command speaks: its product goes to a file or to standard output; words go to standard output where the product
 * does not, else to standard error; notices, progress and errors go to standard error.
 */
export class Console {
  /** Fires at the first Ctrl-C. */
  readonly signal: AbortSignal;
  readonly #streams: Streams;
  readonly #manner: Manner;
  readonly #options: Options;
  #taken = false;
  #bar: Bar | undefined;

  /** Where the options of a command are known, errors name them as they are written there. */
  constructor(streams: Streams, manner: Manner, signal: AbortSignal, options: Options = {}) {
    this.#streams = streams;
    this.#manner = manner;
    this.#options = options;
    this.signal = signal;
  }

  /** Writes the product to a path, compressed where it ends in `.gz`, or to standard output for `-`. */
  async deliver(place: string, product: Uint8Array | string): Promise<void> {
    this.signal.throwIfAborted();
    if (place === "-") this.#taken = true;
    const bytes = typeof product === "string" ? new TextEncoder().encode(product) : product;
    await writeOut(place, bytes, this.#streams.stdout);
  }

  /** Where a product can be written to: a path, or standard output for `-`. */
  target(place: string): string | NodeJS.WriteStream {
    this.signal.throwIfAborted();
    if (place !== "-") return place;
    this.#taken = true;
    return this.#streams.stdout;
  }

  /** Standard input, to be read once. */
  get stdin(): Readable {
    return this.#streams.stdin;
  }

  /** Says what came out: in words, or as data with `--json`. */
  async say(words: () => string, data: () => unknown): Promise<void> {
    const { json, quiet } = this.#manner;
    if (quiet && (!json || this.#taken)) return;
    const text = json ? printedJson(JSON.stringify(data())) : printed(words());
    const bytes = new TextEncoder().encode(`${text}\n`);
    if (this.#taken) this.#streams.stderr.write(bytes);
    else await writeOut("-", bytes, this.#streams.stdout);
  }

  /** Says something on the way, to people. */
  note(text: string): void {
    if (this.#manner.quiet || this.#manner.json) return;
    this.#bar?.clear();
    this.#streams.stderr.write(`${printed(text)}\n`);
  }

  /** Tells how far the reading of *public* data has come, on a terminal. */
  progress(label: string): (progress: Progress) => void {
    const { json, quiet, progress = true } = this.#manner;
    if (json || quiet || !progress) return () => {};
    this.clear();
    this.#bar = new Bar(this.#streams.stderr, label);
    return this.#bar.tell;
  }

  /**
   * The same for a release, with a bar for each phase of each round, and what `more` says of the phase behind its name. While
   * private rows are read nothing moves.
   */
  phases(more: (phase: Phase) => string = () => ""): (progress: ReleaseProgress) => void {
    let [shown, tell] = ["", (_: Progress): void => {}];
    return (progress) => {
      const { phase, round = 0, rounds, seconds = 0 } = progress;
      const label = `${round > 0 ? `round ${round} of ${rounds}: ` : ""}${PHASES[phase]}${more(phase)}`;
      if (label !== shown) {
        shown = label;
        if (seconds >= LONG)
          this.note(this.#written(`About ${Math.ceil(seconds)} s of ${label}.${QUICKER[phase] ?? ""}`));
        tell = this.progress(label);
      }
      tell(progress);
    };
  }

  /** Ends the bar. */
  clear(): void {
    this.#bar?.clear();
    this.#bar = undefined;
  }

  /** `someName`, `someFlag: true` and `someName: "value"` of the API as `--some-name`, `--some-flag` and `--some-name value`. */
  #written(text: string): string {
    return text.replace(/`(\w+)(?:: (?:true|"([^"`]*)"))?`/g, (whole, name: string, value?: string) => {
      if (!Object.hasOwn(this.#options, name)) return whole;
      return `--${dashed(name)}${value === undefined ? "" : ` ${value}`}`;
    });
  }

  /** Says what went wrong; answers the exit code. */
  fail(thrown: unknown): number {
    this.clear();
    const error = coded(thrown);
    const kind = classOf(error);
    const [message, hint] = [error.message, error.hint ?? ""].map((said) => this.#written(said));
    const { code } = error;
    const words = `${code}: ${message}${hint ? ` (${hint})` : ""}`;
    const data = { error: { code, message, ...(hint ? { hint } : {}), class: kind, exit: EXIT[kind] } };
    const text = this.#manner.json ? printedJson(JSON.stringify(data)) : `marginalia: ${oneLine(words)}`;
    this.#streams.stderr.write(`${text}\n`);
    return EXIT[kind];
  }
}
