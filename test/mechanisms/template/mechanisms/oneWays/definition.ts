import type { Options } from "../../option.js";
import type { CommonOptions } from "../kit/common.js";
import type { AnyMechanism } from "../kit/definition.js";
import { COMMON } from "../kit/described.js";
import { oneWays } from "./index.js";

export const help = "every attribute is measured alone";

/** Without a public table each attribute is what its answers say. */
export const priorless = true;

export const options = COMMON satisfies Options;

export const make = (given: object): AnyMechanism => oneWays(given as Partial<CommonOptions>);
