import type { Options } from "../../option.js";
import type { AnyMechanism } from "../kit/definition.js";
import { ALONE } from "../kit/described.js";
import { type MstOptions, mst } from "./index.js";

export const help =
  "measure each attribute, and a tree of pairs that is chosen privately: quick, and close for small budgets; needs no public file";

/** Without a public table each attribute is what its answers say. */
export const priorless = true;

export const options = {
  ...ALONE,
} as const satisfies Options;

export const make = (options: object): AnyMechanism => mst(options as MstOptions);
