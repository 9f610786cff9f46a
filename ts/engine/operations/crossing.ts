import type { Table, TableCopy } from "../../../pkg/simd/marginalia.js";
import type { Context } from "../host.js";

/** An instance that tables can come to: the core, or the module for models. */
interface Destination {
  TableCopy: new (schema: string, rows: number) => TableCopy;
}

/**
 * A copy of a table in another instance, which has a memory of its own: column by column, through arrays of JavaScript.
 * The table stays where it is. It takes so little time that progress is not told of it.
 */
export async function crossed(ctx: Context, table: Table, to: Destination): Promise<Table> {
  const schema = table.schema();
  // As for a reader of it.
  ctx.room((1 << 20) + 16 * schema.length);
  const rows = table.rows();
  const copy = new to.TableCopy(schema, rows);
  const parts = list(table, copy);
  let at = 0;
  let over = false;
  try {
    await ctx.run(
      {
        step(work) {
          // What this step has copied, which the other instance does not know of yet.
          let fresh = 0;
          const room = (bytes: number) => {
            ctx.room(fresh + 2 * bytes);
            fresh += bytes;
          };
          for (const end = at + work / Math.max(rows, 1); at < parts.length && at < end; at++)
            parts[at]?.(room);
          return at === parts.length;
        },
        done: () => at,
        total: () => parts.length,
      },
      true,
    );
    over = true;
    return copy.finish();
  } finally {
    if (!over) copy.free();
  }
}

/** A table that the module for models made, as one of the core: everything works on those. */
export async function brought(ctx: Context, made: Table): Promise<Table> {
  try {
    return await crossed(ctx, made, ctx.raw);
  } finally {
    made.free();
  }
}

type Room = (bytes: number) => void;

/** What is to be copied, one list of numbers after another. */
function list(table: Table, copy: TableCopy): ((room: Room) => void)[] {
  const parts: ((room: Room) => void)[] = [];
  for (let i = 0; i < table.attributes(); i++) parts.push((room) => column(table, copy, i, room));
  if (table.weighted()) parts.push((room) => copy.weights(seen(table.weights(), room) as Float64Array));
  table.raw().forEach((attribute, i) => {
    parts.push((room) => {
      const values = seen(table.rawValues(i), room);
      copy.raw(attribute, values, seen(table.rawStarts(i), room), seen(table.rawSums(i), room));
    });
  });
  return parts;
}

function column(table: Table, copy: TableCopy, attribute: number, room: Room): void {
  const bytes = seen(table.codes8(attribute), room);
  if (bytes !== undefined) copy.codes8(bytes);
  else copy.codes16(seen(table.codes16(attribute), room) as Uint16Array);
}

/** Numbers for which there is room where they go. */
function seen<T extends ArrayBufferView | undefined>(numbers: T, room: Room): T {
  if (numbers !== undefined) room(numbers.byteLength);
  return numbers;
}
