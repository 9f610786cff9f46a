import { invalid } from "../options.js";
import { printed } from "../print.js";
import { grouping } from "../tables/grouping.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { workload } from "../tables/workload.js";
import { apartByGroup, type Cells } from "./cells.js";
import { eachClique } from "./counts.js";
import { type Group, groupsOf } from "./groups.js";
import { type Scored, scoreOf } from "./kmarginal.js";
import { Meter } from "./meter.js";
import { drawnPairs, everyPair, type Pairs } from "./pairs.js";
import { type FileScoreOptions, ofTables, type TableScoreOptions, withScored } from "./score.js";
import { fixed, grid, listed } from "./text.js";

const DRAWN = 50;
const PENALTY = 250;

const steps = (from: number, to: number, by: number): number[] => [
  Number.NEGATIVE_INFINITY,
  ...Array.from({ length: (to - from) / by + 1 }, (_, i) => from + i * by),
  Number.POSITIVE_INFINITY,
];
const quarters = [
  Number.NEGATIVE_INFINITY,
  ...Array.from({ length: 96 }, (_, i) => 100 * Math.floor(i / 4) + 15 * (i % 4)),
  Number.POSITIVE_INFINITY,
];
const incomes = ["INCTOT", "INCWAGE", "INCWELFR", "INCINVST", "INCEARN"];

/** The edges by which the contest binned its columns of numbers. */
export const CONTEST_BINS: Readonly<Record<string, readonly number[]>> = Object.freeze({
  AGE: steps(20, 100, 5),
  ...Object.fromEntries(incomes.map((name) => [name, steps(0, 100_000, 5000)])),
  ...Object.fromEntries(["POVERTY", "HHWT", "PERWT"].map((name) => [name, steps(0, 500, 20)])),
  DEPARTS: quarters,
  ARRIVES: quarters,
});

interface ContestSettings {
  /** A group whose number of rows is off by this much or more scores 0; 250 unless given, none with `false`. */
  penalty?: number | false;
}

type Shared = "subsamples" | "truncate";

/** The contest's score of two tables of one schema; `group` must be given. */
export type TableContestOptions<S extends Schema = Schema> = Omit<TableScoreOptions<S>, Shared> &
  ContestSettings;

/** The contest's score of two files, in the contest's bins unless others are given; `group` must be given. */
export type FileContestOptions = Omit<FileScoreOptions, Shared> & ContestSettings;

/** How well one group is met, by the contest's rules. */
export interface ContestGroup {
  readonly group: readonly (string | null)[];
  /** Rows of the group, or their weights. */
  readonly truth: number;
  readonly synthetic: number;
  /** The mean over the pairs of the L1 distance of shares within the group, from 0 to 2. */
  readonly distance: number;
  /** Whether the number of rows is off by so much that the group scores 0. */
  readonly penalised: boolean;
  readonly score: number;
}

/** The contest's score and what it is made of. It compares with true data: *not private*. */
export class ContestScore {
  readonly private = false;
  /** From 0 to 1000: the mean of the groups' scores. */
  readonly score: number;
  /** The attributes that make groups. */
  readonly group: readonly string[];
  /** Worst first. */
  readonly groups: readonly ContestGroup[];

  /** @internal */
  constructor(group: readonly string[], groups: readonly ContestGroup[]) {
    this.group = Object.freeze([...group]);
    this.groups = Object.freeze([...groups].sort((a, b) => a.score - b.score));
    const sum = groups.reduce((all, group) => all + group.score, 0);
    this.score = groups.length === 0 ? scoreOf(0) : sum / groups.length;
    Object.freeze(this);
  }

  /** The score as a table. */
  toString(): string {
    const penalised = this.groups.filter((group) => group.penalised).length;
    const worst = this.groups.slice(0, 5).map(({ group, score }) => [listed(group), fixed(score, 2)]);
    const head = `contest score ${fixed(this.score, 2)} of 1000, ${grouping(this.group)}: ${this.groups.length} groups, ${penalised} penalised`;
    return printed([head, "worst groups", grid(worst)].join("\n"));
  }
}

/**
 * The score of the temporal map contest's second sprint: pairs are counted within each group and compared as shares
 * of it. A group that only one table has scores 0, and so does one whose number of rows is far off. Groups count alike.
 *
 * The 50 pairs are drawn by this package's seeds, not by numpy's `RandomState`.
 */
export async function contestScore<S extends Schema>(options: TableContestOptions<S>): Promise<ContestScore>;
export async function contestScore(options: FileContestOptions): Promise<ContestScore>;
export async function contestScore(options: TableContestOptions | FileContestOptions): Promise<ContestScore> {
  const { penalty = PENALTY } = options;
  if (penalty !== false && !(penalty > 0)) throw invalid("`penalty` must be a number above 0, or false");
  const meter = new Meter(options);
  const binned = ofTables(options) || "bins" in options ? options : { ...options, bins: CONTEST_BINS };
  return withScored(binned, meter, (scored) => score(scored, options, penalty, meter), ["penalty"]);
}

async function score(
  scored: Scored,
  { pairs = DRAWN, seed = 0 }: TableContestOptions | FileContestOptions,
  penalty: number | false,
  meter: Meter,
): Promise<ContestScore> {
  const { names, group, labels, truth, synthetic } = scored;
  if (group.length === 0)
    throw invalid("the contest's score needs a `group`: the attributes that make groups");
  const chosen = pairs === "all" ? everyPair(names) : drawnPairs(names, pairs, seed);
  meter.expect(2 * (chosen.pairs.length + 1));
  meter.begin("contest");
  const groups = await groupsOf([truth, synthetic], group, labels, meter);
  const sums = await distances(scored, chosen, groups, meter);
  const found = [...groups].map(([place, of]): ContestGroup => {
    const penalised = penalty !== false && Math.abs(of.truth - of.synthetic) >= penalty;
    const distance = (sums.get(place) ?? 0) / chosen.drawn;
    const sizes = { truth: of.truth, synthetic: of.synthetic };
    return { group: of.key, ...sizes, distance, penalised, score: scoreOf(penalised ? 2 : distance) };
  });
  return new ContestScore(group, found);
}

/** The sum over the pairs of each group's distance, by the place of the group. */
async function distances(
  { truth, synthetic, group }: Scored,
  { pairs, times }: Pairs,
  groups: ReadonlyMap<number, Group>,
  meter: Meter,
): Promise<Map<number, number>> {
  const { schema } = truth;
  const list = workload(
    schema,
    pairs.map((pair) => [...group, ...pair] as NameOf<Schema>[]),
  );
  const sums = new Map<number, number>();
  await eachClique([truth, synthetic], list, meter, (i, [a, b]) => {
    const [first, second] = pairs[i] as readonly [string, string];
    const inside = schema.size(first) * schema.size(second);
    for (const [place, distance] of within(a as Cells, b as Cells, inside, groups))
      sums.set(place, (sums.get(place) ?? 0) + (times[i] as number) * distance);
  });
  return sums;
}

/** The distance of shares within each group: Σ|x·n′ − y·n| / (n·n′); 2 where one table has no such row. */
function within(a: Cells, b: Cells, inside: number, groups: ReadonlyMap<number, Group>): Map<number, number> {
  const parts = apartByGroup(a, b, inside, (of) => {
    const { truth, synthetic } = groups.get(of) as Group;
    return [truth, synthetic];
  });
  for (const [of, part] of parts) {
    const { truth, synthetic } = groups.get(of) as Group;
    parts.set(of, truth === 0 || synthetic === 0 ? 2 : part / (truth * synthetic));
  }
  return parts;
}
