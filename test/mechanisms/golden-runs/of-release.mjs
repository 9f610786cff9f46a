// Every part of a release that must stay the same.

import { Parts } from "./digest.mjs";
import { mechanismOf, publicOf, sealedOf } from "./releases.mjs";

const METHODS = ["controlled", "systematic", "iid"];
const SETTINGS = {
  answers: {},
  shares: { normalize: true },
  "errors of noise": { standardErrors: "noise" },
  "errors of all": { standardErrors: "all", normalize: true },
};

/** Questions that are not cells. */
const questionsOf = (schema) => {
  const [first, second] = schema.names;
  const cells = schema.size(first);
  return [
    { clique: [first], query: { type: "prefix" } },
    {
      clique: [second, first],
      query: {
        type: "ranges",
        ranges: [
          [0, 2],
          [1, 1],
        ],
      },
    },
    { clique: [first], query: { type: "matrix", rows: [Array.from({ length: cells }, (_, i) => i - 1)] } },
  ];
};

/** Which records some questions are about: by none of the attributes that tell groups apart. */
function conditionOf({ groups, schema }) {
  if (schema.names.includes("sex")) return { sex: "F", area: ["a", "b"] };
  const condition = { pets: "some", age: { from: 20, to: 59 } };
  return groups ? condition : { ...condition, state: ["N", null] };
}

async function addPlan(parts, name, plan) {
  parts.add(`${name}, in words`, `${plan}`);
  parts.add(`${name}, as data`, plan.toJSON());
}

/** Records by every method, as CSV with and without a seed's numbers. */
async function addRecords(parts, release) {
  for (const method of METHODS) {
    const table = await release.table({ rows: 300, method, seed: "records" });
    parts.add(`records, ${method}`, await table.toCsv({ seed: "numbers" }));
    table.dispose();
  }
  for (const [name, options] of [
    ["records as many as there are", {}],
    ["records that meet a condition", { where: conditionOf(release), seed: "some" }],
  ]) {
    const table = await release.table(options);
    parts.add(name, await table.toCsv());
    table.dispose();
  }
}

/** What a call gives, or what it is refused with: nothing is known of the errors of Algorithm 1. */
const orRefused = (call) => call.catch(({ code }) => [code]);

/** Answers to all pairs and other questions, with errors; `more` says of which group. */
async function addAnswers(parts, api, answerer, more = {}, of = "") {
  const pairs = api.kWay(answerer.schema, 2);
  const questions = questionsOf(answerer.schema);
  // Of a graphical model errors take far longer than all else, and have tests of their own.
  const some = Object.entries(SETTINGS).slice(0, answerer.kind === "graphical" ? 2 : undefined);
  for (const [name, settings] of some) {
    const answer = (asked) => orRefused(answerer.answer(asked, { ...settings, ...more }));
    parts.add(`${name}${of}`, await answer(pairs));
    parts.add(`${name} to questions${of}`, await answer(questions));
  }
}

async function addModel(parts, model, name) {
  if (model.kind !== "support") return parts.add(`${name}, in figures`, { total: model.total });
  parts.add(name, await model.weights());
  const [relativeEntropy, effectiveSize] = [await model.relativeEntropy(), await model.effectiveSize()];
  parts.add(`${name}, in figures`, { total: model.total, relativeEntropy, effectiveSize });
}

async function addFlat(parts, api, release) {
  await addModel(parts, release.model, "weights");
  const part = await release.model.where(conditionOf(release));
  await addModel(parts, part, "weights where a condition is met");
  await addAnswers(parts, api, part, {}, " where a condition is met");
  part.dispose();
  await addAnswers(parts, api, release.model);
}

async function addGroups(parts, api, release) {
  parts.add("groups", release.groups);
  const finest = Math.max(...release.groups.map(({ level }) => level));
  for (const [place, { level, by }] of release.groups.entries()) {
    const of = ` of group ${place}`;
    parts.add(
      `shares${of}`,
      await release.answer(api.kWay(release.schema, 2), { group: by, normalize: true }),
    );
    if (level < finest) continue;
    const model = await release.model(by);
    await addModel(parts, model, `weights${of}`);
    model.dispose();
  }
  const where = conditionOf(release);
  await addAnswers(parts, api, release);
  await addAnswers(
    parts,
    api,
    release,
    { group: release.groups[0].by, where },
    " of one where a condition is met",
  );
}

/** What a release says of itself: it stays the same when it is saved and loaded. */
async function addSaid(parts, release) {
  await addPlan(parts, "plan of the run", release.plan);
  parts.add("ledger, in words", `${release.ledger}`);
  parts.add("ledger, as data", release.ledger.toJSON());
  parts.add("report", release.report);
  parts.add("measurements", release.measurements);
  parts.add("total", [release.total]);
}

const contents = (release) => (release.groups ? addGroups : addFlat);

/** The hashes of all that a release is, as it is run or loaded. */
export async function partsOfLoaded(api, release, keep) {
  const parts = new Parts(keep);
  await addSaid(parts, release);
  await contents(release)(parts, api, release);
  await addRecords(parts, release);
  return parts.hashes;
}

/** What models know of their prior, which those of loaded releases do not. */
function addOrigin(parts, { model }) {
  if (model.kind !== "support") return;
  const { kind, rows, weight, strength } = model.prior;
  parts.add("prior of the model", [kind, rows, weight, strength, model.strength ?? null]);
}

async function addPages(parts, api, release, prior) {
  const input = await api.reportInput(release, { prior, rows: 200, seed: "report" });
  parts.add("input of the report", input);
  parts.add("page of the report", api.report(input));
}

/** Plans anew, runs again from a kept ledger, saves, loads: what of it is not the same in the loaded release is told. */
export async function partsOf(api, run, bytes, keep) {
  const prior = await publicOf(api, run);
  const parts = new Parts(keep);
  const mechanism = mechanismOf(api, run, prior);
  const fresh = await sealedOf(api, run, api.memoryStore());
  await addPlan(parts, "plan before anything was spent", await mechanism.plan(fresh));
  await fresh.close();

  const data = await sealedOf(api, run, api.memoryStore(bytes));
  const before = `${data.spent}`;
  const release = await mechanism.run(data);
  Object.assign(parts.hashes, await partsOfLoaded(api, release, keep));
  if (!release.groups) addOrigin(parts, release);
  await addPages(parts, api, release, prior);
  const saved = await release.toBytes();
  const after = `${data.spent}`;
  for (const one of [release, mechanism, prior]) one?.dispose();
  await data.close();
  return { hashes: parts.hashes, before, after, saved };
}
