import { disposed } from "./failure.js";
import type { ToHost } from "./protocol.js";

type Queued = Extract<ToHost, { type: "call" | "release" }>;

/** A call while it waits and while it is served. */
export type Call = Extract<ToHost, { type: "call" }> & { aborted: boolean; kept: number[] };

interface Freeable {
  free(): void;
}

/** What waits to be served, and the objects that handles stand for. */
export class Desk {
  #waiting: (Call | Extract<ToHost, { type: "release" }>)[] = [];
  #current: Call | undefined;
  readonly #objects = new Map<number, Freeable>();
  #lastObject = 0;

  get objects(): number {
    return this.#objects.size;
  }

  queue(message: Queued): void {
    this.#waiting.push(message.type === "call" ? { ...message, aborted: false, kept: [] } : message);
  }

  next(): Call | Extract<ToHost, { type: "release" }> | undefined {
    const next = this.#waiting.shift();
    this.#current = next?.type === "call" ? next : undefined;
    return next;
  }

  /** Marks the call being served, or takes a waiting one out; true when it was waiting. */
  abort(id: number): boolean {
    if (this.#current?.id === id) {
      this.#current.aborted = true;
      return false;
    }
    const place = this.#waiting.findIndex((queued) => queued.type === "call" && queued.id === id);
    if (place >= 0) this.#waiting.splice(place, 1);
    return place >= 0;
  }

  clear(): void {
    this.#waiting = [];
    this.#objects.clear();
    if (this.#current !== undefined) this.#current.aborted = true;
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

  /** Harmless for what is gone already. */
  release(id: number): void {
    const object = this.#objects.get(id);
    this.#objects.delete(id);
    object?.free();
  }
}
