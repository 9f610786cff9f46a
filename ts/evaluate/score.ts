import { invalid, known } from "../options.js";
import { printed } from "../print.js";
import { grouping } from "../tables/grouping.js";
import type { NameOf, Schema } from "../tables/schema.js";
import type { Source } from "../tables/source.js";
import type { Table } from "../tables/table.js";
import type { FileOptions } from "./files.js";
import {
  choosePairs,
  distances,
  type GroupScore,
  type PairScore,
  type Scored,
  sameSchema,
  scoreOf,
  scoresByAttribute,
  workOfDistances,
} from "./kmarginal.js";
import { type EvaluationSettings, Meter } from "./meter.js";
import type { Pairs } from "./pairs.js";
import { type CodedColumns, codedColumns, sampledRows, schemaOfCodes, tableOfCodes } from "./subsample.js";
import { fixed, grid, listed, percent } from "./text.js";

/** The shares of the true rows that the score is shown of beside. */
const SHARES = [0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9] as const;

/** What the k-marginal score can be told, of tables and of files. */
export interface KMarginalSettings<N extends string = string> extends EvaluationSettings {
  /** Attributes that make groups: every pair is counted within each, and each has a score of its own. None unless given; SDNist takes `PUMA`. */
  group?: N | readonly N[];
  /** All pairs, or how many are drawn, each anew from all; all of fewer than 30 attributes, else 200, unless given. */
  pairs?: "all" | number;
  /** What pairs and subsamples are drawn from; 0 unless given. */
  seed?: string | number;
  /** Shares of the true rows to score too, or whether; those of the published reports unless given. */
  subsamples?: boolean | readonly number[];
  /** Whether scores lose what follows the point, as in the published reports. */
  truncate?: boolean;
}

/** Two tables of one schema, compared by codes. */
export interface TableScoreOptions<S extends Schema = Schema> extends KMarginalSettings<NameOf<S>> {
  truth: Table<S>;
  synthetic: Table<S>;
  /** Those of the file unless given. */
  attributes?: readonly NameOf<S>[];
}

/** Two files, compared by the values that they hold. */
export interface FileScoreOptions extends KMarginalSettings, FileOptions {
  truth: Source;
  synthetic: Source;
  /** Those that both files have, and the dictionary, unless given. */
  attributes?: readonly string[];
}

/** What a part of the true rows scores. */
export interface SubsampleScore {
  readonly share: number;
  readonly rows: number;
  readonly score: number;
}

const OPTIONS = ["truth", "synthetic", "attributes", "group", "pairs", "seed"];
const OWN = ["subsamples", "truncate"];
const SETTINGS = ["onProgress", "signal"];
const OF_FILES = ["dictionary", "bins", "delimiter"];

/** A k-marginal score and what it is made of. It compares with true data: *not private*. */
export class KMarginal {
  readonly private = false;
  /** From 0 to 1000. */
  readonly score: number;
  /** The attributes that make groups; none where pairs are counted in the whole table. */
  readonly group: readonly string[];
  /** Every pair, worst first. */
  readonly pairs: readonly PairScore[];
  /** The mean score of the pairs that an attribute is in. */
  readonly attributes: Readonly<Record<string, number>>;
  /** The groups that have true rows; none without group attributes. */
  readonly groups: readonly GroupScore[];
  readonly subsamples: readonly SubsampleScore[];

  /** @internal */
  constructor(parts: Pick<KMarginal, "score" | "group" | "pairs" | "attributes" | "groups" | "subsamples">) {
    this.score = parts.score;
    this.group = Object.freeze([...parts.group]);
    this.pairs = Object.freeze([...parts.pairs].sort((a, b) => b.distance - a.distance));
    this.attributes = Object.freeze(parts.attributes);
    this.groups = Object.freeze([...parts.groups]);
    this.subsamples = Object.freeze([...parts.subsamples]);
    Object.freeze(this);
  }

  /** The subsample whose score comes nearest: what the loss is worth in rows. */
  get equivalent(): SubsampleScore | undefined {
    const off = ({ score }: SubsampleScore) => Math.abs(score - this.score);
    return [...this.subsamples].sort((a, b) => off(a) - off(b))[0];
  }

  /** The score as a table. */
  toString(): string {
    const { equivalent } = this;
    const rows = this.subsamples.map(({ share, score }) => [
      `${percent(share)} of the rows`,
      fixed(score, 2),
    ]);
    const worst = this.pairs.slice(0, 5).map(({ attributes, distance }) => {
      return [listed(attributes), fixed(scoreOf(distance), 2)];
    });
    const parts = [
      `k-marginal ${fixed(this.score, 2)} of 1000, ${grouping(this.group)}, over ${this.pairs.length} pairs`,
      ...(equivalent ? [`nearest subsample: ${percent(equivalent.share)} of the true rows`, grid(rows)] : []),
      "worst pairs",
      grid(worst),
    ];
    return printed(parts.join("\n"));
  }
}

