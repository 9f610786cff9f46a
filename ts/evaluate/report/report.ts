import { invalid } from "../../options.js";
import { grouping, sameGroups } from "../../tables/grouping.js";
import { byRounds } from "./gather.js";
import type { InternalParts, ReportInput, ReportJson, ReportOptions } from "./input.js";
import { type Markup, markup } from "./markup.js";
import { page, type Section } from "./page.js";
import { cost } from "./sections/cost.js";
import { planned } from "./sections/forecast.js";
import { groupErrors, groups } from "./sections/groups.js";
import { measured } from "./sections/measured.js";
import { oneWays } from "./sections/oneways.js";
import { changes, errors } from "./sections/pairs.js";
import { rounds } from "./sections/rounds.js";
import { scores } from "./sections/scores.js";
import { amount, bytesOf, figure, symbolOf } from "./words.js";

/**
 * The report of a release as one HTML page that needs nothing else: what was asked of the private data at which cost,
 * the plan, how well the model meets the answers, and what the synthetic table looks like beside the public one. All of
 * it follows from released values and public ones, so whoever may see the release may see it.
 */
export function report(input: ReportInput, options: ReportOptions = {}): string {
  return paged(input, sectionsOf(input, []), options);
}

/**
 * The same with comparisons with the true table. Each part that has them says that it is internal, not differentially
 * private. It is for whoever holds the true table, and no part of a release.
 */
export function internalReport(
  input: ReportInput,
  internal: InternalParts,
  options: ReportOptions = {},
): string {
  const { release } = input;
  const { group } = internal.evaluation.kMarginal;
  if (release.plan.group && !sameGroups(release.plan.group, group))
    throw invalid(
      `scores of the release are ${grouping(release.plan.group)}, those of the evaluation ${grouping(group)}: evaluate with the \`group\` of the plan`,
    );
  const wrong = "groups" in release && internal.groups ? [groupErrors(release, internal.groups)] : [];
  const first = [...compared(internal), ...wrong];
  return paged(input, [...first, ...sectionsOf(input, first, internal)], options, true);
}

/** Comparisons with the true table alone, where no release is at hand: internal, and marked so in each part. */
export function evaluationReport(internal: InternalParts, options: ReportOptions = {}): string {
  const { title = "Evaluation of a synthetic table", date } = options;
  const { beside } = internal;
  const first = compared(internal);
  const sections = [...first, ...(beside ? [oneWays(beside, roomBeside(first), internal)] : [])];
  return page({ title, date, internal: true, lead: [], sections });
}

function compared({ evaluation }: InternalParts): Section[] {
  const pairs = evaluation.kMarginal.pairs.map(({ attributes, distance }) => ({
    attributes,
    value: distance / 2,
  }));
  const { group } = evaluation.kMarginal;
  return [scores(evaluation), ...(pairs.length > 0 ? [errors(pairs, group)] : [])];
}

function sectionsOf(input: ReportJson, before: readonly Section[], internal?: InternalParts): Section[] {
  const pairs = input.pairs.map(({ attributes, variation }) => ({ attributes, value: variation }));
  const first = [cost(input), planned(input.release), ...estimated(input)];
  const last = pairs.length > 0 ? [changes(pairs, input.release.plan.group ?? [])] : [];
  const room = roomBeside([...before, ...first, ...last]);
  return [...first, oneWays(input.oneWays, room, internal), ...last];
}

/** A page is no larger: what has room beside the other parts, the style and the head are attributes. */
const MOST_BYTES = 300_000;
const HEAD_BYTES = 15_000;

const roomBeside = (others: readonly Section[]): number =>
  MOST_BYTES - HEAD_BYTES - others.reduce((so, { body }) => so + bytesOf(body.join("")), 0);

/** What was estimated: groups, or a model, which rounds may have led to. */
function estimated({ release, dataShares, rounds: made = [] }: ReportJson): Section[] {
  if ("groups" in release) return [groups(release)];
  return [...(byRounds(release) ? [rounds(release, made)] : []), measured(release, dataShares)];
}

function paged(
  input: ReportJson,
  sections: readonly Section[],
  options: ReportOptions,
  internal = false,
): string {
  const { title = `Synthetic release of ${input.ledger.dataset}`, date } = options;
  return page({ title, date, internal, lead: [lead(internal), facts(input)], sections });
}

function lead(internal: boolean): Markup {
  const shared = markup`<p>Everything on this page was released under differential privacy, is public, or follows from such values alone. Nothing on it was compared with the private data.</p>`;
  return internal
    ? markup`<p>Parts without that mark follow from released and public values alone.</p>`
    : shared;
}

function facts({ ledger, release, records }: ReportJson): Markup {
  const symbol = symbolOf(ledger.currency);
  const all: readonly (readonly [string, string])[] = [
    ["privacy spent", `${symbol} ${amount(ledger.spent)}`],
    ["of a budget of", `${symbol} ${amount(ledger.total)}`],
    "groups" in release
      ? ["groups", figure(release.groups.length)]
      : ["marginals measured", figure(release.measurements.length)],
    ["synthetic records", figure(records)],
  ];
  return markup`<dl class="facts">${all.map(([term, value]) => markup`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}
