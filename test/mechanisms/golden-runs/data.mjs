// Made-up people: rows follow from a seed, so anybody who runs this has the same.

const AREAS = ["N1", "N2", "S1", "S2"];
const DENSITY = [12, 48, 81, 99];
const SECTORS = ["farm", "shop", "office"];

/** Whole numbers below n, one after another, that follow from a seed. */
export function numbers(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** An attribute of each kind, nulls, a derived one, and two that follow from others: density from the area, sector from the job. */
export const peopleOf = ({ category, integer, number, schema }) =>
  schema(
    {
      area: category(AREAS, { other: null }),
      density: integer({ min: 0, max: 99, width: 50, other: "clamp", nullable: true }),
      age: integer({ min: 0, max: 79, width: 20, other: "clamp", nullable: true }),
      income: number({ cuts: [0, 1, 2.5, 4], other: "clamp", nullable: true }),
      job: integer({ min: 0, max: 29, width: 10, other: "clamp", nullable: true }),
      sector: category(SECTORS, { other: null }),
      pets: category(["none", "some"], { other: null }),
    },
    { derive: { state: { from: "area", prefix: 1 } } },
  );

export const RAW = ["density", "age", "income", "job"];

/** Their rows as CSV, without those of some areas; with a column of weights where they are `weighted`. */
export function people(rows, seed, { without = [], weighted = false } = {}) {
  const below = numbers(seed);
  const lines = [`area,density,age,income,job,sector,pets${weighted ? ",w" : ""}\n`];
  for (let i = 0; i < rows; i++) {
    const area = below(4);
    const age = below(80);
    const income = below(9) === 0 ? "" : Math.floor((below(40) * (20 + age)) / 100) / 10;
    const job = below(30);
    const pets = below(80) > age ? "some" : "none";
    const weight = weighted ? `,${(1 + below(4)) / 2}` : "";
    const fields = [AREAS[area], DENSITY[area], age, income, job, SECTORS[(job * 7) % 3], pets];
    if (!without.includes(AREAS[area])) lines.push(`${fields.join(",")}${weight}\n`);
  }
  return new Blob(lines);
}

const inBins = (codes, width) =>
  Object.fromEntries(Array.from({ length: codes }, (_, age) => [`${age}`, `bin ${Math.floor(age / width)}`]));

/** An attribute of many numbers, which pairs count by bins that are derived from it. */
export const agesOf = ({ category, integer, schema }) =>
  schema(
    {
      age: integer({ min: 0, max: 59, other: null }),
      sex: category(["F", "M"], { other: null }),
      area: category(["a", "b", "c"], { other: null }),
    },
    { derive: { bins: { from: "age", map: inBins(60, 5) } } },
  );

/** Their rows as CSV: those of `now` are as old as the oldest of their bin. */
export function ages(rows, { now }) {
  const lines = ["age,sex,area\n"];
  for (let i = 0; i < rows; i++) {
    const before = ((i * 7919) % 1000) % 60;
    const age = now && i % 3 > 0 && before % 5 < 2 ? before - (before % 5) + 4 : before;
    const area = (Math.floor(age / 20) + (Math.floor(i / 7) % 5 === 0 ? 1 : 0)) % 3;
    lines.push(`${age},${"FM"[Math.floor(i / 3) % 2]},${"abc"[area]}\n`);
  }
  return new Blob(lines);
}
