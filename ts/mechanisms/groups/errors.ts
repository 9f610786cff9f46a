import { call } from "../../engine/index.js";
import { MarginaliaError } from "../../errors.js";
import { codesOf, meantBy } from "../../estimate/cells.js";
import { type Condition, flagged } from "../../estimate/condition.js";
import { countedOn, type ErrorsOf, rooted, type WithErrors, withErrors } from "../../estimate/spread.js";
import { worthOf } from "../../estimate/uncovered.js";
import { joined, wireMeasurements } from "../../estimate/wire.js";
import type { CliqueQuery } from "../../measurement.js";
import { wireQuery } from "../../query.js";
import type { CallSettings } from "../../tables/read.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { GroupedParts } from "./release.js";
import type { ResolvedGroups } from "./resolved.js";
import { flagsOf, type Parted } from "./where.js";

/** What groups were estimated from. */
export interface GroupEvidence
  extends Pick<GroupedParts<Schema>, "tree" | "handle" | "measured" | "rows">,
    Pick<ResolvedGroups<Schema>, "totals" | "estimator"> {
  /** The records of all, and what the prior is worth, by how far the coarsest level trusts it. */
  readonly total: number;
  readonly strength: number;
  readonly trust: number | undefined;
}

/** A question, and what was answered. */
export interface QuestionAnswer {
  readonly clique: readonly string[];
  readonly query: CliqueQuery;
  readonly values: Float64Array<ArrayBuffer>;
}

/**
 * The standard errors of what groups answer together: `crates/estimate/src/hierarchy/errors` says of what they are.
 * `records` are those that answers are shares of, if they are.
 */
export async function groupSpread(
  evidence: GroupEvidence,
  questions: readonly QuestionAnswer[],
  {
    of,
    meant,
    records,
    labels,
  }: { of: ErrorsOf; meant: Parted; records: number | undefined; labels: Condition },
  how: CallSettings,
): Promise<WithErrors[]> {
  const { tree, handle, measured, totals, estimator } = evidence;
  const { schema } = tree;
  if (estimator !== "calibrated")
    throw unknown("nothing is known of the errors of this estimator: use `calibrated` for that");
  if (records !== undefined && !(records > 0))
    throw unknown("shares of no records have no errors: ask for records instead, without `normalize`");
  const levels = measured.map((list) => wireMeasurements(schema, list, true));
  const options = {
    groups: meant.leaves,
    totals,
    records: records ?? null,
    questions: questions.map(({ clique, query }) => {
      const shape = clique.map((name) => schema.size(name));
      return { clique: clique.map((name) => schema.index(name)), query: wireQuery(query, shape) };
    }),
  };
  const args = {
    levels: `[${levels.map(({ measurements }) => measurements).join()}]`,
    values: joined(levels.map(({ values }) => values)),
    options: JSON.stringify(options),
    shares: records === undefined ? new Float64Array() : joined(questions.map(({ values }) => values)),
    ...flagsOf(schema, meant.rest),
  };
  const both = await call("groups.errors", args, { on: handle, ...how });
  const values = questions.map((one) => one.values);
  const each = values.map(({ length }) => ({ answers: length, of }));
  return withErrors(questions, {
    ...{
      of,
      values,
      errors: rooted(both, each),
      unit: records ?? 1,
      ground: groundOf(evidence),
    },
    meant: meantBy(schema, flagged(schema, labels)),
    counted: (cliques) => countedIn(evidence, cliques, meant, how),
  });
}

/** What the intervals of uncovered answers rest on: whatever group it is asked of, the prior is a sample of all. */
function groundOf({ tree, measured, total, strength, trust = 1 }: GroupEvidence) {
  const records = Math.max(1, total);
  const taken = (trust * strength * records) / (strength + records);
  const worth = worthOf(strength, taken, records);
  return { schema: tree.schema, measurements: measured.flat(), records, sample: strength, worth };
}

/** The public records in each cell: those of rows that groups share, where one of the groups has such labels. */
async function countedIn(
  { tree, rows, strength }: GroupEvidence,
  cliques: readonly (readonly string[])[],
  { leaves, rest }: Parted,
  how: CallSettings,
): Promise<Float64Array<ArrayBuffer>[]> {
  const { schema } = tree;
  const [first] = leaves;
  const isOfGroups = (name: string) => first !== undefined && tree.code(first, name) !== undefined;
  const own = cliques.map((clique) => clique.filter((name) => !isOfGroups(name)));
  const counts = await countedOn(rows, own, rest, how);
  const all = (await countedOn(rows, [[]], new Map(), how))[0]?.[0] ?? 1;
  return cliques.map((clique, i) => {
    const sizes = clique.map((name) => schema.size(name as NameOf<Schema>));
    const place = (names: readonly string[], code: (name: string) => number) =>
      names.reduce((cell, name) => cell * schema.size(name as NameOf<Schema>) + code(name), 0);
    const axes = clique.filter(isOfGroups);
    const there = new Set(leaves.map((leaf) => place(axes, (name) => tree.code(leaf, name) as number)));
    const cells: number[] = [];
    for (const codes of codesOf(sizes)) {
      const code = (name: string) => codes[clique.indexOf(name)] as number;
      const count = counts[i]?.[place(own[i] as readonly string[], code)] ?? 0;
      cells.push(there.has(place(axes, code)) ? (count * strength) / all : 0);
    }
    return Float64Array.from(cells);
  });
}

const unknown = (message: string) => new MarginaliaError("QUERY_UNSUPPORTED", message);
