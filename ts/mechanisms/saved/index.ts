import { known } from "../../options.js";
import type { CallSettings } from "../../tables/read.js";
import type { Schema } from "../../tables/schema.js";
import type { Source } from "../../tables/source.js";
import type { LoadedRelease } from "./loaded.js";

/** How a saved release is loaded; everything has a default. */
export interface LoadOptions<S extends Schema = Schema> extends CallSettings {
  /** The schema that it must have, for the types of its attributes; its own unless given. */
  schema?: S;
  /** The most bytes that it may take; what the engine has left unless given. */
  memoryLimit?: number;
}

/**
 * Loads a release that `release.save` has written, from whatever a table can be read from. It runs nothing that is in the
 * file, and refuses a file that was changed (RELEASE_DAMAGED) or is of a newer version (RELEASE_VERSION).
 *
 * ```ts
 * using release = await load("survey.marginalia");
 * await release.model.marginal(["age", "sex"]);
 * ```
 */
export async function load<S extends Schema = Schema>(
  source: Source,
  options: LoadOptions<S> = {},
): Promise<LoadedRelease<S>> {
  known(options, ["schema", "memoryLimit", "signal", "onProgress"], "load");
  return (await import("./load.js")).loaded(source, options);
}
