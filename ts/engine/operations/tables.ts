import type {
  CheckReader,
  ColumnReader,
  Table as RawTable,
  TableReader,
  TableWriter,
} from "../../../pkg/simd/marginalia.js";
import type { Context, Job, Opened } from "../host.js";
import { coreTable, HeldTable } from "./crossing.js";
import { finished, sent, Taken } from "./objects.js";

/** Numbers of one column. */
export type NumberColumn =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** Rows that cross to Rust at once when a table comes as columns, and the numbers in them. */
const COLUMN_ROWS = 1 << 14;
const COLUMN_NUMBERS = 1 << 20;

export interface Shape {
  rows: number;
  weighted: boolean;
}

/** What a reader needs to work, beside what it reads: it cannot do without. A value of the schema takes some words. */
const readerBytes = (schema: string) => (1 << 20) + 16 * schema.length;

const shape = (table: HeldTable): Shape => ({ rows: table.rows(), weighted: table.weighted() });

const held = (ctx: Context, table: HeldTable): Opened<Shape> => ({
  kept: ctx.keep(table),
  value: shape(table),
});

const kept = (ctx: Context, table: RawTable): Opened<Shape> => held(ctx, new HeldTable("core", table));

export const tables = {
  "reader.open"(ctx: Context, { schema, options }: { schema: string; options: string }): Opened<undefined> {
    ctx.room(readerBytes(schema));
    const reader = new ctx.raw.TableReader(schema, options);
    return { kept: ctx.keep(new Taken(reader, readerBytes(schema))), value: undefined };
  },

  /** Refuses what makes no sense, before anything is read. */
  "reader.check"(ctx: Context, { schema, options }: { schema: string; options: string }): void {
    ctx.room(readerBytes(schema));
    new ctx.raw.TableReader(schema, options).free();
  },

  /** The whole buffer of the bytes comes back. */
  async "reader.push"(
    ctx: Context,
    { bytes }: { bytes: Uint8Array<ArrayBuffer> },
  ): Promise<Uint8Array<ArrayBuffer>> {
    const taken = ctx.on<Taken<TableReader>>();
    const { object: reader } = taken;
    let at = 0;
    await ctx.run({
      step(work) {
        const piece = bytes.subarray(at, at + work);
        ctx.room(piece.length + taken.need);
        reader.push(piece);
        taken.need = 0;
        at += piece.length;
        return at === bytes.length;
      },
      done: () => at,
      total: () => bytes.length,
    });
    return sent(ctx, new Uint8Array(bytes.buffer));
  },

  /** A reader that looks for rows that do not fit; it takes the pieces of `reader.push` too. */
  "check.open"(ctx: Context, { schema, options }: { schema: string; options: string }): Opened<undefined> {
    ctx.room(readerBytes(schema));
    const reader = new ctx.raw.CheckReader(schema, options);
    return { kept: ctx.keep(new Taken(reader, readerBytes(schema))), value: undefined };
  },

  "check.finish"(ctx: Context, _: undefined): Float64Array {
    return ctx.on<Taken<CheckReader>>().take().finish();
  },

  "reader.finish"(ctx: Context, _: undefined): Opened<Shape> {
    return kept(ctx, ctx.on<Taken<TableReader>>().take().finish());
  },

  "columns.open"(
    ctx: Context,
    { schema, options, names }: { schema: string; options: string; names: readonly string[] },
  ): Opened<undefined> {
    ctx.room(readerBytes(schema));
    const reader = new ctx.raw.ColumnReader(schema, options, [...names]);
    return { kept: ctx.keep(new Taken(reader)), value: undefined };
  },

  /** Some rows of every column: pieces of them are widened to f64 and encoded in Rust. */
  async "columns.push"(ctx: Context, { columns }: { columns: readonly NumberColumn[] }): Promise<void> {
    const { object: reader } = ctx.on<Taken<ColumnReader>>();
    const rows = columns[0]?.length ?? 0;
    await ctx.run(
      inBlocks(rows, columns.length, (from, to) => {
        const block = new Float64Array(columns.length * (to - from));
        ctx.room(block.byteLength);
        columns.forEach((column, i) => {
          const part = column.subarray(from, to);
          block.set(isBig(part) ? Array.from(part, Number) : part, i * (to - from));
        });
        reader.push(block, to - from);
      }),
    );
  },

  "columns.finish"(ctx: Context, _: undefined): Opened<Shape> {
    return kept(ctx, ctx.on<Taken<ColumnReader>>().take().finish());
  },

  async "table.distinct"(ctx: Context, _: undefined): Promise<Opened<Shape>> {
    const table = ctx.on<HeldTable>();
    if (table.distinct) return held(ctx, table.share());
    const job = new ctx.raw.DistinctJob(await table.core(ctx));
    // A row costs some ten times what a unit of work is meant to.
    return held(ctx, new HeldTable("core", await finished(ctx, job, 10), true));
  },

  async "table.codes"(
    ctx: Context,
    { attribute }: { attribute: number },
  ): Promise<Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>> {
    const table = await coreTable(ctx);
    const codes = table.codes8(attribute) ?? table.codes16(attribute);
    return sent(ctx, codes as Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>);
  },

  async "table.weights"(ctx: Context, _: undefined): Promise<Float64Array<ArrayBuffer> | undefined> {
    const weights = (await coreTable(ctx)).weights() as Float64Array<ArrayBuffer> | undefined;
    return weights && sent(ctx, weights);
  },

  async "writer.open"(
    ctx: Context,
    { options }: { options: string },
  ): Promise<Opened<Uint8Array<ArrayBuffer>>> {
    const writer = new ctx.raw.TableWriter(await coreTable(ctx), options);
    return { kept: ctx.keep(writer), value: sent(ctx, writer.header() as Uint8Array<ArrayBuffer>) };
  },

  "writer.block"(ctx: Context, { rows }: { rows: number }): { bytes: Uint8Array<ArrayBuffer>; done: number } {
    const writer = ctx.on<TableWriter>();
    return { bytes: sent(ctx, writer.block(rows) as Uint8Array<ArrayBuffer>), done: writer.rows() };
  },
};

/** A job over rows in blocks of a bounded number of values, whatever the width; a unit of work is one value. */
function inBlocks(rows: number, width: number, block: (from: number, to: number) => void): Job {
  const most = Math.min(COLUMN_ROWS, Math.ceil(COLUMN_NUMBERS / Math.max(width, 1)));
  let row = 0;
  return {
    step(work) {
      const end = Math.min(rows, row + Math.ceil(work / Math.max(width, 1)));
      while (row < end) {
        const to = Math.min(end, row + most);
        block(row, to);
        row = to;
      }
      return row === rows;
    },
    done: () => row,
    total: () => rows,
  };
}

function isBig(column: NumberColumn): column is BigInt64Array | BigUint64Array {
  return column instanceof BigInt64Array || column instanceof BigUint64Array;
}
