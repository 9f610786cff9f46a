import type { Followed } from "../../estimate/dependencies.js";
import type { LedgerJson } from "../../privacy/ledger/print.js";
import type { NumbersHead } from "../../tables/numbers.js";
import type { PackedHead } from "../../tables/packed.js";
import type { SchemaJson } from "../../tables/schema.js";
import type { GroupedReport } from "../groups/release.js";
import type { ReleaseReport } from "../kit/modelled.js";
import { damaged, type SectionHead, VERSIONS } from "./container.js";
import { above, cliques, groupedReport, hash, report } from "./reports.js";
import { anything, type Check, constant, either, list, maybe, object, real, text, whole } from "./shape.js";

/** What the header of every saved release has; `release.schema.json` of this package describes it. */
export interface CommonHeader {
  readonly format: "marginalia-release";
  readonly version: (typeof VERSIONS)[number];
  readonly schema: SchemaJson;
  /** The plan and the account for people, and the account as data. */
  readonly plan: string;
  readonly ledger: { readonly text: string; readonly summary: LedgerJson };
  /** The seed of records where no other is given. */
  readonly seed: string;
  /** The tables that records keep. */
  readonly targets: readonly (readonly string[])[];
  /** The distinct public rows, where the model is on some. */
  readonly base?: PackedHead;
}

/** Of a release without groups. */
export interface FlatHeader extends CommonHeader {
  /** How the estimation went, what was planned, and where the prior comes from: `release.report`. */
  readonly report: ReleaseReport;
  readonly model: {
    /** What it is made of, and what it was estimated by; in files of version 1 a support, calibrated. */
    readonly kind?: string;
    readonly estimator?: string;
    readonly total: number;
    /** The cliques whose cells have values; there are none where every row has a weight. */
    readonly cliques?: readonly (readonly string[])[];
    /** How many values there are. */
    readonly values: number;
    /**
     * SHA-256 of little-endian doubles: of the weights of the rows, to whose bits whoever reads them must come, or of the values
     * where there are no rows.
     */
    readonly sha256: string;
  };
}

/** Of a release of groups. */
export interface GroupedHeader extends CommonHeader {
  /** What was planned, and where the prior comes from: `release.report` but for the groups, which have a section. */
  readonly report: Omit<GroupedReport, "groups">;
  readonly groups: {
    /** Of each level, from the coarsest. */
    readonly levels: readonly {
      /** How many groups the schema declares. */
      readonly groups: number;
      /** How many of the measurements are of it. */
      readonly measurements: number;
      /** How many potentials the prior of each group has, and the group itself. */
      readonly prior: number;
      readonly potentials: number;
    }[];
    /** The attributes whose public counts moved the priors of groups. */
    readonly local: readonly string[];
    /** What follows from attributes of the last level, where something does. */
    readonly follows?: readonly Followed[];
    /** The potentials of the priors of all groups, and their own. */
    readonly priors: NumbersHead;
    readonly own: NumbersHead;
    /** SHA-256 of the weights of the rows in the finest group with the most records, the first of them. */
    readonly sha256: string;
  };
}

export type ReleaseHeader = FlatHeader | GroupedHeader;

/** Whether a header is of a release of groups. */
export const isGrouped = (header: ReleaseHeader): header is GroupedHeader => Object.hasOwn(header, "groups");

/** Whether its model is on rows, as all were in version 1. */
export const isOnRows = ({ version, model, base }: FlatHeader): boolean =>
  version === 1 || base !== undefined || model.kind === undefined;

/** The sections, in their order; those of rows only where there are some, `raw` only where there are raw numbers, `groups` only where there are groups. */
export const SECTIONS = ["codes", "weights", "raw", "groups", "model", "measurements"] as const;
export type SectionName = (typeof SECTIONS)[number];

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
const printed: Check = (value) => text(value) && !/[^\P{Cc}\n]/u.test(value as string);

/** More columns than any table has, and few enough to be looked up by their names. */
const MOST_ATTRIBUTES = 10_000;
const attributes: Check = (value) =>
  list(object({ name: text }))(value) && (value as readonly unknown[]).length <= MOST_ATTRIBUTES;

/** More levels than anybody nests. */
const MOST_LEVELS = 64;
const levels: Check = (value) =>
  list(object({ groups: whole, measurements: whole, prior: whole, potentials: whole }))(value) &&
  (value as readonly unknown[]).length <= MOST_LEVELS;

const follows = list(
  object({ from: text, to: text, codes: list(whole), numbers: list(either(real, constant(null))) }),
);

const COMMON: Readonly<Record<keyof CommonHeader, Check>> = {
  format: constant("marginalia-release"),
  version: constant(...VERSIONS),
  schema: object({ attributes, derive: maybe(attributes) }),
  plan: printed,
  ledger: object({ text: printed, summary }),
  seed: text,
  targets: cliques,
  base: maybe(
    object({
      rows: whole,
      weights: numbers,
      raw: maybe(
        object({
          ...{ attributes: list(text), counts: maybe(numbers), sums: maybe(numbers) },
          values: list(numbers),
        }),
      ),
    }),
  ),
};

const FLAT: Readonly<Record<keyof FlatHeader, Check>> = {
  ...COMMON,
  report,
  model: object({
    ...{ kind: maybe(text), estimator: maybe(text), total: above, cliques: maybe(cliques) },
    ...{ values: whole, sha256: hash },
  }),
};

const GROUPED: Readonly<Record<keyof GroupedHeader, Check>> = {
  ...COMMON,
  report: groupedReport,
  groups: object({
    levels,
    local: list(text),
    follows: maybe(follows),
    priors: numbers,
    own: numbers,
    sha256: hash,
  }),
};

const section = object({
  name: text,
  encoding: constant("identity", "deflate"),
  stored: whole,
  sha256: hash,
  length: whole,
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
