import { MarginaliaError } from "../errors.js";
import { aborted, fromPlain, lost, missing, unavailable, words } from "./failure.js";
import type { Owner } from "./handle.js";
import type { Capabilities, Launched } from "./launch.js";
import { WorkerPool } from "./pool.js";
import type { FromHost, Link, ToHost } from "./protocol.js";
import type { PartName } from "./raw.js";

export interface Progress {
  done: number;
  total: number;
}

export interface Request {
  name: string;
  args: unknown;
  on: readonly number[];
  /** Whether the result holds a kept object, which must not be forgotten when nobody takes it any more. */
  opens: boolean;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  transfer?: Transferable[] | undefined;
}

interface Pending {
  request: Request;
  resolve(value: unknown): void;
  reject(thrown: unknown): void;
  onAbort(): void;
  /** What the call will be rejected with, whatever the engine answers. */
  failure?: { thrown: unknown };
}

/**
 * One engine from its start to its end, and the calls it owes an answer. Calls made while it starts wait in an
 * outbox, so that all are served in the order they were made.
 */
export class Session implements Owner {
  /** What runs; what becomes known later is added to it. */
  readonly started: Promise<Capabilities>;
  over: MarginaliaError | undefined;
  readonly #workers = new WorkerPool();
  readonly #pending = new Map<number, Pending>();
  #outbox: { message: ToHost; transfer: Transferable[] | undefined }[] = [];
  #launched: Launched | undefined;
  #lastId = 0;
  #ended = Promise.resolve();

  constructor(launch: (workers: WorkerPool) => Promise<Launched>) {
    this.started = launch(this.#workers).then(
      (launched) => this.#live(launched),
      (thrown) => this.#stillborn(thrown),
    );
    this.started.catch(() => {});
  }

  call(request: Request): Promise<unknown> {
    if (this.over !== undefined) return Promise.reject(this.over);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const onAbort = () => this.#abort(id);
      this.#pending.set(id, { request, resolve, reject, onAbort });
      request.signal?.addEventListener("abort", onAbort);
      const { name, args, on, transfer } = request;
      try {
        this.#post({ type: "call", id, name, args, on }, transfer);
        this.#link?.hold(true);
      } catch (thrown) {
        this.#settle(id)?.reject(thrown);
      }
    });
  }

  release(object: number): void {
    if (this.over === undefined) this.#post({ type: "release", object });
  }

  /** Rejects what is pending and ends every worker; only the first reason counts. */
  end(reason: MarginaliaError): Promise<void> {
    if (this.over !== undefined) return this.#ended;
    this.over = reason;
    this.#outbox = [];
    for (const id of [...this.#pending.keys()]) {
      const pending = this.#settle(id);
      pending?.reject(pending.failure === undefined ? reason : pending.failure.thrown);
    }
    this.#ended = this.#workers.end();
    return this.#ended;
  }

  get #link(): Link | undefined {
    return this.#launched?.link;
  }

  #live(launched: Launched): Capabilities {
    if (this.over !== undefined) throw this.over;
    const { link, capabilities } = launched;
    this.#launched = launched;
    link.onMessage = (message) => this.#receive(message);
    this.#watch();
    const waiting = this.#outbox;
    this.#outbox = [];
    for (const { message, transfer } of waiting) this.#deliver(link, message, transfer);
    link.hold(this.#pending.size > 0);
    return capabilities;
  }

  #watch(): void {
    this.#workers.watch((reason) => void this.end(lost(reason)));
  }

  /** Loads the module that an operation of the engine waits for. */
  async #load({ link, capabilities, load }: Launched, part: PartName): Promise<void> {
    let answer: ToHost;
    try {
      const { message, reason } = await load(part);
      const reasons = [capabilities.reason, reason].filter((said) => said !== undefined);
      if (reason !== undefined) capabilities.reason = reasons.join("; ");
      answer = message;
    } catch (thrown) {
      const { code, message, hint } = missing(part, words(thrown), thrown);
      answer = { type: "missing", part, error: { code, message, hint } };
    }
    if (this.over !== undefined) return;
    this.#watch();
    link.post(answer);
  }

  #stillborn(thrown: unknown): never {
    const reason =
      this.over ?? (thrown instanceof MarginaliaError ? thrown : unavailable(words(thrown), thrown));
    void this.end(reason);
    throw reason;
  }

  #post(message: ToHost, transfer?: Transferable[]): void {
    if (this.#link === undefined) this.#outbox.push({ message, transfer });
    else this.#link.post(message, transfer);
  }

  /** Posts what waited; a value that cannot be cloned fails its own call only. */
  #deliver(link: Link, message: ToHost, transfer: Transferable[] | undefined): void {
    try {
      link.post(message, transfer);
    } catch (thrown) {
      if (message.type === "call") this.#settle(message.id)?.reject(thrown);
    }
  }

  #receive(message: FromHost): void {
    switch (message.type) {
      case "progress":
        return this.#progress(message.id, { done: message.done, total: message.total });
      case "result":
        return this.#resolve(message.id, message.value);
      case "error": {
        const pending = this.#settle(message.id);
        return pending?.reject(
          pending.failure === undefined ? fromPlain(message.error) : pending.failure.thrown,
        );
      }
      case "failed":
      case "lost":
        return void this.end(lost(message.message));
      case "need":
        return void (this.#launched && this.#load(this.#launched, message.part));
      case "ready":
      case "pooled":
        return;
    }
  }

  #progress(id: number, progress: Progress): void {
    const pending = this.#pending.get(id);
    if (pending === undefined || pending.failure !== undefined) return;
    try {
      pending.request.onProgress?.(progress);
    } catch (thrown) {
      pending.failure = { thrown };
      this.#post({ type: "abort", id });
    }
  }

  #resolve(id: number, value: unknown): void {
    const pending = this.#settle(id);
    if (pending?.failure === undefined) return pending?.resolve(value);
    if (pending.request.opens) this.release((value as { kept: number }).kept);
    pending.reject(pending.failure.thrown);
  }

  /** The call is rejected once the engine has stopped it, so that its memory is free by then. */
  #abort(id: number): void {
    const pending = this.#pending.get(id);
    if (pending?.request.signal === undefined) return;
    pending.failure ??= { thrown: aborted(pending.request.signal) };
    if (this.#link !== undefined) return this.#link.post({ type: "abort", id });
    this.#outbox = this.#outbox.filter(({ message }) => message.type !== "call" || message.id !== id);
    this.#settle(id)?.reject(pending.failure.thrown);
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.request.signal?.removeEventListener("abort", pending.onAbort);
    if (this.#pending.size === 0) this.#link?.hold(false);
    return pending;
  }
}
