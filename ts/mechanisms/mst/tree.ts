import { joined } from "../../estimate/wire.js";
import type { Measurement } from "../../measurement.js";
import type { Schema } from "../../tables/schema.js";
import type { Workload } from "../../tables/workload.js";
import { believed, penaltiesOf } from "../kit/alone.js";
import { lost, measureIn, type Rounds, STEP, selectIn } from "../kit/rounds.js";
import { Merging } from "./merging.js";
import type { MstPlan } from "./plan.js";

/** Measures each attribute, and then pair after pair of a tree that it chooses; gives all answers. What the ledger has is taken from there. */
export async function measured<S extends Schema>(rounds: Rounds<S, MstPlan<S>>): Promise<Measurement[]> {
  const { plan, watch } = rounds;
  const { choices, split } = plan.parts;
  const { candidates } = choices;
  const answers = await measureIn(rounds, STEP.start, choices.start, split.start);
  const merging = new Merging(answers, plan.parts.sealed);
  // Of attributes that are independent as far as is known.
  const belief = await believed(rounds, candidates, answers);
  const penalties = penaltiesOf(plan.parts, belief, split.measure);
  const product = joined(belief.counts);
  const tree = new Forest();
  for (const { round } of plan.rounds) {
    watch.enter(round);
    const mask = Array.from(candidates, (pair) => !tree.joins(pair));
    const request = { workload: candidates, spend: split.select };
    const place = await selectIn(rounds, round, request, { answers: product, penalties, mask });
    if (place === undefined) continue;
    const pair = candidates.clique(place);
    tree.add(pair);
    const query = merging.query(pair, candidates.shape(place));
    answers.push(...(await measureIn(rounds, STEP.measure(round), [pair], split.measure, query)));
  }
  if (answers.length > 0) return answers;
  throw lost();
}

/** How many pairs a tree of as many attributes as they can join has. */
export function edgesOf(pairs: Workload): number {
  const tree = new Forest();
  let edges = 0;
  for (const pair of pairs) {
    if (tree.joins(pair)) continue;
    tree.add(pair);
    edges++;
  }
  return edges;
}

/** Attributes that pairs join, by one attribute that stands for all that are joined. */
class Forest {
  readonly #next = new Map<string, string>();

  /** Whether both ends are joined. */
  joins(pair: readonly string[]): boolean {
    return new Set(pair.map((name) => this.#root(name))).size === 1;
  }

  add([one, other]: readonly string[]): void {
    this.#next.set(this.#root(one as string), this.#root(other as string));
  }

  #root(name: string): string {
    const next = this.#next.get(name);
    if (next === undefined) return name;
    const root = this.#root(next);
    this.#next.set(name, root);
    return root;
  }
}
