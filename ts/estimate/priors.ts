import { open } from "../engine/index.js";
import { invalid, isObject } from "../options.js";
import { made, type Schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import { isPrior } from "./checks.js";
import type { Model } from "./model.js";
import { type MadePriorOptions, type MixedPart, Prior, type PriorOptions, said, strong } from "./origin.js";

/** See `prior`. */
export async function ofModel<S extends Schema>(model: Model<S>, options: PriorOptions): Promise<Prior<S>> {
  const { settings, words } = said(options);
  const strength = strong(
    options.strength ?? model.strength,
    "only the model of a calibrated estimate says how many records it is worth: give the `strength` of the prior",
  );
  const [handle, sizes] = await open("prior.ofModel", undefined, { on: model.handle, ...settings });
  return new Prior(model.schema, handle, { kind: "model", ...sizes, strength, ...words });
}

const UNKNOWN =
  "nothing says how many records such a prior is worth: give its `strength`, a number above zero";

/** See `prior.uniform`. */
export async function uniform<S extends Schema>(
  table: Table<S>,
  options: MadePriorOptions,
): Promise<Prior<S>> {
  if (typeof (table as Partial<Table> | undefined)?.distinct !== "function")
    throw invalid("prior.uniform needs a table that readTable has read");
  if (!isObject(options)) throw invalid(UNKNOWN);
  const { settings, words } = said(options, "prior.uniform");
  const strength = strong(options.strength, UNKNOWN);
  using distinct = await table.distinct(settings);
  const [handle, sizes] = await open("prior.uniform", undefined, { on: distinct.handle, ...settings });
  return new Prior(table.schema, handle, { kind: "uniform", ...sizes, strength, ...words });
}

/** See `prior.full`. */
export async function full<S extends Schema>(schema: S, options: MadePriorOptions): Promise<Prior<S>> {
  if (!isObject(options)) throw invalid(UNKNOWN);
  const { settings, words } = said(options, "prior.full");
  const strength = strong(options.strength, UNKNOWN);
  const [handle, sizes] = await open("prior.full", { schema: made(schema).normal() }, settings);
  return new Prior(schema, handle, { kind: "full", ...sizes, strength, ...words });
}

/** See `prior.mix`. */
export async function mix<S extends Schema>(
  list: readonly MixedPart<S>[],
  options: PriorOptions,
): Promise<Prior<S>> {
  if (!Array.isArray(list) || list.length === 0) throw invalid("prior.mix needs a list of { prior, share }");
  const { settings, words } = said(options, "prior.mix");
  const mixed = list.map(part);
  const [first] = mixed as [Mixed<S>];
  const { schema } = first.prior;
  if (mixed.some(({ prior }) => prior.schema !== schema && prior.schema.normal() !== schema.normal()))
    throw invalid("priors that are mixed have one schema");
  const strength = strong(
    options.strength ?? first.prior.strength,
    "the `strength` of a prior is a number of records above zero",
  );
  const whole = mixed.reduce((sum, { share }) => sum + share, 0);
  const shares = mixed.map(({ share }) => share / whole);
  const on = mixed.map(({ prior }) => prior.handle);
  const [handle, sizes] = await open("prior.mix", { shares }, { on, ...settings });
  // Now, because afterwards they may be disposed of.
  const origins = await Promise.all(mixed.map(({ prior }) => prior.provenance()));
  const of = origins.map((origin, i) => Object.freeze({ ...origin, share: shares[i] as number }));
  const parts = { kind: "mixture", ...sizes, strength, ...words, parts: Object.freeze(of) } as const;
  return new Prior(schema, handle, parts);
}

type Mixed<S extends Schema> = Required<MixedPart<S>>;

function part<S extends Schema>(one: MixedPart<S>): Mixed<S> {
  if (!isObject(one) || !isPrior(one.prior))
    throw invalid("each part of prior.mix is { prior, share }, and its prior is one that `prior` made");
  const { prior, share = 1 } = one;
  if (!(Number.isFinite(share) && share > 0)) throw invalid("a `share` is a number above zero");
  return { prior, share };
}
