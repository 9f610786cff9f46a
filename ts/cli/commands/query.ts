import {
  type LoadedGroupedRelease,
  type LoadedRelease,
  type Schema,
  type SupportModel,
  type WithErrors,
  workload,
} from "../../index.js";
import { cliques, flag, oneOf, text, type Values } from "../../option.js";
import { invalid } from "../../options.js";
import { oneLine } from "../../print.js";
import { aligned } from "../../privacy/table.js";
import { command } from "../command.js";
import type { Console } from "../console.js";
import { EXIT } from "../exit.js";
import { checkPlaces, needed } from "../files.js";
import { SAVED, savedOf } from "../saved.js";

const options = {
  ...SAVED,
  cliques: cliques(
    "what is asked: names of attributes between commas, cliques between semicolons; measured or not",
  ),
  standardErrors: oneOf(
    ["noise", "all"],
    "how far answers may be off: by the noise alone, or with what the public file leaves open",
  ),
  normalize: flag("shares of the records that are meant, and not their numbers"),
  out: text("FILE", "where the answers go, as CSV (of one clique) or as JSON by the name; said unless given"),
} as const;

type QueryValues = Values<typeof options>;

export const query = command({
  name: "query",
  summary: "answer tables from a saved release, with standard errors on request, for nothing",
  details:
    "Any table can be asked for, whether it was measured or not. With --where it is about the records that meet a condition, " +
    "and of a release of groups about the groups that it names.\n\n" +
    '  marginalia query survey.marginalia --cliques "age,sex" --where area=AR101 --standard-errors all',
  positional: ["release"],
  options,
  async run(values, io) {
    const { cliques, out } = values;
    const named = needed(cliques, 'what is asked, --cliques "age,sex;area",');
    await checkPlaces(values, [["--out", out]]);
    if (out !== undefined && !isJson(out) && named.length !== 1)
      throw invalid("several cliques are no one table: give --out a name that ends in .json");
    using release = await savedOf(values, io);
    const answers = await answersOf(release, named, values, io);
    if (out !== undefined) {
      const whole = isJson(out)
        ? `${JSON.stringify(asData(answers, values), null, 1)}\n`
        : csv(answers.tables[0]);
      await io.deliver(out, whole);
    }
    await io.say(
      () => (out === undefined ? inWords(answers, values) : `${answers.tables.length} answered in ${out}.`),
      () => (out === undefined ? asData(answers, values) : { answered: answers.tables.length, out }),
    );
    return EXIT.done;
  },
});

const isJson = (place: string) => /\.json(\.gz)?$/i.test(place);

interface AnswerTable {
  readonly clique: readonly string[];
  readonly shape: readonly number[];
  readonly labels: readonly (readonly (string | null)[])[];
  readonly values: readonly number[];
  readonly standardErrors?: readonly number[];
  /** Places of answers about which the public file says nothing, and the ends of what each may be with 90 %. */
  readonly notCovered?: readonly { readonly at: number; readonly low: number; readonly high: number }[];
}

interface Answers {
  /** The records that are meant. */
  readonly total: number;
  readonly tables: readonly AnswerTable[];
}

async function answersOf(
  release: LoadedRelease | LoadedGroupedRelease,
  named: readonly (readonly string[])[],
  values: QueryValues,
  io: Console,
): Promise<Answers> {
  if ("groups" in release) return ofGroups(release, named, values, io);
  const { where, standardErrors, normalize = false } = values;
  const { schema } = release;
  const settings = { normalize, signal: io.signal };
  const questions = named.map((clique) => ({ clique }));
  const ask = async (model: LoadedRelease["model"]): Promise<Answers> => {
    const found =
      standardErrors === undefined
        ? (await model.answer(questions, settings)).map((values) => ({ values }))
        : // Another kind says that it has none.
          await (model as SupportModel).answer(questions, { ...settings, standardErrors });
    return { total: model.total, tables: found.map((one, i) => table(schema, named[i] ?? [], one)) };
  };
  if (where === undefined) return ask(release.model);
  using part = await release.model.where(where, { signal: io.signal });
  return await ask(part);
}

