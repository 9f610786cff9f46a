import { printed } from "../../print.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { type Workload, workload } from "../../tables/workload.js";
import { ReleasedGroups } from "../groups/release.js";
import { Released } from "../kit/modelled.js";
import type { Printable } from "../kit/release.js";
import type { ReleaseHeader } from "./header.js";

/**
 * A release that was saved before. It has all that the release had but the account itself, of which it has what it said
 * when the release was saved. Dispose of it when it is no longer needed (`using`, or `dispose()`).
 */
export class LoadedRelease<S extends Schema = Schema> extends Released<S> {}

/** The same of groups. */
export class LoadedGroupedRelease<S extends Schema = Schema> extends ReleasedGroups<S> {}

/** Data with the words that came with them. */
function printable<T>(json: T, text: string): Printable<T> {
  return Object.freeze({ toJSON: () => json, toString: () => printed(text) });
}

/** What a file says of a release of any kind. */
export const partsOf = <S extends Schema, H extends ReleaseHeader>(schema: S, header: H) => ({
  targets: cliquesOf(schema, header.targets),
  seed: header.seed,
  plan: printable(header.report.plan as H["report"]["plan"], header.plan),
  ledger: printable(header.ledger.summary, header.ledger.text),
});

/** Cliques that stand in a file. */
export const cliquesOf = <S extends Schema>(
  schema: S,
  cliques: readonly (readonly string[])[],
): Workload<S> => workload(schema, cliques as readonly (readonly NameOf<S>[])[]);
