import { MarginaliaError } from "../../errors.js";
import { prior } from "../../estimate/prior.js";
import { invalid, isObject } from "../../options.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { Schema } from "../../tables/schema.js";
import type { Adaptive, AdaptiveRunSettings } from "../adaptive.js";
import { Release } from "../release.js";
import { misfit } from "../running.js";
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
  const plan = await planOf(mechanism, sealed, settings);
  const { label, asked, prepared } = plan.parts;
  const watch = watched(settings, plan.rounds.length);
  const account = new Account(sealed, label);
  try {
    account.admit(plan);
    const { priorStrength: strength } = asked.settled;
    using start = await prior(prepared.table, { strength, ...watch.stage("prior") });
    return await released({ plan, sealed, account, start, watch }, settings.seed ?? asked.settled.seed);
  } catch (error) {
    account.failed();
    throw error;
  }
}

/** Runs the rounds, and makes a release of their answers. */
async function released<S extends Schema>(
  running: Running<S>,
  seed: string | number,
): Promise<Release<S, AdaptivePlan<S>>> {
  const { plan, sealed, start, watch } = running;
  const { prepared, targets } = plan.parts;
  const measurements = await measured(running);
  if (measurements.length === 0) throw nothing();
  const estimated = await calibrated({ ...calibration(plan, start, measurements), seed }, watch);
  try {
    const misfits = await misfit(estimated.model, measurements, watch.stage);
    const { ledger } = sealed;
    return new Release({
      plan,
      estimate: estimated,
      measurements,
      ledger,
      prepared: prepared.share(),
      targets,
      misfits,
      seed,
    });
  } catch (error) {
    estimated.dispose();
    throw error;
  }
}

/** The plan that is run: as given, where this mechanism makes the same now. */
async function planOf<S extends Schema>(
  mechanism: Adaptive<S>,
  sealed: Sealed<S>,
  { plan, signal, onProgress }: AdaptiveRunSettings<S>,
): Promise<AdaptivePlan<S>> {
  if (plan instanceof AdaptivePlan && plan.parts.mechanism === mechanism && plan.parts.sealed === sealed) {
    if (plan.parts.prepared.alive) return plan;
  }
  const now = await planned(mechanism, sealed, {
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
  if (plan === undefined) return now;
  if (!isObject(plan)) throw invalid("`plan` is what `plan` of this mechanism gave, or its JSON");
  const given = plan instanceof AdaptivePlan ? plan.toJSON() : plan;
  if (essence(given) === essence(now.toJSON())) return now;
  throw invalid(
    "the plan is of another mechanism, prior or account, or of an account that has been spent from since: make it anew",
  );
}

/** What a plan says, but for what was spent before, which an interrupted run has changed itself. */
const essence = (plan: object): string => {
  const plain = JSON.parse(JSON.stringify(plan)) as Record<string, unknown>;
  return JSON.stringify({ ...plain, spent: null, fits: null });
};

function nothing(): MarginaliaError {
  const message =
    "every charge of this release was paid and its values were lost: what is left of the budget can still be spent, under " +
    "another `label`";
  return new MarginaliaError("BUDGET_EXCEEDED", message);
}
