import { grouping } from "../../../tables/grouping.js";
import { startInWords } from "../../../tables/start.js";
import { type BarRow, bars } from "../charts/bars.js";
import type { CandidatePart, PlanPart, ReleasePart, SplitPart, StartPart } from "../input.js";
import { bdi, markup } from "../markup.js";
import { MOST } from "../most.js";
import { type Figure, figures, type Section } from "../page.js";
import { table } from "../tables.js";
import { count, figure, fixed, percent } from "../words.js";

/** A way to spend the budget, with what was expected of it. */
interface Way {
  readonly label: string;
  readonly chosen: boolean;
  readonly untouched: boolean;
  readonly lost: number;
  readonly error?: number;
}

/** 1.645 standard errors to both sides: 90 % of a normal law. */
export const NINETY = 1.6448536269514722;

/** Why it was measured as it was: the public start, the reasons, and the candidates with their simulated scores, if any. */
export function planned({ plan }: ReleasePart): Section {
  const reasons = markup`<ul>${plan.reasons.map((reason) => markup`<li>${bdi(reason)}</li>`)}</ul>`;
  const drawn = forecasts(plan).map(expected);
  return {
    id: "plan",
    heading: "The plan, and what was expected of it",
    body: [prior(plan), reasons, ...(drawn.length > 0 ? [figures(drawn)] : [])],
  };
}

/** What was simulated to choose between ways. */
interface Forecast {
  readonly heading: string;
  readonly about: string;
  /** What the ways are of, as the head of their column. */
  readonly head: string;
  readonly ways: readonly Way[];
}

function forecasts({ forecast, split, levels, group }: PlanPart): Forecast[] {
  const own = levels
    ? { heading: OF_GROUP, about: COARSEST }
    : { heading: `Expected loss of each way to spend the budget${scored(group)}`, about: "" };
  return [
    ...(split ? [divided(split, scored(group))] : []),
    ...(forecast ? [{ ...own, head: "what is measured", ways: waysOf(forecast, nameOf, TABLE) }] : []),
  ];
}

/** How a forecast counts; plans of earlier versions do not say it. */
const scored = (group: readonly string[] | undefined): string =>
  group === undefined ? "" : `: k-marginal, ${grouping(group)}`;

const OF_GROUP = "Expected loss of each way to spend the budget of the coarsest level";
const TABLE = "nothing: the public table as it is";
const COARSEST = " It is about one group of the coarsest level, within which pairs are not grouped further.";

/** Ways to divide the budget among levels of groups. */
function divided(split: SplitPart, how: string): Forecast {
  const parts = ({ levels }: SplitPart["candidates"][number]) =>
    levels.map(({ count: counts, share }) => `${percent(counts)} + ${percent(share)}`).join(", ");
  return {
    heading: `Expected loss of each way to divide the budget among levels${how}`,
    about: " Of each level, from the coarsest, the part for numbers of records and that for marginals.",
    head: "parts of the levels",
    ways: waysOf(split, parts, "nothing: public groups as they are"),
  };
}

function expected({ heading, about, head, ways }: Forecast): Figure {
  const shown = ways.slice(0, MOST);
  return {
    heading,
    note: `Points lost of 1000 over pairs of attributes: shorter is better. Simulated on public data alone, so rough: it chooses, it does not promise.${about}${ways.length > MOST ? ` ${ways.length - MOST} more, which are worse, stand in the table.` : ""}`,
    chart: bars(
      "Points that are expected to be lost by each way to spend the budget: the chosen one, none, then the others, best first",
      shown.map(barOf),
    ),
    table: table(
      "All candidates: the chosen one, none, then the others, best first",
      [
        { head, text: ({ label, chosen }: Way) => (chosen ? `${label} (chosen)` : label) },
        { head: "points lost", text: ({ lost }) => fixed(lost, 1), number: true },
        {
          head: "± standard error",
          text: ({ error }) => (error === undefined ? "–" : fixed(error, 1)),
          number: true,
        },
      ],
      ways,
    ),
  };
}

function prior({ prior: start, expectedRows }: StartPart) {
  const expects = `The plan was made without reading a private row; it expects ${figure(Math.round(expectedRows))}.`;
  if (start === undefined) return markup`<p>The release starts from no public table. ${expects}</p>`;
  const { name, declaredPublicBy, hash, strength, widen, pool } = start;
  const by =
    declaredPublicBy === undefined ? undefined : markup`, declared public by <bdi>${declaredPublicBy}</bdi>`;
  const wider =
    widen &&
    markup` Widening drew ${count(widen.rows, "row")} from a public network, for ${percent(widen.share)} of the weight.`;
  const shared =
    pool &&
    markup` Groups of <bdi>${pool.group}</bdi> lend each other rows (${percent(pool.alpha)} of the weight).`;
  return markup`<p>The release starts from a public table, <bdi>${name ?? "without a name"}</bdi>${by}: ${startInWords(start, figure)}; worth ${figure(strength)} records.${wider}${shared} Nothing of that table is protected. ${expects}</p><p class="soft">SHA-256 of the public table: ${hash}</p>`;
}

function waysOf<C extends Scored>(
  { chosen, untouched, candidates }: { chosen: number; untouched: Scored; candidates: readonly C[] },
  nameOf: (candidate: C) => string,
  none: string,
): Way[] {
  const way = (label: string, { score, standardError }: Scored, at: number): Way => ({
    label,
    chosen: at === chosen,
    untouched: at < 0,
    lost: 1000 - score,
    ...(standardError === undefined ? {} : { error: standardError }),
  });
  const all = [
    way(none, untouched, -1),
    ...candidates.map((candidate, i) => way(nameOf(candidate), candidate, i)),
  ];
  // What was chosen and what it must beat come first, whatever their scores.
  return all.sort((a, b) => rank(a) - rank(b) || a.lost - b.lost);
}

const rank = ({ chosen, untouched }: Way): number => (chosen ? 0 : untouched ? 1 : 2);

type Scored = Pick<CandidatePart, "score" | "standardError">;

function nameOf({ family, pairs, exponent, cliques }: CandidatePart): string {
  const names: Readonly<Record<string, string>> = {
    "one-ways": "each attribute",
    tree: `tree of ${figure(pairs ?? cliques.length)} cheap pairs, the rest alone`,
    top: `${figure(pairs ?? cliques.length)} most informative pairs`,
    "all pairs": "all pairs",
    "group pairs": "all pairs with the group",
    given: "the marginals asked for",
  };
  const what = names[family] ?? family;
  return exponent === 0 ? `${what}, equal shares` : `${what}, shares as cells^${exponent}`;
}

function barOf({ label, chosen, lost, error }: Way): BarRow {
  const interval =
    error === undefined ? {} : { low: Math.max(0, lost - NINETY * error), high: lost + NINETY * error };
  const words = `${fixed(lost, 1)}${chosen ? " ← chosen" : ""}`;
  const series = chosen ? ("plain" as const) : ("public" as const);
  return { label, bars: [{ series, value: lost, ...interval, words }] };
}
