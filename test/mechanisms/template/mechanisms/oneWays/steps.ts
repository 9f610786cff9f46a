import type { Sealed } from "../../privacy/sealed.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { kWay } from "../../tables/workload.js";
import { estimated } from "../kit/estimating.js";
import type { Release } from "../kit/modelled.js";
import { needsOf } from "../kit/needs.js";
import { type Beginning, beginning, measurePlan, resolved } from "../kit/opening.js";
import { commonReasons } from "../kit/reasons.js";
import type { Run } from "../kit/run.js";
import { sharesOf } from "../kit/shares.js";
import type { ReleaseSettings } from "../kit/stages.js";
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
  const filled = await resolved({ label: "oneWays", ...options }, sealed, settings);
  const start = await beginning(mechanism, sealed, filled, {}, settings);
  const { schema, attributes, law } = filled;
  const list = kWay(
    schema,
    1,
    attributes.map((place) => schema.names[place] as NameOf<S>),
  );
  const requests = sharesOf(start.spend, list, 0).map((spend, i) => ({ clique: list.clique(i), spend, law }));
  const targets = targetsOf(filled, start.prepared);
  const rows = start.prepared?.table.rows ?? 0;
  const sizes = { rows, kept: list.length, marginals: list.length, targets: targets.length };
  return new OneWaysPlan({
    ...{ ...start, requests, targets },
    measure: await measurePlan(start, requests),
    needs: needsOf(filled, sizes),
    reasons: reasonsOf(start),
  });
}

export async function run<S extends Schema>(
  made: OneWaysPlan<S>,
  charges: Run<S>,
  settings: ReleaseSettings,
): Promise<Release<S, OneWaysPlan<S>, never>> {
  const { signal } = settings;
  const measurements = await charges.measure(made.parts.requests, { signal });
  return estimated<S, OneWaysPlan<S>>(made, charges, measurements, settings);
}

function reasonsOf<S extends Schema>({ resolved, prior }: Beginning<S>): string[] {
  const common = commonReasons(resolved, prior);
  return ["Measured: each attribute.", ...common.prior, common.rows, common.balance];
}
