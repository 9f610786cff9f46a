import { noise } from "../charges.js";
import { bars } from "../charts/bars.js";
import type { ModelPart, RoundPart, RoundsPlanPart } from "../input.js";
import { type Markup, markup } from "../markup.js";
import { MOST } from "../most.js";
import { type Figure, figures, type Section } from "../page.js";
import { table } from "../tables.js";
import { count, crossed, equals, figure, percent } from "../words.js";

type Plan = RoundsPlanPart;

/** What was chosen when: each round with what it measured, at which noise, and what became of it. */
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

function inWords({ rounds: planned, start }: Plan, made: readonly RoundPart[]): Markup {
  const [first] = planned;
  const begun = made.filter(({ round }) => round === 0).length;
  const lost = planned.length - (made.length - begun);
  const before =
    start.length === 0
      ? "Nothing was measured before the first one: it chose by the public table as it is."
      : `${count(begun, "marginal")} came before the first one.`;
  const unseen =
    lost > 0
      ? ` ${count(lost, "round")} measured nothing, because a charge was paid and its values were lost.`
      : undefined;
  return markup`<p>${count(planned.length, "round")} chose what to measure, each among ${figure(first?.select.among ?? 0)} marginals, by where the model was farthest from the private counts for the noise that an answer has. ${before} Of a round only its choice and the noisy answers are known: not how far off the model was. A choice was made by ${first?.select.mechanism ?? "nothing"} with ε ${equals(first?.select.epsilon ?? "0")}, so it may miss the best one.${unseen}</p>`;
}

function chart(lines: readonly Line[]): Figure {
  const name = ({ round, clique }: Line) =>
    round === 0 ? `before: ${crossed(clique)}` : `${round}: ${crossed(clique)}`;
  const drawn = lines.slice(0, 2 * MOST).map((line) => {
    const words = `${percent(line.variation)}, noise ± ${figure(line.error)}`;
    return { label: name(line), bars: [{ series: "plain" as const, value: line.variation, words }] };
  });
  const left = lines.length - drawn.length;
  return {
    heading: "What each round measured, and how much the release changed there",
    note: `In order. Bar: in how many of the rows the synthetic table differs from the public one in these attributes; after it, the noise in each count of the answer, in records. Part of what differs is chance: of the records, and of the noise.${left > 0 ? ` ${count(left, "more")} in the table.` : ""}`,
    chart: bars("How much the release changed in what each round measured, in the order of rounds", drawn),
    table: table(
      "The rounds, in order",
      [
        { head: "round", text: name },
        { head: "cells", text: ({ cells }: Line) => figure(cells), number: true },
        { head: "noise", text: ({ how }) => how },
        { head: "± of each count", text: ({ error }) => figure(error), number: true },
        { head: "missed by the model", text: ({ misfit }) => figure(misfit), number: true },
        { head: "differs from the public table", text: ({ variation }) => percent(variation), number: true },
      ],
      lines,
    ),
  };
}
