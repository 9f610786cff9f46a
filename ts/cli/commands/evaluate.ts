import {
  evaluate as compare,
  type Dictionary,
  type Evaluation,
  internalParts,
  kMarginal,
} from "../../evaluate.js";
import { readTable, type Schema, type Table, workload as workloadOf } from "../../index.js";
import { cliques, names, text, type Values, whole } from "../../option.js";
import { invalid, isObject } from "../../options.js";
import { aligned } from "../../privacy/table.js";
import { evaluationReport, internalReport, parseReportInput, type ReportInput } from "../../report.js";
import { grouping, sameGroups } from "../../tables/grouping.js";
import { command } from "../command.js";
import type { Console } from "../console.js";
import { EXIT } from "../exit.js";
import { checkPlaces, needed, schemaOf, schemaOption } from "../files.js";
import { readJson, sourceOf } from "../input.js";
import { PAGE, pageOf } from "../report.js";
import { TEXT, textOf } from "../text-options.js";

const listed = names(
  "NAME,…",
  "attributes that make groups, within each of which pairs are compared; none unless given, or those of --released",
);
const group: typeof listed = {
  ...listed,
  schema: { type: ["string", "array"], items: { type: "string" } },
  // `run` takes the same key as a text.
  check: (value, name) => listed.check(typeof value === "string" ? [value] : value, name),
};

const options = {
  synthetic: text("SYNTHETIC", "the file that is judged; - is standard input"),
  private: text("PRIVATE", "the true file"),
  public: text("PUBLIC", "the public file, as a baseline: anybody can publish that"),
  schema: schemaOption,
  attributes: names("age,sex,…", "what is compared; all attributes unless given"),
  group,
  workload: cliques("whose errors are told; all pairs unless given"),
  triples: whole("N", 1, "the most triples of attributes that are compared; 500 unless given"),
  seed: text("TEXT", "what triples and parts of the true rows are drawn from"),
  dictionary: text(
    "FILE",
    "a data dictionary of SDNist: the published k-marginal score is told too, by its bins",
  ),
  report: text("FILE", "where an internal report goes, as one page"),
  released: text("FILE", "what `run --report NAME.json` wrote: the internal report then has the release too"),
  ...PAGE,
  ...TEXT,
} as const;

type EvaluateValues = Values<typeof options>;

export const evaluate = command({
  name: "evaluate",
  summary: "say how far a synthetic file is from the true one; what it says is NOT private",
  details:
    "For whoever holds the true file: scores read its rows without noise, and no budget covers them. Beside the synthetic " +
    "file stand the public one as it is, and half of the true rows: what chance alone gives. --encoding is that of the " +
    "true and the public file.\n\n" +
    "  marginalia evaluate synthetic.csv --private survey-2019.csv --public survey-2018.csv --schema schema.json",
  positional: ["synthetic"],
  options,
  async run(values, io) {
    const { report } = values;
    await checkPlaces(values, [["--report", report]]);
    const places = {
      synthetic: needed(values.synthetic, "the synthetic file"),
      truth: needed(values.private, "the true file, --private FILE,"),
    };
    if (Object.values({ ...places, public: values.public }).filter((one) => one === "-").length > 1)
      throw invalid("only one file is standard input");
    const input = await releasedInput(values.released, io);
    const group = groupOf(values, input);
    const schema = await schemaOf(values.schema, io.stdin);
    using truth = await tableOf(places.truth, "the true file", { schema, ...textOf(values) }, io);
    const { delimiter, decimalComma } = values;
    const plain = { schema, ...(delimiter && { delimiter }), ...(decimalComma && { decimalComma }) };
    using synthetic = await tableOf(places.synthetic, "the synthetic file", plain, io);
    using free =
      values.public === undefined
        ? undefined
        : await tableOf(values.public, "the public file", { schema, ...textOf(values) }, io);
    const tables = { truth, synthetic, ...(free && { public: free }) };
    const evaluation = await evaluated({ ...values, group, ...measuredOf(input) }, tables, io);
    const published = await publishedScores({ ...values, group }, { ...places, schema }, io);
    io.clear();
    if (report !== undefined) await writeReport(report, values, { ...tables, evaluation, input }, io);
    await io.say(
      () => [`${evaluation}`, ...(published ? [published.words] : [])].join("\n"),
      () => ({ ...(evaluation.toJSON() as object), ...(published && { sdnist: published.scores }) }),
    );
    return EXIT.done;
  },
});

