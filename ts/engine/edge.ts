import module from "../../pkg/simd/marginalia_bg.wasm";
import { inlineLink } from "./inline.js";
import type { Platform } from "./launch.js";
import { timer } from "./stepper.js";

/** workerd: no workers, and the module comes compiled by a static import, because bytes are refused there. */
export const platform: Platform = {
  runtime: "workerd",
  memoryLimit: 2 ** 26,
  patience: 10_000,
  cores: () => 1,
  barrier: () => "no workers in workerd",
  load: async (source) => {
    if (typeof source === "object")
      throw new Error("workerd compiles nothing: init({ module }) takes a static import");
    // Imported late, so that who never uses them need not list them among the modules of a configuration.
    if (source === "lp") return (await import("../../pkg/lp/marginalia_lp_bg.wasm")).default;
    if (source === "graph") return (await import("../../pkg/graph/marginalia_graph_bg.wasm")).default;
    if (source === "model-simd")
      return (await import("../../pkg/model-simd/marginalia_model_bg.wasm")).default;
    return module;
  },
  // Calls of one request must never wait for those of another: a request that ends takes its timers with it, and
  // workerd lets no promise of one resume the other.
  inline: async () => inlineLink(timer, false),
};
