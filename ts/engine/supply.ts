import { answered, lossOf } from "./crew.js";
import { missing, toPlain, words } from "./failure.js";
import type { Launch } from "./launch.js";
import { limit, sharedMemory } from "./memory.js";
import type { Link, ToHost } from "./protocol.js";

/** The answer to an engine that needs the part for models, and why it has fewer threads than the core. */
export interface Supplied {
  message: Extract<ToHost, { type: "part" | "missing" }>;
  reason?: string;
}

/**
 * Loads the part for models, and with threads starts the workers of its pool, which has as many threads as the core's.
 * Where they fail there is one thread; where the file cannot be loaded, the engine says so and goes on.
 */
export async function supply(launch: Launch, threads: number): Promise<Supplied> {
  let reason: string | undefined;
  if (threads > 1) {
    try {
      return { message: await withThreads(launch, threads) };
    } catch (thrown) {
      if (launch.crew.over) throw thrown;
      reason = `no threads for models: ${words(thrown)}`;
    }
  }
  try {
    const module = await launch.load("model-simd");
    return { message: { type: "part", module, threads: 1 }, ...(reason !== undefined && { reason }) };
  } catch (thrown) {
    return { message: { type: "missing", error: toPlain(missing("model", words(thrown), thrown)) } };
  }
}

async function withThreads(launch: Launch, threads: number): Promise<Supplied["message"]> {
  const { platform, crew } = launch;
  const module = launch.load("model-threads");
  module.catch(() => {});
  const memoryLimit = limit(launch);
  const memory = sharedMemory(memoryLimit, threads);
  const links: Link[] = [];
  try {
    for (let i = 1; i < threads; i++) {
      const link = platform.worker?.("threads");
      if (link !== undefined) links.push(crew.recruit(link));
    }
    const join = async () =>
      ({ type: "join", part: "model", module: await module, memory, memoryLimit }) as const;
    const ready = links.map((link) => answered(link, join(), "ready", platform.patience));
    const lost = links.map((link, i) => ready[i]?.then(() => lossOf(link)));
    await Promise.race([Promise.all(ready), Promise.all(lost)]);
    for (const link of links) link.hold(false);
    return { type: "part", module: await module, memory, threads };
  } catch (thrown) {
    await crew.dismiss(links);
    throw thrown;
  }
}
