import { type AdaptiveOptions, adaptive, type Sealed } from "marginalia";
import { kept, type people, publicYear } from "../support.js";

export * from "../support.js";

export type Options = AdaptiveOptions<typeof people>;

/** A mechanism from the public year. */
export async function rounds(change: Partial<Options> = {}) {
  return kept(adaptive({ prior: await publicYear(), ...change }));
}

/** Small releases, for what does not depend on how good they are. */
export const quick = {
  workload: [
    ["age", "employment"],
    ["sex", "tenure"],
    ["education", "income"],
    ["tenure", "size"],
  ],
  rounds: 3,
  widen: false,
  strength: "harmonic",
} as const;

/** The labels of an account, in order. */
export const labels = (data: Pick<Sealed, "ledger">): string[] =>
  data.ledger.entries().map(({ details }) => (details as { label: string }).label.replace(/^.*?, /, ""));
