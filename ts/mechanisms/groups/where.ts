import { MarginaliaError } from "../../errors.js";
import type { Meant } from "../../estimate/cells.js";
import { type Condition, type Flagged, flagged } from "../../estimate/condition.js";
import type { NameOf, Schema } from "../../tables/schema.js";
import { type Workload, workload } from "../../tables/workload.js";
import type { GroupTree } from "./tree.js";

/** A condition taken apart: the finest groups that can meet it, and what it asks of their records. */
export interface Parted {
  readonly leaves: readonly number[];
  readonly rest: Meant;
}

/** Takes a condition apart; refuses it where no group can meet it. */
export function parted<S extends Schema>(
  tree: GroupTree<S>,
  leaves: readonly number[],
  condition: Condition<S>,
): Parted {
  const { attributes, allowed } = flagged(tree.schema, condition as Condition);
  const rest = new Map<string, Uint8Array>();
  let [kept, at] = [leaves, 0];
  for (const place of attributes) {
    const name = tree.schema.names[place] as string;
    const flags = allowed.subarray(at, at + tree.schema.size(name as NameOf<S>));
    at += flags.length;
    if (kept[0] === undefined) break;
    if (tree.code(kept[0], name) === undefined) rest.set(name, flags);
    else kept = kept.filter((leaf) => flags[tree.code(leaf, name) as number] === 1);
  }
  if (kept.length === 0) throw impossible();
  return { leaves: kept, rest };
}

/** What is asked of records, as the engine takes it. */
export function flagsOf(schema: Schema, rest: Meant): Flagged {
  const attributes = Uint16Array.from(rest.keys(), (name) => schema.index(name));
  return { attributes, allowed: Uint8Array.from([...rest.values()].flatMap((flags) => [...flags])) };
}

/** The cliques with what is asked of records among their attributes. */
export function widened<S extends Schema>(list: Workload<S>, rest: Meant): Workload<S> {
  const names = [...rest.keys()] as NameOf<S>[];
  const cliques = [...list].map((clique) => [...clique, ...names.filter((name) => !clique.includes(name))]);
  return workload(list.schema, cliques);
}

/** No group, or no record of one. */
export function impossible(): MarginaliaError {
  const message =
    "no record can meet this condition: the groups that it means give no weight to any that does";
  return new MarginaliaError("CONDITION_IMPOSSIBLE", message);
}
