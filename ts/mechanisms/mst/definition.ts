import type { Options } from "../../option.js";
import type { AnyMechanism } from "../kit/definition.js";
import { COMMON } from "../kit/described.js";
import { type MstOptions, mst } from "./index.js";

export const help =
  "measure each attribute, and a tree of pairs that is chosen privately: quick, and close for small budgets; needs no public file";

/** Without a public table each attribute is what its answers say. */
export const priorless = true;

export const options = {
  provenance: COMMON.provenance,
  priorStrength: COMMON.priorStrength,
  attributes: COMMON.attributes,
  spend: COMMON.spend,
  total: COMMON.total,
  deny: COMMON.deny,
  allow: COMMON.allow,
  mapping: COMMON.mapping,
  sums: COMMON.sums,
  tolerance: COMMON.tolerance,
  targets: COMMON.targets,
  label: COMMON.label,
  allowSameSource: COMMON.allowSameSource,
} as const satisfies Options;

export const make = (options: object): AnyMechanism => mst(options as MstOptions);
