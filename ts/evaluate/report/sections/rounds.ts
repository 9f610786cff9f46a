import { noise } from "../charges.js";
import { arcs, MOST_ROWS } from "../charts/arcs.js";
import { bars } from "../charts/bars.js";
import type { ModelPart, RoundPart, RoundsPlanPart } from "../input.js";
import { type Markup, markup } from "../markup.js";
import { largest, MOST } from "../most.js";
import { type Figure, figures, type Section } from "../page.js";
import { table } from "../tables.js";
import { count, crossed, equals, figure, percent } from "../words.js";

type Plan = RoundsPlanPart;

/** What was chosen when: each round with what it measured, at which noise, and how much the release changed there. */
export function rounds(release: ModelPart<Plan>, made: readonly RoundPart[]): Section {
  const { plan, measurements, estimate } = release;
  const lines = made.map((one, i): Line => {
    const round = plan.rounds.find((planned) => planned.round === one.round);
    const { error, misfit } = measurements[i] ?? { error: 0, misfit: 0 };
    const law = round ? round.measure : (plan.start[i] ?? { law: "", scale: "0" });
    return { ...one, error, misfit, how: noise(law) };
  });
  return {
    id: "rounds",
    heading: "The rounds: what was chosen when",
    body: [
      inWords(plan, made),
      figures([chart(lines), ...(estimate.estimator === "graphical" ? dependence(plan, lines) : [])]),
    ],
  };
}

interface Line extends RoundPart {
  /** The noise in each value and what the model misses, in records. */
  readonly error: number;
  readonly misfit: number;
  readonly how: string;
}

function inWords({ rounds: planned, start, prior }: Plan, made: readonly RoundPart[]): Markup {
  const [first] = planned;
  const begun = made.filter(({ round }) => round === 0).length;
  const lost = planned.length - (made.length - begun);
  const before =
    start.length === 0
      ? prior
        ? "Nothing was measured before the first one: it chose by the public table as it is."
        : "Nothing was measured before the first one."
      : `${count(begun, "marginal")} came before the first one.`;
  const unseen =
    lost > 0
      ? ` ${count(lost, "round")} measured nothing, because a charge was paid and its values were lost.`
      : undefined;
  return markup`<p>${count(planned.length, "round")} chose what to measure, each among ${figure(first?.select.among ?? 0)} marginals, by where the model was farthest from the private counts for the noise that an answer has. ${before} Of a round only its choice and the noisy answers are known: not how far off the model was. A choice was made by ${first?.select.mechanism ?? "nothing"} with ε ${equals(first?.select.epsilon ?? "0")}, so it may miss the best one.${unseen}</p>`;
}

const CHANGED =
  "in how many of the rows the synthetic table differs from the public one in these attributes; after it, the noise in each count of the answer, in records. Part of what differs is chance: of the records, and of the noise";
const MISSED =
  "how far the model is from the answers, in records per cell (root mean square); after it, the noise in each";

function chart(lines: readonly Line[]): Figure {
  const name = ({ round, clique }: Line) =>
    round === 0 ? `before: ${crossed(clique)}` : `${round}: ${crossed(clique)}`;
  const isBeside = lines.some(({ variation }) => variation !== undefined);
  const drawn = lines.slice(0, 2 * MOST).map((line) => {
    const { variation = 0, error, misfit } = line;
    const words = `${isBeside ? percent(variation) : figure(misfit)}, noise ± ${figure(error)}`;
    const value = isBeside ? variation : misfit;
    return { label: name(line), bars: [{ series: "plain" as const, value, words }] };
  });
  const changed = ({ variation = 0 }: Line) => percent(variation);
  const left = lines.length - drawn.length;
  return {
    heading: isBeside
      ? "What each round measured, and how much the release changed there"
      : "What each round measured, and what the model misses of it",
    note: `In order. Bar: ${isBeside ? CHANGED : MISSED}.${left > 0 ? ` ${count(left, "more", "more")} in the table.` : ""}`,
    chart: bars(
      `${isBeside ? "How much the release changed in" : "What the model misses of"} what each round measured, in the order of rounds`,
      drawn,
    ),
    table: table(
      "The rounds, in order",
      [
        { head: "round", text: name },
        { head: "cells", text: ({ cells }: Line) => figure(cells), number: true },
        { head: "noise", text: ({ how }) => how },
        { head: "± of each count", text: ({ error }) => figure(error), number: true },
        { head: "missed by the model", text: ({ misfit }) => figure(misfit), number: true },
        ...(isBeside ? [{ head: "differs from the public table", text: changed, number: true }] : []),
      ],
      lines,
    ),
  };
}

/** What was measured together, and what its rounds got of the budget. */
interface Together {
  readonly names: readonly string[];
  readonly rounds: readonly number[];
  /** For choosing and measuring, as a part of all. */
  readonly share: number;
}

/** What the model knows to depend on each other: what rounds measured together. Nothing where that is nothing. */
function dependence({ rounds: planned }: Plan, lines: readonly Line[]): Figure[] {
  const all = new Map<string, Together>();
  for (const { round, clique } of lines.filter((line) => line.clique.length > 1)) {
    const spent = planned.find((one) => one.round === round);
    const id = [...clique].sort().join("\n");
    const { rounds: before = [], share = 0 } = all.get(id) ?? {};
    const got = spent ? spent.select.share + spent.measure.share : 0;
    all.set(id, { names: clique, rounds: [...before, round], share: share + got });
  }
  if (all.size === 0) return [];
  const names = [...new Set(lines.flatMap(({ clique }) => clique))];
  const sorted = largest([...all.values()], ({ share }) => share);
  const most = Math.max(...sorted.map(({ share }) => share));
  const links = sorted.map(({ names: joined, share }) => ({
    names: joined,
    weight: most > 0 ? share / most : 0,
  }));
  const hidden = names.length - MOST_ROWS;
  return [
    {
      heading: "What depends on what in the model",
      note: `Arcs join attributes that were measured together, the thicker the more of the budget their rounds got. Where no way leads from one to another, the model takes the two as independent; where it leads over others, as far as these say it.${hidden > 0 ? ` ${count(hidden, "attribute")} more in the table.` : ""}`,
      chart: arcs(`Which of ${count(names.length, "attribute")} were measured together`, links, names),
      table: table(
        "What was measured together, most of the budget first",
        [
          { head: "attributes", text: ({ names: joined }: Together) => crossed(joined) },
          { head: "rounds", text: ({ rounds: of }) => of.join(", ") },
          { head: "of the budget", text: ({ share }) => percent(share), number: true },
        ],
        sorted,
      ),
    },
  ];
}
