import type { Evaluation } from "../../evaluate.js";
import {
  estimate,
  kWay,
  type Measurement,
  prior,
  type Release,
  readTable,
  type Schema,
  type Table,
} from "../../index.js";
import { stream } from "../../seed.js";

/** What might be published, and how near it is to the truth: points of the k-marginal, not grouped. */
export interface Contender {
  readonly what: string;
  readonly points: number;
}

/** Rows that are drawn where no public ones are used. */
const RANDOM_ROWS = 20_000;

interface Compared {
  truth: Table;
  before: Table;
  /** Of the records and of last year's file, as `evaluate` has them. */
  scores: Evaluation["scores"];
  release: Pick<Release, "measurements">;
  /** Records of another release, from nothing public. */
  without: Table;
  signal: AbortSignal;
}

/** The release beside other ways to publish something. Reads the true rows, to judge: *not private*. */
export async function contenders({
  truth,
  before,
  scores,
  release,
  without,
  signal,
}: Compared): Promise<Contender[]> {
  const pairs = kWay(truth.schema, 2);
  const counts = await truth.answer(pairs, { signal });
  const apart = (cells: Float64Array, total: number, i: number) => {
    const exact = counts[i] as Float64Array;
    return cells.reduce(
      (sum, n, cell) => sum + Math.abs(n / total - (exact[cell] as number) / truth.rows),
      0,
    );
  };
  const points = (answers: readonly Float64Array[], total: number) =>
    500 * (2 - answers.reduce((sum, cells, i) => sum + apart(cells, total, i), 0) / answers.length);
  const { measurements } = release;
  return [
    { what: "marginalia", points: scores.synthetic },
    { what: "last year's file as it is", points: scores.public as number },
    {
      what: "the same answers, the paper's algorithm",
      points: await literal(before, measurements, signal, async (model) =>
        points(await model.answer(pairs), model.total),
      ),
    },
    {
      what: "a release at the same ε that needs no public file",
      points: points(await without.answer(pairs, { signal }), without.rows),
    },
    {
      what: "the same answers, without last year's file",
      points: await alone(truth.schema, measurements, signal, async (model) =>
        points(await model.answer(pairs), model.total),
      ),
    },
  ];
}

type Judge = (model: Pick<Release["model"], "answer" | "total">) => Promise<number>;

/** Algorithm 1 of Tao, Bater and Machanavajjhala, as it stands in the paper. */
async function literal(
  before: Table,
  measurements: readonly Measurement[],
  signal: AbortSignal,
  judge: Judge,
): Promise<number> {
  using published = await prior(before);
  const paper = { order: "random", choice: "rescale", damping: 1, tolerance: 0, seed: 1 } as const;
  const steps = 2 * measurements.length;
  using made = await estimate.iterative({ prior: published, measurements, ...paper, steps, signal });
  return judge(made.model);
}

/** What the answers say without public rows: a model on rows whose attributes are drawn one by one. */
async function alone(
  schema: Schema,
  measurements: readonly Measurement[],
  signal: AbortSignal,
  judge: Judge,
): Promise<number> {
  using strangers = await strangersOf(schema, measurements, signal);
  using blank = await prior(strangers, { strength: RANDOM_ROWS });
  using made = await estimate.calibrated({
    prior: blank,
    measurements,
    strength: 100,
    tolerance: 1e-2,
    signal,
  });
  return judge(made.model);
}

/** Rows whose attributes are drawn one by one, by what the answers say of each. */
function strangersOf(
  schema: Schema,
  measurements: readonly Measurement[],
  signal: AbortSignal,
): Promise<Table> {
  const draws = stream("strangers");
  const names = Object.keys(schema.attributes);
  const columns = names.map((name) => {
    const sums = marginal(measurements, name, schema.size(name));
    const all = sums.reduce((sum, one) => sum + one, 0);
    const values = schema.labels(name).map(valueIn);
    return () => {
      let left = draws.double() * all;
      const code = sums.findIndex((one) => {
        left -= one;
        return left < 0;
      });
      return values[Math.max(code, 0)];
    };
  });
  const lines = Array.from({ length: RANDOM_ROWS }, () => columns.map((draw) => draw()).join(","));
  return readTable(new Blob([`${names.join(",")}\n${lines.join("\n")}\n`]), schema, { signal });
}

/** A value that a label stands for: of a bin its lower end, of null nothing. */
const valueIn = (label: string | null): string =>
  label === null ? "" : label.replace(/^\[?([^,.]*)(\.\.|,).*$/, "$1");

/** The counts of one attribute by a measurement that has it, or all alike; nothing below zero. */
function marginal(measurements: readonly Measurement[], name: string, size: number): number[] {
  const found = measurements.find((one) => one.clique.includes(name));
  if (!found) return new Array<number>(size).fill(1);
  const { clique, shape, values } = found;
  const stride = shape.slice(clique.indexOf(name) + 1).reduce((product, next) => product * next, 1);
  const sums = new Array<number>(size).fill(0);
  for (const [cell, value] of values.entries()) {
    const code = Math.floor(cell / stride) % size;
    sums[code] = (sums[code] as number) + value;
  }
  return sums.map((sum) => Math.max(sum, 0));
}
