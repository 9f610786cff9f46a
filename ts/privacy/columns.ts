import { known } from "../options.js";
import { DIALECT, type Dialect } from "../tables/dialect.js";
import type { SchemaDraft } from "../tables/drafts/draft.js";
import type { SealedSource } from "./origin.js";

/** How a private source is written. */
export interface ColumnsOptions extends Dialect {
  readonly signal?: AbortSignal;
}

/**
 * Drafts a schema of the names of the columns of a private source, and of nothing else: of CSV its first line is read, of Parquet
 * and Arrow the names in their schemas, and no row. The names are in the draft, for everybody to see; all else is to be filled
 * in from what is public.
 */
export async function schemaOfColumns(
  source: SealedSource,
  options: ColumnsOptions = {},
): Promise<SchemaDraft> {
  known(options, [...DIALECT, "signal"], "schemaOfColumns");
  return (await import("./column-names.js")).ofColumns(source, options);
}
