import { open } from "../engine/index.js";
import { invalid } from "../options.js";
import type { Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import { sizeOf } from "../tables/worth.js";
import type { Model } from "./model.js";
import { type MadePriorOptions, type MixedPart, Prior, type PriorOptions, said, strong } from "./origin.js";

export type { MadePriorOptions, MixedPart, Prior, PriorKind, PriorOptions, Provenance } from "./origin.js";

async function ofRows<S extends Schema>(
  source: Table<S> | Model<S>,
  options: PriorOptions = {},
): Promise<Prior<S>> {
  if (isModel(source)) return (await import("./priors.js")).ofModel(source, options);
  if (typeof (source as Partial<Table> | undefined)?.distinct !== "function")
    throw invalid("a prior is made of a table that readTable has read, or of a model");
  const { settings, words } = said(options);
  const strength = strong(
    options.strength ?? (await sizeOf(source, settings)),
    "the `strength` of a prior is a number of records above zero, and so is its weight",
  );
  using distinct = await source.distinct(settings);
  const [handle, sizes] = await open("prior.open", undefined, { on: distinct.handle, ...settings });
  return new Prior(source.schema, handle, { kind: "table", ...sizes, strength, ...words });
}

/** A model, of whichever copy of the package. */
function isModel<S extends Schema>(source: Table<S> | Model<S>): source is Model<S> {
  return typeof (source as Partial<Model<S>> | undefined)?.where === "function";
}

/** See {@link prior}. */
export interface MakePrior {
  /** Of a table: its distinct rows, with the share of the table that each stands for. Of a model: the same distribution. */
  <S extends Schema>(source: Table<S> | Model<S>, options?: PriorOptions): Promise<Prior<S>>;

  /** The distinct rows of a table, whose weights do not count: each gets the same. */
  uniform<S extends Schema>(table: Table<S>, options: MadePriorOptions): Promise<Prior<S>>;

  /** All rows that a schema allows, each with the same weight: of a small schema, or their number is refused. */
  full<S extends Schema>(schema: S, options: MadePriorOptions): Promise<Prior<S>>;

  /** The rows of several priors over one schema: each row has the shares that the priors give to it, added up. */
  mix<S extends Schema>(parts: readonly MixedPart<S>[], options?: PriorOptions): Promise<Prior<S>>;
}

/**
 * Makes a prior of something *public*: the rows of a table, or a model, such as that of an earlier release.
 *
 * ```ts
 * using before = await prior(survey2018, { name: "survey 2018", declaredPublicBy: "statistics office" });
 * ```
 *
 * `prior.uniform` gives all rows of a table the same weight, `prior.full` all rows that a schema allows, and `prior.mix`
 * mixes priors: a little of `prior.full` lets everything happen that the schema allows.
 */
export const prior: MakePrior = /* @__PURE__ */ Object.assign(ofRows, {
  async uniform<S extends Schema>(table: Table<S>, options: MadePriorOptions): Promise<Prior<S>> {
    return (await import("./priors.js")).uniform(table, options);
  },

  async full<S extends Schema>(schema: S, options: MadePriorOptions): Promise<Prior<S>> {
    return (await import("./priors.js")).full(schema, options);
  },

  async mix<S extends Schema>(parts: readonly MixedPart<S>[], options: PriorOptions = {}): Promise<Prior<S>> {
    return (await import("./priors.js")).mix(parts, options);
  },
});
