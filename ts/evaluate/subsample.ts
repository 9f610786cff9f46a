import { invalid } from "../options.js";
import { stream } from "../seed.js";
import { integer } from "../tables/attributes.js";
import { readTable } from "../tables/read.js";
import type { NameOf, Schema } from "../tables/schema.js";
import { schema } from "../tables/schema.js";
import type { Table } from "../tables/table.js";
import type { Meter } from "./meter.js";

type Codes = Uint8Array | Uint16Array;

/** Some attributes of a table as columns of codes, in this thread. */
export interface CodedColumns {
  readonly rows: number;
  readonly names: readonly string[];
  /** The number of codes of each attribute. */
  readonly sizes: readonly number[];
  readonly columns: readonly Codes[];
  readonly weights?: Float64Array | undefined;
}

/** Copies the codes of some attributes out of the engine. */
export async function codedColumns<S extends Schema>(
  table: Table<S>,
  names: readonly NameOf<S>[],
  meter: Meter,
): Promise<CodedColumns> {
  const columns: Codes[] = [];
  for (const name of names) columns.push(await table.codes(name, meter.settings));
  const weights = table.weighted ? await table.weights(meter.settings) : undefined;
  const sizes = names.map((name) => table.schema.sizes[table.schema.index(name)] as number);
  return { rows: table.rows, names, sizes, columns, weights };
}

/** The schema of a table whose values are codes. */
export function schemaOfCodes({ names, sizes }: Pick<CodedColumns, "names" | "sizes">): Schema {
  const codes = (size: number) => integer({ min: 0, max: size - 1 });
  return schema(Object.fromEntries(names.map((name, i) => [name, codes(sizes[i] as number)])));
}

/** A table of codes, or of those in some rows. */
export async function tableOfCodes(
  coded: CodedColumns,
  over: Schema,
  meter: Meter,
  rows?: Uint32Array,
): Promise<Table> {
  const weight = freeName(coded.names);
  const lists: Record<string, Codes | Float64Array> = {};
  for (const [i, name] of coded.names.entries()) {
    lists[name] = rows ? taken(coded.columns[i] as Codes, rows) : (coded.columns[i] as Codes);
    await meter.breathe();
  }
  if (!coded.weights) return readTable(lists, over, meter.settings);
  lists[weight] = rows ? taken(coded.weights, rows) : coded.weights;
  return readTable(lists, over, { ...meter.settings, weight });
}

/** Rows drawn without replacement: a share of them, at least one. */
export async function sampledRows(
  rows: number,
  share: number,
  { seed, meter }: { seed: string | number; meter: Meter },
): Promise<Uint32Array> {
  if (!(share > 0 && share <= 1)) throw invalid("a share of rows must lie above 0 and up to 1");
  const draws = stream(seed, "subsample", share);
  const order = Uint32Array.from({ length: rows }, (_, row) => row);
  const count = Math.min(rows, Math.max(1, Math.round(rows * share)));
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(draws.double() * (rows - i));
    [order[i], order[j]] = [order[j] as number, order[i] as number];
    if (i % 4096 === 0) await meter.breathe();
  }
  return order.subarray(0, count).sort();
}

function taken<C extends Codes | Float64Array>(column: C, rows: Uint32Array): C {
  const part = new (column.constructor as new (length: number) => C)(rows.length);
  for (let i = 0; i < rows.length; i++) part[i] = column[rows[i] as number] as number;
  return part;
}

/** A name for the weights that no attribute has. */
function freeName(names: readonly string[]): string {
  let name = "weight";
  while (names.includes(name)) name += "_";
  return name;
}
