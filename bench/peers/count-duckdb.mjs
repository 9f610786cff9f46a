// DuckDB over a table of small integers: one GROUP BY for each pair, or all as GROUPING SETS of one query.

import { digits, names, pairs } from "../lib/data.mjs";
import { connect, readCsv, types } from "../lib/duckdb.mjs";
import { flat, totalOf } from "../lib/plain.mjs";
import { serve, timed } from "../lib/serve.mjs";

/** The cells of a pair from the columns of a result: codes and counts. */
function cells(stride, size, [first, second, counts]) {
  const array = new Uint32Array(size * stride);
  for (let i = 0; i < counts.length; i++) array[first[i] * stride + second[i]] = counts[i];
  return array;
}

/** One query a pair. */
function each({ columns }, sizes) {
  const header = names(sizes.length);
  const queries = pairs(sizes.length).map(([a, b]) => ({
    a,
    b,
    sql: `SELECT ${header[a]}, ${header[b]}, count(*)::INTEGER FROM data GROUP BY ${header[a]}, ${header[b]}`,
  }));
  return async () => {
    const answers = [];
    for (const { a, b, sql } of queries) answers.push(cells(sizes[b], sizes[a], await columns(sql)));
    return answers;
  };
}

/** One query for all; which pair a row belongs to is told by the two columns that are not null. */
function sets({ columns }, sizes) {
  const header = names(sizes.length);
  const all = pairs(sizes.length);
  const list = all.map(([a, b]) => `(${header[a]}, ${header[b]})`).join(", ");
  const sql = `SELECT ${header.join(", ")}, count(*)::INTEGER FROM data GROUP BY GROUPING SETS (${list})`;
  const index = new Map(all.map(([a, b], i) => [a * sizes.length + b, i]));
  return async () => {
    const result = await columns(sql);
    const counts = result.pop();
    const answers = all.map(([a, b]) => new Uint32Array(sizes[a] * sizes[b]));
    for (let row = 0; row < counts.length; row++) {
      const a = result.findIndex((column) => column[row] !== null);
      const b = result.findLastIndex((column) => column[row] !== null);
      answers[index.get(a * sizes.length + b)][result[a][row] * sizes[b] + result[b][row]] = counts[row];
    }
    return answers;
  };
}

await serve(async ({ csv, sizes, threads, grouping }) => {
  const database = await connect(threads);
  const source = readCsv(csv, names(sizes.length), types(digits(sizes)));
  await database.connection.run(`CREATE TABLE data AS SELECT * FROM ${source}`);
  const count = grouping === "sets" ? sets(database, sizes) : each(database, sizes);
  return {
    versions: database.versions,
    answer: async () => flat(await count()),
    async run() {
      const { result, nanoseconds } = await timed(count);
      return { nanoseconds, total: totalOf(result) };
    },
  };
});
