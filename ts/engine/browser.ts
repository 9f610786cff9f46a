import type { ModuleName, Platform } from "./launch.js";
import type { FromHost, Link } from "./protocol.js";
import { channel } from "./stepper.js";

const MOST_THREADS = 16;

/**
 * Browsers. Addresses are literal and relative to `dist/`, where the bundler leaves this file: that is the form
 * which Vite, webpack and a plain server all understand.
 */
export const platform: Platform = {
  runtime: "browser",
  memoryLimit: 2 ** 29,
  patience: 10_000,
  cores: () => Math.min(MOST_THREADS, navigator.hardwareConcurrency ?? 1),
  barrier: () =>
    globalThis.crossOriginIsolated === true
      ? undefined
      : "the page is not cross-origin isolated (see Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy)",
  worker: (flavour) => link(flavour === "simd" ? simdWorker() : threadsWorker()),
  load: compile,
  inline: async () => (await import("./inline.js")).inlineLink(channel),
};

function simdWorker(): Worker {
  return new Worker(new URL("./web-simd.js", import.meta.url), { type: "module" });
}

function threadsWorker(): Worker {
  return new Worker(new URL("./web-threads.js", import.meta.url), { type: "module" });
}

function address(source: ModuleName | { url: string | URL }): string | URL {
  if (source === "simd") return new URL("../pkg/simd/marginalia_bg.wasm", import.meta.url);
  if (source === "threads") return new URL("../pkg/threads/marginalia_bg.wasm", import.meta.url);
  if (source === "model-simd") return new URL("../pkg/model-simd/marginalia_model_bg.wasm", import.meta.url);
  if (source === "model-threads")
    return new URL("../pkg/model-threads/marginalia_model_bg.wasm", import.meta.url);
  if (source === "graph") return new URL("../pkg/graph/marginalia_graph_bg.wasm", import.meta.url);
  if (source === "lp") return new URL("../pkg/lp/marginalia_lp_bg.wasm", import.meta.url);
  return source.url;
}

/** Compiles while the bytes arrive, where the server names their type; otherwise when they are there. */
async function compile(source: ModuleName | { url: string | URL }): Promise<WebAssembly.Module> {
  const response = await fetch(address(source), { credentials: "same-origin" });
  if (!response.ok) throw new Error(`fetching the WebAssembly file answered ${response.status}`);
  const named = response.headers.get("content-type")?.startsWith("application/wasm") === true;
  if (named && WebAssembly.compileStreaming !== undefined) return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

function link(worker: Worker): Link {
  const link: Link = {
    post: (message, transfer) => worker.postMessage(message, transfer ?? []),
    onMessage: () => {},
    onLost: () => {},
    hold: () => {},
    end: async () => worker.terminate(),
  };
  worker.addEventListener("message", (event: MessageEvent<FromHost>) => link.onMessage(event.data));
  worker.addEventListener("messageerror", () => link.onLost("a message did not arrive"));
  worker.addEventListener("error", ({ message }) => link.onLost(message || "the worker file did not load"));
  return link;
}
