// The table that is measured on: codes from a hash of row and column, so that any language can make the same
// ones, in any order, and a column of ten million rows takes a moment.

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";

const { sizes } = JSON.parse(await readFile(new URL("../sizes.json", import.meta.url), "utf8"));

/** Sizes of so many attributes: those of sizes.json, over and over. */
export const sizesOf = (attributes) => Array.from({ length: attributes }, (_, i) => sizes[i % sizes.length]);

/** Scrambles 32 bits (the finaliser of MurmurHash3). */
function mix(x) {
  let h = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** One column. The smaller of two hashes makes low codes the likelier ones, as in a survey. */
export function column(index, size, rows) {
  const codes = new Uint8Array(rows);
  const key = mix(index + 1);
  for (let row = 0; row < rows; row++) {
    const first = mix((row ^ key) >>> 0);
    const second = mix((first + index + 1) >>> 0);
    codes[row] = Math.floor((Math.min(first, second) * size) / 2 ** 32);
  }
  return codes;
}

/** All columns of a table with the given sizes. */
export const columns = (sizes, rows) => sizes.map((size, index) => column(index, size, rows));

/** The text of every code of a column: digits in the even columns, words in the odd ones. */
export function labels(sizes) {
  const words = ["north", "south", "east", "west", "inner city", "uplands", "coast", "lakes"];
  const word = (code) => (code < words.length ? words[code] : `${words[code % words.length]} ${code}`);
  return sizes.map((size, i) =>
    Array.from({ length: size }, (_, code) => (i % 2 ? word(code) : String(code))),
  );
}

/** Texts of digits for every column. */
export const digits = (sizes) => sizes.map((size) => Array.from({ length: size }, (_, code) => String(code)));

/** Names of so many columns. */
export const names = (count) => Array.from({ length: count }, (_, i) => `a${i}`);

/** CSV text of a block of rows. */
function block(table, texts, from, to) {
  let text = "";
  for (let row = from; row < to; row++) {
    text += texts[0][table[0][row]];
    for (let i = 1; i < table.length; i++) text += `,${texts[i][table[i][row]]}`;
    text += "\n";
  }
  return text;
}

/** Writes columns of codes as CSV, each code by its text. */
export async function writeCsv(path, table, texts) {
  const file = createWriteStream(path);
  file.write(`${names(table.length).join(",")}\n`);
  const rows = table[0].length;
  for (let from = 0; from < rows; from += 20_000) {
    if (!file.write(block(table, texts, from, Math.min(from + 20_000, rows)))) await once(file, "drain");
  }
  file.end();
  await once(file, "close");
}

/** Writes columns of codes one after the other, a byte a code. */
export async function writeColumns(path, table) {
  const file = createWriteStream(path);
  for (const codes of table) if (!file.write(codes)) await once(file, "drain");
  file.end();
  await once(file, "close");
}

/** Reads what writeColumns wrote. */
export async function readColumns(path, count) {
  const bytes = await readFile(path);
  const rows = bytes.length / count;
  return Array.from(
    { length: count },
    (_, i) => new Uint8Array(bytes.buffer, bytes.byteOffset + i * rows, rows),
  );
}

/** Every pair of columns, in the order of the answers: (0, 1), (0, 2), …, (1, 2), …. */
export function pairs(count) {
  return Array.from({ length: count }, (_, i) => i).flatMap((i) =>
    Array.from({ length: count - i - 1 }, (_, j) => [i, i + 1 + j]),
  );
}
