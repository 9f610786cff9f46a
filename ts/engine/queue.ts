import { disposed } from "./failure.js";
import type { ToHost } from "./protocol.js";

type Queued = Extract<ToHost, { type: "call" | "release" }>;

/** A call while it waits and while it is served. */
export type Call = Extract<ToHost, { type: "call" }> & {
  aborted: boolean;
  kept: number[];
  /** Set while it waits for something else than its turn: an abort ends the waiting. */
  wake?: (() => void) | undefined;
};

interface Freeable {
  free(): void;
}

/** What waits to be served, and the objects that handles stand for. */
export class CallQueue {
  #waiting: (Call | Extract<ToHost, { type: "release" }>)[] = [];
  readonly #serving = new Map<number, Call>();
  readonly #objects = new Map<number, Freeable>();
  /** Released while a call was on them. */
  readonly #doomed = new Set<number>();
  #lastObject = 0;

  get objects(): number {
    return this.#objects.size;
  }

  add(message: Queued): void {
    this.#waiting.push(message.type === "call" ? { ...message, aborted: false, kept: [] } : message);
  }

  next(): Call | Extract<ToHost, { type: "release" }> | undefined {
    const next = this.#waiting.shift();
    if (next?.type === "call") this.#serving.set(next.id, next);
    return next;
  }

  /** Ends a call, and frees what was released meanwhile. */
  done(call: Call): void {
    this.#serving.delete(call.id);
    for (const id of call.on) if (this.#doomed.has(id)) this.release(id);
  }

  /** Marks a call being served, or takes a waiting one out; true when it was waiting. */
  abort(id: number): boolean {
    const serving = this.#serving.get(id);
    if (serving !== undefined) {
      interrupt(serving);
      return false;
    }
    const place = this.#waiting.findIndex((queued) => queued.type === "call" && queued.id === id);
    if (place >= 0) this.#waiting.splice(place, 1);
    return place >= 0;
  }

  clear(): void {
    this.#waiting = [];
    this.#objects.clear();
    for (const call of this.#serving.values()) interrupt(call);
  }

  keep(object: Freeable, call: Call): number {
    this.#lastObject += 1;
    this.#objects.set(this.#lastObject, object);
    call.kept.push(this.#lastObject);
    return this.#lastObject;
  }

  get<T>(id: number | undefined): T {
    const object = id === undefined ? undefined : this.#objects.get(id);
    if (object === undefined) throw disposed();
    return object as T;
  }

  /** Frees an object once no call that is being served is on it. */
  release(id: number): void {
    const used = [...this.#serving.values()].some(({ on }) => on.includes(id));
    if (used) return void this.#doomed.add(id);
    this.#doomed.delete(id);
    this.free(id);
  }

  /** Frees an object; harmless for what is gone already. */
  free(id: number): void {
    const object = this.#objects.get(id);
    this.#objects.delete(id);
    object?.free();
  }
}

function interrupt(call: Call): void {
  call.aborted = true;
  call.wake?.();
}
