import { constant, either, list, maybe, object, real, text, whole } from "./shape.js";

export const cliques = list(list(text));
export const above = (value: unknown): value is number => real(value) && value > 0;
export const hash = (value: unknown): value is string => text(value) && /^[0-9a-f]{64}$/.test(value);

const noise = {
  law: constant("laplace", "gaussian"),
  scale: text,
  cost: text,
  share: real,
  variance: real,
};
const charge = object({ clique: list(text), answers: whole, ...noise });

const prior = object({
  name: maybe(text),
  declaredPublicBy: maybe(text),
  hash,
  strength: above,
  rows: whole,
  distinct: maybe(whole),
  added: maybe(whole),
  support: whole,
  widen: maybe(object({ share: real, rows: whole })),
  pool: maybe(object({ group: text, alpha: real })),
  dependencies: maybe(list(object({ from: text, to: text }))),
});

const planned = {
  version: constant(1),
  label: text,
  prior: maybe(prior),
  group: maybe(list(text)),
  expectedRows: real,
  reasons: list(text),
};

const measure = object({ price: text, charges: list(charge) });

const score = { score: real, standardError: maybe(real) };
const candidate = object({ ...score, family: text, pairs: maybe(real), exponent: real, cliques });
const forecast = object({ chosen: whole, untouched: object(score), candidates: list(candidate) });

/** What every mechanism calls its plans. */
const format = (value: unknown): value is string => text(value) && /^marginalia-[a-z-]+-plan$/.test(value);

const estimate = object({ estimator: text });

/** A plan that lists its charges, whichever mechanism made it. */
const listed = object({ ...planned, format, measure, forecast: maybe(forecast), estimate });

const grouped = object({
  ...planned,
  prior,
  format: constant("marginalia-grouped-plan"),
  levels: list(
    object({
      by: list(text),
      groups: whole,
      label: text,
      strength: maybe(above),
      between: maybe(above),
    }),
  ),
  measure,
  forecast: maybe(forecast),
  estimate: object({
    estimator: constant("calibrated", "iterative", "twoStage"),
    tolerance: real,
    totals: constant("consistent", "combined", "count"),
  }),
});

/** A plan by a rule. */
const rule = object({
  ...planned,
  format,
  start: list(charge),
  rounds: list(
    object({
      round: whole,
      measure: object(noise),
    }),
  ),
  estimate,
});

const plan = either(listed, rule);

/** `release.report` of a release without groups. */
export const report = object({
  format: constant("marginalia-release-report"),
  version: constant(1),
  plan,
  total: object({ records: real, standardError: real }),
  estimate: object({
    status: constant("converged", "limit", "stopped", "refused", "infeasible"),
    estimator: maybe(text),
    relativeGap: maybe(real),
    relativeEntropy: maybe(real),
    strength: maybe(above),
    consistency: maybe(real),
    loss: maybe(real),
  }),
  rounds: maybe(
    list(
      object({
        round: whole,
        select: object({ mechanism: text, epsilon: text, among: whole, cost: text, share: real }),
        measure: object({ law: noise.law, scale: text, cost: text, share: real }),
      }),
    ),
  ),
  measurements: list(
    object({
      clique: list(text),
      error: real,
      misfit: real,
      outside: object({ answers: whole, records: real, standardError: real }),
    }),
  ),
});

/** `release.report` of a release of groups, but for the groups. */
export const groupedReport = object({
  format: constant("marginalia-grouped-report"),
  version: constant(1),
  plan: grouped,
  total: real,
  trust: maybe(list(either(constant(null), object({ factor: above, excess: real })))),
});
