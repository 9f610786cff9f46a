import { type CallOptions, Engine } from "./engine.js";
import type { Handle } from "./handle.js";
import type { Opened } from "./host.js";
import type { InitOptions } from "./initOptions.js";
import type { Capabilities } from "./launch.js";
import type { MemoryState, Operations } from "./operations.js";
import { platform } from "./platform.js";

export type { CallOptions } from "./engine.js";
export { Handle } from "./handle.js";
export type { Opened } from "./host.js";
export type { InitOptions } from "./initOptions.js";
export type { Capabilities } from "./launch.js";
export type { Numbers, TakenApart } from "./operations/saved.js";
export type { NumberColumn } from "./operations/tables.js";
export type { MemoryState, Operations } from "./operations.js";
export type { Progress } from "./session.js";

/** What an operation is asked with, and answers with. */
export type Args<K extends keyof Operations> = Parameters<Operations[K]>[1];
type Result<K extends keyof Operations> = Awaited<ReturnType<Operations[K]>>;

/** The operations that leave an object in the engine (`open`), and those that do not (`call`). */
export type Opening = {
  [K in keyof Operations]: Result<K> extends Opened<unknown> ? K : never;
}[keyof Operations];
export type Calling = Exclude<keyof Operations, Opening>;
export type Value<K extends Opening> = Result<K> extends Opened<infer V> ? V : never;

declare const MARGINALIA_VERSION: string;
const SHARED = Symbol.for("marginalia.engine.v1");

/** The engine of this process: the ESM and the CommonJS copy of one version share it. */
function engine(): Engine {
  const holder = globalThis as { [SHARED]?: Record<string, Engine> };
  holder[SHARED] ??= {};
  const engines = holder[SHARED];
  engines[MARGINALIA_VERSION] ??= new Engine(platform);
  return engines[MARGINALIA_VERSION];
}

/** Asks the engine for an operation, and starts it if need be. Calls are served one at a time, in order; at the
 * edge, where requests must not wait for each other, they take turns between steps. */
export function call<K extends Calling>(name: K, args: Args<K>, options?: CallOptions): Promise<Result<K>> {
  return engine().call(name, args, options) as Promise<Result<K>>;
}

/** Like `call`, for operations that leave an object in the engine: answers with its handle. */
export function open<K extends Opening>(
  name: K,
  args: Args<K>,
  options?: CallOptions,
): Promise<[Handle, Value<K>]> {
  return engine().open(name, args, options) as Promise<[Handle, Value<K>]>;
}

/** A WebAssembly module that only some operations need; loaded once. */
export function module(name: "lp"): Promise<WebAssembly.Module> {
  return engine().module(name);
}

/**
 * Starts the engine. Never needed: every call starts it; but here it can be told how. While an engine runs, only
 * the same options are taken.
 */
export function init(options?: InitOptions): Promise<void> {
  return engine().init(options);
}

/** What runs: the runtime, the threads, and why there are not more of them. Starts the engine. */
export function capabilities(): Promise<Capabilities> {
  return engine().capabilities();
}

/** How much memory the engine uses, and how much it may. Starts the engine. */
export function memory(): Promise<MemoryState> {
  return call("engine.memory", undefined);
}

/** Ends the engine and its workers. Pending calls are rejected with ENGINE_CLOSED; a later call starts anew. */
export function close(): Promise<void> {
  return engine().close();
}
