import { type Handle, open } from "../engine/index.js";
import { invalid, known } from "../options.js";
import { type CopySettings, copying } from "../tables/answers.js";
import type { CallSettings } from "../tables/read.js";
import type { Schema } from "../tables/schema.js";
import { Table } from "../tables/table.js";

/** What is said of a prior. */
export interface PriorOptions extends CallSettings {
  /**
   * How many public records it is worth, N_pub: unless given, the rows of a table, or the effective size of weighted ones;
   * of the model of a calibrated estimate, what its own prior was worth and its total; of a mixture, what its first part
   * is worth.
   */
  strength?: number;
  /** What it is known by, for the record of a release. */
  name?: string;
  /** Who vouches that it is public: nothing of it is protected. */
  declaredPublicBy?: string;
}

/** What is said of a prior that no records stand behind: how many it counts as cannot be known, and must be given. */
export interface MadePriorOptions extends PriorOptions {
  strength: number;
}

/** One of the priors of a mixture. */
export interface MixedPart<S extends Schema = Schema> {
  prior: Prior<S>;
  /** Its part of the mixture, beside those of the others; 1 unless given. */
  share?: number;
}

/** What a prior was made of. */
export type PriorKind = "table" | "model" | "uniform" | "full" | "mixture";

/** Where a prior comes from, for the record of a release. */
export interface Provenance {
  readonly kind: PriorKind;
  readonly name?: string;
  readonly declaredPublicBy?: string;
  readonly rows: number;
  readonly strength: number;
  /** SHA-256 of the schema and of the rows with their shares. */
  readonly hash: string;
  /** Of a mixture, where its parts come from, each with its share; the shares add up to 1. */
  readonly parts?: readonly (Provenance & { readonly share: number })[];
}

/** What belongs to a prior beside the engine's object. */
export interface PriorParts {
  kind: PriorKind;
  rows: number;
  weight: number;
  strength: number;
  name: string | undefined;
  declaredPublicBy: string | undefined;
  parts?: Provenance["parts"];
}

/** Public rows, each with a weight, from which estimation starts. Made by {@link prior}. */
export class Prior<S extends Schema = Schema> implements Disposable {
  readonly schema: S;
  /** What it was made of. */
  readonly kind: PriorKind;
  /** Number of distinct rows of positive weight. */
  readonly rows: number;
  /** The sum of the weights. */
  readonly weight: number;
  /** How many public records it is worth. */
  readonly strength: number;
  readonly name: string | undefined;
  readonly declaredPublicBy: string | undefined;
  /** @internal */
  readonly handle: Handle;
  readonly #origin: () => Promise<Provenance>;

  /** @internal */
  constructor(schema: S, handle: Handle, parts: PriorParts) {
    this.schema = schema;
    this.handle = handle;
    this.kind = parts.kind;
    this.rows = parts.rows;
    this.weight = parts.weight;
    this.strength = parts.strength;
    this.name = parts.name;
    this.declaredPublicBy = parts.declaredPublicBy;
    this.#origin = remembered(async () => (await import("./provenance.js")).provenanceOf(this, parts.parts));
    Object.freeze(this);
  }

  /** The rows as a table, each weighted by its share. */
  async table(options: CopySettings = {}): Promise<Table<S>> {
    const [handle, { rows }] = await open("prior.table", undefined, copying(this.handle, options));
    return new Table(this.schema, handle, rows, true);
  }

  /** Where it comes from: plain JSON, with a hash by which anybody who has the same public data can check it. */
  provenance(): Promise<Provenance> {
    return this.#origin();
  }

  /** Frees the memory behind it; models on it keep what they need. */
  dispose(): void {
    this.handle.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

/** What is worked out once; only a failure is tried again. */
function remembered<T>(work: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined;
  return () => {
    known ??= work().catch((error) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

const OPTIONS = ["strength", "name", "declaredPublicBy", "signal", "onProgress"];

/** Checks what is said of a prior: what goes to the engine, and what is kept of it. */
export function said(options: PriorOptions, of = "prior") {
  known(options, OPTIONS, of);
  const { name, declaredPublicBy, signal, onProgress } = options;
  for (const [key, text] of Object.entries({ name, declaredPublicBy })) {
    if (text !== undefined && typeof text !== "string") throw invalid(`\`${key}\` of a prior is a text`);
  }
  const settings: CallSettings = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  return { settings, words: { name, declaredPublicBy } };
}

/** Refuses a strength that is none. */
export function strong(strength: number | undefined, otherwise: string): number {
  if (typeof strength === "number" && Number.isFinite(strength) && strength > 0) return strength;
  throw invalid(otherwise);
}
