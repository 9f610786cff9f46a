import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { surveys } from "../../../examples/data/surveys.mjs";
import { MarginaliaError } from "../../errors.js";
import { type Evaluation, evaluate, internalParts } from "../../evaluate.js";
import {
  aim,
  priorAware,
  pure,
  type Release,
  readTable,
  type Schema,
  schemaFromJson,
  seal,
} from "../../index.js";
import { text } from "../../option.js";
import { invalid } from "../../options.js";
import { internalReport, report, reportInput } from "../../report.js";
import { grouping } from "../../tables/grouping.js";
import { command } from "../command.js";
import type { Console } from "../console.js";
import { type Contender, contenders } from "../demo/contenders.js";
import { SURVEY } from "../demo/survey.js";
import { printed } from "../draft/draft.js";
import { EXIT } from "../exit.js";

const SEED = "demo";
/** A guess of how many answered, as somebody has who knows the survey. */
const EXPECTED = 4800;
const NUMBERS = ["age", "hours", "income", "arrived"];

export const demo = command({
  name: "demo",
  summary: "release one year of a made-up survey from the year before, and compare with other ways",
  details:
    "It writes two surveys of a country that does not exist, their schema, the synthetic survey, its account and two reports " +
    "into a folder, in some seconds: a place to try the other commands. Run again, it pays nothing and writes the same.\n\n" +
    "  marginalia demo --out marginalia-demo",
  positional: ["out"],
  options: { out: text("FOLDER", "where its files go; marginalia-demo unless given") },
  async run({ out: folder = "marginalia-demo" }, io) {
    const begun = performance.now();
    await prepared(folder, io);
    const { table, group, records, marginals } = await released(folder, io);
    const seconds = (performance.now() - begun) / 1000;
    await io.say(
      () => inWords(folder, table, { group, records, marginals, seconds }),
      () => ({ folder, records, marginals, group, table, seconds }),
    );
    return EXIT.done;
  },
});

/** The two surveys and their schema, in a folder of their own. */
async function prepared(folder: string, io: Console): Promise<void> {
  const there = await opened(folder);
  if (there.length > 0 && !there.includes("survey-2018.csv"))
    throw invalid("the folder has other files: give a new one, so that none is written over");
  const files = { ...surveys(), "schema.json": printed(SURVEY) };
  for (const [name, content] of Object.entries(files)) await io.deliver(join(folder, name), content);
}

/** The names in a folder, which is made unless it is there. */
async function opened(folder: string): Promise<string[]> {
  try {
    await mkdir(folder, { recursive: true });
    return await readdir(folder);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
    throw new MarginaliaError("SOURCE_FAILED", `the folder cannot be made (${code}): give another`, {
      cause,
    });
  }
}

interface Shown {
  /** Of the scores. */
  group: readonly string[];
  table: readonly Contender[];
  records: number;
  marginals: number;
}

/** What `run` and `evaluate` do, and the other ways beside. */
async function released(folder: string, io: Console): Promise<Shown> {
  const { signal } = io;
  const schema = schemaFromJson(SURVEY);
  using before = await readTable(join(folder, "survey-2018.csv"), schema, { keepRaw: NUMBERS, signal });
  const place = join(folder, "survey-2019.csv");
  const data = await seal(place, schema, {
    ...{ dataset: "survey-2019", unit: "row", budget: pure(1) },
    ledger: join(folder, "account.json"),
  });
  try {
    using mechanism = priorAware({ prior: before, provenance: { name: "survey-2018.csv" } });
    const plan = await mechanism.plan(data, { signal, onProgress: io.phases() });
    using release = await mechanism.run(data, { plan, signal, onProgress: io.phases() });
    io.clear();
    using records = await release.table({ seed: SEED, signal });
    await records.writeCsv(join(folder, "synthetic.csv"), { seed: SEED, signal });
    using truth = await readTable(place, schema, { signal });
    const { kMarginal, scores } = await reports(folder, { release, before, truth, records }, io);
    using without = await alone(folder, io);
    const table = await contenders({ truth, before, scores, release, without, signal });
    return { table, group: kMarginal.group, records: records.rows, marginals: release.measurements.length };
  } finally {
    await data.close();
  }
}

/** The records of a release from nothing public, and its report. It is another one, so it has an account of its own. */
async function alone(folder: string, io: Console): Promise<Read> {
  const { signal } = io;
  await using data = await seal(join(folder, "survey-2019.csv"), schemaFromJson(SURVEY), {
    ...{ dataset: "survey-2019, alone", unit: "row", budget: pure(1) },
    ledger: join(folder, "alone-account.json"),
  });
  using mechanism = aim({ expectedRows: EXPECTED });
  using release = await mechanism.run(data, { signal, onProgress: io.phases() });
  io.clear();
  const records = await release.table({ seed: SEED, signal });
  await records.writeCsv(join(folder, "alone.csv"), { seed: SEED, signal });
  const input = await reportInput(release, { seed: SEED, signal });
  const title = "A synthetic survey of 2019, from nothing public";
  await io.deliver(join(folder, "alone.html"), report(input, { title }));
  return records;
}

type Read = Awaited<ReturnType<typeof readTable<Schema>>>;

/** The report to share, and the one to keep, whose evaluation is returned. */
async function reports(
  folder: string,
  { release, before, truth, records }: { release: Release; before: Read; truth: Read; records: Read },
  io: Console,
): Promise<Evaluation> {
  const input = await reportInput(release, { prior: before, seed: SEED, signal: io.signal });
  const evaluation = await evaluate({
    ...{ truth, synthetic: records, public: before, triples: 100, signal: io.signal },
    measured: release.measurements.map(({ clique }) => clique),
    onProgress: io.progress("comparing"),
  });
  io.clear();
  const title = "A synthetic survey of 2019";
  const internal = internalReport(input, await internalParts({ truth, evaluation }), { title });
  for (const [name, page] of Object.entries({
    "report.html": report(input, { title }),
    "internal.html": internal,
  }))
    await io.deliver(join(folder, name), page);
  return evaluation;
}

interface Facts {
  group: readonly string[];
  records: number;
  marginals: number;
  seconds: number;
}

function inWords(
  folder: string,
  table: readonly Contender[],
  { group, records, marginals, seconds }: Facts,
): string {
  const at = (name: string) => join(folder, name);
  return [
    `This year's survey at ε = 1, from ${marginals} noisy marginals: ${records} records in ${seconds.toFixed(1)} s`,
    `Points of 1000: k-marginal, ${grouping(group)} (1000: equal to the true survey; this looks at it, a release does not)`,
    "",
    ...table.map(({ what, points }) => `  ${points.toFixed(1).padStart(6)}  ${what}`),
    "",
    `  ${at("synthetic.csv")}  the records, to share`,
    `  ${at("report.html")}  what was asked of the survey, at which cost and error, to share`,
    `  ${at("internal.html")}  the same with comparisons with the true survey, to keep`,
    `  ${at("account.json")}  the account: marginalia inspect shows it`,
    `  ${at("alone.csv")}, ${at("alone.html")}  the release that needs no public file, with ${at("alone-account.json")}`,
    "",
    "The same by hand, and without --public the other:",
    `  marginalia run --public ${at("survey-2018.csv")} --private ${at("survey-2019.csv")} --schema ${at("schema.json")} \\`,
    `    --epsilon 1 --ledger ${at("mine.json")} --out ${at("mine.csv")} --report ${at("mine.html")}`,
  ].join("\n");
}
