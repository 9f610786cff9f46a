import { category, readTable, type Schema, schema, type Table } from "marginalia";

/** Three attributes of few values; rows are texts such as `"pax"`. */
export const small = schema({
  g: category(["p", "q", "r"]),
  a: category(["a", "b"]),
  b: category(["x", "y"]),
});

/** A table of such rows, where some are given often. */
export function rowsOf(...rows: readonly string[]): Promise<Table<typeof small>> {
  return readTable({ g: rows.map((r) => r[0]), a: rows.map((r) => r[1]), b: rows.map((r) => r[2]) }, small);
}

/** The same with a weight for each row. */
export function weighted(rows: Readonly<Record<string, number>>): Promise<Table<typeof small>> {
  const list = Object.entries(rows).map(([r, w]) => ({ g: r[0], a: r[1], b: r[2], w }));
  return readTable(list, small, { weight: "w" });
}

/** The code of what a promise fails with. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: { code: unknown }) => error.code,
  );
}

/** A schema of some attributes with so many codes each. */
export function sized(sizes: readonly number[]): Schema {
  const values = (size: number) => Array.from({ length: size }, (_, code) => `${code}`);
  return schema(Object.fromEntries(sizes.map((size, i) => [`a${i}`, category(values(size))])));
}
