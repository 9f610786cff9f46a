import { MarginaliaError } from "../../errors.js";
import type { Release, ReleasePlan, ReleasePlanJson, Schema, Sealed, Table } from "../../index.js";
import { invalid, isObject } from "../../options.js";
import { command } from "../command.js";
import type { Console } from "../console.js";
import type { Copy } from "../copies.js";
import { EXIT } from "../exit.js";
import { apart, needed, pathOf, readable, sameFile, schemaOf, writable } from "../files.js";
import { readAll, sourceOf } from "../input.js";
import { fromText, text, type Values } from "../options.js";
import { patient } from "../patience.js";
import { mechanismOf, PRIOR, priorOf } from "../prior.js";
import { budgetOf, datasetOf, ledgerPath, SEALING, sealedOf } from "../private.js";
import { filesOf, RECORDS, SEED, writeRecords } from "../records.js";
import { PAGE, writeReport } from "../report.js";

const options = {
  ...SEALING,
  ...PRIOR,
  ...RECORDS,
  planned: text("FILE", "a plan that `plan --out` wrote: refused where it would be another now"),
  out: text("FILE", "where the records go, as CSV; standard output unless given"),
  report: text(
    "FILE",
    "where a report goes that may be shared: a page, or its parts where the name ends in .json",
  ),
  ...PAGE,
  save: text("FILE", "where the release is kept, for `query` and `sample`: released values only"),
} as const;

type Given = Values<typeof options>;

export const run = command({
  name: "run",
  summary: "make synthetic records of a private file, from a public one and noisy answers",
  details:
    "One charge, written into the account before a private row is read. The same command run again takes the answers from " +
    "the account, pays nothing and writes the same files; another --seed makes other records of the same answers. `plan` " +
    "with the same options says before what will be done.\n\n" +
    "  marginalia run --public survey-2018.csv --private survey-2019.csv --schema schema.json --epsilon 1 \\\n" +
    "    --ledger account.json --seed v1 --out synthetic.csv --report report.html --save survey.marginalia",
  positional: [],
  options,
  async run(values, io) {
    const hidden = needed(values.private, "the private file, --private FILE,");
    const account = needed(ledgerPath(values), "the account of the data, --ledger FILE,");
    const files = filesOf(values.out ?? "-", values);
    await checkPlaces(values, files, account);
    await readable(hidden);
    const [budget, dataset] = [budgetOf(values), datasetOf(values)];
    const schema = await schemaOf(values.schema, io.stdin);
    using prior = await priorOf(values, schema, io);
    const source = sourceOf(hidden, io.stdin);
    const sealed = await sealedOf(values, { schema, source, budget, dataset, begins: true });
    try {
      return await released(values, { prior, sealed, files }, io);
    } finally {
      await sealed.close();
    }
  },
});

interface Opened {
  prior: Table;
  sealed: Sealed<Schema>;
  files: readonly Copy[];
}

async function released(values: Given, { prior, sealed, files }: Opened, io: Console): Promise<number> {
  const before = `${sealed.spent}`;
  using mechanism = mechanismOf(values, prior);
  const { seed = SEED, report, save, planned } = values;
  const approved = planned === undefined ? undefined : await planOf(planned, io);
  const plan = approved ?? (await mechanism.plan(sealed, { signal: io.signal, onProgress: io.phases() }));
  io.clear();
  // What comes down a pipe ends with those who stop too; a file can still be read to its end.
  const signal = values.private === "-" ? io.signal : patient(sealed, io);
  const settings = { plan, signal, onProgress: io.phases() };
  using release = await mechanism.run(sealed, settings).catch((error) => {
    throw explained(error, sealed, plan);
  });
  io.clear();
  io.signal.throwIfAborted();
  const records = await writeRecords(release, files, values, io);
  if (report !== undefined) {
    const { rows, title, date } = values;
    const own = { ...(rows !== undefined && { rows }), ...(title && { title }), ...(date && { date }) };
    await writeReport(report, release, { prior, seed: files[0]?.seed ?? seed, ...own }, io);
  }
  if (save !== undefined) await release.save(io.target(save), { signal: io.signal });
  const paid = `${sealed.spent}` !== before;
  const where = files.map(({ place }) => place);
  await io.say(
    () => inWords(release, { records, where, report, save, paid }),
    () => asData(release, { records, where, report, save, paid }),
  );
  return EXIT.done;
}

