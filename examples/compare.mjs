// A release of this year's survey at ε = 1, beside other ways to publish something: what `npm run demo` ends with.
import { estimate, kWay, prior, priorAware, pure, readTable, seal } from "marginalia";
import { file, people } from "./survey.mjs";

const NUMBERS = ["age", "hours", "income"];
/** Attributes as a file has them, and how many rows are drawn where no public ones are used. */
const names = Object.keys(people.attributes);
const RANDOM_ROWS = 20_000;

/** Rows whose attributes are drawn one by one, by what the answers say of each: all that is known without the prior. */
async function strangersOf(measurements) {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const columns = names.map((name) => {
    const sums = marginal(measurements, name);
    const all = sums.reduce((sum, one) => sum + one, 0);
    const labels = people.labels(name).map((label) => label?.replace(/^\[?([^,.]*)(\.\.|,).*$/, "$1") ?? "");
    return () => {
      let left = random() * all;
      const code = sums.findIndex((one) => {
        left -= one;
        return left < 0;
      });
      return labels[Math.max(code, 0)];
    };
  });
  const lines = Array.from({ length: RANDOM_ROWS }, () => columns.map((draw) => draw()).join(","));
  return readTable(new Blob([`${names.join(",")}\n${lines.join("\n")}\n`]), people);
}

/** The counts of one attribute by a measurement that has it; nothing below zero. */
function marginal(measurements, name) {
  const { clique, shape, values } = measurements.find((one) => one.clique.includes(name));
  const at = clique.indexOf(name);
  const stride = shape.slice(at + 1).reduce((product, size) => product * size, 1);
  const sums = new Array(shape[at]).fill(0);
  for (const [cell, value] of values.entries()) sums[Math.floor(cell / stride) % shape[at]] += value;
  return sums.map((sum) => Math.max(sum, 0));
}

/** Releases 2019 at ε = 1 and prints how far each way is from it, in points of 1000. Reads the truth to judge. */
export async function compare(target) {
  const before = await readTable(file(2018), people, { keepRaw: NUMBERS });
  const truth = await readTable(file(2019), people);
  const data = await seal(file(2019), people, { dataset: "survey-2019", unit: "row", budget: pure(1) });
  const mechanism = priorAware({ prior: before, provenance: { name: "survey-2018.csv" } });

  const start = performance.now();
  const plan = await mechanism.plan(data);
  const release = await mechanism.run(data, { plan });
  await release.writeCsv(target, { seed: "demo" });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const records = await readTable(target, people);

  const pairs = kWay(people, 2);
  const counts = await truth.answer(pairs);
  const points = (answers, total) => {
    const apart = (cells, i) =>
      cells.reduce((sum, n, cell) => sum + Math.abs(n / total - counts[i][cell] / truth.rows), 0);
    return 500 * (2 - answers.reduce((sum, cells, i) => sum + apart(cells, i), 0) / answers.length);
  };

  const { measurements } = release;
  const published = await prior(before);
  const paper = { order: "random", choice: "rescale", damping: 1, tolerance: 0, seed: 1 };
  const literal = await estimate.iterative({
    prior: published,
    measurements,
    ...paper,
    steps: 2 * measurements.length,
  });
  const strangers = await strangersOf(measurements);
  const blank = await prior(strangers, { strength: RANDOM_ROWS });
  const alone = await estimate.calibrated({ prior: blank, measurements, strength: 100, tolerance: 1e-2 });

  const rows = [
    [
      `marginalia, ${records.rows} records in ${seconds} s`,
      points(await records.answer(pairs), records.rows),
    ],
    ["last year's file as it is", points(await before.answer(pairs), before.rows)],
    [
      "the same answers, the paper's algorithm",
      points(await literal.model.answer(pairs), literal.model.total),
    ],
    [
      "the same answers, without last year's file",
      points(await alone.model.answer(pairs), alone.model.total),
    ],
  ];
  console.log(`\nThis year's survey at ε = 1: points of 1000 over all ${pairs.length} pairs (1000: equal)`);
  for (const [what, score] of rows) console.log(`  ${score.toFixed(1).padStart(6)}  ${what}`);
  console.log(`\n${data.ledger}\n\nwritten to ${target}`);
  for (const one of [release, mechanism, literal, alone, published, blank, strangers, records, truth, before])
    one.dispose();
  await data.close();
}
