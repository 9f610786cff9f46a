import { type ChargeLine, chargesOf, type LevelCharges, levelName, levelsOf } from "../charges.js";
import { bars } from "../charts/bars.js";
import type { ChargePart, GroupsPlanPart, LedgerPart, ReportJson } from "../input.js";
import { type Markup, markup } from "../markup.js";
import { largest, most, sum } from "../most.js";
import { type Figure, figures, type Section } from "../page.js";
import { table } from "../tables.js";
import { amount, count, exact, figure, fixed, numberOf, percent, symbolOf } from "../words.js";

/** What was released, at which cost: the account in words, as a chart and as a table. */
export function cost(input: ReportJson): Section {
  const {
    ledger,
    release: { plan },
  } = input;
  const shown = [...("levels" in plan ? [levels(levelsOf(plan as GroupsPlanPart))] : []), charged(input)];
  const body = [inWords(ledger), promise(ledger), figures(shown), account(ledger)];
  return { id: "cost", heading: "What was asked of the data, and what it cost", body };
}

function inWords({
  dataset,
  currency,
  total,
  spent,
  left,
  unit,
  relation,
  entries,
  readings = [],
}: LedgerPart): Markup {
  const symbol = symbolOf(currency);
  const lost = entries.filter(({ state }) => state === "lost").length;
  const unseen =
    lost === 0
      ? undefined
      : markup`<p>${count(lost, "charge was", "charges were")} paid without anything being seen, because the call or the program ended before. What is paid is never given back.</p>`;
  return markup`<p>The account of the private data <bdi>${dataset}</bdi> allows ${symbol} = ${amount(total)} in all. ${symbol} ${amount(spent)} of it is spent on ${count(entries.length, "charge")}; ${symbol} ${amount(left)} is left. Protected is ${protectedUnit(unit)}: ${against(relation)}.</p>${unseen}${readings.map(read)}`;
}

/** What a row was: in every charge the same, as a rule. */
function read({ reading, charges }: { reading: string; charges: readonly number[] }): Markup {
  return markup`<p>In ${count(charges.length, "charge")} ${reading}.</p>`;
}

function protectedUnit(unit: unknown): string {
  if (unit === "row") return "each row";
  const { column, maxRows } = Object(unit) as { column?: unknown; maxRows?: unknown };
  const rows = `at most ${count(Number(maxRows), "row")}`;
  return column === undefined
    ? `each person with ${rows}`
    : `all rows with the same “${String(column)}”, ${rows}`;
}

function against(relation: unknown): string {
  if (relation === "add-remove") return "nobody can tell well whether it is in the data at all";
  const { replace } = Object(relation) as { replace?: { n?: unknown } };
  return `nobody can tell well what it says, while the number of rows, ${figure(Number(replace?.n))}, is public`;
}

/** What the amount means for somebody in the data. */
function promise({ currency, spent }: LedgerPart): Markup {
  const value = numberOf(spent);
  if (currency === "rho")
    return markup`<p>The measure is zero-concentrated differential privacy: ρ = ${amount(spent)}. The smaller it is, the less anything published depends on any one of the protected.</p>`;
  const factor = Math.exp(value);
  const times = factor < 1000 ? figure(factor) : "more than 1000";
  return markup`<p>In other words: whatever is published here would have been at most ${times} times as likely, or as unlikely, without any one of them (e to the power of ${amount(spent)}). This holds whatever else anybody knows.</p>`;
}

/** The parts of the levels of groups, from the coarsest. */
function levels(all: readonly LevelCharges[]): Figure {
  const part = (charges: readonly ChargePart[]) => sum(charges.map(({ share }) => share));
  const rows = all.flatMap((level) => {
    const { counts, workload } = level;
    const tables = count(workload.length, "marginal");
    return [
      ...(counts ? [{ label: `number of records of each ${levelName(level)}`, charges: [counts] }] : []),
      ...(workload.length > 0 ? [{ label: `${tables} in each ${levelName(level)}`, charges: workload }] : []),
    ];
  });
  return {
    heading: "Levels of groups, and their parts of the budget",
    note: "From the coarsest to the finest. Whatever is asked in each group of a level is one charge: each of the protected is in one of them, or in as many as it has rows.",
    chart: bars(
      "The part of the budget that each level cost, for the numbers of records and for what is measured within groups",
      rows.map(({ label, charges }) => {
        const value = part(charges);
        return { label, bars: [{ series: "plain" as const, value, words: percent(value) }] };
      }),
    ),
    table: table(
      "Levels of groups, from the coarsest",
      [
        { head: "each", text: levelName },
        { head: "groups", text: ({ groups }: LevelCharges) => figure(groups), number: true },
        {
          head: "part for numbers of records",
          text: ({ counts }) => (counts ? percent(counts.share) : "–"),
          number: true,
        },
        {
          head: "± of each such number alone",
          text: ({ counts }) => (counts ? figure(Math.sqrt(counts.variance)) : "–"),
          number: true,
        },
        { head: "marginals", text: ({ workload }) => figure(workload.length), number: true },
        { head: "part for marginals", text: ({ workload }) => percent(part(workload)), number: true },
      ],
      all,
    ),
  };
}

function charged(input: ReportJson): Figure {
  const symbol = symbolOf(input.ledger.currency);
  const { lines, price } = chargesOf(input);
  const sorted = largest(lines, ({ share }) => share);
  const rows = most(
    sorted.map(({ label, share }) => ({ label, share })),
    (rest) => ({
      label: `${rest.length} others together`,
      share: sum(rest.map(({ share }) => share)),
    }),
  );
  const drawn = rows.map(({ label, share }) => ({
    label,
    bars: [{ series: "plain" as const, value: share, words: percent(share) }],
  }));
  return {
    heading: "Where the privacy budget of this release went",
    note: `Parts of ${symbol} ${amount(price)}. A marginal is a table of counts: for each combination of values, how many rows have it.`,
    chart: bars("The part of the budget that each measurement cost, largest first", drawn),
    table: table(
      "The measurements, as they were planned",
      [
        { head: "marginal", text: ({ label }: ChargeLine) => label },
        { head: "cells", text: ({ cells }) => figure(cells), number: true },
        { head: "noise", text: ({ how }) => how },
        {
          head: "exact variance",
          text: ({ variance }) => (variance === undefined ? "–" : fixed(variance, 4)),
          number: true,
        },
        { head: "cost", text: ({ cost: paid }) => `${symbol} ${exact(paid)}`, number: true },
        { head: "part", text: ({ share }) => percent(share), number: true },
      ],
      sorted,
    ),
  };
}

function account({ currency, entries }: LedgerPart): Markup {
  const symbol = symbolOf(currency);
  const outcome: Readonly<Record<string, string>> = {
    released: "released",
    lost: "paid, never seen",
    "under way": "paid, under way",
  };
  const rows = table(
    "Every charge of the account, in order",
    [
      { head: "what was asked", text: ({ what }) => what },
      { head: "how", text: ({ mechanism }) => mechanism },
      { head: "cost", text: (entry) => `${symbol} ${exact(entry.cost)}`, number: true },
      { head: "outcome", text: ({ state }) => outcome[state] ?? state },
    ],
    entries,
  );
  return markup`<details><summary>The whole account: ${count(entries.length, "charge")}</summary>${rows}</details>`;
}
