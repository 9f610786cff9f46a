import { MarginaliaError } from "../errors.js";
import { type GroupTotal, type PriorAwareOptions, readTable, type Schema, type Table } from "../index.js";
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
  type Values,
  whole,
} from "../option.js";
import { invalid } from "../options.js";
import type { Console } from "./console.js";
import { sameFile } from "./files.js";
import { sourceOf } from "./input.js";
import { textOf } from "./text-options.js";

type Choice<K extends keyof PriorAwareOptions> = NonNullable<PriorAwareOptions[K]>;

const strength: Option<Choice<"strength">> = {
  help: "how many records the prior counts for in the estimate: a number, harmonic, or coupledBootstrap, which is taken unless given",
  shown: "N|harmonic|coupledBootstrap",
  schema: { type: ["number", "string"] },
  parse: (given, name) => strength.check(Number.isNaN(Number(given)) ? given : Number(given), name),
  check(value, name) {
    if (typeof value === "number" || value === "harmonic" || value === "coupledBootstrap") return value;
    throw invalid(`\`${name}\` is a number, harmonic or coupledBootstrap`);
  },
};

/** What a release starts from, and how it works: the options of `priorAware`, whose `prior` is a file here. */
export const PRIOR = {
  public: text("PUBLIC", "the public file that it starts from, such as last year's; - is standard input"),
  publicWeight: text("COLUMN", "a column of the public file: how many rows each row stands for"),
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
  exponents: json<Choice<"exponents">>(
    ["array"],
    "[0,0.5]",
    "shares of the budget go as the cells to one of these powers",
  ),
  spend: amount(
    "AMOUNT",
    "what it may cost, in ε of --epsilon and in ρ of others; all that is left unless given",
  ),
  total: json<number | readonly GroupTotal[]>(
    ["number", "array"],
    "N",
    "the number of private records, where it is public; of groups also JSON, a list of { group, records }",
  ),
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
  dependencies: oneOf(
    ["keep", "ignore"],
    "keep: where an attribute follows from another in every public row, no record breaks that, unless given; or ignore",
  ),
  strength,
  tolerance: positive("GAP", "the relative gap of the estimate; 0.001 unless given"),
  targets: cliques("the tables that records keep; those that are measured and judged unless given"),
  draws: whole("N", 1, "how often each candidate is simulated; 3 unless given"),
  label: text("TEXT", "sets releases apart that ask for the same: another label is another draw, and paid"),
  allowSameSource: flag("the public file is the private one: for experiments with public data only"),
} as const satisfies Options;

export type PriorValues = Values<typeof PRIOR> & { readonly private?: string };

/** The public table, with its raw numbers, so that records have numbers that people have. */
export async function priorOf(values: PriorValues, schema: Schema, io: Console): Promise<Table> {
  const { publicWeight: weight } = values;
  const place = await publicPlace(values);
  const table = await readTable(sourceOf(place, io.stdin), schema, {
    ...textOf(values),
    ...(weight === undefined ? {} : { weight }),
    keepRaw: keptRaw(schema),
    ignore: true,
    signal: io.signal,
    onProgress: io.progress("reading the public file"),
  });
  io.clear();
  return table;
}

/** The attributes with raw numbers. */
export const keptRaw = (schema: Schema): string[] =>
  Object.entries(schema.attributes).flatMap(([name, { type }]) => (NUMERIC.has(type) ? [name] : []));

const NUMERIC = new Set(["integer", "number", "date"]);

/** Refuses to take the private file for the public one, also under another name of it. */
async function publicPlace(values: PriorValues): Promise<string> {
  const { public: place, private: hidden, allowSameSource = false } = values;
  if (place === undefined) {
    const message =
      "a public file is missing: --public FILE, of the same columns, such as the year before, another region or a public " +
      "sample. Without one there is no release yet; `marginalia measure` answers marginals";
    throw new MarginaliaError("PRIOR_MISSING", message);
  }
  if (hidden === undefined || allowSameSource) return place;
  if (place === "-" && hidden === "-")
    throw invalid("only one of the public and the private file is standard input");
  if (!(await sameFile(place, hidden))) return place;
  throw invalid(
    "the public and the private file are one, and nothing would be protected: give a public one, or --allow-same-source " +
      "where this is an experiment with public data",
  );
}

/** What the public file is called; nothing where it has no name. */
export function publicName(place: string | undefined): string | undefined {
  const [name] = /[^/\\]+$/.exec(place ?? "") ?? [];
  return name === "-" ? undefined : name;
}
