import { known } from "../options.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import { kWay, workload } from "../tables/workload.js";
import type { Evaluation } from "./evaluation.js";
import type { EvaluationPart, InternalParts, OneWayPart, TrueGroupPart } from "./report/input.js";

export interface InternalPartsOptions<S extends Schema = Schema> {
  truth: Table<S>;
  evaluation: Evaluation;
  /** The synthetic and the public table, for `evaluationReport`, which has no release that knows their values. */
  synthetic?: Table<S>;
  public?: Table<S>;
  /** The attributes of each level of a release of groups, as its plan has them: how many records these truly have. */
  groups?: readonly (readonly NameOf<S>[])[];
}

/**
 * What an internal report shows beside a release: the scores, and the true shares of every attribute's values. It is made
 * of true data, *not private*, and `internalReport` marks it so.
 *
 * ```ts
 * const page = internalReport(input, await internalParts({ truth, evaluation }));
 * ```
 */
export async function internalParts<S extends Schema>(
  options: InternalPartsOptions<S>,
): Promise<InternalParts> {
  known(options, ["truth", "evaluation", "synthetic", "public", "groups"], "internalParts");
  const { truth, evaluation, synthetic, public: free, groups = [] } = options;
  const names = Object.keys(truth.schema.attributes) as NameOf<S>[];
  const shares = await sharesOf(truth, names);
  return {
    origin: "internal",
    evaluation: JSON.parse(JSON.stringify(evaluation)) as EvaluationPart,
    oneWays: names.map((attribute, i) => ({ attribute, shares: shares[i] as number[] })),
    ...(synthetic && free && { beside: await besideOf(synthetic, free, names) }),
    ...(groups.length > 0 && { groups: await countsOf(truth, groups) }),
  };
}

/** Of each level the groups that have records, with their numbers. */
async function countsOf<S extends Schema>(
  truth: Table<S>,
  levels: readonly (readonly NameOf<S>[])[],
): Promise<TrueGroupPart[][]> {
  const { schema } = truth;
  const answers = await truth.answer(workload(schema, levels));
  return levels.map((by, i) => {
    const cells = [...(answers[i] ?? [])].entries();
    return [...cells].flatMap(([cell, records]) =>
      records === 0 ? [] : [{ labels: labelsOf(schema, by, cell), records }],
    );
  });
}

/** The labels of a cell: the last attribute goes fastest. */
function labelsOf<S extends Schema>(schema: S, by: readonly NameOf<S>[], cell: number): (string | null)[] {
  let rest = cell;
  const reversed = [...by].reverse().map((name) => {
    const labels = schema.labels(name);
    const label = labels[rest % labels.length] ?? null;
    rest = Math.floor(rest / labels.length);
    return label;
  });
  return reversed.reverse();
}

/** The shares of every attribute's values in both tables. */
async function besideOf<S extends Schema>(
  synthetic: Table<S>,
  free: Table<S>,
  names: readonly NameOf<S>[],
): Promise<OneWayPart[]> {
  const [made, known] = [await sharesOf(synthetic, names), await sharesOf(free, names)];
  return names.map((attribute, i) => ({
    attribute,
    labels: [...synthetic.schema.labels(attribute)],
    synthetic: made[i] as number[],
    public: known[i] as number[],
  }));
}

async function sharesOf<S extends Schema>(table: Table<S>, names: readonly NameOf<S>[]): Promise<number[][]> {
  const answers = await table.answer(kWay(table.schema, 1, names));
  return answers.map((answer) => {
    const cells = Array.from(answer);
    const total = cells.reduce((sum, cell) => sum + cell, 0);
    return cells.map((cell) => (total > 0 ? cell / total : 0));
  });
}
