import { call, type Handle, open } from "../engine/index.js";
import { MarginaliaError } from "../errors.js";
import type { CliqueQuery, Measurement } from "../measurement.js";
import { wireQuery } from "../query.js";
import type { CallSettings } from "../tables/read.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { Table } from "../tables/table.js";
import { workload } from "../tables/workload.js";

import { type Meant, meantBy, narrowed } from "./cells.js";
import type { Flagged } from "./condition.js";
import type { AnswerSettings } from "./model.js";
import {
  type CountedQuestion,
  type Ground,
  HALF,
  type Uncovered,
  uncoveredOf,
  worthOf,
} from "./uncovered.js";
import { wireMeasurements } from "./wire.js";

/** How answers are given with standard errors. */
export interface ErrorSettings extends AnswerSettings {
  /**
   * Standard errors beside the values: of `"noise"`, how far answers would differ from each other if the same table were
   * measured again; or of `"all"`, which adds what a prior that is worth what it was taken for leaves open.
   */
  standardErrors: ErrorsOf;
}

/** Answers and their standard errors, in the same units. */
export interface WithErrors {
  values: Float64Array<ArrayBuffer>;
  /** Of `"all"` an uncovered answer has one that is as wide as its interval; of `"noise"` it has 0, as it never moves. */
  standardErrors: Float64Array<ArrayBuffer>;
  /** The answers about which the prior says nothing, and what they may be. */
  uncovered: Uncovered;
}

/** What a model was estimated from, by which its standard errors are known. */
export interface Evidence {
  readonly measurements: readonly Measurement[];
  /** The number of records, with the variance of its error; 0 where it was given. */
  readonly total: { readonly records: number; readonly variance: number };
  /** How many records the prior was worth. */
  readonly strength: number;
  /** Of a graphical model, the attributes that no prior knew, whose shares are the model's own. */
  readonly own?: readonly string[];
}

/** @internal Of which model another is a part. */
export interface Part {
  whole: { schema: Schema; handle: Handle; evidence: Evidence | undefined };
  flags: Flagged;
}

/**
 * What standard errors are of: `noise`, by how much answers would differ if the same table were measured again with fresh
 * noise; or `all`, by how much they are off the table, where a prior that is worth what it was taken for leaves that open.
 */
export type ErrorsOf = "noise" | "all";

/** The standard errors of answers to questions about a model, or about the part of it that meets a condition. */
export async function spread(
  { schema, handle, evidence }: { schema: Schema; handle: Handle; evidence: Evidence | undefined },
  questions: readonly (Question & Rooted)[],
  { normalize, flags }: { normalize: boolean; flags: Flagged | undefined },
  settings: CallSettings,
): Promise<Float64Array<ArrayBuffer>[]> {
  if (!evidence) throw unknown();
  const { measurements, total, strength, own } = evidence;
  const options = {
    total: total.records,
    variance: total.variance,
    strength,
    refitted: own?.map((name) => schema.index(name)) ?? [],
    normalize,
    questions: questions.map(({ clique, query }) => {
      const shape = clique.map((name) => schema.size(name));
      return { clique: clique.map((name) => schema.index(name)), query: wireQuery(query, shape) };
    }),
  };
  const args = {
    ...wireMeasurements(schema, measurements, !own),
    options: JSON.stringify(options),
    attributes: flags?.attributes ?? new Uint16Array(),
    allowed: flags?.allowed ?? new Uint8Array(),
  };
  return rooted(await call("model.errors", args, { on: handle, ...settings }), questions);
}

type Arrays = readonly Float64Array<ArrayBuffer>[];

/** Answers with their standard errors, and those that no row of the prior is in. */
export async function withUncovered(
  { schema, handle, evidence }: { schema: Schema; handle: Handle; evidence: Evidence | undefined },
  questions: readonly Question[],
  request: {
    of: ErrorsOf;
    flags: Flagged | undefined;
    sample: number;
    unit: number;
    values: Arrays;
    errors: Arrays;
  },
  settings: CallSettings,
): Promise<WithErrors[]> {
  const { measurements, total, strength } = evidence as Evidence;
  const { sample, flags } = request;
  const { records } = total;
  const meant = flags ? meantBy(schema, flags) : new Map<string, Uint8Array>();
  const ground = { schema, measurements, records, sample, worth: worthOf(sample, strength, records) };
  const counted = async (cliques: readonly (readonly string[])[]) => {
    const [start] = await open("model.prior", undefined, { on: handle });
    using _start = start;
    const [made, { rows }] = await open("prior.table", undefined, { on: start, ...settings });
    using table = new Table(schema, made, rows, true);
    const shares = await countedOn(table, cliques, meant, settings);
    return shares.map((one) => one.map((share) => share * sample));
  };
  return withErrors(questions, { ...request, meant, ground, counted });
}

