import { json, type Options, part, whole } from "../../option.js";
import type { AnyMechanism } from "../kit/definition.js";
import { ALONE, COMMON } from "../kit/described.js";
import { type AimOptions, aim } from "./index.js";

export const help =
  "choose what is measured in rounds, by a model that starts from nothing; taken where there is no public file";

/** Without a public table the model knows nothing before the first answers. */
export const priorless = true;

export const options = {
  ...ALONE,
  workload: COMMON.workload,
  rounds: whole("N", 1, "how many rounds at most; by the number of attributes unless given"),
  selectShare: part("SHARE", "the part of each round that choosing gets; 0.1 unless given"),
  factors: json<number[]>(["array"], "[1,2]", "how much each clique of --workload matters: whole numbers", {
    items: { type: "integer", minimum: 1 },
  }),
  cells: whole("N", 1, "the most cells that the model is summed over; 300,000 unless given"),
} as const satisfies Options;

export const make = (options: object): AnyMechanism => aim(options as AimOptions);
