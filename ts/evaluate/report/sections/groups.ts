import { type LevelCharges, levelName, levelsOf } from "../charges.js";
import { bars } from "../charts/bars.js";
import { dots } from "../charts/dots.js";
import { spread } from "../charts/spread.js";
import type { GroupPart, GroupsPart, TrueGroupPart } from "../input.js";
import { type Markup, markup } from "../markup.js";
import { largest, mean } from "../most.js";
import { type Figure, figures, type Section } from "../page.js";
import { table } from "../tables.js";
import { trustInWords } from "../trust.js";
import { count, figure, fixed, percent, valueName } from "../words.js";
import { NINETY } from "./forecast.js";

/** More groups are drawn without their names. */
const NAMED = 24;
const MANY =
  " Far from zero each line is ten times the one below it. The table has the names of some, the records those of all.";

/** How many records groups have, how well that is known, and how their estimation ended. */
export function groups(release: GroupsPart): Section {
  const levels = levelsOf(release.plan).map((level, at) => ({
    ...level,
    own: release.groups.filter((group) => group.level === at),
  }));
  return {
    id: "groups",
    heading: "The groups, level by level",
    body: [
      inWords(release),
      figures(levels.map(totals)),
      figures([errors(levels)]),
      trusted(release, levels),
      statuses(levels),
    ],
  };
}

interface Level extends LevelCharges {
  readonly own: readonly GroupPart[];
}

function inWords({ plan, groups: all, total }: GroupsPart): Markup {
  const early = all.filter(({ status }) => status !== "converged").length;
  const ended =
    early === 0
      ? "All estimates converged."
      : `${count(early, "estimate")} ended before its tolerance: the table at the end of this part says on which level.`;
  return markup`<p>${count(all.length, "group")} on ${count(plan.levels.length, "level")}, and ${figure(Math.round(total))} records in the finest ones. Groups are those that the schema declares, whether or not anybody is in them; noise may give some records to a group without anybody, or take some from it below zero. ${ended}</p>`;
}

/** Largest first; what did not come to its end before all others, for the table has room for so many. */
const ordered = (own: readonly GroupPart[]): GroupPart[] =>
  largest(
    largest(own, ({ records }) => records),
    ({ status }) => (status === "converged" ? 0 : 1),
  );

const nameOf = ({ labels }: { labels: readonly (string | null)[] }): string =>
  labels.length === 0 ? "all records" : labels.map(valueName).join(" × ");

function interval(group: Pick<GroupPart, "records" | "standardError">) {
  const reach = NINETY * group.standardError;
  return { value: group.records, low: group.records - reach, high: group.records + reach };
}

/** How many records the groups of one level have. */
function totals(level: Level): Figure {
  const name = levelName(level);
  const sorted = largest(level.own, ({ records }) => records);
  const heading = `Records of each ${name}`;
  return {
    heading,
    large: sorted.length > NAMED,
    note: `Largest first, with 90 % intervals.${sorted.length > NAMED ? MANY : ""}`,
    chart: drawn(`${heading}, with 90 % intervals, largest first`, sorted, interval),
    table: table(
      `${heading}, largest first`,
      [
        { head: "group", text: nameOf },
        { head: "records", text: ({ records }: GroupPart) => fixed(records, 0), number: true },
        { head: "± standard error", text: ({ standardError }) => figure(standardError), number: true },
        { head: "estimate", text: ({ status }) => STATUS[status] ?? status },
        { head: "nats from its prior", text: (group) => figure(group.relativeEntropy), number: true },
      ],
      ordered(level.own),
    ),
  };
}

const STATUS: Readonly<Record<string, string>> = {
  converged: "converged",
  limit: "ended at the limit of its passes",
  refused: "far from its optimum",
};

