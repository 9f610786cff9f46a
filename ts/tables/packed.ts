import { call, type Numbers, type TakenApart } from "../engine/index.js";
import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import type { CopySettings } from "./answers.js";
import {
  bitsFor,
  type NumbersHead,
  numbersBytes,
  pack,
  packedBytes,
  readNumbers,
  unpack,
  writeNumbers,
} from "./numbers.js";
import type { NameOf, Schema } from "./schema.js";
import type { Table } from "./table.js";

/** How a table is written: the codes of distinct rows, their weights, and raw numbers where there are some. */
export interface PackedHead {
  readonly rows: number;
  readonly weights: NumbersHead;
  readonly raw?: RawHead;
}

/** The raw numbers of the public table: all attributes have as many in each row, of the same weights. */
export interface RawHead {
  readonly attributes: readonly string[];
  /** How many each row has; one each where it is missing. */
  readonly counts?: NumbersHead;
  /** For each number the weight of those of its row up to it; all weigh the same where it is missing. */
  readonly sums?: NumbersHead;
  /** Of each attribute. */
  readonly values: readonly NumbersHead[];
}

/** The attributes that a file has a column for, and how many bits each code takes. */
const bitsOf = (schema: Schema): number[] =>
  Object.keys(schema.attributes).map((name) => bitsFor(schema.size(name)));

/** The codes of a table, one attribute after another, each from a byte of its own. */
export async function packedCodes<S extends Schema>(
  table: Table<S>,
  settings: CopySettings,
): Promise<Uint8Array<ArrayBuffer>> {
  const { schema, rows } = table;
  const names = Object.keys(schema.attributes) as NameOf<S>[];
  const bytes = new Uint8Array(codesBytes(schema, rows));
  let at = 0;
  for (const name of names) {
    const packed = pack(await table.codes(name, settings), bitsFor(schema.size(name)));
    bytes.set(packed, at);
    at += packed.length;
  }
  return bytes;
}

/** The bytes of the codes of so many rows. */
export const codesBytes = (schema: Schema, rows: number): number =>
  bitsOf(schema).reduce((sum, bits) => sum + packedBytes(rows, bits), 0);

/** The codes again. The engine looks at whether their attributes have them. */
export function unpackedCodes(schema: Schema, rows: number, bytes: Uint8Array): Uint16Array[] {
  let at = 0;
  return bitsOf(schema).map((bits) => {
    const codes = unpack(bytes.subarray(at), bits, new Uint16Array(rows));
    at += packedBytes(rows, bits);
    return codes;
  });
}

/** The raw numbers of a table as a section; nothing where it has none. */
export async function writtenRaw(
  table: Table,
  settings: CopySettings,
): Promise<{ head: RawHead; bytes: Uint8Array<ArrayBuffer> } | undefined> {
  const all = await call("table.raw", undefined, { on: table.handle, ...settings });
  const [first] = all;
  if (!first) return undefined;
  if (!all.every(({ counts, sums }) => same(counts, first.counts) && same(sums, first.sums)))
    throw new MarginaliaError(
      "INTERNAL",
      "raw numbers of one table differ in how many there are of each row",
    );
  const counts = first.counts && writeNumbers(first.counts);
  const sums = first.sums && writeNumbers(first.sums);
  const values = all.map((one) => writeNumbers(one.values));
  const parts = [...(counts ? [counts] : []), ...(sums ? [sums] : []), ...values];
  const head: RawHead = {
    attributes: all.map(({ attribute }) => table.schema.names[attribute] as string),
    ...(counts && { counts: counts.head }),
    ...(sums && { sums: sums.head }),
    values: values.map((one) => one.head),
  };
  const blob = new Blob(parts.map(({ bytes }) => bytes));
  return { head, bytes: new Uint8Array(await blob.arrayBuffer()) };
}

/** The lists of a section of raw numbers, in their order. */
export const rawLists = ({ counts, sums, values }: RawHead): NumbersHead[] => [
  ...(counts ? [counts] : []),
  ...(sums ? [sums] : []),
  ...values,
];

/** The raw numbers again. */
export function readRaw(schema: Schema, head: RawHead | undefined, bytes: Uint8Array): Numbers[] {
  if (!head) return [];
  let at = 0;
  const lists = rawLists(head).map((one) => {
    const list = listOf(bytes.subarray(at), one);
    at += numbersBytes(one);
    return list;
  });
  const counts = head.counts && wholes(lists.shift() as Float64Array);
  const sums = head.sums && lists.shift();
  return head.attributes.map((name, i) => {
    return { attribute: schema.index(name), values: lists[i] as Float64Array<ArrayBuffer>, counts, sums };
  });
}

/** A table as the engine takes it, from its sections. */
export function takenApart(
  schema: Schema,
  base: PackedHead,
  sections: Readonly<Record<"codes" | "weights" | "raw", Uint8Array>>,
): TakenApart {
  return {
    schema: schema.normal(),
    columns: unpackedCodes(schema, base.rows, sections.codes),
    weights: listOf(sections.weights, base.weights),
    raw: readRaw(schema, base.raw, sections.raw),
  };
}

function listOf(bytes: Uint8Array, head: NumbersHead): Float64Array<ArrayBuffer> {
  const list = readNumbers(bytes, head);
  if (list) return list;
  throw invalid("a number of its rows is none of those that it lists");
}

function wholes(list: Float64Array): Uint32Array<ArrayBuffer> {
  const counts = Uint32Array.from(list);
  if (list.every((count, i) => count === counts[i])) return counts;
  throw invalid("the raw numbers of a row are counted by no whole number");
}

/** Whether two lists hold the same bits, or both are missing. */
function same(a: ArrayLike<number> | undefined, b: ArrayLike<number> | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
