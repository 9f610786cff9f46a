// What a figure depends on besides the code: processor, memory, system and how busy it was.

import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from "node:os";

/** The machine, as far as a figure depends on it. */
export function machine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    os: `${type()} ${release()}`,
    arch: arch(),
  };
}

/** The load average of the last minute, to two decimals. */
export const load = () => Math.round(loadavg()[0] * 100) / 100;
