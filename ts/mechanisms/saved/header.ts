import type { LedgerJson } from "../../privacy/ledger/print.js";
import type { SchemaJson } from "../../tables/schema.js";
import type { ReleaseReport } from "../released.js";
import { damaged, type SectionHead, VERSION } from "./container.js";
import type { NumbersHead } from "./numbers.js";
import { anything, type Check, constant, list, maybe, object, real, text, whole } from "./shape.js";

/** The raw numbers of the public table: all attributes have as many in each row, of the same weights. */
export interface RawHead {
  readonly attributes: readonly string[];
  /** How many each row has; one each where it is missing. */
  readonly counts?: NumbersHead;
  /** For each number the weight of those of its row up to it; all weigh the same where it is missing. */
  readonly sums?: NumbersHead;
  /** Of each attribute. */
  readonly values: readonly NumbersHead[];
}

/** The header of a saved release; `release.schema.json` of this package describes it. */
export interface ReleaseHeader {
  readonly format: "marginalia-release";
  readonly version: typeof VERSION;
  readonly schema: SchemaJson;
  /** How the estimation went, what was planned, and where the prior comes from: `release.report`. */
  readonly report: ReleaseReport;
  /** The plan and the account for people, and the account as data. */
  readonly plan: string;
  readonly ledger: { readonly text: string; readonly summary: LedgerJson };
  /** The seed of records where no other is given. */
  readonly seed: string;
  /** The tables that records keep. */
  readonly targets: readonly (readonly string[])[];
  /** The distinct public rows. */
  readonly base: { readonly rows: number; readonly weights: NumbersHead; readonly raw?: RawHead };
  readonly model: {
    readonly total: number;
    /** The cliques whose cells have potentials; there are none where every row has a weight. */
    readonly cliques?: readonly (readonly string[])[];
    /** How many potentials or weights there are. */
    readonly values: number;
    /** SHA-256 of the weights of the rows, as little-endian doubles: whoever reads them must come to the same bits. */
    readonly sha256: string;
  };
}

/** The sections, in their order; `raw` only where there are raw numbers. */
export const SECTIONS = ["codes", "weights", "raw", "model", "measurements"] as const;
export type SectionName = (typeof SECTIONS)[number];

const cliques = list(list(text));
const above: Check = (value) => real(value) && (value as number) > 0;
const hash: Check = (value) => text(value) && /^[0-9a-f]{64}$/.test(value as string);
const numbers = object({ count: whole, distinct: maybe(whole) });

const charge = object({
  clique: list(text),
  answers: whole,
  law: constant("laplace", "gaussian"),
  scale: text,
  cost: text,
  share: real,
  variance: real,
});

const plan = object({
  format: constant("marginalia-release-plan"),
  version: constant(1),
  label: text,
  prior: object({
    name: maybe(text),
    declaredPublicBy: maybe(text),
    hash,
    strength: above,
    rows: whole,
    support: whole,
    widen: maybe(object({ share: real, rows: whole })),
    pool: maybe(object({ group: text, alpha: real })),
  }),
  expectedRows: real,
  measure: object({ price: text, charges: list(charge) }),
  forecast: object({
    chosen: whole,
    untouched: object({ score: real, standardError: maybe(real) }),
    candidates: list(
      object({
        family: text,
        pairs: maybe(real),
        exponent: real,
        cliques,
        score: real,
        standardError: maybe(real),
      }),
    ),
  }),
  reasons: list(text),
});

const report = object({
  format: constant("marginalia-release-report"),
  version: constant(1),
  plan,
  total: object({ records: real, standardError: real }),
  estimate: object({
    status: constant("converged", "limit", "stopped", "refused"),
    relativeGap: real,
    relativeEntropy: real,
    strength: above,
    consistency: maybe(real),
  }),
  measurements: list(
    object({
      clique: list(text),
      error: real,
      misfit: real,
      outside: object({ answers: whole, records: real, standardError: real }),
    }),
  ),
});

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
  entries: list(object({ what: text, mechanism: text, cost: text, when: text, state: text })),
});

/** Without characters that would move the cursor of a terminal. */
const printed: Check = (value) => text(value) && !/[^\P{Cc}\n]/u.test(value as string);

/** More columns than any table has, and few enough to be looked up by their names. */
const MOST_ATTRIBUTES = 10_000;
const attributes: Check = (value) =>
  list(object({ name: text }))(value) && (value as readonly unknown[]).length <= MOST_ATTRIBUTES;

const FIELDS: Readonly<Record<keyof ReleaseHeader, Check>> = {
  format: constant("marginalia-release"),
  version: constant(VERSION),
  schema: object({ attributes, derive: maybe(attributes) }),
  report,
  plan: printed,
  ledger: object({ text: printed, summary }),
  seed: text,
  targets: cliques,
  base: object({
    rows: whole,
    weights: numbers,
    raw: maybe(
      object({ attributes: list(text), counts: maybe(numbers), sums: maybe(numbers), values: list(numbers) }),
    ),
  }),
  model: object({ total: above, cliques: maybe(cliques), values: whole, sha256: hash }),
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
  const wrong = Object.entries(FIELDS).find(([name, of]) => !object({ [name]: of })(json));
  if (wrong) throw damaged(`the \`${wrong[0]}\` of its header is not what it must be`);
  const header = json as ReleaseHeader & { sections?: unknown };
  if (!list(section)(header.sections)) throw damaged("its header does not say where its sections are");
  const heads = header.sections as readonly SectionHead[];
  const expected = SECTIONS.filter((name) => name !== "raw" || header.base.raw);
  if (heads.map(({ name }) => name).join() !== expected.join())
    throw damaged("its sections are not those that its header needs");
  const sections = Object.fromEntries(heads.map((head) => [head.name, head]));
  return { header, sections: sections as Readonly<Record<SectionName, SectionHead>> };
}