/** What became of the budget where an earlier attempt at this release was paid and never seen. */
function explained(error: unknown, sealed: Sealed, plan: ReleasePlan | ReleasePlanJson): unknown {
  if (!(error instanceof MarginaliaError) || error.code !== "BUDGET_EXCEEDED") return error;
  const { label } = "toJSON" in plan ? plan.toJSON() : plan;
  const own = (details: unknown) => (details as { label?: unknown } | undefined)?.label === label;
  if (!sealed.ledger.entries().some(({ state, details }) => state === "lost" && own(details))) return error;
  const hint =
    "an earlier run was stopped between paying and keeping its answers: nobody saw them, and what it paid stays spent, " +
    "because nobody can prove that nothing was drawn";
  return new MarginaliaError(error.code, error.message, { hint, cause: error });
}

interface Done {
  records: number;
  where: readonly string[];
  report: string | undefined;
  save: string | undefined;
  paid: boolean;
}

function inWords(
  { ledger, report: { estimate } }: Release,
  { records, where, report, save, paid }: Done,
): string {
  const [first, last] = [where[0], where.at(-1)];
  const place = first === "-" ? "" : ` in ${first}${where.length > 1 ? ` … ${last}` : ""}`;
  return [
    `${records} synthetic records${place}.`,
    ...(report === undefined ? [] : [`The report is in ${report}; it may be shared.`]),
    ...(save === undefined ? [] : [`The release is kept in ${save}; it may be shared.`]),
    ...(estimate.status === "converged"
      ? []
      : [
          `The estimate ended before its tolerance (${estimate.status}): the report says how far from the optimum it may be.`,
        ]),
    "",
    `${ledger}`,
    ...(paid ? [] : ["The account had the answers already: nothing was paid again."]),
  ].join("\n");
}

function asData(
  { ledger, total, report: { estimate } }: Release,
  { records, where, report, save, paid }: Done,
) {
  const files = where.filter((place) => place !== "-");
  return {
    records,
    total,
    files,
    ...(report && { report }),
    ...(save && { save }),
    paid,
    estimate,
    ledger: ledger.toJSON(),
  };
}

/** A plan that somebody has looked at. */
async function planOf(place: string, io: Console): Promise<ReleasePlanJson> {
  const plan = fromText(new TextDecoder().decode(await readAll(place, io.stdin)), "planned");
  if (isObject(plan)) return plan as ReleasePlanJson;
  throw invalid("`planned` is what `plan --out` wrote for one budget");
}

/** Refuses before any work what could not be written, or would be written over. */
async function checkPlaces(values: Given, files: readonly Copy[], account: string): Promise<void> {
  const read = {
    "the public file": values.public,
    "the private file": values.private,
    "the schema": pathOf(values.schema),
    "the account": account,
    "the counter of the account": values.counter,
    "the plan": values.planned,
  };
  const { report, save } = values;
  const written: (readonly [option: string, place: string])[] = [
    ...files.map(({ place }) => ["--out", place] as const),
    ...(report === undefined ? [] : [["--report", report] as const]),
    ...(save === undefined ? [] : [["--save", save] as const]),
  ];
  for (const [at, [option, place]] of written.entries()) {
    if (place === "-" && option !== "--out")
      throw invalid(`${option} needs a file: standard output is for records`);
    await apart(place, read, option);
    for (const [other, taken] of written.slice(0, at))
      if (await sameFile(place, taken)) throw invalid(`${option} and ${other} are one file: give another`);
    await writable(place);
  }
}
