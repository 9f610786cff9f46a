import { type ErrorCode, MarginaliaError } from "./errors.js";

/** Refuses options that do not exist, by name, so that a misspelt one is never silently ignored. */
export function known(
  options: object,
  names: readonly string[],
  of: string,
  code: ErrorCode = "OPTION_INVALID",
): void {
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  const list = unknown.map((name) => `\`${name}\``).join(", ");
  throw new MarginaliaError(code, `${of} has no option ${list}: it has ${names.join(", ")}`);
}

/** Whether something is an object with keys, and no list. */
export function isObject(thing: unknown): thing is object {
  return typeof thing === "object" && thing !== null && !Array.isArray(thing);
}

/** An option makes no sense. */
export function invalid(message: string, code: ErrorCode = "OPTION_INVALID"): MarginaliaError {
  return new MarginaliaError(code, message);
}
