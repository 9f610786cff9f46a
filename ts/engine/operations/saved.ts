import type { Context, Opened } from "../host.js";
import { coreTable, HeldTable } from "./crossing.js";
import { sent } from "./objects.js";
import type { Shape } from "./tables.js";

/** The raw numbers that a table keeps beside its codes, attribute by attribute. */
export interface Numbers {
  attribute: number;
  /** All numbers, row after row. */
  values: Float64Array<ArrayBuffer>;
  /** How many each row has; one each where it is missing. */
  counts: Uint32Array<ArrayBuffer> | undefined;
  /** For each number the weight of those of its row up to it; all weigh the same where it is missing. */
  sums: Float64Array<ArrayBuffer> | undefined;
}

/** A table with weights, taken apart. */
export interface TakenApart {
  /** The normal form of its schema. */
  schema: string;
  /** The codes of each attribute that a file has a column for. */
  columns: readonly Uint16Array[];
  weights: Float64Array;
  raw: readonly Numbers[];
}

/** Rows that cross at once, at most; of wide tables fewer. */
const ROWS = 1 << 14;
const CODES = 1 << 18;

/** How many numbers each row has, from where those of each begin. */
const countsOf = (starts: Uint32Array): Uint32Array<ArrayBuffer> =>
  Uint32Array.from(
    { length: starts.length - 1 },
    (_, row) => (starts[row + 1] as number) - (starts[row] as number),
  );

export const saved = {
  /** On a table. */
  async "table.raw"(ctx: Context, _: undefined): Promise<Numbers[]> {
    const table = await coreTable(ctx);
    return Array.from(table.raw(), (attribute, place) => {
      const starts = table.rawStarts(place);
      const sums = table.rawSums(place) as Float64Array<ArrayBuffer> | undefined;
      const values = sent(ctx, table.rawValues(place) as Float64Array<ArrayBuffer>);
      return {
        attribute,
        values,
        counts: starts && sent(ctx, countsOf(starts)),
        sums: sums && sent(ctx, sums),
      };
    });
  },

  /** Refuses codes that their attributes do not have, and whatever else is no table. */
  async "table.restore"(ctx: Context, { schema, columns, weights, raw }: TakenApart): Promise<Opened<Shape>> {
    ctx.room((1 << 20) + 16 * schema.length);
    const restorer = new ctx.raw.TableRestorer(schema);
    const most = Math.max(1, Math.min(ROWS, Math.floor(CODES / Math.max(columns.length, 1))));
    const rows = weights.length;
    let row = 0;
    let over = false;
    try {
      await ctx.run({
        step(work) {
          const end = row + Math.ceil(work / Math.max(columns.length, 1));
          while (row < Math.min(end, rows)) {
            const to = Math.min(rows, row + most);
            const codes = new Uint16Array(columns.length * (to - row));
            columns.forEach((column, i) => {
              codes.set(column.subarray(row, to), i * (to - row));
            });
            ctx.room(2 * codes.byteLength + 16 * (to - row));
            restorer.push(codes, weights.subarray(row, to));
            row = to;
          }
          return row === rows;
        },
        done: () => row,
        total: () => rows,
      });
      for (const { attribute, values, counts, sums } of raw) {
        ctx.room(2 * values.byteLength + 12 * (counts?.length ?? 0) + 2 * (sums?.byteLength ?? 0));
        restorer.number(attribute, values, counts ?? new Uint32Array(), sums ?? new Float64Array());
      }
      over = true;
      const table = new HeldTable("core", restorer.finish());
      return { kept: ctx.keep(table), value: { rows: table.rows(), weighted: true } };
    } finally {
      if (!over) restorer.free();
    }
  },
};
