import type { ErrorCode } from "../errors.js";
import type { PartName } from "./raw.js";

/**
 * The messages between the caller's side and an engine, the same in Node, in browsers and in one thread.
 *
 * An engine worker gets `start`, answers `ready` or `failed`; with threads it then gets `pool` once all pool
 * workers are `ready`, and answers `pooled`. Calls are served one at a time, in the order they came. The first that
 * needs a module with models makes the engine say `need`; it waits until `module` or `missing` comes.
 */
export type ToHost =
  | ({ type: "start"; name: string } & Start)
  /** Makes the worker one of a pool's threads: it answers `ready` and then never looks at messages again. */
  | ({ type: "join"; of?: "model" } & Start)
  | { type: "pool"; threads: number }
  /** The module that was asked for; with a memory, as many threads less one wait to join its pool. */
  | ({ type: "module" } & ModuleStart)
  | { type: "missing"; part: PartName; error: PlainError }
  | { type: "call"; id: number; name: string; args: unknown; on: readonly number[] }
  /** Out of turn: ends the call at its next step, or takes it out of the queue. */
  | { type: "abort"; id: number }
  /** In turn: frees an object after the calls that came before. */
  | { type: "release"; object: number };

export interface Start {
  module: WebAssembly.Module;
  /** The memory that all threads share; absent in the single-thread build. */
  memory?: WebAssembly.Memory | undefined;
  /** In bytes; see `init`. */
  memoryLimit: number;
}

export interface ModuleStart {
  part: PartName;
  module: WebAssembly.Module;
  memory?: WebAssembly.Memory | undefined;
  threads: number;
}

export type FromHost =
  | { type: "ready" }
  | { type: "pooled" }
  | { type: "failed"; message: string }
  /** An operation waits for a module with models. */
  | { type: "need"; part: PartName }
  | { type: "progress"; id: number; done: number; total: number }
  | { type: "result"; id: number; value: unknown }
  | { type: "error"; id: number; error: PlainError }
  /** The instance can no longer be trusted; nothing follows. */
  | { type: "lost"; message: string };

/** A `MarginaliaError` as it crosses between threads. */
export interface PlainError {
  code: ErrorCode;
  message: string;
  hint?: string | undefined;
}

/** A worker, or the caller's own thread, as the caller's side sees it. */
export interface Link {
  post(message: ToHost, transfer?: Transferable[]): void;
  /** Called for each message; set before the first `post`. */
  onMessage: (message: FromHost) => void;
  /** Called when the worker ended or failed by itself, with what the platform said. */
  onLost: (reason: string) => void;
  /** Whether the process stays alive for this worker, until it is ended; only Node knows the difference. */
  hold(alive: boolean): void;
  end(): Promise<void>;
}
