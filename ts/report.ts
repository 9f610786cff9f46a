/**
 * Reports of releases: one HTML page that needs nothing else, without scripts.
 *
 * {@link report} makes the one for sharing, of {@link reportInput}: released and public values alone. It cannot be given
 * true data. {@link internalReport} adds comparisons with the true table, each marked as not differentially private;
 * `internalParts` of `marginalia/evaluate` makes them. {@link evaluationReport} has these alone, where no release is at
 * hand. Nothing here reads a true table.
 *
 * @packageDocumentation
 */
import { gather, isThePrior } from "./evaluate/report/gather.js";
import type { ReportInput } from "./evaluate/report/input.js";
import type { ReleasedGroups } from "./mechanisms/groups/release.js";
import type { Released } from "./mechanisms/kit/modelled.js";
import { known } from "./options.js";
import { hashOf } from "./tables/digest.js";
import type { CallSettings } from "./tables/read.js";
import type { Schema } from "./tables/schema.js";
import type { Table } from "./tables/table.js";

export type {
  InternalParts,
  OneWayPart,
  PairPart,
  ReportInput,
  ReportJson,
  ReportOptions,
} from "./evaluate/report/input.js";
export { parseReportInput } from "./evaluate/report/parse.js";
export { evaluationReport, internalReport, report } from "./evaluate/report/report.js";

export interface ReportInputOptions<S extends Schema = Schema> extends CallSettings {
  /** The public table that the release was planned with, and no other: its hash is compared with the plan's. None where it had none. */
  prior?: Table<S>;
  /** How many synthetic records the report is about; the model's total, rounded, unless given. */
  rows?: number;
  /** The seed of those records; that of the run unless given. */
  seed?: string | number;
}

/**
 * What a report of a release is made of: its account, plan, measurements and model or groups, the synthetic records of a
 * seed, and the public table. It is plain JSON, released or public in every part. Releases of every mechanism
 * have one.
 *
 * ```ts
 * await writeFile("report.html", report(await reportInput(release, { prior: before })));
 * ```
 */
export async function reportInput<S extends Schema>(
  release: Released<S> | ReleasedGroups<S>,
  options: ReportInputOptions<S> = {},
): Promise<ReportInput> {
  known(options, ["prior", "rows", "seed", "signal", "onProgress"], "reportInput");
  const { prior, rows, seed, signal } = options;
  const settings = signal ? { signal } : {};
  isThePrior(prior && (await hashOf(prior)), release.report.plan.prior?.hash);
  using synthetic = await release.table({
    ...settings,
    ...(rows !== undefined && { rows }),
    ...(seed !== undefined && { seed }),
  });
  return (await gather(release, { synthetic, ...(prior && { prior }) }, settings)) as ReportInput;
}