/** Of all groups that can meet the condition together. */
async function ofGroups(
  release: LoadedGroupedRelease,
  named: readonly (readonly string[])[],
  { where, standardErrors, normalize = false }: QueryValues,
  { signal }: Console,
): Promise<Answers> {
  const { schema } = release;
  const about = { signal, ...(where && { where }) };
  // The records of the groups, which may be other than all where some have less than none.
  const [all] = await release.answer(workload(schema, [[]]), about);
  const questions = named.map((clique) => ({ clique }));
  const settings = { ...about, normalize };
  const found =
    standardErrors === undefined
      ? (await release.answer(questions, settings)).map((values) => ({ values }))
      : await release.answer(questions, { ...settings, standardErrors });
  return { total: all?.[0] ?? 0, tables: found.map((one, i) => table(schema, named[i] ?? [], one)) };
}

function table(
  schema: Schema,
  clique: readonly string[],
  { values, standardErrors, uncovered }: { values: Float64Array } & Partial<WithErrors>,
): AnswerTable {
  const labels = clique.map((name) => schema.labels(name));
  return {
    clique,
    shape: labels.map(({ length }) => length),
    labels,
    values: Array.from(values),
    ...(standardErrors && { standardErrors: Array.from(standardErrors) }),
    ...(uncovered && { notCovered: Array.from(uncovered.places, (at, i) => endsOf(uncovered, at, i)) }),
  };
}

const endsOf = ({ low, high }: WithErrors["uncovered"], at: number, i: number) => ({
  at,
  low: low[i] as number,
  high: high[i] as number,
});

/** The labels of each cell, in the order of the values: the last attribute goes fastest. */
function* cells({ labels, values }: AnswerTable): Generator<(string | null)[]> {
  for (let cell = 0; cell < values.length; cell++) {
    let rest = cell;
    const own: (string | null)[] = [];
    for (const of of [...labels].reverse()) {
      own.unshift(of[rest % of.length] ?? null);
      rest = Math.floor(rest / of.length);
    }
    yield own;
  }
}

/** What an answer may be where the public file says nothing about it. */
const missed = ({ notCovered = [] }: AnswerTable) => new Map(notCovered.map((one) => [one.at, one]));

const NOT_COVERED =
  "Not covered: no row of the public file is in such a cell, so the release has none. Beside it is what it may be, with 90 %.";

function inWords({ total, tables }: Answers, { where, normalize }: QueryValues): string {
  const of = normalize ? "share" : "records";
  const show = (value: number) => (normalize ? value.toPrecision(3) : value.toFixed(1));
  const blocks = tables.map((one) => {
    const open = missed(one);
    const error = (at: number) => {
      const ends = open.get(at);
      if (ends) return [`not covered: ${show(ends.low)} to ${show(ends.high)}`];
      return one.standardErrors ? [`± ${show(one.standardErrors[at] as number)}`] : [];
    };
    const rows = [...cells(one)].map((labels, i) => [
      ...labels.map((label) => (label === null ? "(null)" : oneLine(label))),
      ...[show(one.values[i] as number), ...error(i)],
    ]);
    const head = [...one.clique, of, ...(one.standardErrors ? ["standard error"] : [])];
    return aligned([head, ...rows]).join("\n");
  });
  const about = `${total.toFixed(1)} records${where === undefined ? "" : " meet the condition"}`;
  const any = tables.some(({ notCovered = [] }) => notCovered.length > 0);
  return [about, ...blocks, ...(any ? [NOT_COVERED] : [])].join("\n\n");
}

function csv(one: AnswerTable | undefined): string {
  if (!one) return "";
  const field = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const open = missed(one);
  const known = (at: number) => {
    const ends = open.get(at);
    return [
      `${one.standardErrors?.[at]}`,
      ...(ends ? ["no", `${ends.low}`, `${ends.high}`] : ["yes", "", ""]),
    ];
  };
  const rows = [...cells(one)].map((labels, i) => [
    ...labels.map((label) => field(label ?? "")),
    `${one.values[i]}`,
    ...(one.standardErrors ? known(i) : []),
  ]);
  const more = one.standardErrors ? ["standard error", "covered", "low", "high"] : [];
  return [[...one.clique, "value", ...more].map(field), ...rows].map((row) => `${row.join(",")}\n`).join("");
}

const asData = ({ total, tables }: Answers, { normalize = false }: QueryValues) => ({
  ...{ total, unit: normalize ? "share" : "records" },
  answers: tables,
});
