import { MarginaliaError } from "../../errors.js";

/** The ledger cannot be believed. `what` completes "the ledger X …". */
export function damaged(name: string, what: string): MarginaliaError {
  const message =
    `the ledger ${name} ${what}: put its newest copy back. A new ledger in its place would forget what was ` +
    "already spent on this dataset";
  return new MarginaliaError("LEDGER_DAMAGED", message);
}

export function mismatch(name: string, differences: readonly string[]): MarginaliaError {
  const message =
    `the ledger ${name} was begun for another ${differences.join("; another ")}. Give what it was begun with, ` +
    "or begin another ledger for another `dataset`, whose budget is spent on top of this one's";
  return new MarginaliaError("LEDGER_MISMATCH", message);
}

/** Each name of a file has a lock of its own, so two programs could have it open at once. */
export function linked(name: string): MarginaliaError {
  const message =
    `the ledger ${name} is a file with another name beside this one (a hard link), under which others could open it at ` +
    "the same time: remove the other name, or, if it was meant as a copy, put a copy in its place";
  return new MarginaliaError("LEDGER_LOCKED", message);
}

export const invalid = (message: string): MarginaliaError => new MarginaliaError("OPTION_INVALID", message);

/** The platform would not read or write; its own words may hold a path, so only its code is quoted. */
export function failed(name: string, what: string, cause: unknown): MarginaliaError {
  if (cause instanceof MarginaliaError) return cause;
  const code = (cause as { code?: unknown } | undefined)?.code;
  const why = typeof code === "string" ? code : "unknown error";
  return new MarginaliaError("SOURCE_FAILED", `the ledger ${name} cannot be ${what} (${why})`, { cause });
}
