import { heat, MOST_ATTRIBUTES, type PairValue } from "../charts/heat.js";
import { largest, mean } from "../most.js";
import { type Figure, figures, type Section } from "../page.js";
import { table } from "../tables.js";
import { crossed, figure, fixed, percent } from "../words.js";

/** Where pairs are counted. */
const within = (group: readonly string[]): string =>
  group.length === 0
    ? " Not grouped."
    : ` Grouped by ${crossed(group)}: pairs are counted within each group.`;

const value = (pair: PairValue) => pair.value;

function figureOf(
  pairs: readonly PairValue[],
  words: { heading: string; note: string; internal: boolean },
): Figure {
  const sorted = largest(pairs, value);
  const attributes = new Set(pairs.flatMap((pair) => pair.attributes)).size;
  const left =
    attributes > MOST_ATTRIBUTES ? ` Shown are the ${MOST_ATTRIBUTES} attributes that differ most.` : "";
  return {
    ...words,
    large: true,
    note: `${words.note} Numbers are percent of the rows; darker is more. The mean over these ${figure(pairs.length)} pairs is ${percent(mean(pairs.map(value)))}.${left}`,
    chart: heat(`${words.heading}: a triangle with a number for each pair`, pairs, (one) =>
      fixed(100 * one, 1),
    ),
    table: table(
      "Pairs of attributes, the most different first",
      [
        { head: "pair", text: ({ attributes: pair }: PairValue) => crossed(pair) },
        { head: "differs by", text: (pair) => percent(pair.value), number: true },
      ],
      sorted,
    ),
  };
}

/** What the release changed: the synthetic table beside the public one. */
export function changes(pairs: readonly PairValue[], group: readonly string[]): Section {
  const one = figureOf(pairs, {
    heading: "Synthetic against public, for each pair of attributes",
    note: `How many of the rows would have to change for the two tables to have the same counts in a pair: what the release says beyond the public table.${within(group)} Each name stands where its row and its column begin.`,
    internal: false,
  });
  return { id: "changes", heading: "What differs from the public table", body: [figures([one])] };
}

/** What is wrong: the synthetic table beside the true one. */
export function errors(pairs: readonly PairValue[], group: readonly string[]): Section {
  const one = figureOf(pairs, {
    heading: "Synthetic against private, for each pair of attributes",
    note: `How many of the rows would have to change for the synthetic table to have the true counts in a pair.${within(group)} Each name stands where its row and its column begin.`,
    internal: true,
  });
  return { id: "errors", heading: "Errors of pairs of attributes", body: [figures([one])], internal: true };
}
