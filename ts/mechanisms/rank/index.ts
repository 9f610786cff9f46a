import type { MeasurePlan } from "../../privacy/measurePlan.js";
import type { Amount } from "../../privacy/rational.js";
import type { Sealed } from "../../privacy/sealed.js";
import type { CallSettings } from "../../tables/read.js";
import type { Schema } from "../../tables/schema.js";
import type { Table } from "../../tables/table.js";
import type { Workload } from "../../tables/workload.js";
import type { Ranking } from "./ranking.js";

/** What a ranking asks of the private table, and what that may cost. */
export interface RankPlanOptions<S extends Schema = Schema> {
  data: Sealed<S>;
  /** Whose cells public tables are judged by: all pairs of attributes unless given. */
  workload?: Workload<S>;
  /** What may be spent, in ε of a pure budget and in ρ of others; the whole budget unless given. */
  spend?: Amount;
}

export interface RankOptions<S extends Schema = Schema> extends RankPlanOptions<S>, CallSettings {
  /** Public tables by what they are called, under the schema of the private one. */
  public: Readonly<Record<string, Table<S>>>;
  /** As `sealed.measure` takes it. */
  label?: string;
  /** Takes public tables that were read from the private one's source: for experiments with data that are public. */
  allowSameSource?: boolean;
}

/** What ranking would cost, and what it could tell apart. The same for any rows. */
export interface RankPlan {
  readonly plan: MeasurePlan;
  /** By how many records noise can move what is said of a table, in 19 of 20 cases. */
  readonly reach: number;
  /** The same in parts of the rows that are expected, where somebody said how many. */
  readonly share: number | undefined;
}

async function ranked<S extends Schema>(options: RankOptions<S>): Promise<Ranking> {
  return (await import("./ranked.js")).ranked(options);
}

/**
 * Says which of several public tables is the best start for a release of a private one. It measures marginals of the private table, which
 * is charged once; all that it says of public tables follows from these answers, so that more tables can be ranked in the next run for nothing.
 *
 * ```ts
 * const ranking = await rank({ data, public: { "2018": survey2018, "2017": survey2017 }, spend: 0.1 });
 * console.log(`${ranking}`);
 * ```
 */
export const rank = /* @__PURE__ */ Object.assign(ranked, {
  /** What that would cost, and what it could tell apart; nothing is read. */
  async plan<S extends Schema>(options: RankPlanOptions<S>): Promise<RankPlan> {
    return (await import("./ranked.js")).planned(options);
  },
});
