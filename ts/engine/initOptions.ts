import { invalid, known } from "../options.js";

/** How the engine starts. Everything has a default; the WebAssembly file is found beside the package. */
export interface InitOptions {
  /**
   * The compiled `marginalia/marginalia.wasm` (a `WebAssembly.Module`, which only the types of browsers name), for
   * those who load it themselves.
   */
  module?: object;
  /** Its bytes. */
  bytes?: ArrayBuffer | ArrayBufferView;
  /** Where it is. */
  url?: string | URL;
  /** What fetching it answered. */
  response?: Response | PromiseLike<Response>;
  /**
   * The same for `marginalia/lp.wasm`, which is loaded when the exact two-stage estimate is first used: compiled, its
   * bytes, or where it is.
   */
  lp?: object | string | URL;
  /** The same for `marginalia/model.wasm`, which is loaded with the first prior or model of another kind. */
  model?: object | string | URL;
  /** The same for `marginalia/graph.wasm`, which is loaded with the first graphical model. */
  graph?: object | string | URL;
  /**
   * How many threads compute: `"auto"` (default) as many as the machine has cores, `false` or 1 only one. The
   * results are the same bytes. Where threads cannot start there is one, and `capabilities()` says why.
   */
  threads?: number | "auto" | false;
  /** `false` runs the engine in the caller's thread: long calls then take turns with everything else there. */
  worker?: boolean;
  /** Bytes that the engine may hold: 2 GiB in Node, 512 MiB in browsers, 64 MiB at the edge by default. */
  memoryLimit?: number;
}

const MOST_THREADS = 64;
/** Room for the threads' stacks and for one reader. */
const LEAST_MEMORY = 2 ** 23;
const MOST_MEMORY = 2 ** 32;
const SOURCES = ["module", "bytes", "url", "response"] as const;
const MODULES = ["lp", "model", "graph"] as const;
const KNOWN: readonly string[] = [...SOURCES, ...MODULES, "threads", "worker", "memoryLimit"];

/** Throws OPTION_INVALID for an unknown key or a value out of range. */
export function checkOptions(options: InitOptions): void {
  known(options, KNOWN, "init()");
  const { threads = "auto", memoryLimit = MOST_MEMORY, worker = true } = options;
  if (threads !== "auto" && threads !== false && !within(threads, 1, MOST_THREADS)) {
    throw invalid(`\`threads\` is "auto", false or a whole number from 1 to ${MOST_THREADS}`);
  }
  if (!within(memoryLimit, LEAST_MEMORY, MOST_MEMORY))
    throw invalid("`memoryLimit` is in bytes, from 8 MiB to 4 GiB");
  if (typeof worker !== "boolean") throw invalid("`worker` is true or false");
  for (const name of MODULES) {
    if (options[name] !== undefined && typeof options[name] !== "string" && typeof options[name] !== "object")
      throw invalid(`\`${name}\` is a compiled module, its bytes or its address`);
  }
  if (SOURCES.filter((key) => options[key] !== undefined).length > 1) {
    throw invalid(`init() takes only one of ${SOURCES.join(", ")}`);
  }
}

/** Whether two calls of `init` ask for the same. */
export function sameOptions(a: InitOptions, b: InitOptions): boolean {
  return KNOWN.every((key) => Object.is(a[key as keyof InitOptions], b[key as keyof InitOptions]));
}

function within(value: unknown, least: number, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= most;
}
