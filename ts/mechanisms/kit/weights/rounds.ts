import { estimate } from "../../../estimate/estimate.js";
import type { Estimate } from "../../../estimate/outcome.js";
import type { Prior } from "../../../estimate/prior.js";
import { joined } from "../../../estimate/wire.js";
import type { Measurement } from "../../../measurement.js";
import type { Schema } from "../../../tables/schema.js";
import { lost, measureIn, type Rounds, STEP } from "../rounds.js";
import type { Cell } from "../run.js";
import type { WeightsPlan } from "./plan.js";

type WeightsRounds<S extends Schema> = Rounds<S, WeightsPlan<S>> & { readonly start: Prior<S> };

/** PMW-Pub, Algorithm 1: gives all answers, from which the last estimate is made. What the ledger has is taken from there. */
export async function measured<S extends Schema>(rounds: WeightsRounds<S>): Promise<Measurement[]> {
  const { plan, watch } = rounds;
  const { candidates } = plan.parts.choices;
  const { count, measure } = plan.parts.split;
  const answers = count.sign > 0 ? await measureIn(rounds, STEP.start, [[]], count) : [];
  using model = new Iterate(rounds);
  for (const { round } of plan.rounds) {
    watch.enter(round);
    const q = await selected(rounds, round, () => model.after(answers));
    if (q === undefined) continue;
    const query = { type: "ranges", ranges: [[q.cell, q.cell]] } as const;
    answers.push(
      ...(await measureIn(rounds, STEP.measure(round), [candidates.clique(q.place)], measure, query)),
    );
  }
  if (answers.length > 0) return answers;
  throw lost();
}

/** The cell where the model is worst, or nearly so; none where the choice was paid and lost. */
async function selected<S extends Schema>(
  { plan, run, watch }: WeightsRounds<S>,
  round: number,
  model: () => Promise<Float64Array>,
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

/** A_t: the model that has met the answers so far. It is made where somebody asks, and from the one before. */
class Iterate<S extends Schema> implements Disposable {
  readonly #rounds: WeightsRounds<S>;
  #last: Estimate<S> | undefined;
  #met = 0;

  constructor(rounds: WeightsRounds<S>) {
    this.#rounds = rounds;
  }

  /** What it says of every cell of the candidates, in records. */
  async after(measurements: readonly Measurement[]): Promise<Float64Array> {
    const { plan, start: prior, watch } = this.#rounds;
    const { resolved, choices, rule } = plan.parts;
    const { total = measurements.length > 0 ? undefined : resolved.expectedRows, seed } = resolved;
    const stage = watch.stage("estimate");
    const from = this.#last && this.#met > 0 && { start: this.#last.model, after: this.#met };
    const request = {
      prior,
      measurements,
      rule,
      seed,
      ...(total !== undefined && { total }),
      ...from,
      ...stage,
    };
    const next = await estimate.multiplicativeWeights(request);
    this.#last?.dispose();
    [this.#last, this.#met] = [next, measurements.length];
    return joined(await next.model.answer(choices.candidates, stage));
  }

  [Symbol.dispose](): void {
    this.#last?.dispose();
  }
}
