import type { Measurement } from "../../measurement.js";
import type { CallSettings } from "../../tables/read.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import { kWay, type Workload, workload } from "../../tables/workload.js";
import type { OneWayPart, PairPart } from "./input.js";
import { sum } from "./most.js";

/** The synthetic table, and the public one that it started from, where there is one. */
export interface Tables<S extends Schema> {
  readonly synthetic: Table<S>;
  readonly prior?: Table<S>;
}

/** The cells of each clique as parts of the rows. */
export async function sharesOf<S extends Schema>(
  table: Table<S>,
  list: Workload<S>,
  settings: CallSettings,
): Promise<number[][]> {
  const answers = await table.answer(list, settings);
  return answers.map((cells) => {
    const total = sum(Array.from(cells));
    return Array.from(cells, (cell) => (total > 0 ? cell / total : 0));
  });
}

/** The noisy answers of a release, and how many records they are of. */
interface NoisyAnswers<S extends Schema> {
  readonly schema: S;
  readonly measurements: readonly Measurement[];
  readonly total: number;
}

/** The values of each attribute in the tables, and as the answers say them. */
export async function oneWays<S extends Schema>(
  { schema, measurements, total }: NoisyAnswers<S>,
  { synthetic, prior }: Tables<S>,
  settings: CallSettings,
): Promise<OneWayPart[]> {
  const names = Object.keys(schema.attributes) as NameOf<S>[];
  const list = kWay(schema, 1, names);
  const made = await sharesOf(synthetic, list, settings);
  const known = prior && (await sharesOf(prior, list, settings));
  return names.map((attribute, i) => {
    const measured = bestOf(attribute, measurements, total);
    return {
      attribute,
      labels: [...schema.labels(attribute)],
      synthetic: made[i] ?? [],
      ...(known && { public: known[i] ?? [] }),
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

/** How far both tables are apart in each pair of attributes, within each group of some others; nothing of one alone. */
export async function pairsOf<S extends Schema>(
  schema: S,
  group: readonly string[],
  { synthetic, prior }: Tables<S>,
  settings: CallSettings,
): Promise<PairPart[]> {
  if (!prior) return [];
  const names = (Object.keys(schema.attributes) as NameOf<S>[]).filter((name) => !group.includes(name));
  const pairs: PairPart[] = [];
  // Pair by pair with the earlier attributes, so that only so many cells are held at once.
  for (const [i, name] of names.entries()) {
    const before = names.slice(0, i);
    if (before.length === 0) continue;
    const list = workload(
      schema,
      before.map((other) => [...(group as readonly NameOf<S>[]), other, name]),
    );
    for (const [j, apart] of (await variations(list, [synthetic, prior], settings)).entries())
      pairs.push({ attributes: [before[j] as string, name], variation: apart });
  }
  return pairs;
}

/** How far both tables are apart in each clique: of large ones only cells that occur are looked at. */
async function variations<S extends Schema>(
  list: Workload<S>,
  [synthetic, prior]: readonly [Table<S>, Table<S>],
  settings: CallSettings,
): Promise<number[]> {
  using made = await synthetic.count(list, settings);
  using known = await prior.count(list, settings);
  const { signal } = settings;
  const found: number[] = [];
  for (let i = 0; i < list.length; i++) {
    const shares = new Map<number, number>();
    for (const [answers, sign] of [
      [made, 1],
      [known, -1],
    ] as const) {
      const { cells, counts } = await answers.nonzero(i, signal ? { signal } : {});
      const total = sum(Array.from(counts));
      for (const [at, count] of counts.entries()) {
        const cell = cells[at] as number;
        shares.set(cell, (shares.get(cell) ?? 0) + (sign * count) / total);
      }
    }
    found.push(sum([...shares.values()].map(Math.abs)) / 2);
  }
  return found;
}
