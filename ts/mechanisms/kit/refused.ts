import { MarginaliaError } from "../../errors.js";
import type { Measurement } from "../../measurement.js";

/** What a run is rejected with whose last estimate is no estimate: `measurements` are the answers that were paid for. */
export interface ReleaseRefused extends MarginaliaError {
  readonly code: "ESTIMATE_REFUSED";
  readonly measurements: readonly Measurement[];
}

/** The error of a run that measured, and whose estimate is refused. */
export function refused(what: string, measurements: readonly Measurement[]): ReleaseRefused {
  const message =
    `${what} is so far from the optimum that it is no estimate; the answers are paid for and stay in the ledger, so that ` +
    "running again costs nothing: `keepRefused: true` of `run` takes the model as it is";
  const hint =
    "`measurements` of this error are the answers: estimate.calibrated({ prior, measurements }) with a larger `strength`, " +
    "more `passes`, or some of them only";
  const error = new MarginaliaError("ESTIMATE_REFUSED", message, { hint });
  return Object.defineProperty(error, "measurements", {
    value: Object.freeze([...measurements]),
  }) as ReleaseRefused;
}
