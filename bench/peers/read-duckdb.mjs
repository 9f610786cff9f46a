// DuckDB reading a CSV file into a table with declared types: words as enumerations, which it keeps as codes.

import { names } from "../lib/data.mjs";
import { connect, readCsv, types } from "../lib/duckdb.mjs";
import { countPairs, flat } from "../lib/plain.mjs";
import { serve, timed } from "../lib/serve.mjs";

await serve(async ({ csv, labels, sizes, threads }) => {
  const database = await connect(threads);
  const header = names(labels.length);
  const declared = types(labels);
  const source = readCsv(csv, header, declared);
  const code = (name, i) => (declared[i] === "UTINYINT" ? name : `enum_code(${name})`);
  const read = () => database.connection.run(`CREATE OR REPLACE TABLE data AS SELECT * FROM ${source}`);
  return {
    versions: database.versions,
    async answer() {
      await read();
      const columns = await database.columns(`SELECT ${header.map(code).join(", ")} FROM data`);
      return flat(countPairs(columns, sizes));
    },
    async run() {
      const { nanoseconds } = await timed(read);
      const sums = header.map((name, i) => `sum(${code(name, i)})::DOUBLE`).join(" + ");
      const [[total]] = await database.columns(`SELECT ${sums} FROM data`);
      return { nanoseconds, total };
    },
  };
});
