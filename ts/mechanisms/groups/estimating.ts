import { call, type Handle, open } from "../../engine/index.js";
import { joined } from "../../estimate/wire.js";
import type { Measurement } from "../../measurement.js";
import { invalid } from "../../options.js";
import { key } from "../../seed.js";
import type { Schema } from "../../tables/schema.js";
import { type Run, refused } from "../kit/run.js";
import { type Stage, stages } from "../kit/stages.js";
import type { GroupedRunSettings } from "./index.js";
import type { GroupedPlan } from "./plan.js";
import { publicCliques, type SharedPrior, wired } from "./prior.js";
import { GroupedRelease } from "./release.js";
import { FIGURES, type Figures, figuresOf, GroupTree, type LevelTrust, type ReleasedGroup } from "./tree.js";

/** The release of what was measured in each level. */
export async function estimated<S extends Schema>(
  plan: GroupedPlan<S>,
  { sealed: { ledger } }: Run<S>,
  measured: readonly (readonly Measurement[])[],
  settings: GroupedRunSettings<S>,
): Promise<GroupedRelease<S>> {
  const { resolved, prepared, targets } = plan.parts;
  const { seed = resolved.seed, keepRefused = false, onGroup } = settings;
  const levels = plan.levels.map(({ by }) => by);
  const tree = new GroupTree(resolved.schema as S, levels, prepared);
  const request = requestOf(plan, measured, seed);
  const [job] = await open("groups.begin", request, {
    on: prepared.shared,
    transfer: [request.values.buffer],
  });
  using _ = job;
  const figures = await estimates(job, tree, stages(settings), onGroup);
  const bad = figures.filter(({ status }) => status === "refused").length;
  if (bad > 0 && !keepRefused)
    throw refused(`the estimate of ${bad} of ${figures.length} groups`, measured.flat());
  const [handle] = await open("groups.finish", undefined, { on: job });
  const trust = await trustOf(handle);
  const kept = prepared.share();
  return new GroupedRelease<S>({
    ...{ tree, handle, figures, trust, measured, targets, seed, plan, ledger, rows: kept.rows },
    local: kept.counts.find((counts) => counts !== undefined)?.names ?? [],
    free: () => kept.dispose(),
  });
}

/** Estimates group after group, each told of when it is done. */
async function estimates<S extends Schema>(
  job: Handle,
  tree: GroupTree<S>,
  stage: Stage,
  onGroup: ((group: ReleasedGroup) => void) | undefined,
): Promise<Figures[]> {
  const all: Figures[] = new Array(tree.groups.length);
  for (;;) {
    const { flat, over } = await call("groups.run", undefined, { on: job, ...stage("estimate") });
    for (let at = 0; at < flat.length; at += WIDTH) {
      const [group, ...rest] = flat.subarray(at, at + WIDTH) as unknown as [number, ...number[]];
      const one = { status: "refused", ...figuresOf(rest) } as Figures;
      all[group] = one;
      onGroup?.(tree.named(group, one));
    }
    if (over) return all;
  }
}

/** Of each level how far its priors were trusted; null where its answers were not asked. */
async function trustOf(groups: Handle): Promise<(LevelTrust | null)[]> {
  const flat = await call("groups.judged", undefined, { on: groups });
  return Array.from({ length: flat.length / 2 }, (_, level) => {
    const [factor, excess] = flat.subarray(2 * level) as unknown as [number, number];
    return Number.isNaN(factor) ? null : Object.freeze({ factor, excess });
  });
}

/** The place and the figures of a group, as `crates/model-wasm/src/hierarchy.rs` writes them. */
const WIDTH = FIGURES.length + 2;

/** What the engine is asked. */
function requestOf<S extends Schema>(
  plan: GroupedPlan<S>,
  measured: readonly (readonly Measurement[])[],
  seed: string | number,
): { options: string; values: Float64Array<ArrayBuffer> } {
  const { resolved, hierarchy, prepared } = plan.parts;
  const { schema } = resolved;
  const arrays: Float64Array[] = [];
  const levels = measured.map((list, i) => {
    const counts = prepared.counts[i];
    arrays.push(...list.map(({ values }) => values), ...(counts?.values ?? []));
    return {
      measurements: list.map(({ clique, noise }) => wired(schema, clique, noise.variance)),
      public: publicCliques(schema, hierarchy, i, counts),
      fixed: hierarchy.levels[i]?.strength ?? null,
      between: prepared.between[i] as number,
      sweeps: i === 0 ? TOP_SWEEPS : SWEEPS,
    };
  });
  const options = {
    levels,
    strength: resolved.priorStrength,
    totals: hierarchy.totals,
    all: hierarchy.totals === "consistent" ? (resolved.total ?? null) : null,
    known: hierarchy.known.map(({ codes, records }) => [placeOf(prepared, codes), records]),
    laplace: resolved.law === "laplace",
    estimator: hierarchy.estimator,
    tolerance: resolved.tolerance,
    passes: PASSES,
    seed: `${key(seed, "groups")}`,
  };
  return { options: JSON.stringify(options), values: joined(arrays) };
}

/** The place of a group of the coarsest level. */
function placeOf<S extends Schema>({ groups }: SharedPrior<S>, codes: readonly number[]): number {
  const at = groups.findIndex((one) => one.level === 0 && `${one.codes}` === `${codes}`);
  if (at >= 0) return at;
  throw invalid("`total` names a group that cannot be, by what follows from others");
}

/** Sweeps before Newton's method: many records make a stiff problem, and groups have few. */
const TOP_SWEEPS = 5;
const SWEEPS = 1;
const PASSES = 20_000;
