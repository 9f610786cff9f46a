import { sha256, utf8 } from "../bytes.js";
import { aborted } from "../engine/failure.js";
import { MarginaliaError } from "../errors.js";
import { spentOn } from "../privacy/accountant.js";
import { symbolOf } from "../privacy/budget.js";
import type { Entry } from "../privacy/ledger/records.js";
import type { MeasurePlan } from "../privacy/plan.js";
import { positive, Rational, show } from "../privacy/rational.js";
import type { MeasureRequest } from "../privacy/request.js";
import type { Sealed } from "../privacy/sealed.js";
import { hashOf } from "../tables/digest.js";
import { placeOf } from "../tables/provenance.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { type Workload, workload } from "../tables/workload.js";
import { sizeOf } from "../tables/worth.js";
import { dependenciesInWords, namedDependencies, type PlannedDependency } from "./dependencies.js";
import { type Forecast, forecast } from "./design.js";
import { needsOf } from "./needs.js";
import type { PriorAwareOptions, ReleaseSettings } from "./options.js";
import { chosen, nameOf, type PlannedPrior, priorInWords, ReleasePlan } from "./plan.js";
import type { PriorAware } from "./priorAware.js";
import { noiseOf, type Prepared, prepare } from "./public.js";
import { tells } from "./readings.js";
import { chargeOf } from "./runs.js";
import { divided, parts, type Settled, settle } from "./settled.js";
import { stages } from "./stage.js";
import { targetsOf } from "./targets.js";

/** See `PriorAware.plan`. */
export async function planned<S extends Schema>(
  mechanism: PriorAware<S>,
  sealed: Sealed<S>,
  settings: ReleaseSettings,
): Promise<ReleasePlan<S>> {
  const { options } = mechanism;
  if (settings.signal?.aborted) throw aborted(settings.signal);
  await refuseSame(options, sealed);
  const settled = settle(options, sealed, options.priorStrength ?? (await sizeOf(options.prior)));
  const hash = await hashOf(options.prior);
  const label = await labelOf(
    settled,
    { workload: settled.workload && [...settled.workload] },
    hash,
    options,
  );
  const isOwn = chargeOf(label, sealed);
  const spend = spendOf(options, sealed, isOwn);
  const stage = stages(settings);
  const prepared = await prepare(mechanism, settled, spend, stage);
  const found = await forecast(options.prior, prepared.table, settled, spend, stage);
  const requests = requested(settled, found, spend);
  const measure = await measurePlan(sealed, requests, settled.expectedRows, isOwn);
  const targets = targetsOf(
    settled,
    prepared,
    requests.map(({ clique }) => clique),
  );
  const prior = priorOf(options, settled, madeOf(settled, prepared, hash));
  return new ReleasePlan({
    mechanism,
    sealed,
    settled,
    prepared,
    requests,
    targets,
    measure,
    label,
    prior,
    forecast: found,
    needs: needs(settled, prepared, requests.length, targets.length),
    reasons: reasons(settled, prior, found, { requests, targets }),
  });
}

/** Refuses a prior that was read from the private table's own source: before anything of it, such as its hash, is told. */
export async function refuseSame<S extends Schema>(
  { prior, allowSameSource = false }: Pick<PriorAwareOptions<S>, "prior" | "allowSameSource">,
  sealed: Sealed<S>,
): Promise<void> {
  const place = placeOf(prior);
  if (place !== undefined) await sealed.startsFrom(place, { allowSame: allowSameSource });
}

/**
 * The same for the same options and the same public table: an interrupted run finds its answers by it, and what others
 * spent is told from what it spent itself. `own` is what only this kind of release is asked for.
 */