/** Answers of a graphical model and their standard errors, in the same units. */
export interface GraphicalErrors {
  values: Float64Array<ArrayBuffer>;
  standardErrors: Float64Array<ArrayBuffer>;
  /**
   * What the standard errors are of. Answers that no measurement implies have those of the noise alone, whatever was asked: what the
   * model leaves out, because nobody measured it, is not in them.
   */
  of: ErrorsOf;
}

/** What the errors of an answer can be of: of all where some measurement implies it. */
export function errorsOf(
  schema: Schema,
  evidence: Evidence | undefined,
  { clique, query }: Question,
  { of, flags }: { of: ErrorsOf; flags: Flagged | undefined },
): ErrorsOf {
  const derive: Readonly<Record<string, { from: string } | undefined>> = schema.derive;
  const within = (name: string, measured: readonly string[]): boolean => {
    const from = derive[name]?.from;
    return measured.includes(name) || (from !== undefined && within(from, measured));
  };
  const all = [...clique, ...schema.at([...(flags?.attributes ?? [])])];
  const same = JSON.stringify([clique, query]);
  const implied = evidence?.measurements.some(
    (one) =>
      ((one.query.type === "identity" || one.query.type === "prefix") &&
        all.every((name) => within(name, one.clique))) ||
      (!flags && JSON.stringify([one.clique, one.query]) === same),
  );
  return implied ? of : "noise";
}

/** How many records of a table that meet a condition each cell of some cliques has. */
export async function countedOn(
  table: Table,
  cliques: readonly (readonly string[])[],
  meant: Meant,
  settings: CallSettings,
): Promise<Float64Array<ArrayBuffer>[]> {
  const more = (clique: readonly string[]) => [...meant.keys()].filter((name) => !clique.includes(name));
  const list = workload(
    table.schema,
    cliques.map((clique) => [...clique, ...more(clique)] as NameOf<Schema>[]),
  );
  const all = await table.answer(list, settings);
  return all.map((cells, i) => narrowed(table.schema, cliques[i] as readonly string[], cells, meant));
}

/** A question to the cells of a clique. */
interface Question {
  readonly clique: readonly string[];
  readonly query: CliqueQuery;
}

/** Answers with what is said of those that are uncovered; public records are counted where some may be. */
export async function withErrors(
  questions: readonly Question[],
  {
    of,
    values,
    errors,
    unit,
    meant,
    ground,
    counted,
  }: {
    of: ErrorsOf;
    values: Arrays;
    errors: Arrays;
    /** What answers are divided by, where they are shares. */
    unit: number;
    meant: Meant;
    ground: Ground;
    counted: (cliques: readonly (readonly string[])[]) => Promise<Float64Array<ArrayBuffer>[]>;
  },
): Promise<WithErrors[]> {
  const doubtful = questions.flatMap((_, i) => ((values[i] as Float64Array).includes(0) ? [i] : []));
  const cliques = doubtful.map((i) => (questions[i] as Question).clique);
  const counts = doubtful.length > 0 ? await counted(cliques) : [];
  return questions.map(({ clique, query }, i): WithErrors => {
    const own = values[i] as Float64Array<ArrayBuffer>;
    const standardErrors = errors[i] as Float64Array<ArrayBuffer>;
    const at = doubtful.indexOf(i);
    if (at < 0) return { values: own, standardErrors, uncovered: NOTHING };
    const request: CountedQuestion = {
      clique,
      query,
      answers: own.length,
      meant,
      counts: counts[at] as Float64Array<ArrayBuffer>,
    };
    const { places, low, high } = uncoveredOf(request, ground);
    const uncovered = { places, low: low.map((end) => end / unit), high: high.map((end) => end / unit) };
    if (of === "all")
      places.forEach((place, j) => {
        standardErrors[place] = Math.max(-(uncovered.low[j] as number), uncovered.high[j] as number) / HALF;
      });
    return { values: own, standardErrors, uncovered };
  });
}

const NOTHING: Uncovered = {
  places: new Uint32Array(),
  low: new Float64Array(),
  high: new Float64Array(),
};

/** Of how many answers standard errors are, and what of. */
interface Rooted {
  readonly answers: number;
  readonly of: ErrorsOf;
}

/** The standard errors of answers to each question, from the variances by the noise and by what is left open. */
export function rooted(both: Float64Array, questions: readonly Rooted[]): Float64Array<ArrayBuffer>[] {
  let at = 0;
  return questions.map(({ answers, of }) =>
    Float64Array.from({ length: answers }, () => {
      const [noise, open] = [both[at++] as number, both[at++] as number];
      return Math.sqrt(of === "all" ? noise + open : noise);
    }),
  );
}

function unknown(): MarginaliaError {
  const message =
    "nothing is known of the errors of this model: they follow from what `estimate.calibrated` with the loss l2, or a " +
    "release, was estimated from";
  return new MarginaliaError("QUERY_UNSUPPORTED", message);
}