/**
 * The k-marginal score as SDNist 2 defines it: (2 − mean L1)·500 over pairs of attributes, of shares of the whole table.
 * Tables are compared by codes; files by their values, continuous ones in bins that follow from the true file.
 *
 * Drawn pairs follow from this package's seeds, not from numpy's `RandomState`: with 30 attributes or more, scores differ
 * from the published ones by the luck of the draw.
 */
export async function kMarginal<S extends Schema>(options: TableScoreOptions<S>): Promise<KMarginal>;
export async function kMarginal(options: FileScoreOptions): Promise<KMarginal>;
export async function kMarginal(options: TableScoreOptions | FileScoreOptions): Promise<KMarginal> {
  const meter = new Meter(options);
  return withScored(options, meter, (scored) => scoreTables(scored, options, meter), OWN);
}

/**
 * Runs on what is scored: the tables given, or those made of two files, which are disposed of after it. Each score has
 * options of its `own`.
 */
export async function withScored<T>(
  options: TableScoreOptions | FileScoreOptions,
  meter: Meter,
  run: (scored: Scored) => Promise<T>,
  own: readonly string[],
): Promise<T> {
  if (isTables(options)) {
    known(options, [...OPTIONS, ...own, ...SETTINGS], "a score of tables");
    return run(scoredTables(options));
  }
  known(options, [...OPTIONS, ...own, ...OF_FILES, ...SETTINGS], "a score of files");
  const { readFiles } = await import("./files.js");
  meter.begin("reading");
  const files = await readFiles(options, meter);
  try {
    return await run({ ...files, ...sides(files.names, options.group) });
  } finally {
    files.truth.dispose();
    files.synthetic.dispose();
  }
}

/** Whether tables are compared, rather than files. */
export function ofTables(options: { truth: unknown; synthetic: unknown }): boolean {
  const isTable = (value: unknown) => typeof (value as Partial<Table> | undefined)?.distinct === "function";
  const [truth, synthetic] = [isTable(options.truth), isTable(options.synthetic)];
  if (truth !== synthetic) throw invalid("`truth` and `synthetic` must both be tables, or both be files");
  return truth;
}

const isTables = (options: TableScoreOptions | FileScoreOptions): options is TableScoreOptions =>
  ofTables(options);

function scoredTables({ truth, synthetic, attributes, group }: TableScoreOptions): Scored {
  sameSchema([truth, synthetic]);
  const { schema } = truth;
  const names = attributes ?? Object.keys(schema.attributes);
  const labels = (name: string) => schema.labels(name);
  return { truth, synthetic, labels, ...sides(names, group) };
}

/** The attributes of the groups, and the others. */
export function sides(
  names: readonly string[],
  group: string | readonly string[] = [],
): Pick<Scored, "names" | "group"> {
  const groups = typeof group === "string" ? [group] : group;
  return { names: names.filter((name) => !groups.includes(name)), group: groups };
}

/** The score of tables of one kind of codes, its parts and its subsamples. */
export async function scoreTables(
  scored: Scored,
  options: KMarginalSettings,
  meter: Meter,
): Promise<KMarginal> {
  const { seed = 0, subsamples = true, truncate = false } = options;
  const pairs = choosePairs(scored.names, options.pairs, seed);
  const shares = subsamples === true ? SHARES : subsamples === false ? [] : subsamples;
  meter.expect(workOfDistances(pairs, scored.group) * (1 + shares.length));
  meter.begin("k-marginal");
  const { mean, pairs: found, groups } = await distances(scored, pairs, meter);
  const rounded = truncate ? Math.trunc : (of: number) => of;
  meter.begin("k-marginal of subsamples");
  const parts = await scoresOfSubsamples(scored, pairs, shares, { seed, meter });
  return new KMarginal({
    score: rounded(scoreOf(mean)),
    group: scored.group,
    pairs: found,
    attributes: scoresByAttribute(found),
    groups: groups.map((group) => ({ ...group, score: rounded(group.score) })),
    subsamples: parts.map((part) => ({ ...part, score: rounded(part.score) })),
  });
}

async function scoresOfSubsamples(
  scored: Scored,
  pairs: Pairs,
  shares: readonly number[],
  { seed, meter }: { seed: string | number; meter: Meter },
): Promise<SubsampleScore[]> {
  if (shares.length === 0) return [];
  const names = [...scored.group, ...scored.names];
  const coded = await codedColumns(scored.truth, names, meter);
  const found: SubsampleScore[] = [];
  for (const share of shares) found.push(await subsampled(scored, coded, pairs, share, { seed, meter }));
  return found;
}

/** One share of the true rows at a time, so that memory does not grow with the number of shares. */
async function subsampled(
  scored: Scored,
  coded: CodedColumns,
  pairs: Pairs,
  share: number,
  { seed, meter }: { seed: string | number; meter: Meter },
): Promise<SubsampleScore> {
  const rows = await sampledRows(coded.rows, share, { seed, meter });
  using synthetic = await tableOfCodes(coded, schemaOfCodes(coded), meter, rows);
  const { mean } = await distances({ ...scored, synthetic }, pairs, meter);
  return { share, rows: rows.length, score: scoreOf(mean) };
}
