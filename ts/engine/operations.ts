import type { Context } from "./host.js";
import { answers } from "./operations/answers.js";
import { crossings } from "./operations/crossing.js";
import { estimates } from "./operations/estimate.js";
import { groupsErrors } from "./operations/groups-errors.js";
import { groupsSaved } from "./operations/groups-saved.js";
import { hierarchy } from "./operations/hierarchy.js";
import { lp } from "./operations/lp.js";
import { models, supportModels } from "./operations/model.js";
import { priors } from "./operations/priors.js";
import { privacy } from "./operations/privacy.js";
import { publics } from "./operations/public.js";
import { saved } from "./operations/saved.js";
import { select } from "./operations/select.js";
import { tables } from "./operations/tables.js";
import { weights } from "./operations/weights.js";

/** What one operation looks like: it must neither change its arguments nor keep them. */
export type Operation = (ctx: Context, args: never) => unknown;

export interface MemoryState {
  /** Bytes that are allocated now, but for those of private rows: how many these are would tell how many rows. */
  used: number;
  /** Bytes beyond which large allocations are refused. */
  limit: number;
  /** Objects that handles stand for. */
  objects: number;
}

/** Everything that the engine can be asked for, by name. */
export const operations = {
  "engine.memory": (ctx: Context, _args: undefined): MemoryState => ({
    used: ctx.raw.memoryUsed(),
    limit: ctx.raw.memoryLimit(),
    objects: ctx.objects,
  }),
  "engine.crossings": (_ctx: Context, _args: undefined): typeof crossings => ({ ...crossings }),
  ...tables,
  ...answers,
  ...estimates,
  ...models,
  ...supportModels,
  ...groupsErrors,
  ...groupsSaved,
  ...hierarchy,
  ...privacy,
  ...lp,
  ...publics,
  ...saved,
  ...select,
  ...priors,
  ...weights,
} satisfies Record<string, Operation>;

export type Operations = typeof operations;
