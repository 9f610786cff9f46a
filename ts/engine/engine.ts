import type { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import { aborted, closed, disposed, missing, words } from "./failure.js";
import { Handle } from "./handle.js";
import { checkOptions, type InitOptions, sameOptions } from "./initOptions.js";
import { type Capabilities, type Flavour, launch, type ModuleName, type Platform } from "./launch.js";
import { type Progress, Session } from "./session.js";

export interface CallOptions {
  /** The object, or objects, that the operation works on. */
  on?: Handle | readonly Handle[] | undefined;
  /** Ends the call within 100 ms; it is then rejected with ABORTED. */
  signal?: AbortSignal | undefined;
  /** Told about ten times a second, and at the end; what it throws ends the call. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Buffers of the arguments that move to the engine instead of being copied. */
  transfer?: Transferable[] | undefined;
}

/** The engines of one copy of the package: at most one runs, and the next call after its end starts another. */
export class Engine {
  readonly #platform: Platform;
  readonly #modules = new Map<ModuleName, Promise<WebAssembly.Module>>();
  #options: InitOptions = {};
  #session: Session | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  async init(options: InitOptions = {}): Promise<void> {
    checkOptions(options);
    const isRunning = this.#session !== undefined && this.#session.over === undefined;
    if (isRunning && Object.keys(options).length > 0 && !sameOptions(options, this.#options)) {
      throw invalid("the engine runs already with other options: call close() before init()");
    }
    if (!isRunning && Object.keys(options).length > 0) {
      this.#options = options;
      this.#modules.clear();
    }
    await this.#start().started;
  }

  async call(name: string, args: unknown, options: CallOptions = {}): Promise<unknown> {
    return this.#request(name, args, options, false).result;
  }

  async open(name: string, args: unknown, options: CallOptions = {}): Promise<[Handle, unknown]> {
    const { session, result } = this.#request(name, args, options, true);
    const { kept, value } = (await result) as { kept: number; value: unknown };
    return [new Handle(session, kept), value];
  }

  async capabilities(): Promise<Capabilities> {
    return { ...(await this.#start().started) };
  }

  /** The module of the exact solver, for the operation that instantiates it when it is first asked for. */
  async module(name: "lp"): Promise<WebAssembly.Module> {
    try {
      return await this.#load(name);
    } catch (thrown) {
      throw missing(name, words(thrown), thrown);
    }
  }

  async close(): Promise<void> {
    await this.#session?.end(closed());
  }

  #request(name: string, args: unknown, options: CallOptions, opens: boolean) {
    const { on = [], signal, onProgress, transfer } = options;
    const handles = Symbol.iterator in on ? on : [on];
    if (signal?.aborted) throw aborted(signal);
    const stale = handles.map(trouble).find((error) => error !== undefined);
    if (stale !== undefined) throw stale;
    const session = this.#start();
    const ids = handles.map((handle) => handle.id);
    return { session, result: session.call({ name, args, on: ids, opens, signal, onProgress, transfer }) };
  }

  #start(): Session {
    if (this.#session === undefined || this.#session.over !== undefined) {
      const [platform, options] = [this.#platform, this.#options];
      const load = (name: ModuleName) => this.#load(name);
      this.#session = new Session((workers) => launch({ platform, options, load, workers }));
    }
    return this.#session;
  }

  /** Each module is compiled once, also for the engines that follow; only a failure is tried again. */
  #load(name: ModuleName): Promise<WebAssembly.Module> {
    const cached = this.#modules.get(name);
    if (cached !== undefined) return cached;
    const loading = name === "simd" || name === "threads" ? this.#fetchCore(name) : this.#fetchOther(name);
    this.#modules.set(name, loading);
    loading.catch(() => this.#modules.delete(name));
    return loading;
  }

  async #fetchOther(name: Exclude<ModuleName, Flavour>): Promise<WebAssembly.Module> {
    const module = this.#options[name === "lp" || name === "graph" ? name : "model"];
    if (module === undefined) return this.#platform.load(name);
    return checked(await compiled(module, this.#platform), name === "model-threads");
  }

  async #fetchCore(flavour: Flavour): Promise<WebAssembly.Module> {
    const own = await ownCore(this.#options, this.#platform);
    return own === undefined ? this.#platform.load(flavour) : checked(own, flavour === "threads");
  }
}

/** A module that somebody gave, which must be of the build that is wanted. */
function checked(own: WebAssembly.Module, threads: boolean): WebAssembly.Module {
  const shared = WebAssembly.Module.imports(own).some(({ kind }) => kind === "memory");
  if (shared === threads) return own;
  throw new Error(
    shared ? "init() was given the build with threads" : "init() was given the build without threads",
  );
}

/** What the caller gave as the file of another module: compiled, its bytes, or where it is. */
async function compiled(
  module: NonNullable<InitOptions["lp"]>,
  platform: Platform,
): Promise<WebAssembly.Module> {
  if (typeof module === "string" || module instanceof URL) return platform.load({ url: module });
  if (module instanceof WebAssembly.Module) return module;
  return WebAssembly.compile(module as BufferSource);
}

async function ownCore(options: InitOptions, platform: Platform): Promise<WebAssembly.Module | undefined> {
  const { module, bytes, url, response } = options;
  if (module !== undefined) return module as WebAssembly.Module;
  if (bytes !== undefined) return WebAssembly.compile(bytes as BufferSource);
  if (url !== undefined) return platform.load({ url });
  if (response !== undefined) return WebAssembly.compile(await (await response).clone().arrayBuffer());
  return undefined;
}

/** Why a handle cannot be used. */
function trouble(handle: Handle): MarginaliaError | undefined {
  return handle.disposed ? disposed() : handle.owner.over;
}
