import { sha256, utf8 } from "../../bytes.js";
import { aborted } from "../../engine/failure.js";
import { MarginaliaError } from "../../errors.js";
import { namedDependencies, type PlannedDependency } from "../../estimate/dependencies.js";
import { checkRules } from "../../estimate/rules.js";
import { spentOn } from "../../privacy/accountant.js";
import { symbolOf } from "../../privacy/budget.js";
import type { Entry } from "../../privacy/ledger/records.js";
import type { MeasurePlan } from "../../privacy/measurePlan.js";
import { type Amount, positive, Rational, show } from "../../privacy/rational.js";
import type { Sealed } from "../../privacy/sealed.js";
import { hashOf } from "../../tables/digest.js";
import { placeOf } from "../../tables/provenance.js";
import type { Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import { sizeOf } from "../../tables/worth.js";
import type { CommonOptions } from "./common.js";
import type { PlannedPrior } from "./plan.js";
import { type Prepared, type Preparing, prepare } from "./prior.js";
import { type Resolved, resolve, rulesFor } from "./resolved.js";
import { chargeOf } from "./run.js";
import { type ReleaseSettings, type Stage, stages } from "./stages.js";

/** What a plan of any mechanism begins with. */
export interface Opening<S extends Schema> {
  readonly mechanism: object;
  readonly sealed: Sealed<S>;
  readonly resolved: Resolved<S>;
  /** Of the public table; empty where there is none. */
  readonly hash: string;
  readonly label: string;
  /** What may be spent. */
  readonly spend: Rational;
  /** Whether a charge is one of this release's. */
  isOwn(details: unknown): boolean;
}

/**
 * How many records the prior is worth where the options do not say: 0 where there is none. Refuses a prior that was read from the
 * private table's own source, before anything of it, such as its hash, is told.
 */
export async function worthOf<S extends Schema>(
  {
    prior,
    priorStrength,
    allowSameSource = false,
  }: Partial<Pick<CommonOptions<S>, "prior" | "priorStrength" | "allowSameSource">>,
  sealed: Sealed<S>,
  { signal }: ReleaseSettings,
): Promise<number> {
  if (signal?.aborted) throw aborted(signal);
  if (prior === undefined) return 0;
  const place = placeOf(prior);
  if (place !== undefined) await sealed.startsFrom(place, { allowSame: allowSameSource });
  return priorStrength ?? (await sizeOf(prior));
}

/** Options with every default filled in, for a sealed table. */
export const resolved = async <S extends Schema>(
  options: Parameters<typeof resolve<S>>[0],
  sealed: Sealed<S>,
  settings: ReleaseSettings,
): Promise<Resolved<S>> => resolve(options, sealed, await worthOf(options, sealed, settings));

/** What a plan of one model begins with: the same, and what was made of the public table, where there is one. */
export interface Beginning<S extends Schema> extends Opening<S> {
  readonly prepared?: Prepared<S>;
  readonly prior?: PlannedPrior;
  readonly stage: Stage;
}

/** The same of a mechanism that needs a public table. */
export type BeginningFrom<S extends Schema> = Beginning<S> &
  Required<Pick<Beginning<S>, "prepared" | "prior">>;

type Begun<S extends Schema, O> = O extends { prior: unknown } ? BeginningFrom<S> : Beginning<S>;

/** Begins a plan of one model. `own` are the options that only this mechanism has. */
export async function beginning<S extends Schema, O extends Partial<CommonOptions<S>>>(
  mechanism: Preparing<Prepared<S>> & { readonly options: Readonly<O> },
  sealed: Sealed<S>,
  resolved: Resolved<S>,
  own: object,
  settings: ReleaseSettings,
): Promise<Begun<S, O>> {
  const { prior: table, provenance = {} } = mechanism.options;
  const stage = stages(settings);
  if (resolved.rules || (resolved.estimator === "graphical" && resolved.deny.length > 0))
    await checkRules<Schema>(resolved.schema, rulesFor<Schema>(resolved));
  const start = { ...(await opening(mechanism, sealed, resolved, own)), stage };
  if (table === undefined) return start as Begun<S, O>;
  const prepared = await prepare(mechanism, table, start, stage);
  const dependencies = namedDependencies(resolved.schema, prepared.dependencies);
  const { rows } = prepared.table;
  const prior = priorOf({ prior: table, provenance }, start, { ...prepared, rows }, dependencies);
  return { ...start, prepared, prior } as Begun<S, O>;
}

/** Names a release and says what it may spend. `own` are the options that only this kind of release has. */
export async function opening<S extends Schema>(
  mechanism: {
    readonly options: { readonly prior?: Table<S> | undefined; readonly spend?: Amount | undefined };
  },
  sealed: Sealed<S>,
  resolved: Resolved<S>,
  own: object,
): Promise<Opening<S>> {
  const { prior, spend } = mechanism.options;
  const hash = prior === undefined ? "" : await hashOf(prior);
  const label = await labelOf(resolved, own, hash, spend);
  const isOwn = chargeOf(label, sealed);
  return { mechanism, sealed, resolved, hash, label, isOwn, spend: spendOf(spend, sealed, isOwn) };
}

/**
 * The same for the same options and the same public table: an interrupted run finds its answers by it, and what others
 * spent is told from what it spent itself.
 */
async function labelOf<S extends Schema>(
  { schema: _, workload: _own, targets, sensitivity, ...rest }: Resolved<S>,
  own: object,
  hash: string,
  spend: CommonOptions<S>["spend"],
): Promise<string> {
  const plain = {
    ...rest,
    ...own,
    targets: targets && [...targets],
    sensitivity: [`${sensitivity.l1}`, `${sensitivity.l2Squared}`],
    spend: spend === undefined ? null : `${Rational.of(spend)}`,
  };
  return `${rest.label} ${(await sha256(utf8(JSON.stringify([plain, hash])))).slice(0, 12)}`;
}

/** What is spent: as asked, or what there was before this release was paid for the first time. */
function spendOf<S extends Schema>(
  spend: CommonOptions<S>["spend"],
  sealed: Sealed<S>,
  isOwn: (details: unknown) => boolean,
): Rational {
  if (spend !== undefined) return positive(spend, "`spend`");
  const entries = sealed.ledger.entries();
  const own = entries.findIndex(({ details }) => isOwn(details));
  const { currency, amount } = sealed.ledger.header.total;
  const limit = Rational.of(amount);
  const left = limit.minus(sumOf(own < 0 ? entries : entries.slice(0, own), limit));
  if (left.sign > 0) return left;
  const message =
    `nothing is left of ${symbolOf(currency)} = ${show(limit, false)}: a release of other data, or with a larger budget ` +
    "that was decided before any answer was seen";
  throw new MarginaliaError("BUDGET_EXCEEDED", message);
}

/**
 * What is measured, as it was planned before its first answers were paid for: a program that goes on from answers of an
 * earlier one pays nothing for them, and makes the same plan.
 */
export async function measurePlan<S extends Schema>(
  { sealed, resolved: { expectedRows }, isOwn }: Opening<S>,
  requests: Parameters<Sealed<S>["plan"]>[0],
): Promise<MeasurePlan> {
  const plan = await sealed.plan(requests, { expectedRows });
  const earlier = sealed.ledger.entries().slice(0, sealed.earlier);
  const own = earlier.findIndex(({ details, state }) => state === "released" && isOwn(details));
  if (own < 0) return plan;
  return plan.after(sumOf(earlier.slice(0, own), Rational.of(sealed.ledger.header.total.amount)));
}

const sumOf = (entries: readonly Entry[], limit: Rational): Rational =>
  spentOn(
    entries.map(({ cost }) => cost),
    limit,
  );

/** What is told of the prior. */
export function priorOf<S extends Schema>(
  { prior, provenance = {} }: Pick<CommonOptions<S>, "prior" | "provenance">,
  { resolved: { priorStrength, widen, group, schema }, hash }: Opening<S>,
  { rows, distinct, alpha }: { rows: number; distinct: number; alpha?: number | undefined },
  dependencies: readonly PlannedDependency[],
): PlannedPrior {
  const { name, declaredPublicBy } = provenance;
  return {
    ...(name !== undefined && { name }),
    ...(declaredPublicBy !== undefined && { declaredPublicBy }),
    hash,
    strength: priorStrength,
    rows: prior.rows,
    distinct,
    added: rows - distinct,
    support: rows,
    ...(widen && { widen }),
    ...(alpha !== undefined &&
      group !== undefined && { pool: { group: schema.names[group] as string, alpha } }),
    ...(dependencies.length > 0 && { dependencies }),
  };
}
