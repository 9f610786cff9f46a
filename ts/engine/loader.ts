import { words } from "./failure.js";
import type { Launch } from "./launch.js";
import { limit, sharedMemory } from "./memory.js";
import { lossOf, reply } from "./pool.js";
import type { Link, ToHost } from "./protocol.js";
import type { PartName } from "./raw.js";

/** What an engine is sent that needs a module with models, and why it has fewer threads than the core. */
export interface Loaded {
  message: Extract<ToHost, { type: "module" }>;
  reason?: string;
}

/**
 * Loads a module with models; with threads starts the workers of the pool of that for models, which has as many threads as the core's.
 * Where they fail there is one thread.
 */
export async function loadPart(launch: Launch, part: PartName, threads: number): Promise<Loaded> {
  if (part === "graph")
    return { message: { type: "module", part, module: await launch.load(part), threads: 1 } };
  let reason: string | undefined;
  if (threads > 1) {
    try {
      return { message: await withThreads(launch, threads) };
    } catch (thrown) {
      if (launch.workers.over) throw thrown;
      reason = `no threads for models: ${words(thrown)}`;
    }
  }
  const module = await launch.load("model-simd");
  return { message: { type: "module", part, module, threads: 1 }, ...(reason !== undefined && { reason }) };
}

async function withThreads(launch: Launch, threads: number): Promise<Loaded["message"]> {
  const { platform, workers } = launch;
  const module = launch.load("model-threads");
  module.catch(() => {});
  const memoryLimit = limit(launch);
  const memory = sharedMemory(memoryLimit, threads);
  const links: Link[] = [];
  try {
    for (let i = 1; i < threads; i++) {
      const link = platform.worker?.("threads");
      if (link !== undefined) links.push(workers.add(link));
    }
    const join = async () =>
      ({ type: "join", of: "model", module: await module, memory, memoryLimit }) as const;
    const ready = links.map((link) => reply(link, join(), "ready", platform.patience));
    const lost = links.map((link, i) => ready[i]?.then(() => lossOf(link)));
    await Promise.race([Promise.all(ready), Promise.all(lost)]);
    for (const link of links) link.hold(false);
    return { type: "module", part: "model", module: await module, memory, threads };
  } catch (thrown) {
    await workers.stop(links);
    throw thrown;
  }
}
