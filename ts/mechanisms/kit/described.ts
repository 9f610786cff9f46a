import {
  amount,
  cliques,
  flag,
  json,
  names,
  type Option,
  type Options,
  oneOf,
  positive,
  text,
  whole,
} from "../../option.js";
import { invalid } from "../../options.js";
import { type CommonOptions, ESTIMATORS, type ForecastOptions } from "./common.js";

type Choice<K extends keyof CommonOptions> = NonNullable<CommonOptions[K]>;

const strength: Option<Choice<"strength">> = {
  help: "how many records the prior counts for in the estimate: a number, harmonic, or coupledBootstrap, which is taken unless given",
  shown: "N|harmonic|coupledBootstrap",
  schema: { type: ["number", "string"] },
  parse: (text, name) => strength.check(Number.isNaN(Number(text)) ? text : Number(text), name),
  check(value, name) {
    if (typeof value === "number" || value === "harmonic" || value === "coupledBootstrap") return value;
    throw invalid(`\`${name}\` is a number, harmonic or coupledBootstrap`);
  },
};

/** The common options as a command line and a configuration take them; how a public table is read is up to these. */
export const COMMON = {
  provenance: json<Choice<"provenance">>(
    ["object"],
    '{"name":"…","declaredPublicBy":"…"}',
    "what the public file is known by in the record of the release, and who vouches that it is public",
  ),
  priorStrength: positive("N", "how many public records it is worth; its rows unless given"),
  attributes: names("age,sex,…", "what the release is to be right about; all attributes unless given"),
  group: text("NAME", "an attribute whose groups matter, such as the area"),
  pool: json<Choice<"pool">>(
    ["boolean", "object"],
    '{"alpha":0.8}',
    "how much groups lend each other rows; found by public halves unless given, and false for not at all",
  ),
  workload: cliques("what is measured; what a forecast on public data finds best unless given"),
  spend: amount(
    "AMOUNT",
    "what it may cost, in ε of --epsilon and in ρ of others; all that is left unless given",
  ),
  total: positive("N", "the number of private records, where it is public"),
  widen: json<Choice<"widen">>(
    ["boolean", "object"],
    '{"share":0.05}',
    "rows that a public network draws beside the public ones, and their share of the weight; false for none",
  ),
  deny: json<Choice<"deny">>(
    ["array"],
    '[{"age":"0..4","job":"nurse"}]',
    "combinations that no record has, by the labels of the schema",
  ),
  allow: json<Choice<"allow">>(
    ["array"],
    '[[{"age":"0..4","job":"none"},{"age":"5..99"}]]',
    "lists of combinations: each record has one of every list",
  ),
  mapping: json<Choice<"mapping">>(
    ["array"],
    '[{"from":"town","to":"state","map":{"Bonn":"NW"}}]',
    "attributes that follow from others, by the labels of the schema",
  ),
  sums: json<Choice<"sums">>(
    ["array"],
    '[{"total":"persons","of":["adults","children"]}]',
    "attributes that are the sum of others",
  ),
  dependencies: oneOf(
    ["keep", "ignore"],
    "keep: where an attribute follows from another in every public row, no record breaks that, unless given; or ignore",
  ),
  estimator: oneOf(
    ESTIMATORS,
    "what makes the model of the answers, as the API names it; calibrated unless given, graphical without a public file, and of groups calibrated or iterative",
  ),
  strength,
  tolerance: positive("GAP", "the relative gap of the estimate; 0.001 unless given"),
  targets: cliques("the tables that records keep; those that are measured and judged unless given"),
  label: text("TEXT", "sets releases apart that ask for the same: another label is another draw, and paid"),
  allowSameSource: flag("the public file is the private one: for experiments with public data only"),
} as const satisfies Options;

/** The same of what mechanisms take that need no public table. */
export const ALONE = {
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

/** The same of what a forecast is made by. */
export const FORECAST = {
  exponents: json<NonNullable<ForecastOptions["exponents"]>>(
    ["array"],
    "[0,0.5]",
    "shares of the budget go as the cells to one of these powers",
  ),
  draws: whole("N", 1, "how often each candidate is simulated; 3 unless given"),
} as const satisfies Options;
