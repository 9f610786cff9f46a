// Preloaded into a command (node --import): when its process ends, writes what all of its threads have used.

import { writeFileSync } from "node:fs";

const { MARGINALIA_BENCH_USAGE: place } = process.env;

process.once("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const seconds = (userCPUTime + systemCPUTime) / 1e6;
  writeFileSync(place, JSON.stringify({ seconds, peakBytes: maxRSS * 1024 }));
});
