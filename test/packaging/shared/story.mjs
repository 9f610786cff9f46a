// What every consumer does with the package, however it came by it.

import { SAVED } from "./saved.mjs";

/** Six rows whose counts anybody can check by eye; they stand in expected.mjs. */
const SMALL = `age,sex,carer,area
10,F,no,A1
30,M,yes,A2
30,F,no,B1
99,,yes,B1
55,M,no,A1
30,F,yes,A2
`;
const ROWS = 20_000;

/** A larger table, the same everywhere: columns drawn by a linear congruence. */
export function large() {
  let state = 1;
  const draw = (n) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % n;
  };
  const row = () => [
    draw(100),
    ["F", "M", ""][draw(3)],
    ["no", "yes"][draw(2)],
    ["A1", "A2", "B1"][draw(3)],
    draw(400_000) / 4,
  ];
  return `age,sex,carer,area,income\n${Array.from({ length: ROWS }, () => row().join(",")).join("\n")}\n`;
}

function schemas({ boolean, category, integer, number, schema }) {
  const attributes = {
    age: integer({ min: 0, max: 99, width: 25 }),
    sex: category(["F", "M"], { nullable: true }),
    carer: boolean({ texts: ["no", "yes"] }),
    area: category(["A1", "A2", "B1"]),
  };
  const income = number({ cuts: [0, 1_000.5, 25_000, 100_000], decimals: 2 });
  return [schema(attributes), schema({ ...attributes, income })];
}

/** A model of the survey that is told other ages: the weights of its rows, to the last digit. */
async function learnt({ estimate, measurement, prior }, survey, ages) {
  const before = await prior(survey);
  const told = measurement({
    version: 1,
    clique: ["age"],
    query: { type: "identity" },
    shape: [4],
    values: ages.map((count, i) => count + 250 * i),
    noise: { law: "laplace", scale: "1", variance: 2 },
    relation: "add-remove",
  });
  const { model } = await estimate.calibrated({ prior: before, measurements: [told] });
  const made = await model.table();
  const weights = { records: plain([await model.weights(), await made.weights()]), total: model.total };
  for (const one of [before, model, made]) one.dispose();
  return weights;
}

/**
 * What is measured of the survey as a private table, with so little noise that it is none but once in e^1000 draws; and
 * whether it is what the same rows are counted to be, and the account gives it again for nothing.
 */
async function sealed(marginalia) {
  const { category, integer, kWay, memoryStore, pure, readTable, schema, seal } = marginalia;
  const people = schema({
    age: integer({ min: 0, max: 79, width: 20, other: "clamp", nullable: true }),
    sex: category(["F"], { other: null }),
    area: category(["A1", "A2"], { other: "elsewhere" }),
  });
  const file = () => new Blob([large()]);
  const pairs = kWay(people, 2);
  const asked = [...pairs].map((clique) => ({ clique, scale: "1/1000" }));
  const account = async (ledger) => {
    const data = await seal(file(), people, { dataset: "survey", unit: "row", budget: pure(3000), ledger });
    const measured = await data.measure(asked);
    const kept = { measured, spent: `${data.spent}`, ledger: await data.ledger.export() };
    await data.close();
    return kept;
  };
  const first = await account(memoryStore());
  const second = await account(memoryStore(first.ledger));
  const table = await readTable(file(), people, { ignore: true });
  const counts = JSON.stringify(plain(await table.answer(pairs)));
  table.dispose();
  const text = JSON.stringify(first.measured);
  const again = JSON.stringify(second.measured) === text && second.spent === "3000" && first.spent === "3000";
  return {
    text,
    same: again && JSON.stringify(plain(first.measured.map(({ values }) => values))) === counts,
  };
}

/** Counts, writes, reads again, estimates and measures; `fingerprint` covers every byte that came out. */
export async function story(marginalia) {
  const { capabilities, kWay, readTable } = marginalia;
  const [few, all] = schemas(marginalia);
  const bytes = (text) => new TextEncoder().encode(text);
  const small = await readTable(bytes(SMALL), few);
  const survey = await readTable(bytes(large()), all);
  const counts = {
    small: plain(await small.answer(kWay(few, 2))),
    large: plain(await survey.answer(kWay(all, 2))),
  };
  const csv = await survey.toCsv({ seed: "packaging" });
  const again = await readTable(bytes(csv), all);
  const recounted = plain(await again.answer(kWay(all, 2)));
  const model = await learnt(marginalia, survey, [...(await survey.marginal(["age"]))]);
  for (const table of [small, survey, again]) table.dispose();
  const release = await kept(marginalia);
  const secret = await sealed(marginalia);
  return {
    capabilities: await capabilities(),
    counts,
    same: JSON.stringify(recounted) === JSON.stringify(counts.large),
    sealed: secret.same,
    fingerprint: await sha256(bytes(JSON.stringify([counts, model]) + csv + release + secret.text)),
  };
}

/** What a release says that was saved elsewhere, and saved and loaded once more here. */
async function kept({ load }) {
  const first = await load(Uint8Array.from(atob(SAVED), (letter) => letter.charCodeAt(0)));
  const release = await load(new Blob([await first.toBytes()]));
  const records = await release.table({ seed: "packaging", rows: 300, where: { n: { from: 10 } } });
  const text = await records.toCsv({ seed: "packaging" });
  const { values, standardErrors } = await release.model.marginal(["a", "m"], { standardErrors: "all" });
  for (const one of [first, release, records]) one.dispose();
  return JSON.stringify([text, [...values], [...standardErrors]]);
}

const plain = (answers) => answers.map((cells) => [...cells]);

async function sha256(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
