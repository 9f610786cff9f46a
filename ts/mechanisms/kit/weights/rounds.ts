import type { Measurement } from "../../../measurement.js";
import type { Schema } from "../../../tables/schema.js";
import { lost, measureIn, type Rounds, STEP } from "../rounds.js";
import type { Cell } from "../run.js";
import { type Belief, believing, type WeightsRounds } from "./belief.js";
import type { WeightsPlan } from "./plan.js";
import { queryOf } from "./resolved.js";

/** PMW-Pub, Algorithm 1: gives all answers, from which the last estimate is made. What the ledger has is taken from there. */
export async function measured<S extends Schema>(rounds: WeightsRounds<S>): Promise<Measurement[]> {
  const { plan, watch } = rounds;
  const { choices, split } = plan.parts;
  const answers = split.count.sign > 0 ? await measureIn(rounds, STEP.start, [[]], split.count) : [];
  using model = believing(rounds);
  for (const { round } of plan.rounds) {
    watch.enter(round);
    const q = await selected(rounds, round, () => model.after(answers));
    if (q === undefined) continue;
    const [clique, query] = [choices.candidates.clique(q.place), queryOf(choices, q.cell)];
    answers.push(...(await measureIn(rounds, STEP.measure(round), [clique], split.measure, query)));
  }
  if (answers.length > 0) return answers;
  throw lost();
}

/** The cell where the model is worst, or nearly so; none where the choice was paid and lost. */
async function selected<S extends Schema>(
  { plan, run, watch }: Rounds<S, WeightsPlan<S>>,
  round: number,
  model: () => ReturnType<Belief["after"]>,
): Promise<Cell | undefined> {
  const { choices, selection } = plan.parts;
  const step = STEP.select(round);
  if (run.entry(step)?.state === "lost") return undefined;
  const ask = async () => {
    const answers = await model();
    watch.begins("select");
    return { ...selection, answers };
  };
  return run.selectCell(ask, choices.candidates, { step, signal: watch.signal });
}
