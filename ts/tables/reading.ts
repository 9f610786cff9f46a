import { aborted } from "../engine/failure.js";
import { call, type Handle, open } from "../engine/index.js";
import { fullDialect } from "./dialect.js";
import type { ReadOptions, Settings } from "./read.js";
import type { Schema } from "./schema.js";
import { abandon, find, type Source } from "./source.js";
import { abortable, owned, type Spare } from "./stages.js";
import { Table } from "./table.js";
import { hasLists, nameOf, text, type Written } from "./text.js";

/** Reads a table; `readTable` has looked at the names of the options. */
export async function read<S extends Schema>(
  source: Source,
  schema: S,
  options: ReadOptions<S>,
): Promise<Table<S>> {
  const { signal } = options;
  if (signal?.aborted) throw aborted(signal);
  await check(source, schema, options);
  const found = await find(source, signal);
  if ("columns" in found && !hasLists(found.columns)) {
    const { readColumns } = await import("./columns.js");
    return readColumns(found.columns, schema, wire(schema, options, "rows"), options);
  }
  const wanted = (name: string) => name === options.weight || Object.hasOwn(schema.attributes, name);
  const { pieces, format } = await text(found, nameOf(source), options, wanted);
  const ready = async (): Promise<Handle> => {
    const args = { schema: schema.normal(), options: wire(schema, options, format) };
    return (await open("reader.open", args, on(signal)))[0];
  };
  const spare: Spare = [];
  return feed(ready, abortable(owned(pieces, spare), signal), spare, schema, signal);
}

/** Refuses options at once, before the source is waited for, and then leaves the source in order. */
async function check(source: Source, schema: Schema, options: Settings): Promise<void> {
  try {
    const { format = "csv" } = options;
    const written = format === "parquet" || format === "arrow" ? "rows" : format;
    const args = { schema: schema.normal(), options: wire(schema, options, written) };
    await call("reader.check", args, on(options.signal));
  } catch (error) {
    abandon(source);
    throw error;
  }
}

/**
 * Pushes pieces into a reader, one while the next is on its way, and takes the table out of it. The reader is made
 * when the first piece is there, so that the source is left in order where there is no memory for it.
 */
async function feed<S extends Schema>(
  ready: () => Promise<Handle>,
  pieces: AsyncIterable<Uint8Array<ArrayBuffer>>,
  spare: Spare,
  schema: S,
  signal: AbortSignal | undefined,
): Promise<Table<S>> {
  let reader: Handle | undefined;
  try {
    let before: Promise<unknown> = Promise.resolve();
    for await (const bytes of pieces) {
      reader ??= await ready();
      await before;
      before = call("reader.push", { bytes }, { on: reader, transfer: [bytes.buffer], ...on(signal) }).then(
        (back) => spare.push(back),
      );
      before.catch(() => undefined);
    }
    await before;
    reader ??= await ready();
    const [handle, { rows, weighted }] = await open("reader.finish", undefined, {
      on: reader,
      ...on(signal),
    });
    return new Table(schema, handle, rows, weighted);
  } finally {
    reader?.dispose();
  }
}

/** The options as the engine reads them, with every default filled in. */
function wire(schema: Schema, options: Settings, format: Written): string {
  const { weight = null, keepRaw = [], ignore = [] } = options;
  const keep = keepRaw.map((name) => schema.index(name));
  return JSON.stringify({ format, ...fullDialect(options), weight, keepRaw: keep, ignore });
}

const on = (signal: AbortSignal | undefined) => (signal ? { signal } : {});
