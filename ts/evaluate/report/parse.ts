import { invalid, isObject, known } from "../../options.js";
import type { GroupsPart, PlanPart, ReportInput, ReportJson } from "./input.js";

const KEYS: readonly (keyof ReportJson)[] = [
  "format",
  "version",
  "origin",
  "ledger",
  "release",
  "records",
  "dataShares",
  "rounds",
  "oneWays",
  "pairs",
];

/** Parts of one-way marginals and pairs; nothing else may ride along. */
const ONE_WAY = ["attribute", "labels", "synthetic", "public", "measured"];
const PAIR = ["attributes", "variation"];
const ROUND = ["round", "clique", "cells", "variation"];
const GROUP = [
  ...["level", "labels", "records", "standardError", "status", "relativeGap", "relativeEntropy", "outside"],
];
const TRUST = ["factor", "excess"];

/**
 * Takes what `JSON.stringify` made of a report's input. Whatever says of itself that it was compared with true data is
 * refused, and so is what does not belong there.
 */
export function parseReportInput(json: unknown): ReportInput {
  if (!isObject(json)) throw invalid("the input of a report is a JSON object");
  known(json, KEYS, "the input of a report");
  const { format, version, origin, ledger, release, oneWays, pairs, dataShares, rounds, records } =
    json as Partial<ReportJson>;
  if (format !== "marginalia-report" || version !== 1)
    throw invalid("this is no input of a report, or one that a newer version made: update this package");
  if (origin !== "released" || !isReleased(json))
    throw invalid(
      "a report for sharing is made of released values alone: use `internalReport` for comparisons",
    );
  const lists = [oneWays, pairs, dataShares, ledger?.entries, release?.plan?.reasons, ...partsOf(json)];
  if (!lists.every(Array.isArray) || typeof records !== "number")
    throw invalid("the input of a report lacks a part: write it with `JSON.stringify` and read it unchanged");
  for (const one of rounds ?? []) known(one, ROUND, "a round of a report");
  checkGroups(release as Partial<GroupsPart>);
  const { group = [] } = Object(release?.plan) as { group?: unknown };
  if (!Array.isArray(group) || !group.every((name) => typeof name === "string"))
    throw invalid("the `group` of a plan is a list of attributes: write it with `JSON.stringify`");
  for (const one of oneWays ?? []) known(one, ONE_WAY, "an attribute of a report");
  for (const one of pairs ?? []) known(one, PAIR, "a pair of a report");
  return json as ReportInput;
}

/** What levels say of their priors is two numbers, or nothing. */
function checkGroups({ groups = [], trust = [] }: Partial<GroupsPart>): void {
  for (const one of groups) known(one, GROUP, "a group of a report");
  const sound = (one: unknown) => {
    if (one === null) return true;
    known(one as object, TRUST, "the trust of a level of a report");
    return TRUST.every((name) => Number.isFinite((one as Record<string, unknown>)[name]));
  };
  if (!Array.isArray(trust) || !trust.every(sound))
    throw invalid("the trust of levels is a list of { factor, excess }: write it with `JSON.stringify`");
}

/** Lists that a report of its kind has besides. */
function partsOf({ release, rounds }: Partial<ReportJson>): unknown[] {
  const { groups, measurements } = Object(release) as { groups?: unknown; measurements?: unknown };
  const {
    measure,
    start,
    rounds: planned,
    levels,
    forecast,
    split,
  }: Partial<PlanPart> = Object(release?.plan);
  if (!/^marginalia-[a-z-]+-plan$/.test(`${release?.plan?.format}`)) return [undefined];
  const chosen = [forecast, split].flatMap((one) => (one ? [one.candidates] : []));
  if (groups !== undefined) return [groups, levels, measure?.charges, ...chosen];
  if (planned !== undefined) return [measurements, rounds, start, planned, ...chosen];
  return [measurements, measure?.charges, ...chosen];
}

/** Evaluations and internal parts carry a mark; it is looked for at every depth. */
function isReleased(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isReleased);
  if (!isObject(value)) return true;
  const { private: secret, origin } = value as { private?: unknown; origin?: unknown };
  if (secret === false || (origin !== undefined && origin !== "released")) return false;
  return Object.values(value).every(isReleased);
}
