import type { Model } from "../../estimate/model.js";
import type { Measurement } from "../../measurement.js";
import { invalid } from "../../options.js";
import type { CallSettings } from "../../tables/read.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import { kWay, workload } from "../../tables/workload.js";
import type { LedgerPart, OneWayPart, PairPart, ReleasePart, ReportJson } from "./input.js";
import { sum, variation } from "./most.js";

/** What is asked of a release. */
export interface Reported<S extends Schema> {
  readonly schema: S;
  readonly model: Model<S>;
  readonly measurements: readonly Measurement[];
  readonly ledger: { toJSON(): LedgerPart };
  readonly report: ReleasePart;
}

export interface Tables<S extends Schema> {
  readonly synthetic: Table<S>;
  readonly prior: Table<S>;
}

/** Puts together what a shareable report is made of. Of the tables it takes the marginals of one and two attributes. */
export async function gather<S extends Schema>(
  release: Reported<S>,
  { synthetic, prior }: Tables<S>,
  settings: CallSettings,
): Promise<ReportJson> {
  const { schema, measurements, ledger, report } = release;
  const measured = workload(
    schema,
    measurements.map(({ clique }) => clique as readonly NameOf<S>[]),
  );
  const known = await sharesOf(prior, measured, settings);
  const { strength } = report.estimate;
  const n = report.total.records;
  return {
    format: "marginalia-report",
    version: 1,
    origin: "released",
    ledger: plain(ledger),
    release: plain(report),
    records: synthetic.rows,
    dataShares: measurements.map((one, i) => dataShare(one, known[i] ?? [], n, strength)),
    oneWays: await oneWays(release, { synthetic, prior }, settings),
    pairs: await pairsOf(schema, { synthetic, prior }, settings),
  };
}

/** A copy that is JSON and nothing else. */
const plain = <T>(value: { toJSON(): T } | T): T => JSON.parse(JSON.stringify(value)) as T;

async function sharesOf<S extends Schema>(
  table: Table<S>,
  asked: ReturnType<typeof workload<S>>,
  settings: CallSettings,
): Promise<number[][]> {
  const answers = await table.answer(asked, settings);
  return answers.map((cells) => {
    const total = sum(Array.from(cells));
    return Array.from(cells, (cell) => (total > 0 ? cell / total : 0));
  });
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
  const ofPrior = (n * n * sum(shares.map((p) => p * (1 - p)))) / strength;
  const ofNoise = noise.variance * shares.length;
  return ofPrior + ofNoise > 0 ? ofPrior / (ofPrior + ofNoise) : 0;
}

async function oneWays<S extends Schema>(
  { schema, measurements, report }: Reported<S>,
  { synthetic, prior }: Tables<S>,
  settings: CallSettings,
): Promise<OneWayPart[]> {
  const names = Object.keys(schema.attributes) as NameOf<S>[];
  const asked = kWay(schema, 1, names);
  const [made, known] = [await sharesOf(synthetic, asked, settings), await sharesOf(prior, asked, settings)];
  return names.map((attribute, i) => {
    const measured = bestOf(attribute, measurements, report.total.records);
    return {
      attribute,
      labels: [...schema.labels(attribute)],
      synthetic: made[i] ?? [],
      public: known[i] ?? [],
      ...(measured && { measured }),
    };
  });
}

/** The answers to an attribute's values from the measurement that knows them best, as shares. */
export function bestOf(
  attribute: string,
  measurements: readonly Pick<Measurement, "clique" | "query" | "shape" | "values" | "noise">[],
  total: number,
): OneWayPart["measured"] {
  let best: { of: (typeof measurements)[number]; variance: number } | undefined;
  for (const of of measurements) {
    const place = of.clique.indexOf(attribute);
    if (place < 0 || of.query.type !== "identity") continue;
    const variance = (of.noise.variance * of.values.length) / (of.shape[place] ?? 1);
    if (!best || variance < best.variance) best = { of, variance };
  }
  if (!best || total <= 0) return undefined;
  const cells = summed(best.of, best.of.clique.indexOf(attribute));
  return { shares: cells.map((cell) => cell / total), standardError: Math.sqrt(best.variance) / total };
}

/** The sums of a clique's cells over all attributes but one; the last attribute goes fastest. */
function summed({ shape, values }: Pick<Measurement, "shape" | "values">, place: number): number[] {
  const size = shape[place] as number;
  const within = shape.slice(place + 1).reduce((product, next) => product * next, 1);
  const sums = new Array<number>(size).fill(0);
  for (const [cell, value] of values.entries()) {
    const code = Math.floor(cell / within) % size;
    sums[code] = (sums[code] as number) + value;
  }
  return sums;
}

async function pairsOf<S extends Schema>(
  schema: S,
  { synthetic, prior }: Tables<S>,
  settings: CallSettings,
): Promise<PairPart[]> {
  const names = Object.keys(schema.attributes) as NameOf<S>[];
  if (names.length < 2) return [];
  const pairs: PairPart[] = [];
  // Pair by pair with the earlier attributes, so that only so many cells are held at once.
  for (const [i, name] of names.entries()) {
    const before = names.slice(0, i);
    if (before.length === 0) continue;
    const asked = workload(
      schema,
      before.map((other) => [other, name]),
    );
    const [made, known] = [
      await sharesOf(synthetic, asked, settings),
      await sharesOf(prior, asked, settings),
    ];
    for (const [j, other] of before.entries())
      pairs.push({ attributes: [other, name], variation: variation(made[j] ?? [], known[j] ?? []) });
  }
  return pairs;
}

/** Refuses a table that is not the one that a plan names as its public start. */
export function isThePrior(hash: string, planned: string): void {
  if (hash !== planned)
    throw invalid(
      "`prior` is not the public table that this release was planned with (their hashes differ): give that one; a report " +
        "for sharing is never made of any other table",
    );
}