interface Tables {
  truth: Table;
  synthetic: Table;
  public?: Table;
}

function tableOf(
  place: string,
  what: string,
  { schema, ...written }: { schema: Schema } & ReturnType<typeof textOf<EvaluateValues>>,
  io: Console,
): Promise<Table> {
  return readTable(sourceOf(place, io.stdin), schema, {
    ...{ ...written, ignore: true, signal: io.signal },
    onProgress: io.progress(`reading ${what}`),
  });
}

/** What `run` said of a release, where it was kept. */
const releasedInput = async (place: string | undefined, io: Console): Promise<ReportInput | undefined> =>
  place === undefined ? undefined : parseReportInput(await readJson(place, io.stdin, "released"));

/** The groups of all scores: those of the release, where there is one, so that its forecast and they can be compared. */
function groupOf({ group }: EvaluateValues, input: ReportInput | undefined): string[] {
  const planned = input?.release.plan.group;
  if (planned && group && !sameGroups(planned, group))
    throw invalid(
      `scores of the release are ${grouping(planned)}: leave out --group, or evaluate without --released`,
    );
  return [...(group ?? planned ?? [])];
}

/** The cliques that a release measured, with the attributes of the groups that they were asked in. */
function measuredOf(input: ReportInput | undefined): { measured?: string[][] } {
  if (!input) return {};
  const { release } = input;
  if (!("groups" in release)) return { measured: release.measurements.map(({ clique }) => [...clique]) };
  const { charges } = release.plan.measure;
  return { measured: charges.map(({ clique, groups = [] }) => [...clique, ...groups]) };
}

type Judged = EvaluateValues & { readonly group: string[]; readonly measured?: string[][] };

function evaluated(values: Judged, tables: Tables, io: Console): Promise<Evaluation> {
  const { attributes, group, measured, workload, triples, seed } = values;
  return compare({
    ...{ ...tables, signal: io.signal, onProgress: io.progress("comparing") },
    ...(attributes && { attributes }),
    group,
    ...(measured && { measured }),
    ...(workload && { workload: workloadOf(tables.truth.schema, workload) }),
    ...(triples !== undefined && { triples }),
    ...(seed !== undefined && { seed }),
  });
}

/** The score of SDNist, of files and by its bins, of the synthetic file and of the public one. */
async function publishedScores(
  values: Judged,
  { synthetic, truth, schema }: { synthetic: string; truth: string; schema: Schema },
  io: Console,
): Promise<{ scores: Record<string, number>; words: string } | undefined> {
  const { dictionary: place, group, delimiter } = values;
  if (place === undefined) return undefined;
  const dictionary = await readJson(place, io.stdin, "dictionary");
  if (!isObject(dictionary)) throw invalid("`dictionary` is an object whose keys are columns");
  const { attributes = Object.keys(schema.attributes).filter((name) => name in dictionary) } = values;
  const files = { synthetic, ...(values.public !== undefined && { public: values.public }) };
  const scores: Record<string, number> = {};
  for (const [name, file] of Object.entries(files)) {
    if (file === "-" || truth === "-") throw invalid("with --dictionary, files are read twice: give paths");
    const { score } = await kMarginal({
      ...{ truth, synthetic: file, dictionary: dictionary as Dictionary, attributes, subsamples: false },
      ...{ signal: io.signal, onProgress: io.progress("scoring as SDNist does") },
      group,
      ...(delimiter && { delimiter }),
    });
    scores[name] = score;
  }
  const rows = Object.entries(scores).map(([name, score]) => [`  ${name}`, score.toFixed(2)]);
  return {
    scores,
    words: [`k-marginal of SDNist, by its bins, ${grouping(group)}`, ...aligned(rows)].join("\n"),
  };
}

/** The attributes of each level of a release of groups; none of others. */
function levelsOf({ release: { plan } }: ReportInput): string[][] {
  return (plan.levels ?? []).map(({ by }) => [...by]);
}

async function writeReport(
  report: string,
  values: EvaluateValues,
  { input, ...parts }: Tables & { evaluation: Evaluation; input: ReportInput | undefined },
  io: Console,
): Promise<void> {
  const internal = await internalParts({ ...parts, ...(input && { groups: levelsOf(input) }) });
  const how = pageOf(values);
  await io.deliver(report, input ? internalReport(input, internal, how) : evaluationReport(internal, how));
}
