import { open } from "../engine/index.js";
import { invalid } from "../options.js";
import { key } from "../seed.js";
import type { CallSettings } from "../tables/read.js";
import type { Schema } from "../tables/schema.js";
import { Table } from "../tables/table.js";
import type { Workload } from "../tables/workload.js";
import type { Model } from "./model.js";

/**
 * How weights become records: rounded so that the target tables come close to the model's (default); rounded row by
 * row; or drawn one by one, which adds the noise of a sample of so many and may cost all that was gained.
 */
export type Method = "controlled" | "systematic" | "iid";

const METHODS: readonly Method[] = ["controlled", "systematic", "iid"];
/** No table has more rows. */
export const MOST = 2 ** 32 - 1;

/** What records are made of. */
export interface Recorded<S extends Schema> {
  model: Model<S>;
  targets: Workload<S>;
}

/** Refuses what is no method, and what is no number of records. */
export function checkRecords(method: Method, rows: number): void {
  if (!METHODS.includes(method)) throw invalid("`method` is controlled, systematic or iid");
  if (!(Number.isSafeInteger(rows) && rows >= 0 && rows <= MOST))
    throw invalid("`rows` is a whole number of records, 0 or above");
}

/** Exactly so many records of a model, in random order. */
export async function records<S extends Schema>(
  { model, targets }: Recorded<S>,
  { count, method, seed }: { count: number; method: Method; seed: string | number },
  settings: CallSettings,
): Promise<Table<S>> {
  checkRecords(method, count);
  const { flat, starts } = targets;
  const args = { records: count, method, flat, starts, seed: `${key(seed, "records")}` };
  const [handle, made] = await open("model.records", args, { on: model.handle, ...settings });
  return new Table(model.schema, handle, made.rows, false);
}
