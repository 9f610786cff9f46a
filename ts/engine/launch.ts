import { unavailable, words } from "./failure.js";
import type { InitOptions } from "./initOptions.js";
import type { Loaded } from "./loader.js";
import { limit, sharedMemory } from "./memory.js";
import { lossOf, reply, type WorkerPool } from "./pool.js";
import type { Link, ToHost } from "./protocol.js";
import type { PartName } from "./raw.js";

/** The two builds of what may run on threads. */
export type Flavour = "simd" | "threads";

/** All WebAssembly files: the core, and what is loaded when it is first used. */
export type ModuleName = Flavour | `model-${Flavour}` | "graph" | "lp";

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
  load(source: ModuleName | { url: string | URL }): Promise<WebAssembly.Module>;
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

export interface Launch {
  platform: Platform;
  options: InitOptions;
  /** The module, from the cache or freshly loaded; rejects for a flavour that the caller's own file is not. */
  load: (name: ModuleName) => Promise<WebAssembly.Module>;
  workers: WorkerPool;
}

export interface Launched {
  link: Link;
  capabilities: Capabilities;
  /** Loads a module with models when the engine needs it. */
  load(part: PartName): Promise<Loaded>;
}

/**
 * Starts an engine with what the platform offers: threads, otherwise one worker, otherwise the caller's thread.
 * Each failure ends what it had started and becomes part of `reason`.
 */
export async function launch(launch: Launch): Promise<Launched> {
  const { platform, options, workers } = launch;
  const reasons: string[] = [];
  const attempt = async (name: string, start: () => Promise<Link>): Promise<Link | undefined> => {
    try {
      return await start();
    } catch (thrown) {
      await workers.stop();
      if (workers.over) throw thrown;
      reasons.push(`${name}: ${words(thrown)}`);
      return undefined;
    }
  };
  const started = (link: Link, threads: number, worker: boolean): Launched => {
    const reason = reasons.length > 0 ? { reason: reasons.join("; ") } : {};
    const capabilities: Capabilities = { runtime: platform.runtime, threads, simd: true, worker, ...reason };
    const load = async (part: PartName) => (await import("./loader.js")).loadPart(launch, part, threads);
    return { link, capabilities, load };
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

const COUNT = Symbol.for("marginalia.instances");

/**
 * What no other instance is called: no stream of noise may come twice where an engine follows one that ended, or runs
 * beside another, not even with an entropy that is always the same. All copies and versions of the package in a global
 * object count together; between those of other threads and processes, the time of their start makes the difference.
 */
function instanceName(): string {
  const holder = globalThis as { [COUNT]?: number };
  holder[COUNT] = (holder[COUNT] ?? 0) + 1;
  return `${holder[COUNT]} ${performance.timeOrigin} ${performance.now()} ${Date.now()}`;
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
  const link = launch.workers.add(await open());
  const start = async (): Promise<ToHost> => ({
    type: "start",
    name: instanceName(),
    module: await module,
    memoryLimit: limit(launch),
  });
  await reply(link, start(), "ready", launch.platform.patience);
  return link;
}

/** The engine is one of the threads; the others wait in rayon's pool and hear no messages from then on. */
async function startThreads(
  launch: Launch,
  worker: (flavour: Flavour) => Link,
  threads: number,
): Promise<Link> {
  const { platform, workers } = launch;
  const module = launch.load("threads");
  module.catch(() => {});
  const memory = sharedMemory(limit(launch), threads);
  const engine = workers.add(worker("threads"));
  const pool = Array.from({ length: threads - 1 }, () => workers.add(worker("threads")));
  const name = instanceName();
  const enlist = async (link: Link, type: "start" | "join"): Promise<void> => {
    const message = async () =>
      ({ type, name, module: await module, memory, memoryLimit: limit(launch) }) as const;
    await reply(link, message(), "ready", platform.patience);
  };
  await Promise.all([enlist(engine, "start"), ...pool.map((link) => enlist(link, "join"))]);
  for (const link of pool) link.hold(false);
  await Promise.race([
    reply(engine, Promise.resolve({ type: "pool", threads }), "pooled", platform.patience),
    ...pool.map(lossOf),
  ]);
  return engine;
}
