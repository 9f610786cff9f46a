// DuckDB as a contender: an in-memory database on one thread.

import { Missing, peer } from "./serve.mjs";

/** A connection to a new database with so many threads, and the version. */
export async function connect(threads) {
  const { DuckDBInstance, version } = await peer("@duckdb/node-api");
  const instance = await DuckDBInstance.create(":memory:", { threads: String(threads) });
  const connection = await instance.connect();
  const columns = async (sql) => (await connection.runAndReadAll(sql)).getColumns();
  if (Number((await columns("SELECT current_setting('threads')"))[0][0]) !== threads) {
    throw new Missing("DuckDB did not take the number of threads");
  }
  return { connection, columns, versions: { duckdb: version() } };
}

const quoted = (text) => `'${text.replaceAll("'", "''")}'`;

/** The SQL types of columns with these texts: small integers, or enumerations of words. */
export function types(labels) {
  return labels.map((texts) =>
    texts.every((text, code) => text === String(code))
      ? "UTINYINT"
      : `ENUM (${texts.map(quoted).join(", ")})`,
  );
}

/** A call of read_csv that declares everything and guesses nothing. */
export function readCsv(path, names, types) {
  const columns = names.map((name, i) => `${name}: ${quoted(types[i])}`).join(", ");
  return `read_csv(${quoted(path)}, columns = {${columns}}, header = true, auto_detect = false,
    delim = ',', quote = '"', escape = '"', new_line = '\\n')`;
}
