// Reads a long Arrow stream and prints what the process holds from time to time, in MB, and how long the stream was.
import { tableFromArrays, tableToIPC } from "@uwdata/flechette";
import { integer, readTable, schema } from "marginalia";

const BATCHES = 800;
const ROWS = 1000;
const s = schema({ a: integer({ min: 0, max: 9 }) });
const columns = {
  a: Int32Array.from({ length: ROWS }, (_, i) => i % 10),
  more: Array.from({ length: ROWS }, (_, i) => `${i}`.repeat(140)),
};
const stream = tableToIPC(tableFromArrays(columns), { format: "stream" });
const start = 8 + new DataView(stream.buffer, stream.byteOffset).getInt32(4, true);
const [head, batch] = [stream.slice(0, start), stream.slice(start, stream.length - 8)];

const samples = [];
function sample() {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  samples.push((heapUsed + arrayBuffers) / 1e6);
}

async function* pieces() {
  yield head;
  for (let i = 0; i < BATCHES; i++) {
    // As they come from a network: in buffers of their own, cut anywhere.
    for (let at = 0; at < batch.length; at += 50_000) yield batch.slice(at, at + 50_000);
  }
}

const blob = () => new Blob([head, ...Array(BATCHES).fill(new Blob([batch]))]);
const source = process.argv[2] === "blob" ? blob() : pieces();
const whole = BATCHES * batch.length;
const onProgress = ({ done }) => {
  if (done > (samples.length * whole) / 40) sample();
};
const table = await readTable(source, s, { ignore: true, format: "arrow", onProgress });
if (table.rows !== BATCHES * ROWS) throw new Error(`${table.rows} rows were read`);
process.stdout.write(JSON.stringify({ samples, whole: whole / 1e6 }));
