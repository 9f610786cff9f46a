import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { words } from "./failure.js";
import type { ModuleName, Platform } from "./launch.js";
import type { FromHost, Link } from "./protocol.js";
import { immediate, timer } from "./stepper.js";

const MOST_THREADS = 16;

/** Node, and Deno and Bun, which offer Node's workers. All addresses are relative to `dist/`, where the bundler leaves this. */
export const platform: Platform = {
  get runtime() {
    return runtime();
  },
  memoryLimit: 2 ** 31,
  patience: 10_000,
  cores: () => Math.min(MOST_THREADS, availableParallelism()),
  barrier: () => undefined,
  worker: (flavour) => link(flavour === "simd" ? simdWorker() : threadsWorker()),
  load: async (source) => WebAssembly.compile(await bytes(source)),
  inline: async () => (await import("./inline.js")).inlineLink("Deno" in globalThis ? timer : immediate),
};

function runtime(): string {
  const { deno, bun } = process.versions;
  return deno !== undefined ? "deno" : bun !== undefined ? "bun" : "node";
}

/** Flags of the process, such as `--input-type`, must not reach the worker. */
const OPTIONS = { execArgv: [], name: "marginalia" };

function simdWorker(): Worker {
  return new Worker(new URL("./node-simd.cjs", import.meta.url), OPTIONS);
}

function threadsWorker(): Worker {
  return new Worker(new URL("./node-threads.cjs", import.meta.url), OPTIONS);
}

async function bytes(source: ModuleName | { url: string | URL }): Promise<Uint8Array<ArrayBuffer>> {
  if (source === "simd") return readFile(new URL("../pkg/simd/marginalia_bg.wasm", import.meta.url));
  if (source === "threads") return readFile(new URL("../pkg/threads/marginalia_bg.wasm", import.meta.url));
  if (source === "model-simd")
    return readFile(new URL("../pkg/model-simd/marginalia_model_bg.wasm", import.meta.url));
  if (source === "model-threads")
    return readFile(new URL("../pkg/model-threads/marginalia_model_bg.wasm", import.meta.url));
  if (source === "graph") return readFile(new URL("../pkg/graph/marginalia_graph_bg.wasm", import.meta.url));
  if (source === "lp") return readFile(new URL("../pkg/lp/marginalia_lp_bg.wasm", import.meta.url));
  const url = new URL(source.url);
  if (url.protocol === "file:") return readFile(url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`fetching it answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

function link(worker: Worker): Link {
  let ending = false;
  const link: Link = {
    post: (message, transfer) => worker.postMessage(message, transfer as never),
    onMessage: () => {},
    onLost: () => {},
    // A worker on its way out keeps the process, whatever answers of it still come in: else nothing might, and who waits
    // for its end would never hear of it.
    hold: (alive) => {
      if (ending) return;
      if (alive) worker.ref();
      else worker.unref();
    },
    end: async () => {
      ending = true;
      await worker.terminate();
    },
  };
  worker.on("message", (message: FromHost) => link.onMessage(message));
  worker.on("messageerror", (error) => link.onLost(words(error)));
  worker.on("error", (error) => link.onLost(words(error)));
  worker.on("exit", (code) => link.onLost(`its worker ended with code ${code}`));
  return link;
}
