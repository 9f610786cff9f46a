import type { Sealed } from "../../privacy/sealed.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { kWay } from "../../tables/workload.js";
import { estimated } from "../kit/estimating.js";
import type { Release } from "../kit/modelled.js";
import { needsOf } from "../kit/needs.js";
import { commonReasons, measurePlan, opening, priorOf, worthOf } from "../kit/opening.js";
import { madeOf, prepare } from "../kit/prior.js";
import { resolve } from "../kit/resolved.js";
import type { Run } from "../kit/run.js";
import { sharesOf } from "../kit/shares.js";
import { type ReleaseSettings, stages } from "../kit/stages.js";
import { targetsOf } from "../kit/targets.js";
import type { OneWays } from "./index.js";
import { OneWaysPlan } from "./plan.js";

export { OneWaysPlan as Plan } from "./plan.js";

export async function plan<S extends Schema>(
  mechanism: OneWays<S>,
  sealed: Sealed<S>,
  settings: ReleaseSettings,
): Promise<OneWaysPlan<S>> {
  const { options } = mechanism;
  const label = options.label ?? "oneWays";
  const resolved = resolve({ ...options, label }, sealed, await worthOf(options, sealed, settings));
  const start = await opening(options, sealed, resolved, {});
  const prepared = await prepare(mechanism, options.prior, start, stages(settings));
  const { schema, attributes, law } = resolved;
  const list = kWay(
    schema,
    1,
    attributes.map((place) => schema.names[place] as NameOf<S>),
  );
  const requests = sharesOf(start.spend, list, 0).map((spend, i) => ({ clique: list.clique(i), spend, law }));
  const targets = targetsOf(resolved, prepared);
  const prior = priorOf(options, start, madeOf(resolved, prepared));
  const { rows } = prepared.table;
  const sizes = { rows, bytes: 100 * rows, marginals: list.length, targets: targets.length };
  return new OneWaysPlan({
    ...{ mechanism, sealed, resolved, prepared, requests, targets, prior, label: start.label },
    measure: await measurePlan(start, requests),
    needs: needsOf(resolved, sizes),
    reasons: ["Measured: each attribute.", ...commonReasons(resolved, prior).prior],
  });
}

export async function run<S extends Schema>(
  made: OneWaysPlan<S>,
  _sealed: Sealed<S>,
  charges: Run<S>,
  settings: ReleaseSettings,
): Promise<Release<S, OneWaysPlan<S>>> {
  const { signal } = settings;
  const measurements = await charges.measure(made.parts.requests, { signal });
  return estimated<S, OneWaysPlan<S>>(made, charges, measurements, settings);
}
