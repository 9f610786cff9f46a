import type { FromHost, Link, ToHost } from "./protocol.js";

/** The workers of one engine, or what stands for one in the caller's thread. */
export class WorkerPool {
  readonly #links = new Set<Link>();
  over = false;

  add(link: Link): Link {
    if (this.over) void link.end();
    else this.#links.add(link);
    return link;
  }

  /** What happens when any of them is lost. */
  watch(lost: (reason: string) => void): void {
    for (const link of this.#links) link.onLost = lost;
  }

  /** Ends all or some, and lets whoever waits for one of them know. */
  async stop(some: Iterable<Link> = this.#links): Promise<void> {
    const links = [...some];
    for (const link of links) {
      this.#links.delete(link);
      link.onLost("it was ended");
    }
    await Promise.all(links.map((link) => link.end()));
  }

  async end(): Promise<void> {
    this.over = true;
    await this.stop();
  }
}

/** Sends a message as soon as it is made; resolves when the answer came, which may take `patience` from then. */
export async function reply(
  link: Link,
  message: Promise<ToHost>,
  type: FromHost["type"],
  patience: number,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  const answer = new Promise<void>((resolve, reject) => {
    link.onLost = (reason) => reject(new Error(reason));
    link.onMessage = (message) => {
      if (message.type === type) resolve();
      if (message.type === "failed") reject(new Error(message.message));
    };
    message
      .then((made) => {
        // A timer that nobody clears any more would keep the process alive.
        if (over) return;
        timer = setTimeout(() => reject(new Error(`no answer within ${patience / 1000} s`)), patience);
        link.post(made);
      })
      .catch(reject);
  });
  return answer.finally(() => {
    over = true;
    clearTimeout(timer);
  });
}

/** Rejects when the worker is lost, and otherwise never settles. */
export function lossOf(link: Link): Promise<never> {
  return new Promise((_, reject) => {
    link.onLost = (reason) => reject(new Error(reason));
  });
}
