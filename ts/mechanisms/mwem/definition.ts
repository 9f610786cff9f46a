import type { AnyMechanism } from "../kit/definition.js";
import { DESCRIBED, type WeightsOptions } from "../kit/weights/options.js";
import { mwem } from "./index.js";

export const help = "the same from equal weights of the public rows (MWEM)";

export const options = DESCRIBED;

export const make = (options: object): AnyMechanism => mwem(options as WeightsOptions);
