import { MarginaliaError } from "./errors.js";

/** Refuses options that do not exist, by name, so that a misspelt one is never silently ignored. */
export function known(options: object, names: readonly string[], of: string): void {
  const unknown = Object.keys(options).filter((name) => !names.includes(name));
  if (unknown.length === 0) return;
  const list = unknown.map((name) => `\`${name}\``).join(", ");
  throw new MarginaliaError("OPTION_INVALID", `${of} has no option ${list}: it has ${names.join(", ")}`);
}
