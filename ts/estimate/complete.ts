import { open } from "../engine/index.js";
import { invalid, isObject, known } from "../options.js";
import { key } from "../seed.js";
import type { CallSettings } from "../tables/read.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { Table } from "../tables/table.js";
import { one } from "./checks.js";
import { type ConditionValue, codesOf } from "./condition.js";
import type { Model } from "./model.js";
import { checkRecords } from "./records.js";

/** What is known of a record: values of attributes, by their labels or as files hold them. */
export type PartialRow<S extends Schema = Schema> = { readonly [K in NameOf<S>]?: ConditionValue };

/** How rows are completed. */
export interface CompleteSettings extends CallSettings {
  /** How records that know the same become different ones: rounded (default), or drawn one by one. */
  method?: "systematic" | "iid";
  /** The seed of all draws. The same seed gives the same bytes, on every runtime. */
  seed?: string | number;
}

/** See {@link GraphicalModel.complete}. */
export async function completed<S extends Schema>(
  { schema, handle }: Model<S>,
  rows: readonly PartialRow<S>[],
  settings: CompleteSettings,
): Promise<Table<S>> {
  known(settings, ["method", "seed", "signal", "onProgress"], "complete");
  const { method = "systematic", seed = "marginalia", ...options } = settings;
  checkRecords(method, rows.length);
  one("method", method, ["systematic", "iid"]);
  const names = Object.keys(schema.attributes);
  const codes = new Int32Array(names.length * rows.length).fill(-1);
  const own = codesOf(schema);
  for (const [at, row] of rows.entries()) {
    if (!isObject(row)) throw invalid('a partial row is like { sex: "F" }, by attributes');
    for (const [name, value] of Object.entries(row)) {
      if (value === undefined) continue;
      const place = schema.index(name);
      if (place >= names.length)
        throw invalid(`${name} follows from another attribute: name that, or leave it out`);
      codes[place * rows.length + at] = own(name, value);
    }
  }
  const args = { codes, method, seed: `${key(seed, "complete")}` };
  const [kept, made] = await open("model.complete", args, { on: handle, ...options });
  return new Table(schema, kept, made.rows, false);
}
