import type { AnyMechanism } from "../kit/definition.js";
import { DESCRIBED } from "../kit/weights/described.js";
import type { WeightsOptions } from "../kit/weights/options.js";
import { pepPub } from "./index.js";

export const help = "the same, by entropy projections on the worst answers (PEP-Pub)";

export const options = DESCRIBED;

export const make = (options: object): AnyMechanism => pepPub(options as WeightsOptions);
