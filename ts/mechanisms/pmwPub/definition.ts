import type { AnyMechanism } from "../kit/definition.js";
import { DESCRIBED } from "../kit/weights/described.js";
import type { WeightsOptions } from "../kit/weights/options.js";
import { pmwPub } from "./index.js";

export const help =
  "measure in rounds the cell where public rows are worst, and move their weights (PMW-Pub)";

export const options = DESCRIBED;

export const make = (options: object): AnyMechanism => pmwPub(options as WeightsOptions);
