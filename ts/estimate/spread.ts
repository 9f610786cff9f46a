import { call, type Handle } from "../engine/index.js";
import { MarginaliaError } from "../errors.js";
import type { CliqueQuery, Measurement } from "../measurement.js";
import type { CallSettings } from "../tables/read.js";
import type { Schema } from "../tables/schema.js";
import { asked, wireQuery } from "./asked.js";
import type { Flagged } from "./condition.js";

/** What a model was estimated from, by which its standard errors are known. */
export interface Evidence {
  readonly measurements: readonly Measurement[];
  /** The number of records, with the variance of its error; 0 where it was given. */
  readonly total: { readonly records: number; readonly variance: number };
  /** How many records the prior was worth. */
  readonly strength: number;
}

/**
 * What standard errors are of: `noise`, by how much answers would differ if the same table were measured again with fresh
 * noise; or `all`, by how much they are off the table, where a prior that is worth what it was taken for leaves that open.
 */
export type ErrorsOf = "noise" | "all";

/** The standard errors of answers to questions about a model, or about the part of it that meets a condition. */
export async function spread(
  { schema, handle, evidence }: { schema: Schema; handle: Handle; evidence: Evidence | undefined },
  questions: readonly { clique: readonly string[]; query: CliqueQuery; answers: number }[],
  { of, normalize, flags }: { of: ErrorsOf; normalize: boolean; flags: Flagged | undefined },
  settings: CallSettings,
): Promise<Float64Array<ArrayBuffer>[]> {
  if (!evidence) throw unknown();
  const { measurements, total, strength } = evidence;
  const options = {
    total: total.records,
    variance: total.variance,
    strength,
    normalize,
    questions: questions.map(({ clique, query }) => {
      return { clique: clique.map((name) => schema.index(name)), query: wireQuery(query) };
    }),
  };
  const args = {
    ...asked(schema, measurements, true),
    options: JSON.stringify(options),
    attributes: flags?.attributes ?? new Uint16Array(),
    allowed: flags?.allowed ?? new Uint8Array(),
  };
  const both = await call("model.errors", args, { on: handle, ...settings });
  return rooted(
    both,
    questions.map(({ answers }) => answers),
    of,
  );
}

/** The standard errors of so many answers to each question, from the variances by the noise and by what is left open. */
export function rooted(
  both: Float64Array,
  answers: readonly number[],
  of: ErrorsOf,
): Float64Array<ArrayBuffer>[] {
  let at = 0;
  return answers.map((length) =>
    Float64Array.from({ length }, () => {
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
