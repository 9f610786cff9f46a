import { noise } from "../charges.js";
import { bars } from "../charts/bars.js";
import type { ModelPart, RoundPart, RoundsPlanPart } from "../input.js";
import { type Markup, markup } from "../markup.js";
import { MOST } from "../most.js";
import { type Figure, figures, type Section } from "../page.js";
import { table } from "../tables.js";
import { count, crossed, equals, figure, percent } from "../words.js";

type Plan = RoundsPlanPart;

/** What was chosen when: each round with what it measured, at which noise, and how much the release changed there. */
export function rounds({ plan, measurements }: ModelPart<Plan>, made: readonly RoundPart[]): Section {
  const lines = made.map((one, i): Line => {
    const round = plan.rounds.find((planned) => planned.round === one.round);
    const { error, misfit } = measurements[i] ?? { error: 0, misfit: 0 };
    const law = round ? round.measure : (plan.start[i] ?? { law: "", scale: "0" });
    return { ...one, error, misfit, how: noise(law) };
  });
  return {
    id: "rounds",
    heading: "The rounds: what was chosen when",
    body: [inWords(plan, made), figures([chart(lines)])],
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
    note: `In order. Bar: ${isBeside ? CHANGED : MISSED}.${left > 0 ? ` ${count(left, "more")} in the table.` : ""}`,
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
