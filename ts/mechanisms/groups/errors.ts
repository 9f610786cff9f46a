import { call, type Handle } from "../../engine/index.js";
import { MarginaliaError } from "../../errors.js";
import { asked, wireQuery } from "../../estimate/asked.js";
import { type ErrorsOf, rooted } from "../../estimate/spread.js";
import type { CliqueQuery, Measurement } from "../../measurement.js";
import type { CallSettings } from "../../tables/read.js";
import type { Schema } from "../../tables/schema.js";
import { joined } from "./public.js";
import { flagsOf, type Parted } from "./where.js";

/** What groups were estimated from. */
export interface GroupEvidence {
  readonly schema: Schema;
  readonly handle: Handle;
  readonly measured: readonly (readonly Measurement[])[];
  readonly totals: "consistent" | "combined" | "count";
  readonly estimator: "calibrated" | "iterative";
}

/** A question, and what was answered. */
export interface Answered {
  readonly clique: readonly string[];
  readonly query: CliqueQuery;
  readonly values: Float64Array<ArrayBuffer>;
}

/**
 * The standard errors of what groups answer together: `crates/estimate/src/hierarchy/errors` says of what they are.
 * `records` are those that answers are shares of, if they are.
 */
export async function groupSpread(
  { schema, handle, measured, totals, estimator }: GroupEvidence,
  questions: readonly Answered[],
  { of, meant, records }: { of: ErrorsOf; meant: Parted; records: number | undefined },
  how: CallSettings,
): Promise<Float64Array<ArrayBuffer>[]> {
  if (estimator === "iterative")
    throw unknown("nothing is known of the errors of Algorithm 1: use the estimator `calibrated` for that");
  if (records !== undefined && !(records > 0))
    throw unknown("shares of no records have no errors: ask for records instead, without `normalize`");
  const levels = measured.map((list) => asked(schema, list, true));
  const options = {
    groups: meant.leaves,
    totals,
    records: records ?? null,
    questions: questions.map(({ clique, query }) => {
      return { clique: clique.map((name) => schema.index(name)), query: wireQuery(query) };
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
  return rooted(
    both,
    questions.map(({ values }) => values.length),
    of,
  );
}

const unknown = (message: string) => new MarginaliaError("QUERY_UNSUPPORTED", message);
