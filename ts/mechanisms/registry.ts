import type { Definition } from "./kit/definition.js";

/** Every mechanism by its name. A new one is its folder, and a line here. */
export const mechanisms: Readonly<Record<string, () => Promise<Definition>>> = {
  priorAware: () => import("./priorAware/definition.js"),
  adaptive: () => import("./adaptive/definition.js"),
  aim: () => import("./aim/definition.js"),
  mst: () => import("./mst/definition.js"),
  pmwPub: () => import("./pmwPub/definition.js"),
  mwem: () => import("./mwem/definition.js"),
  pepPub: () => import("./pepPub/definition.js"),
};
