import { invalid, isObject } from "../options.js";
import type { Held } from "./mechanism.js";

/** What a plan of any mechanism has: what made it, for which table, and from what. */
interface Planned {
  readonly parts: { readonly mechanism: object; readonly sealed: object; readonly prepared: Held };
  toJSON(): object;
}

/** The plan that is run: as given, where this mechanism makes the same now. */
export async function planOf<P extends Planned>(
  kind: abstract new (...parts: never[]) => P,
  given: unknown,
  { mechanism, sealed }: { mechanism: object; sealed: object },
  make: () => Promise<P>,
): Promise<P> {
  if (given instanceof kind) {
    const { parts } = given;
    if (parts.mechanism === mechanism && parts.sealed === sealed && parts.prepared.alive) return given;
  }
  const now = await make();
  if (given === undefined) return now;
  if (!isObject(given)) throw invalid("`plan` is what `plan` of this mechanism gave, or its JSON");
  if (essence(given) === essence(now)) return now;
  throw invalid(
    "the plan is of another mechanism, prior or account, or of an account that has been spent from since: make it anew",
  );
}

/** What a plan says, but for what was spent before, which an interrupted run has changed itself. */
const essence = (plan: object): string =>
  JSON.stringify(plan, (name, value) => (name === "spent" || name === "fits" ? undefined : value));
