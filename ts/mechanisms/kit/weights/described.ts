import { flag, oneOf, part, whole } from "../../../option.js";
import { COMMON } from "../described.js";

const { group: _, pool: _pool, estimator: _estimator, ...shared } = COMMON;

/** The options as a command line and a configuration take them. */
export const DESCRIBED = {
  ...shared,
  ways: whole("N", 1, "how many attributes the cliques have whose cells rounds choose from; 3 unless given"),
  sample: whole("N", 1, "how many of these cliques, by the seed; all unless given"),
  parts: flag("cliques within these are chosen from too"),
  measure: oneOf(
    ["cells", "marginals"],
    "what a round measures: the cell that it chose, unless given, or its marginal",
  ),
  rounds: whole("N", 1, "how many rounds; by the budget and the rows expected unless given"),
  selectShare: part("SHARE", "the part of each round that choosing gets; a half unless given"),
  selection: oneOf(
    ["exponential", "permute-and-flip"],
    "the law of choices; permute-and-flip for --epsilon alone unless given",
  ),
  unsupported: flag("cells without a public row are chosen too"),
  classic: flag("each answer is met once"),
  average: flag("the model is the mean over all rounds"),
} as const;
