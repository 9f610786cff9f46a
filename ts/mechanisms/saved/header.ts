import type { LedgerJson } from "../../privacy/ledger/print.js";
import type { SchemaJson } from "../../tables/schema.js";
import type { GroupedReport } from "../groups/release.js";
import type { ReleaseReport } from "../kit/modelled.js";
import { damaged, type SectionHead, VERSIONS } from "./container.js";
import { above, cliques, groupedReport, hash, report } from "./reports.js";
import {
  anything,
  type Check,
  constant,
  either,
  list,
  maybe,
  object,
  real,
  type Shaped,
  text,
  whole,
} from "./shape.js";

const numbers = object({ count: whole, distinct: maybe(whole) });

const summary = object({
  format: constant("marginalia-ledger-summary"),
  version: constant(1),
  dataset: text,
  unit: anything,
  relation: anything,
  budget: anything,
  begun: text,
  currency: constant("epsilon", "rho"),
  total: text,
  spent: text,
  left: text,
  readings: maybe(list(object({ reading: text, charges: list(whole) }))),
  entries: list(object({ what: text, mechanism: text, cost: text, when: text, state: text })),
});

/** Lines without characters that would move the cursor of a terminal: so it was written. */
const printed = (value: unknown): value is string => text(value) && !/[^\P{Cc}\n]/u.test(value);

/** So many at most. */
const upTo =
  <T>(most: number, of: Check<T>) =>
  (value: unknown): value is readonly T[] =>
    list(of)(value) && value.length <= most;

/** More columns than any table has, and few enough to be looked up by their names; more levels than anybody nests. */
const MOST_ATTRIBUTES = 10_000;
const MOST_LEVELS = 64;
const attributes = upTo(MOST_ATTRIBUTES, object({ name: text }));

const raw = object({
  ...{ attributes: list(text), counts: maybe(numbers), sums: maybe(numbers) },
  values: list(numbers),
});

/** What the header of every saved release has; `release.schema.json` of this package describes it. */
const COMMON = {
  format: constant("marginalia-release"),
  version: constant(...VERSIONS),
  schema: object({ attributes, derive: maybe(attributes) }) as Check as Check<SchemaJson>,
  /** The plan and the account for people, and the account as data. */
  plan: printed,
  ledger: object({ text: printed, summary: summary as Check as Check<LedgerJson> }),
  /** The seed of records where no other is given. */
  seed: text,
  /** The tables that records keep. */
  targets: cliques,
  /** The distinct public rows, where the model is on some. */
  base: maybe(object({ rows: whole, weights: numbers, raw: maybe(raw) })),
} as const;
export type CommonHeader = Shaped<typeof COMMON>;

/** Of a release without groups. */
const FLAT = {
  ...COMMON,
  /** How the estimation went, what was planned, and where the prior comes from: `release.report`. */
  report: report as Check as Check<ReleaseReport>,
  model: object({
    /** What it is made of, and what it was estimated by; in files of version 1 a support, calibrated. */
    ...{ kind: maybe(text), estimator: maybe(text), total: above },
    /** The cliques whose cells have values, none where every row has a weight; and how many values there are. */
    ...{ cliques: maybe(cliques), values: whole },
    /**
     * SHA-256 of little-endian doubles: of the weights of the rows, to whose bits whoever reads them must come, or of the values
     * where there are no rows.
     */
    sha256: hash,
  }),
} as const;
export type FlatHeader = Shaped<typeof FLAT>;

const follows = list(
  object({ from: text, to: text, codes: list(whole), numbers: list(either(real, constant(null))) }),
);

/** Of a release of groups. */
const GROUPED = {
  ...COMMON,
  /** What was planned, and where the prior comes from: `release.report` but for the groups, which have a section. */
  report: groupedReport as Check as Check<Omit<GroupedReport, "groups">>,
  groups: object({
    /**
     * Of each level, from the coarsest: how many groups the schema declares, how many of the measurements are of it, and how many
     * potentials the prior of each group has, and the group itself.
     */
    levels: upTo(
      MOST_LEVELS,
      object({ groups: whole, measurements: whole, prior: whole, potentials: whole }),
    ),
    /** The attributes whose public counts moved the priors of groups. */
    local: list(text),
    /** What follows from attributes of the last level, where something does. */
    follows: maybe(follows),
    /** The potentials of the priors of all groups, and their own. */
    ...{ priors: numbers, own: numbers },
    /** SHA-256 of the weights of the rows in the finest group with the most records, the first of them. */
    sha256: hash,
  }),
} as const;
export type GroupedHeader = Shaped<typeof GROUPED>;

export type ReleaseHeader = FlatHeader | GroupedHeader;

/** Whether a header is of a release of groups. */
export const isGrouped = (header: ReleaseHeader): header is GroupedHeader => Object.hasOwn(header, "groups");

/** Whether its model is on rows, as all were in version 1. */
export const isOnRows = ({ version, model, base }: FlatHeader): boolean =>
  version === 1 || base !== undefined || model.kind === undefined;

/** The sections, in their order; those of rows only where there are some, `raw` only where there are raw numbers, `groups` only where there are groups. */
export const SECTIONS = ["codes", "weights", "raw", "groups", "model", "measurements"] as const;
export type SectionName = (typeof SECTIONS)[number];

const section = object({
  name: text,
  encoding: constant("identity", "deflate"),
  ...{ stored: whole, sha256: hash, length: whole },
});

/** A header whose every part is of the right type, and the sections that it announces. */
export function checkedHeader(json: unknown): {
  header: ReleaseHeader;
  sections: Readonly<Record<SectionName, SectionHead>>;
} {
  const fields = object({ groups: anything })(json) ? GROUPED : FLAT;
  const wrong = Object.entries(fields).find(([name, of]) => !object({ [name]: of })(json));
  if (wrong) throw damaged(`the \`${wrong[0]}\` of its header is not what it must be`);
  const header = json as ReleaseHeader & { sections?: unknown };
  if (!list(section)(header.sections)) throw damaged("its header does not say where its sections are");
  const heads = header.sections as readonly SectionHead[];
  if (!header.base && (isGrouped(header) || isOnRows(header)))
    throw damaged("it has no rows, and its model is on some");
  const without = [
    ...(header.base ? [] : ["codes", "weights"]),
    ...(header.base?.raw ? [] : ["raw"]),
    ...(isGrouped(header) ? [] : ["groups"]),
  ];
  const expected = SECTIONS.filter((name) => !without.includes(name));
  if (heads.map(({ name }) => name).join() !== expected.join())
    throw damaged("its sections are not those that its header needs");
  const sections = Object.fromEntries(heads.map((head) => [head.name, head]));
  return { header, sections: sections as Readonly<Record<SectionName, SectionHead>> };
}