export async function labelOf<S extends Schema>(
  { schema: _, workload: _own, targets, sensitivity, ...rest }: Settled<S>,
  own: object,
  hash: string,
  { spend }: Pick<PriorAwareOptions<S>, "spend">,
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
export function spendOf<S extends Schema>(
  { spend }: Pick<PriorAwareOptions<S>, "spend">,
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
  sealed: Sealed<S>,
  requests: Parameters<Sealed<S>["plan"]>[0],
  expectedRows: number,
  isOwn: (details: unknown) => boolean,
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

/** Every marginal with its exact share: the sum of what they spend is the amount. */
function requested<S extends Schema>(
  settled: Settled<S>,
  found: Forecast,
  spend: Rational,
): MeasureRequest<S>[] {
  const { cliques, exponent } = chosen(found);
  const listed = workload(settled.schema, cliques as readonly (readonly NameOf<S>[])[]);
  const list = workload(settled.schema, [...listed, ...aloneOf(settled, listed, exponent, spend)]);
  const shares = divided(spend, parts(cellsOf(list), exponent));
  return shares.map((share, i) => ({ clique: list.clique(i), spend: share, law: settled.law }));
}

const cellsOf = (list: Workload): number[] => Array.from({ length: list.length }, (_, i) => list.size(i));

/** Attributes that pairs count by a coarser reading, each alone or with the group, as long as that tells anything. */
function aloneOf<S extends Schema>(
  settled: Settled<S>,
  listed: Workload<S>,
  exponent: number,
  spend: Rational,
): NameOf<S>[][] {
  const { schema, fine = [], group, workload: given, expectedRows: rows, priorStrength: strength } = settled;
  if (given || fine.length === 0) return [];
  const name = (place: number) => schema.names[place] as NameOf<S>;
  const alone = fine.map((place) => (group === undefined ? [name(place)] : [name(group), name(place)]));
  const list = workload(schema, [...listed, ...alone]);
  const cells = cellsOf(list);
  const weights = parts(cells, exponent).map(Number);
  const { law, budget, sensitivity: size } = noiseOf(settled, spend);
  const all = weights.reduce((sum, one) => sum + one, 0);
  const variance = (weight: number) => {
    const cost = (budget * weight) / all;
    return law === "laplace" ? 2 * (size / cost) ** 2 : size ** 2 / (2 * cost);
  };
  return alone.filter((_, i) => {
    const at = listed.length + i;
    return tells({ cells: cells[at] as number, variance: variance(weights[at] as number), rows, strength });
  });
}

/** What was made of a prior, as `priorOf` tells it. */
export function madeOf<S extends Schema>({ schema }: Settled<S>, prepared: Prepared<S>, hash: string) {
  const { table, distinct, alpha } = prepared;
  return { table, distinct, alpha, hash, dependencies: namedDependencies(schema, prepared.dependencies) };
}

/** What is told of the prior: `table` is what was made of it. */
export function priorOf<S extends Schema>(
  { prior, provenance = {} }: Pick<PriorAwareOptions<S>, "prior" | "provenance">,
  { priorStrength, widen, group, schema }: Settled<S>,
  made: Pick<Prepared<S>, "table" | "distinct"> & {
    alpha?: number | undefined;
    hash: string;
    dependencies: readonly PlannedDependency[];
  },
): PlannedPrior {
  const { table, distinct, alpha, hash } = made;
  const { name, declaredPublicBy } = provenance;
  return {
    ...(name !== undefined && { name }),
    ...(declaredPublicBy !== undefined && { declaredPublicBy }),
    hash,
    strength: priorStrength,
    rows: prior.rows,
    distinct,
    added: table.rows - distinct,
    support: table.rows,
    ...(widen && { widen }),
    ...(alpha !== undefined &&
      group !== undefined && { pool: { group: schema.names[group] as string, alpha } }),
    ...(made.dependencies.length > 0 && { dependencies: made.dependencies }),
  };
}

function needs<S extends Schema>(settled: Settled<S>, { table }: Prepared, cliques: number, targets: number) {
  const { rows, schema } = table;
  const bytes = rows * (6 * schema.names.length + 4 * (cliques + targets) + 120) + 2 ** 24;
  return needsOf(settled, { rows, bytes, marginals: cliques, targets });
}

function reasons<S extends Schema>(
  settled: Settled<S>,
  prior: PlannedPrior,
  found: Forecast,
  { requests, targets }: { requests: readonly MeasureRequest<S>[]; targets: Workload<S> },
): string[] {
  const { expectedRows, expectedBy, total, strength, law, deny } = settled;
  const best = chosen(found);
  const near = found.candidates.filter(({ close }) => close).length - 1;
  const why = best.family === "given" ? "as asked" : "the best of the forecast";
  const by = { plan: "as asked", seal: "as said when the table was sealed", relation: "which is public" };
  const alone = requests.slice(best.cliques.length).map(({ clique }) => clique.at(-1));
  return [
    `Measured: ${nameOf(best)} (${why}${near > 0 ? `; ${near} more within its error` : ""}).${
      alone.length > 0 ? ` Beside them each value of ${alone.join(", ")}, which pairs count by bins.` : ""
    }`,
    `Noise: discrete ${law === "laplace" ? "Laplace" : "Gaussian"}, which costs ${law === "laplace" ? "ε" : "ρ"}.`,
    priorInWords(prior),
    ...dependenciesInWords(prior.dependencies ?? []),
    `Rows expected: ${round(expectedRows)}, ${expectedBy === "prior" ? "as many as the prior is worth, because nobody said" : by[expectedBy]}.`,
    `Total: ${total === undefined ? "what all answers together say, so that no part of the budget goes into it" : `${round(total)}, which is public`}.`,
    strength === "coupledBootstrap"
      ? "Balance: the prior counts as a sample of the same population, and for more or less where the answers contradict it."
      : `Balance: the prior counts for ${strength === "harmonic" ? "a sample of the same population" : `${strength} records`}.`,
    `Records: rounded so that ${targets.length} tables come close to the model's.`,
    ...(deny.length > 0 ? [`Denied: ${deny.length} combinations, which no record has.`] : []),
  ];
}

const round = (value: number) => `${Number(value.toPrecision(6))}`;
