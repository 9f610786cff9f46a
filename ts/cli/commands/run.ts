import { MarginaliaError } from "../../errors.js";
import {
  type OpenSchema,
  type OpenSealed,
  Rational,
  type Schema,
  type Sealed,
  type Table,
} from "../../index.js";
import { chargeOf } from "../../mechanisms/kit/run.js";
import { flag, text, type Values } from "../../option.js";
import { invalid, isObject } from "../../options.js";
import { oneLine } from "../../print.js";
import { isAmount } from "../../privacy/ledger/amount.js";
import type { Entry } from "../../privacy/ledger/index.js";
import { show } from "../../privacy/rational.js";
import { command } from "../command.js";
import type { Console } from "../console.js";
import type { Copy } from "../copies.js";
import { printed } from "../draft/draft.js";
import { EXIT } from "../exit.js";
import { anySchemaOf, checkPlaces, isOpenSchema, needed, readable } from "../files.js";
import { readJson, sourceOf } from "../input.js";
import { type AnyPlan, type AnyPlanJson, checkKind, MECHANISM, mechanismOf, startOf } from "../mechanism.js";
import { paying } from "../paid.js";
import { patient } from "../patience.js";
import { budgetOf, datasetOf, type Opening, openOf, SEALING, sealedOf } from "../private.js";
import { filesOf, RECORDS, SEED, writeRecords } from "../records.js";
import { asData, type Done, inWords } from "../released.js";
import { PAGE, pageOf, writeReport } from "../report.js";

const options = {
  ...SEALING,
  ...MECHANISM,
  ...RECORDS,
  keepRefused: flag("keep an estimate that came too little near its optimum, which is refused otherwise"),
  found: text("FILE", "where the schema goes with the bounds that were found, where some of it were to be"),
  planned: text("FILE", "a plan that `plan --out` wrote: refused where it would be another now"),
  out: text("FILE", "where the records go, as CSV; standard output unless given"),
  report: text(
    "FILE",
    "where a report goes that may be shared: a page, or its parts where the name ends in .json",
  ),
  ...PAGE,
  save: text("FILE", "where the release is kept, for `query` and `sample`: released values only"),
} as const;

type RunValues = Values<typeof options>;

export const run = command({
  name: "run",
  summary: "make synthetic records of a private file, from a public one and noisy answers",
  details:
    "Every charge is written into the account before a private row is read. The same command run again takes the answers " +
    "from the account, pays nothing and writes the same files; another --seed makes other records of the same answers. " +
    "`plan` with the same options says before what will be done.\n\n" +
    "  marginalia run --public survey-2018.csv --private survey-2019.csv --schema schema.json --epsilon 1 \\\n" +
    "    --ledger account.json --seed v1 --out synthetic.csv --report report.html --save survey.marginalia",
  positional: [],
  options,
  async run(values, io) {
    checkKind(values);
    const hidden = needed(values.private, "the private file, --private FILE,");
    needed(values.ledger, "the account of the data, --ledger FILE,");
    const files = filesOf(values.out ?? "-", values);
    await checkPlaces(values, [
      ...files.map(({ place }) => ["--out", place] as const),
      ["--report", values.report],
      ["--save", values.save],
      ["--found", values.found],
    ]);
    await readable(hidden);
    const [budget, dataset] = [budgetOf(values), datasetOf(values)];
    const schema = await anySchemaOf(values.schema, io.stdin);
    const source = sourceOf(hidden, io.stdin);
    if (isOpenSchema(schema)) {
      await using sealed = await found(values, { schema, source, budget, dataset }, io);
      using prior = await startOf(values, sealed.schema, io);
      return await released(values, { prior, sealed, files }, io);
    }
    using prior = await startOf(values, schema, io);
    await using sealed = await sealedOf(values, { schema, source, budget, dataset });
    return await released(values, { prior, sealed, files }, io);
  },
});

/** Refuses before bounds are paid what could not be paid after them. */
async function refuseBefore(values: RunValues, open: OpenSealed): Promise<void> {
  const { spend } = values as { spend?: string | number };
  if (spend === undefined) return;
  await using later = await open.assumed();
  const isPaid = later.spent.compare(open.spent) === 0;
  if (isPaid || Rational.of(spend).compare(later.left) <= 0) return;
  const message = `--spend asks for more than the bounds leave: ${show(later.left, false)} is left after them`;
  throw new MarginaliaError("BUDGET_EXCEEDED", message);
}

