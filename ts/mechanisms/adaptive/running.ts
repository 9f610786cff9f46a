import { MarginaliaError } from "../../errors.js";
import { prior } from "../../estimate/prior.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { Schema } from "../../tables/schema.js";
import type { Adaptive, AdaptiveRunSettings } from "../adaptive.js";
import { planOf } from "../given.js";
import type { Release } from "../release.js";
import { released } from "../running.js";
import { Account } from "./account.js";
import { AdaptivePlan } from "./plan.js";
import { planned } from "./planning.js";
import { calibrated, calibration, measured, type Running } from "./rounds.js";
import { watched } from "./stage.js";

/** See `Adaptive.run`. */
export async function ran<S extends Schema>(
  mechanism: Adaptive<S>,
  sealed: Sealed<S>,
  settings: AdaptiveRunSettings<S>,
): Promise<Release<S, AdaptivePlan<S>>> {
  const plan = await planOf(AdaptivePlan<S>, settings.plan, { mechanism, sealed }, () =>
    planned(mechanism, sealed, settings),
  );
  const { label, asked, prepared } = plan.parts;
  const watch = watched(settings, plan.rounds.length);
  const account = new Account(sealed, label);
  try {
    account.admit(plan);
    const { priorStrength: strength } = asked.settled;
    using start = await prior(prepared.table, { strength, ...watch.stage("prior") });
    const running: Running<S> = { plan, sealed, account, start, watch };
    const measurements = await measured(running);
    if (measurements.length === 0) throw nothing();
    const seed = settings.seed ?? asked.settled.seed;
    const estimated = await calibrated({ ...calibration(plan, start, measurements), seed }, watch);
    return await released(plan, estimated, { measurements, ledger: sealed.ledger, seed }, watch.stage);
  } catch (error) {
    account.failed();
    throw error;
  }
}

function nothing(): MarginaliaError {
  const message =
    "every charge of this release was paid and its values were lost: what is left of the budget can still be spent, under " +
    "another `label`";
  return new MarginaliaError("BUDGET_EXCEEDED", message);
}
