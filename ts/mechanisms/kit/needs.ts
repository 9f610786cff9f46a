import type { Schema } from "../../tables/schema.js";
import type { Resolved } from "./resolved.js";

/** Rough: bytes of memory, and seconds on one thread of a usual machine. */
export interface PlannedNeeds {
  readonly bytes: number;
  readonly seconds: number;
  /** Seconds where the answers contradict the prior, so that its strength is chosen by many more fits. */
  readonly contradicted?: number;
}

/**
 * Passes over all rows and marginals that an estimate takes, with those that choose its strength, at the tolerance of a
 * release: 27 to 270 were counted where answers agree with the prior, 1,000 to 23,000 where they contradict it, because
 * the coupled bootstrap then makes 40 to 100 fits more.
 */
const AGREED = 270;
const CONTRADICTED = 13_000;
/** Passes over all rows and tables that rounding takes. */
const ROUNDING = 60;

/** What is estimated from how many rows. */
interface Work {
  readonly rows: number;
  /** How many marginals are kept by rows, and the sum over all estimates of how many marginals each is of. */
  readonly kept: number;
  readonly marginals: number;
  readonly targets: number;
  /** Lookups for each row beside, and bytes. */
  readonly others?: number;
  readonly bytes?: number;
  /** Of how many answers a strength is chosen, at most. */
  readonly answers?: number;
}

/** Of eight draws of the coupled bootstrap the part that is made (`Bootstrap::of` in crates/estimate). */
const drawn = (answers: number) => Math.min(8, Math.max(1, Math.floor(2 ** 18 / answers))) / 8;

/** Rough: bytes of memory, and seconds on one thread of a usual machine, at a nanosecond for each lookup. */
export function needsOf<S extends Schema>(
  { strength, priorStrength, schema }: Pick<Resolved<S>, "strength" | "priorStrength" | "schema">,
  { rows, kept, marginals, targets, others = 0, bytes = 0, answers = 0 }: Work,
): PlannedNeeds {
  const time = (passes: number) =>
    Math.ceil((rows * (passes * marginals + ROUNDING * targets + others)) / 1e8) / 10;
  const all = rows * (6 * schema.names.length + 4 * (kept + targets) + 120) + bytes + 2 ** 24;
  return {
    bytes: Math.ceil(all / 2 ** 20) * 2 ** 20,
    seconds: time(AGREED),
    ...(strength === "coupledBootstrap" &&
      priorStrength > 0 && { contradicted: time(CONTRADICTED * drawn(answers)) }),
  };
}

/** The same in words. */
export function inWords({ bytes, seconds: time, contradicted }: PlannedNeeds): string {
  const longer = contradicted !== undefined && contradicted >= 1 && contradicted > time;
  const more = longer ? `, ${seconds(contradicted)} where the answers contradict the prior` : "";
  return `Needs about ${megabytes(bytes)} of memory and ${seconds(time)} on one thread${more}.`;
}

const megabytes = (bytes: number) => `${Math.max(1, Math.ceil(bytes / 2 ** 20))} MB`;
const seconds = (time: number) => (time < 1 ? "less than a second" : `${Math.ceil(time)} s`);
