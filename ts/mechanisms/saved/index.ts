import { invalid, known } from "../../options.js";
import type { CallSettings } from "../../tables/read.js";
import type { Schema } from "../../tables/schema.js";
import type { Source } from "../../tables/source.js";
import type { LoadedGroupedRelease, LoadedRelease } from "./loaded.js";

/** How a saved release is loaded; everything has a default. */
export interface LoadOptions<S extends Schema = Schema> extends CallSettings {
  /** The schema that it must have, for the types of its attributes; its own unless given. */
  schema?: S;
  /** The most bytes that it may take; what the engine has left unless given. */
  memoryLimit?: number;
  /** Whether it is a release of groups, or `either`; one without groups unless given. */
  groups?: boolean | "either";
}

/**
 * Loads a release that `release.save` has written, from whatever a table can be read from. It runs nothing that is in the
 * file, and refuses a file that was changed (RELEASE_DAMAGED) or is of a newer version (RELEASE_VERSION).
 *
 * ```ts
 * using release = await load("survey.marginalia");
 * await release.model.marginal(["age", "sex"]);
 * using areas = await load("areas.marginalia", { groups: true }); // of `priorAware({ prior, groups })`
 * await areas.marginal(["age", "sex"], { group: { state: "AR" } });
 * ```
 */
export async function load<S extends Schema = Schema>(
  source: Source,
  options?: LoadOptions<S> & { groups?: false },
): Promise<LoadedRelease<S>>;
export async function load<S extends Schema = Schema>(
  source: Source,
  options: LoadOptions<S> & { groups: true },
): Promise<LoadedGroupedRelease<S>>;
export async function load<S extends Schema = Schema>(
  source: Source,
  options: LoadOptions<S>,
): Promise<LoadedRelease<S> | LoadedGroupedRelease<S>>;
export async function load<S extends Schema = Schema>(
  source: Source,
  options: LoadOptions<S> = {},
): Promise<LoadedRelease<S> | LoadedGroupedRelease<S>> {
  known(options, ["schema", "memoryLimit", "groups", "signal", "onProgress"], "load");
  const { groups } = options;
  if (groups !== undefined && groups !== "either" && typeof groups !== "boolean")
    throw invalid("`groups` is true, false or `either`");
  return (await import("./load.js")).loaded(source, options);
}
