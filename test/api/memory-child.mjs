// Reads many rows of 20 attributes from a stream and prints the peak of the process's memory above idle, in MB.
import { integer, memory, readTable, schema } from "marginalia";

const rows = Number(process.argv[2]);
const names = Array.from({ length: 20 }, (_, i) => `a${i}`);
const s = schema(Object.fromEntries(names.map((name) => [name, integer({ min: 0, max: 9 })])));
const line = (i) => `${names.map((_, j) => (i * 7 + j * 3) % 10).join()}\n`;
const block = new TextEncoder().encode(Array.from({ length: 10_000 }, (_, i) => line(i)).join(""));

async function* csv(blocks) {
  yield new TextEncoder().encode(`${names.join()}\n`);
  for (let i = 0; i < blocks; i++) yield block;
}

(await readTable(csv(10), s)).dispose();
await memory();
const peak = () => process.resourceUsage().maxRSS * 1024;
const idle = peak();
const table = await readTable(csv(rows / 10_000), s);
const { used } = await memory();
if (table.rows !== rows) throw new Error(`${table.rows} rows were read`);
console.log(JSON.stringify({ above: (peak() - idle) / 1e6, codes: (rows * 20) / 1e6, used: used / 1e6 }));
