import { json, type Options, oneOf, part, whole } from "../../option.js";
import type { AnyMechanism } from "../kit/definition.js";
import { COMMON } from "../kit/described.js";
import { type AdaptiveOptions, adaptive } from "./index.js";

export const help =
  "choose what is measured in rounds, by where the model is wrong; for priors that may be poor";

/** `--adaptive` stays what it was. */
export const flag = true;

export const options = {
  ...COMMON,
  rounds: whole("N", 1, "how many rounds; by the budget and the rows expected unless given"),
  selectShare: part("SHARE", "the part of the budget that choosing gets; 0.1 unless given"),
  start: oneOf(["none", "one-ways"], "what is measured before the first round; nothing unless given"),
  factors: json<number[]>(
    ["array"],
    "[1,2]",
    "how much each clique of --workload matters in rounds: whole numbers",
    { items: { type: "integer", minimum: 1 } },
  ),
} as const satisfies Options;

export const make = (options: object): AnyMechanism => adaptive(options as AdaptiveOptions);
