import type { AnyMechanism } from "../kit/definition.js";
import { DESCRIBED } from "../kit/weights/described.js";
import type { PriorlessOptions } from "../kit/weights/options.js";
import { mwem } from "./index.js";

export const help = "the same from equal weights of the public rows, or of all that the schema allows (MWEM)";

/** Without a public table all rows that the schema allows are weighed. */
export const priorless = true;

export const options = DESCRIBED;

export const make = (options: object): AnyMechanism => mwem(options as PriorlessOptions);