/** The table under the schema with the bounds that are found, or were. */
async function found(values: RunValues, opening: Opening<OpenSchema>, io: Console): Promise<Sealed> {
  await using open = await openOf(values, opening);
  const planned =
    values.planned === undefined ? undefined : Object(await readJson(values.planned, io.stdin, "planned"));
  const plan = await open.plan();
  if (planned && JSON.stringify(planned.bounds?.selections) !== JSON.stringify(plan.selections))
    throw invalid("the plan finds other bounds, or pays otherwise for them: make it anew");
  await refuseBefore(values, open);
  const sealed = await open.find({ signal: patient(open, io) });
  const all = opening.schema.open.map(({ name }) => {
    const labels = sealed.schema.labels(name).filter((label) => label !== null);
    return `${oneLine(name)} ${labels[0]} to ${labels.at(-1)}`;
  });
  io.note(`Bounds found, first bin to last: ${all.join("; ")}.`);
  if (values.found !== undefined) await io.deliver(values.found, printed(sealed.schema.toJSON()));
  return sealed;
}

interface Opened {
  prior: Table | undefined;
  sealed: Sealed<Schema>;
  files: readonly Copy[];
}

async function released(values: RunValues, { prior, sealed, files }: Opened, io: Console): Promise<number> {
  const before = `${sealed.spent}`;
  using mechanism = mechanismOf(values, prior);
  const { rows, seed = SEED, report, save, planned, keepRefused = false } = values;
  const approved = planned === undefined ? undefined : await planOf(planned, io);
  const plan = approved ?? (await mechanism.plan(sealed, { signal: io.signal, onProgress: io.phases() }));
  io.clear();
  // What comes down a pipe ends with those who stop too; a file can still be read to its end.
  const signal = values.private === "-" ? io.signal : patient(sealed, io);
  const settings = { plan, signal, keepRefused, ...watched(plan, io) };
  return paying(
    { sealed, ledger: values.ledger, signal: io.signal, ...chargesOf(plan, sealed) },
    async () => {
      using release = await mechanism.run(sealed, settings).catch((error) => {
        throw explained(error, sealed, plan);
      });
      io.clear();
      io.signal.throwIfAborted();
      const records = await writeRecords(release, files, values, io);
      const page = {
        ...(prior && { prior }),
        seed: files[0]?.seed ?? seed,
        ...(rows !== undefined && { rows }),
        ...pageOf(values),
      };
      if (report !== undefined) await writeReport(report, release, page, io);
      if (save !== undefined) await release.save(io.target(save), { signal: io.signal });
      const paid = `${sealed.spent}` !== before;
      const done: Done = { records, where: files.map(({ place }) => place), report, save, paid };
      await io.say(
        () => inWords(release, done),
        () => asData(release, done),
      );
      return EXIT.done;
    },
  );
}

/** What a release pays in all, and which charges of the account are its own. A plan of a file may be none. */
function chargesOf(plan: AnyPlan | AnyPlanJson, sealed: Sealed) {
  const whole = Object("toJSON" in plan ? plan.toJSON() : plan) as Record<string, unknown>;
  const { price } = Object(whole.measure ?? whole) as { price?: unknown };
  const own = chargeOf(`${whole.label}`, sealed);
  return { price: Rational.of(isAmount(price) ? price : "0"), isOwn: ({ details }: Entry) => own(details) };
}

/** Tells how far a run has come; of groups how many are estimated. */
function watched(plan: AnyPlan | AnyPlanJson, io: Console) {
  const { levels } = plan as { levels?: unknown };
  if (!Array.isArray(levels)) return { onProgress: io.phases() };
  let done = 0;
  const all = levels.reduce((sum: number, level: unknown) => sum + Number(Object(level).groups), 0);
  return {
    onProgress: io.phases((phase) => (phase === "estimate" ? ` groups, ${done} of ${all}` : "")),
    onGroup: () => {
      done += 1;
    },
  };
}

/** The outcome of the budget where an earlier attempt at this release was paid and never seen. */
function explained(error: unknown, sealed: Sealed, plan: AnyPlan | AnyPlanJson): unknown {
  if (!(error instanceof MarginaliaError) || error.code !== "BUDGET_EXCEEDED") return error;
  const { isOwn } = chargesOf(plan, sealed);
  if (!sealed.ledger.entries().some((entry) => entry.state === "lost" && isOwn(entry))) return error;
  const hint =
    "an earlier run was stopped between paying and keeping its answers: nobody saw them, and what it paid stays spent, " +
    "because nobody can prove that nothing was drawn";
  return new MarginaliaError(error.code, error.message, { hint, cause: error });
}

/** A plan that somebody has looked at. */
async function planOf(place: string, io: Console): Promise<AnyPlanJson> {
  const plan = await readJson(place, io.stdin, "planned");
  if (isObject(plan)) {
    const { bounds: _, ...rest } = plan as { bounds?: unknown };
    return rest as AnyPlanJson;
  }
  throw invalid("`planned` is what `plan --out` wrote for one budget");
}
