import type { Launch } from "./launch.js";

/** The bytes that an engine may hold, all of it together. */
export function limit({ platform, options }: Launch): number {
  return options.memoryLimit ?? platform.memoryLimit;
}

const PAGE = 64 * 1024;
/** More than the module's static data and first stack need; the allocator takes what follows by growing. */
const FIRST_PAGES = 64;
const MOST_PAGES = 65_536;

/** Room for the limit, for the holes between allocations, and for the threads' stacks. */
export function sharedMemory(memoryLimit: number, threads: number): WebAssembly.Memory {
  const bytes = memoryLimit * 1.25 + (64 + 2 * threads) * 2 ** 20;
  const maximum = Math.min(MOST_PAGES, Math.ceil(bytes / PAGE));
  return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum, shared: true });
}
