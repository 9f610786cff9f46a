import { unavailable, words } from "./failure.js";
import type { InitOptions } from "./options.js";
import type { FromHost, Link, ToHost } from "./protocol.js";

/** The two builds of the WebAssembly file. */
export type Flavour = "simd" | "threads";

/** All WebAssembly files: those, and what is loaded when it is first used. */
export type Part = Flavour | "lp";

/** What a runtime offers to an engine. */
export interface Platform {
  readonly runtime: string;
  /** In bytes; see `InitOptions`. */
  readonly memoryLimit: number;
  /** How many milliseconds a worker may take to answer before it counts as failed. */
  readonly patience: number;
  /** How many threads run at once here. */
  cores(): number;
  /** Why there can be no threads, if so. */
  barrier(): string | undefined;
  /** Starts a worker that holds an engine or joins a pool; may throw. */
  worker?(flavour: Flavour): Link;
  /** The module that comes with the package, or that at an address. */
  load(source: Part | { url: string | URL }): Promise<WebAssembly.Module>;
  /** An engine in this thread. */
  inline(): Promise<Link>;
}

/** What runs, and what was wanted but could not be. */
export interface Capabilities {
  /** `"node"`, `"browser"`, `"workerd"`, `"deno"` or `"bun"`. */
  runtime: string;
  /** How many threads compute. */
  threads: number;
  simd: true;
  /** Whether the engine has a thread of its own, so that the caller's stays free. */
  worker: boolean;
  /** Why there are fewer threads than cores, or no worker. */
  reason?: string;
}

/** Everything that runs for one engine. */
export class Crew {
  readonly #links = new Set<Link>();
  over = false;

  recruit(link: Link): Link {
    if (this.over) void link.end();
    else this.#links.add(link);
    return link;
  }

  /** What happens when any of them is lost. */
  watch(lost: (reason: string) => void): void {
    for (const link of this.#links) link.onLost = lost;
  }

  /** Ends all, and lets whoever waits for one of them know. */
  async dismiss(): Promise<void> {
    const links = [...this.#links];
    this.#links.clear();
    for (const link of links) link.onLost("it was ended");
    await Promise.all(links.map((link) => link.end()));
  }

  async end(): Promise<void> {
    this.over = true;
    await this.dismiss();
  }
}

export interface Launch {
  platform: Platform;
  options: InitOptions;
  /** The module, from the cache or freshly loaded; rejects for a flavour that the caller's own file is not. */
  load: (flavour: Flavour) => Promise<WebAssembly.Module>;
  crew: Crew;
}

export interface Launched {
  link: Link;
  capabilities: Capabilities;
}

/**
 * Starts an engine with what the platform offers: threads, otherwise one worker, otherwise the caller's thread.
 * Each failure ends what it had started and becomes part of `reason`.
 */
export async function launch(launch: Launch): Promise<Launched> {
  const { platform, options, crew } = launch;
  const reasons: string[] = [];
  const attempt = async (name: string, start: () => Promise<Link>): Promise<Link | undefined> => {
    try {
      return await start();
    } catch (thrown) {
      await crew.dismiss();
      if (crew.over) throw thrown;
      reasons.push(`${name}: ${words(thrown)}`);
      return undefined;
    }
  };
  const started = (link: Link, threads: number, worker: boolean): Launched => {
    const reason = reasons.length > 0 ? { reason: reasons.join("; ") } : {};
    return { link, capabilities: { runtime: platform.runtime, threads, simd: true, worker, ...reason } };
  };

  const worker = platform.worker?.bind(platform);
  if (worker !== undefined && options.worker !== false) {
    const threads = wantedThreads(launch, reasons);
    const many =
      threads > 1 ? await attempt("no threads", () => startThreads(launch, worker, threads)) : undefined;
    if (many !== undefined) return started(many, threads, true);
    const one = await attempt("no worker", () => startOne(launch, async () => worker("simd")));
    if (one !== undefined) return started(one, 1, true);
  } else {
    reasons.push(worker === undefined ? `no workers in ${platform.runtime}` : "no worker: by option");
  }
  try {
    return started(await startOne(launch, () => platform.inline()), 1, false);
  } catch (thrown) {
    throw unavailable(words(thrown), thrown);
  }
}

function wantedThreads({ platform, options }: Launch, reasons: string[]): number {
  const { threads = "auto" } = options;
  if (threads === false || threads === 1) return 1;
  const wanted = threads === "auto" ? platform.cores() : threads;
  const barrier = wanted > 1 ? platform.barrier() : "this machine has one core";
  if (barrier !== undefined) reasons.push(`no threads: ${barrier}`);
  return barrier === undefined ? wanted : 1;
}

async function startOne(launch: Launch, open: () => Promise<Link>): Promise<Link> {
  const module = launch.load("simd");
  module.catch(() => {});
  const link = launch.crew.recruit(await open());
  const start = async (): Promise<ToHost> => ({
    type: "start",
    module: await module,
    memoryLimit: limit(launch),
  });
  await answered(link, start(), "ready", launch.platform.patience);
  return link;
}

/** The engine is one of the threads; the others wait in rayon's pool and hear no messages from then on. */
async function startThreads(
  launch: Launch,
  worker: (flavour: Flavour) => Link,
  threads: number,
): Promise<Link> {
  const { platform, crew } = launch;
  const module = launch.load("threads");
  module.catch(() => {});
  const memory = sharedMemory(limit(launch), threads);
  const engine = crew.recruit(worker("threads"));
  const pool = Array.from({ length: threads - 1 }, () => crew.recruit(worker("threads")));
  const enlist = async (link: Link, type: "start" | "join"): Promise<void> => {
    const message = async () => ({ type, module: await module, memory, memoryLimit: limit(launch) }) as const;
    await answered(link, message(), "ready", platform.patience);
  };
  await Promise.all([enlist(engine, "start"), ...pool.map((link) => enlist(link, "join"))]);
  for (const link of pool) link.hold(false);
  await Promise.race([
    answered(engine, Promise.resolve({ type: "pool", threads }), "pooled", platform.patience),
    ...pool.map(lossOf),
  ]);
  return engine;
}

/** Rejects when the worker is lost, and otherwise never settles. */
function lossOf(link: Link): Promise<never> {
  return new Promise((_, reject) => {
    link.onLost = (reason) => reject(new Error(reason));
  });
}

function limit({ platform, options }: Launch): number {
  return options.memoryLimit ?? platform.memoryLimit;
}

const PAGE = 64 * 1024;
/** More than the module's static data and first stack need; the allocator takes what follows by growing. */
const FIRST_PAGES = 64;
const MOST_PAGES = 65_536;

/** Room for the limit, for the holes between allocations, and for the threads' stacks. */
function sharedMemory(memoryLimit: number, threads: number): WebAssembly.Memory {
  const bytes = memoryLimit * 1.25 + (64 + 2 * threads) * 2 ** 20;
  const maximum = Math.min(MOST_PAGES, Math.ceil(bytes / PAGE));
  return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared: true });
}

/** Sends a message as soon as it is made; resolves when the answer came, which may take `patience` from then. */
async function answered(
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
