// CSV parsers written in JavaScript, each with the same encoding of its texts. They start from bytes as we
// do, and are asked for one row after the other, so that none has to keep twenty million texts.

import { readFile } from "node:fs/promises";
import { Encoder } from "../lib/encode.mjs";
import { countPairs, flat } from "../lib/plain.mjs";
import { peer, serve, timed } from "../lib/serve.mjs";

const decode = (bytes) => new TextDecoder().decode(bytes);

const parsers = {
  async papaparse() {
    const { default: papa } = await peer("papaparse");
    return (bytes, add) => {
      let header = true;
      papa.parse(decode(bytes), {
        delimiter: ",",
        newline: "\n",
        skipEmptyLines: true,
        step({ data }) {
          if (!header) add(data);
          header = false;
        },
      });
    };
  },

  async "csv-parse"() {
    const { parse } = await peer("csv-parse/sync");
    return (bytes, add) => {
      parse(bytes, {
        from_line: 2,
        on_record(row) {
          add(row);
          return null;
        },
      });
    };
  },

  async udsv() {
    const { inferSchema, initParser } = await peer("udsv");
    return (bytes, add) => {
      const text = decode(bytes);
      const parser = initParser(inferSchema(text.slice(0, 2 ** 16), { col: ",", row: "\n", encl: '"' }));
      parser.stringArrs(text, (row) => {
        add(row);
      });
    };
  },
};

await serve(async ({ csv, labels, sizes, rows, parser }) => {
  const parse = await parsers[parser]();
  const bytes = await readFile(csv);
  async function read() {
    const encoder = new Encoder(labels, rows);
    parse(bytes, (row) => encoder.add(row));
    return encoder.columns;
  }
  return {
    versions: { [parser]: await versionOf(parser) },
    answer: async () => flat(countPairs(await read(), sizes)),
    async run() {
      const { result, nanoseconds } = await timed(read);
      return {
        nanoseconds,
        total: result.reduce((sum, column) => sum + column.reduce((a, b) => a + b, 0), 0),
      };
    },
  };
});

async function versionOf(name) {
  for (let folder = new URL(".", import.meta.resolve(name)); ; folder = new URL("..", folder)) {
    const found = await readFile(new URL("package.json", folder), "utf8").then(JSON.parse, () => ({}));
    if (found.name === name) return found.version;
  }
}
