import type { Measurement } from "../../measurement.js";
import { invalid } from "../../options.js";
import type { CallSettings } from "../../tables/read.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { workload } from "../../tables/workload.js";
import { oneWays, pairsOf, sharesOf, type Tables } from "./beside.js";
import type {
  GroupPart,
  GroupsPart,
  LedgerPart,
  ModelPart,
  ReportJson,
  RoundPart,
  RoundPlanPart,
  RoundsPlanPart,
} from "./input.js";
import { sum, variation } from "./most.js";

/** What a release of groups says of itself: their labels by the names of attributes. */
interface GroupsReport extends Omit<GroupsPart, "groups"> {
  readonly groups: readonly (Omit<GroupPart, "labels"> & {
    readonly by: Readonly<Record<string, string | null>>;
  })[];
}

/** What is asked of a release. */
export interface Reported<S extends Schema> {
  readonly schema: S;
  /** Of groups those of each level. */
  readonly measurements: readonly (Measurement | readonly Measurement[])[];
  readonly ledger: { toJSON(): LedgerPart };
  readonly report: Exclude<ReportJson["release"], GroupsPart> | GroupsReport;
}

/** Puts together what a shareable report is made of. Of the tables it takes the marginals of one and two attributes. */
export async function gather<S extends Schema>(
  release: Reported<S>,
  tables: Tables<S>,
  settings: CallSettings,
): Promise<ReportJson> {
  const { schema, ledger, report } = release;
  const measurements = release.measurements.flat();
  const total = "groups" in report ? report.total : report.total.records;
  return {
    ...{ format: "marginalia-report", version: 1, origin: "released" },
    ledger: plain(ledger),
    ...("groups" in report
      ? { release: groupsOf(plain(report)), dataShares: [] }
      : await modelOf({ schema, report, measurements, ledger: plain(ledger) }, tables, settings)),
    records: tables.synthetic.rows,
    oneWays: await oneWays({ schema, measurements, total }, tables, settings),
    pairs: await pairsOf(schema, report.plan.group ?? [], tables, settings),
  };
}

/** A copy that is JSON and nothing else. */
const plain = <T>(value: { toJSON(): T } | T): T => JSON.parse(JSON.stringify(value)) as T;

/** Labels in the order of their level: a name of an attribute is no key of a report. */
function groupsOf({ plan, total, trust, groups }: GroupsReport): GroupsPart {
  const labels = ({ level, by }: GroupsReport["groups"][number]) =>
    plan.levels[level]?.by.map((name) => by[name] ?? null) ?? [];
  const named = groups.map((group) => ({ ...without(group, "by"), labels: labels(group) }));
  return { plan, total, ...(trust && { trust }), groups: named };
}

function without<T extends object, K extends keyof T>(one: T, key: K): Omit<T, K> {
  const { [key]: _, ...rest } = one;
  return rest;
}

interface Modelled<S extends Schema> {
  readonly schema: S;
  readonly report: Exclude<ReportJson["release"], GroupsPart>;
  readonly measurements: readonly Measurement[];
  readonly ledger: LedgerPart;
}

/** What is said of the measurements of one model. */
async function modelOf<S extends Schema>(
  { schema, report, measurements, ledger }: Modelled<S>,
  { synthetic, prior }: Tables<S>,
  settings: CallSettings,
): Promise<Pick<ReportJson, "release" | "dataShares" | "rounds">> {
  const measured = workload(
    schema,
    measurements.map(({ clique }) => clique as readonly NameOf<S>[]),
  );
  const known = prior && (await sharesOf(prior, measured, settings));
  const strength = report.estimate.strength ?? report.plan.prior?.strength ?? 0;
  const n = report.total.records;
  const dataShares = measurements.map((one, i) => dataShare(one, known?.[i] ?? [], n, strength));
  const release = asMade(plain(report));
  if (!byRounds(release)) return { release, dataShares };
  const made = await sharesOf(synthetic, measured, settings);
  const numbers = roundsOf(
    release.plan,
    ledger,
    measurements.map(({ clique }) => clique),
  );
  const rounds = measurements.map(
    ({ clique, values }, i): RoundPart => ({
      round: numbers[i] ?? 0,
      clique: [...clique],
      cells: values.length,
      ...(known && { variation: variation(made[i] ?? [], known[i] ?? []) }),
    }),
  );
  return { release, dataShares, rounds };
}

/** With the rounds that were made in the place of those that were planned, where it says them. */
function asMade({ rounds, ...release }: ModelPart & { rounds?: readonly RoundPlanPart[] }): ModelPart {
  return rounds ? { ...release, plan: { ...release.plan, rounds } } : release;
}

/** Whether rounds chose what was measured. */
export const byRounds = (release: ModelPart): release is ModelPart<RoundsPlanPart> =>
  release.plan.rounds !== undefined;

/** In which round each measurement was made: one after another, unless the account says that some were lost. */
export function roundsOf(
  { label, start, rounds }: Pick<RoundsPlanPart, "label" | "start" | "rounds">,
  { entries }: Pick<LedgerPart, "entries">,
  measured: readonly (readonly string[])[],
): number[] {
  const begun = start.every(({ clique }, i) => `${clique}` === `${measured[i]}`);
  const before = begun ? start.length : 0;
  const after = measured.length - before;
  const all = rounds.map(({ round }) => round);
  const kept = entries.flatMap(({ state, details }) => {
    const { label: own } = Object(details) as { label?: unknown };
    const [, round] = /, round (\d+): measure$/.exec(`${own}`) ?? [];
    return round !== undefined && state === "released" && `${own}`.startsWith(label) ? [Number(round)] : [];
  });
  // Where the same ran twice, the account has the rounds of both.
  const found = kept.length === after ? kept : all.slice(0, after);
  return [...new Array<number>(before).fill(0), ...found];
}

/**
 * The part of what is known of a marginal, taken alone, that its measurement says. A prior of strength n₀ knows a cell of
 * share p with variance n²·p(1−p)/n₀, the measurement knows it with that of its noise; knowledge is weighed by the inverse
 * of variance, over the mean cell.
 */
export function dataShare(
  { noise }: Pick<Measurement, "noise">,
  shares: readonly number[],
  n: number,
  strength: number,
): number {
  if (strength <= 0) return 1;
  const ofPrior = (n * n * sum(shares.map((p) => p * (1 - p)))) / strength;
  const ofNoise = noise.variance * shares.length;
  return ofPrior + ofNoise > 0 ? ofPrior / (ofPrior + ofNoise) : 0;
}

/** Refuses a table that is not the one that a plan names as its public start. */
export function isThePrior(hash: string | undefined, planned: string | undefined): void {
  if (planned === undefined && hash !== undefined)
    throw invalid("this release was planned without a public table: leave out `prior`");
  if (hash !== planned)
    throw invalid(
      "`prior` is not the public table that this release was planned with (their hashes differ): give that one; a report " +
        "for sharing is never made of any other table",
    );
}
