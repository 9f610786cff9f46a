// A program from import to first count; it prints how long each step took, in nanoseconds.

const start = performance.now();
const steps = {};
let last = start;
const step = (name) => {
  const now = performance.now();
  steps[name] = (now - last) * 1e6;
  last = now;
};

const ours = await import("../ours.mjs");
const api = await ours.load();
step("import");
const { rows, sizes, threads } = JSON.parse(process.argv.at(-1));
const reason = await ours.begin(api, threads);
if (reason) throw new Error(reason);
step("init");
const schema = ours.codes(api, sizes);
const columns = sizes.map((size) => Uint8Array.from({ length: rows }, (_, row) => row % size));
const table = await ours.read(api, columns, schema);
step("table");
const answers = await ours.count(table, ours.pairs(api, schema));
const counts = await ours.clique(answers, 0);
step("count");
const nanoseconds = (last - start) * 1e6;
const total = counts.reduce((a, b) => a + b, 0);
answers.dispose();
table.dispose();
await ours.end(api);
console.log(JSON.stringify({ nanoseconds, total, parts: steps }));
