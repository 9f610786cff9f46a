import { call, type Handle, open } from "../../../engine/index.js";
import type { Prior } from "../../../estimate/prior.js";
import { joined, wireMeasurements } from "../../../estimate/wire.js";
import type { Measurement } from "../../../measurement.js";
import { key } from "../../../seed.js";
import { CellAnswers } from "../../../tables/answers.js";
import type { Schema } from "../../../tables/schema.js";
import { estimateBy } from "../estimating.js";
import type { Rounds } from "../rounds.js";
import type { WeightsPlan } from "./plan.js";
import { PROJECTIONS } from "./resolved.js";

/** What rounds are run with. */
export type WeightsRounds<S extends Schema> = Rounds<S, WeightsPlan<S>> & { readonly start: Prior<S> };

/** A_t: what the model of the answers so far says of the cells that rounds choose from, in records. */
export interface Belief extends Disposable {
  after(measurements: readonly Measurement[]): Promise<CellAnswers | Float64Array>;
}

/** By weights that move with each answer; or by an estimate of all answers, where whole marginals are measured. */
export const believing = <S extends Schema>(rounds: WeightsRounds<S>): Belief =>
  rounds.plan.parts.choices.measure === "marginals" ? new Estimates(rounds) : new Iterate(rounds);

/** Weights in the engine, which answer there. They are made where somebody asks first. */
class Iterate<S extends Schema> implements Belief {
  readonly #rounds: WeightsRounds<S>;
  #begun: readonly [handle: Handle, places: Uint32Array] | undefined;
  #met = 0;

  constructor(rounds: WeightsRounds<S>) {
    this.#rounds = rounds;
  }

  async after(measurements: readonly Measurement[]): Promise<CellAnswers | Float64Array> {
    const { plan, watch } = this.#rounds;
    const { resolved, choices } = plan.parts;
    const { candidates, unsupported } = choices;
    const stage = watch.stage("estimate");
    this.#begun ??= await this.#begin();
    const [handle, places] = this.#begun;
    const wire = wireMeasurements(candidates.schema, measurements.slice(this.#met), false);
    const records = recordsOf(resolved, measurements);
    await call("weights.meet", { ...wire, records }, { on: handle, ...stage });
    this.#met = measurements.length;
    if (!unsupported) return new CellAnswers(handle, places.length);
    const all = new Float64Array(candidates.cells);
    const some = await call("weights.block", undefined, { on: handle, ...stage });
    for (const [i, place] of places.entries()) all[place] = some[i] as number;
    return all;
  }

  #begin() {
    const { plan, start, watch } = this.#rounds;
    const { resolved, choices } = plan.parts;
    const { rule } = choices;
    const { flat, starts } = choices.candidates;
    const records = recordsOf(resolved, []);
    const how = { rule, projections: PROJECTIONS, seed: `${key(resolved.seed, "estimate")}`, records };
    const args = { flat, starts, options: JSON.stringify(how) };
    return open("weights.begin", args, { on: start.handle, ...watch.stage("estimate") });
  }

  [Symbol.dispose](): void {
    this.#begun?.[0].dispose();
  }
}

/** How many records there are: known, or counted before the first round. */
function recordsOf<S extends Schema>(
  { total, expectedRows }: WeightsPlan<S>["parts"]["resolved"],
  [first]: readonly Measurement[],
): number {
  if (total !== undefined) return total;
  return first?.clique.length === 0 ? Math.max(1, first.values[0] as number) : expectedRows;
}

/** The relative gap of estimates that only choose. */
const ROUGH = 1e-2;

/** The calibrated estimate, made anew of all answers. */
class Estimates<S extends Schema> implements Belief {
  readonly #rounds: WeightsRounds<S>;

  constructor(rounds: WeightsRounds<S>) {
    this.#rounds = rounds;
  }

  async after(measurements: readonly Measurement[]): Promise<Float64Array> {
    const { plan, start, watch } = this.#rounds;
    const { choices, resolved, cells } = plan.parts;
    const total = recordsOf(resolved, measurements);
    const rough = { ...resolved, total, tolerance: Math.max(resolved.tolerance, ROUGH) };
    // A model that would be refused as a release still says where to look.
    const request = { prior: start, measurements, keepRefused: true, seed: resolved.seed };
    using estimated = await estimateBy(rough, request, watch.stage);
    const all = joined(await estimated.model.answer(choices.candidates, watch.stage("estimate")));
    return cells ? Float64Array.from(cells, (place) => all[place] as number) : all;
  }

  [Symbol.dispose](): void {}
}
