// What the scenarios have in common: sizes of a mode, the files that contenders read, who they are.

import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { columns, digits, writeColumns, writeCsv } from "../lib/data.mjs";

/** Rows of the small task on which contenders are compared before they are timed. */
export const SMALL = 2000;

/** How many rounds are measured. */
export const ROUNDS = { quick: 3, normal: 7, full: 9 };

const peer = (file) => fileURLToPath(new URL(`../peers/${file}`, import.meta.url));

/** A contender in a Node process of its own. */
export const inNode = (name, file, options = {}) => ({
  name,
  threads: options.threads ?? 1,
  command: process.execPath,
  args: ["--max-old-space-size=4096", peer(file)],
  options: { threads: 1, ...options },
});

/** A contender in a Python process of its own, kept to one thread. */
export const inPython = (name, file) => ({
  name,
  threads: 1,
  command: process.env.MARGINALIA_BENCH_PYTHON ?? "python3",
  args: [peer(file)],
  env: {
    POLARS_MAX_THREADS: "1",
    OMP_NUM_THREADS: "1",
    OPENBLAS_NUM_THREADS: "1",
    PYTHONDONTWRITEBYTECODE: "1",
  },
});

/** Thread counts to show: one, and every core where there are more. */
export function threadCounts() {
  const cores = availableParallelism();
  return cores > 1 ? [1, cores] : [1];
}

export const threadsText = (threads) => `${threads} ${threads === 1 ? "thread" : "threads"}`;

/** A table with its files: the columns as bytes and, unless `csv` is false, as text, each field as `write` has it. */
export async function table(folder, sizes, rows, { texts, csv = true, kind, write = (text) => text } = {}) {
  const made = columns(sizes, rows);
  const stem = join(folder, `${kind ?? (texts ? "texts" : "codes")}-${sizes.length}x${rows}`);
  const task = { sizes, rows, columns: `${stem}.bin`, csv: `${stem}.csv`, ...(texts && { labels: texts }) };
  if (!existsSync(task.columns)) await writeColumns(task.columns, made);
  const written = (texts ?? digits(sizes)).map((all) => all.map(write));
  if (csv && !existsSync(task.csv)) await writeCsv(task.csv, made, written);
  return { columns: made, task };
}