interface Interval {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Groups by name where there is room, otherwise beside each other. */
function drawn<G extends { readonly labels: readonly (string | null)[] }>(
  about: string,
  rows: readonly G[],
  of: (group: G) => Interval,
): Markup {
  if (rows.length > NAMED) return spread(about, rows.map(of));
  const named = rows.map((group) => {
    const { value, low, high } = of(group);
    const words = `${fixed(value, 0)} ± ${fixed((high - low) / 2, 0)}`;
    return { label: nameOf(group), value, low, high, words };
  });
  return dots(about, named);
}

const meanError = (own: readonly GroupPart[]): number => mean(own.map(({ standardError }) => standardError));

/** How well numbers of records are known: by counting alone, and once all answers are weighed together. */
function errors(levels: readonly Level[]): Figure {
  const alone = ({ counts }: Level) => (counts ? Math.sqrt(counts.variance) : undefined);
  const part = ({ own }: Level) => {
    const size = mean(own.map(({ records }) => Math.max(0, records)));
    return size > 0 ? meanError(own) / size : 0;
  };
  return {
    heading: "How well the numbers of records are known",
    note: "Bar: the standard error of the number of records of a group, on average over the groups of a level. Upright line: the noise of its count alone. A bar shorter than its line is what the other answers and the other levels add. Percentages are of the mean group.",
    chart: bars(
      "The mean standard error of numbers of records on each level, beside the noise of their counts alone",
      levels.map((level) => {
        const [value, tick] = [meanError(level.own), alone(level)];
        const words = `± ${figure(value)} or ${percent(part(level))}`;
        return {
          label: `each ${levelName(level)}`,
          bars: [{ series: "plain" as const, value, words }],
          ...(tick !== undefined && { tick: { value: tick, words: `± ${figure(tick)}` } }),
        };
      }),
    ),
    table: table(
      "Errors of numbers of records, level by level",
      [
        { head: "each", text: levelName },
        { head: "groups", text: ({ own }: Level) => figure(own.length), number: true },
        { head: "mean standard error", text: ({ own }) => figure(meanError(own)), number: true },
        { head: "of the mean group", text: (level) => percent(part(level)), number: true },
        {
          head: "count alone",
          text: (level) => (alone(level) === undefined ? "not asked" : `± ${figure(alone(level) as number)}`),
          number: true,
        },
      ],
      levels,
    ),
  };
}

/** How far what a group lies within, or the public table, was trusted for the group. */
function trusted({ plan, trust }: GroupsPart, levels: readonly Level[]): Markup {
  const iterative = plan.estimate?.estimator === "iterative";
  const words = (at: number) =>
    trustInWords(trust?.[at], { level: plan.levels[at] ?? {}, iterative }).replace(/^./, (one) =>
      one.toUpperCase(),
    );
  const rows = levels.map((level, at) => ({ name: levelName(level), words: words(at) }));
  const all = table(
    "Priors of each level by what its answers said of them",
    [
      { head: "each", text: ({ name }: (typeof rows)[number]) => name },
      { head: "priors", text: ({ words: own }) => own },
    ],
    rows,
  );
  return markup`<h3>How far priors were trusted</h3><p>The prior of a group is what it lies within, moved to what public counts say of it; of the coarsest groups it is the public table. All groups of a level together show whether such priors agree with the answers, and where they do not, the priors count for less.</p>${all}`;
}

/** How the estimation of groups ended. */
function statuses(levels: readonly Level[]): Markup {
  const ended = (status: string) => ({
    head: STATUS[status] ?? status,
    text: ({ own }: Level) => figure(own.filter((group) => group.status === status).length),
    number: true,
  });
  const gap = ({ own }: Level) => Math.max(0, ...own.map(({ relativeGap }) => relativeGap));
  const all = table(
    "Groups of each level by the end of their estimation",
    [
      { head: "each", text: levelName },
      ended("converged"),
      ended("limit"),
      ended("refused"),
      { head: "worst gap to the optimum", text: (level) => percent(gap(level)), number: true },
    ],
    levels,
  );
  return markup`<h3>How the estimates ended</h3>${all}`;
}

/** The numbers of records beside the true ones. */
export function groupErrors(
  { plan, groups: all }: GroupsPart,
  truth: readonly (readonly TrueGroupPart[])[],
): Section {
  const shown = plan.levels.map(({ by }, at) => {
    const known = new Map((truth[at] ?? []).map(({ labels, records }) => [JSON.stringify(labels), records]));
    const own = all.filter(({ level }) => level === at);
    return beside(
      levelName({ by }),
      own.map((group) => ({ ...group, truth: known.get(JSON.stringify(group.labels)) ?? 0 })),
    );
  });
  return {
    id: "totals",
    heading: "Errors of the numbers of records",
    body: [figures(shown)],
    internal: true,
  };
}

type Known = GroupPart & { readonly truth: number };

function beside(name: string, own: readonly Known[]): Figure {
  const sorted = largest(own, ({ truth }) => truth);
  const off = ({ records, truth, standardError }: Known) =>
    interval({ records: records - truth, standardError });
  const held = own.filter((group) => off(group).low <= 0 && off(group).high >= 0).length;
  const heading = `Released minus true records of each ${name}`;
  return {
    heading,
    large: sorted.length > NAMED,
    internal: true,
    note: `The group with the most true records first. ${figure(held)} of ${figure(own.length)} intervals hold zero; of 90 % intervals about nine in ten should.${sorted.length > NAMED ? MANY : ""}`,
    chart: drawn(`${heading}, with 90 % intervals`, sorted, off),
    table: table(
      `${heading}: the most wrong ones first`,
      [
        { head: "group", text: nameOf },
        { head: "true records", text: ({ truth }: Known) => figure(truth), number: true },
        { head: "released", text: ({ records }) => fixed(records, 0), number: true },
        { head: "± standard error", text: ({ standardError }) => figure(standardError), number: true },
        { head: "off by", text: ({ records, truth }) => fixed(records - truth, 0), number: true },
      ],
      largest(own, ({ records, truth }) => Math.abs(records - truth)),
    ),
  };
}
