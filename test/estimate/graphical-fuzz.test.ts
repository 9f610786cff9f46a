import {
  close,
  estimate,
  type GraphicalOptions,
  init,
  integer,
  kWay,
  type MarginaliaError,
  type MeasurementJson,
  measurement,
  type Schema,
  schema,
  workload,
} from "marginalia";
import { afterAll, expect, it } from "vitest";
import { stream } from "../../ts/seed.js";
import { cells as everyCell } from "./support.js";

afterAll(() => close());

type Draws = ReturnType<typeof stream>;
const below = (draws: Draws, n: number) => Math.floor(n * draws.double());
const pick = <T>(draws: Draws, list: readonly T[]) => list[below(draws, list.length)] as T;
const CELLS = 300;
/** One case in so many is of pairs that meet in more cells than fit. */
const WIDE = 40;

/** Any schema: single codes, many codes, derived attributes. */
function someSchema(draws: Draws, wide: boolean): Schema {
  const sizes = wide
    ? new Array(9).fill(40)
    : Array.from({ length: 1 + below(draws, 9) }, () => pick(draws, [1, 2, 2, 3, 4, 7, 12, 30, 90]));
  const attributes = Object.fromEntries(
    sizes.map((size, i) => [`n${i}`, integer({ min: 0, max: size - 1 })]),
  );
  const derive = Object.fromEntries(
    sizes.flatMap((_, i) => (draws.double() < 0.2 ? [[`d${i}`, { from: `n${i}`, prefix: 1 }]] : [])),
  );
  return schema(attributes, { derive }) as unknown as Schema;
}

/** Any clique that is not too large: of no attribute, nested, the same again. */
function someClique(draws: Draws, over: Schema): string[] {
  const clique: string[] = [];
  for (let left = below(draws, 5); left > 0; left--) {
    const name = pick(draws, over.names);
    if (!clique.includes(name) && over.cells([...clique, name]) <= CELLS) clique.push(name);
  }
  return clique;
}

/** Any answers: of all queries and laws, negative, far too large, next to exact. */
function someMeasurement(draws: Draws, over: Schema): MeasurementJson {
  const clique = someClique(draws, over);
  const cells = over.cells(clique);
  const ranges = Array.from({ length: 1 + below(draws, 3) }, () => {
    const first = below(draws, cells);
    return [first, first + below(draws, cells - first)] as const;
  });
  const rows = [Array.from({ length: cells }, () => below(draws, 5) - 2)];
  const query = pick(draws, [
    { type: "identity" },
    { type: "identity" },
    { type: "prefix" },
    { type: "ranges", ranges },
    { type: "matrix", rows },
  ] as const);
  const answers = query.type === "ranges" ? ranges.length : query.type === "matrix" ? 1 : cells;
  const size = pick(draws, [1, 100, 1e4, 1e8]);
  const variance = pick(draws, [1e-4, 1, 100, 1e8]);
  const law = pick(draws, ["laplace", "gaussian"] as const);
  return measurement({
    version: 1,
    clique,
    query,
    shape: clique.map((name) => over.size(name)),
    values: Array.from({ length: answers }, () => size * (draws.double() - 0.1)),
    noise: { law, scale: "1", variance },
    relation: "add-remove",
  } as never);
}

interface Case {
  options: GraphicalOptions;
  draws: Draws;
}

function someCase(number: number): Case {
  const draws = stream(`case ${number}`, "fuzz");
  const wide = number % WIDE === 7;
  const over = someSchema(draws, wide);
  const some = Array.from({ length: below(draws, 9) }, () => someMeasurement(draws, over));
  const all = wide
    ? [...kWay(over, 2)].map((clique) => everyCell(over, clique as string[], new Array(1600).fill(1)))
    : [];
  const measurements = [...some, ...all];
  const combination = () =>
    Object.fromEntries(
      Array.from({ length: 1 + below(draws, 2) }, () => pick(draws, over.names)).map((name) => {
        const labels = over.labels(name as never);
        return [name, Array.from({ length: 1 + below(draws, labels.length) }, () => pick(draws, labels))];
      }),
    );
  const list = (chance: number) =>
    draws.double() < chance ? Array.from({ length: 1 + below(draws, 2) }, combination) : [];
  const allow = list(0.15);
  const options = {
    schema: over,
    measurements,
    products: 40,
    deny: list(0.3),
    ...(allow.length > 0 && { allow: [allow] }),
    ...(draws.double() < 0.5 && { total: pick(draws, [0, 1, 500, 1e7]) }),
    ...(draws.double() < 0.3 && { strength: pick(draws, [1e-6, 1, 1e6]) }),
    keepRefused: true,
  };
  return { options: options as GraphicalOptions, draws };
}

/** What comes of a case, in words that are the same where all bits are; nothing that is no number, and no refusal without a way out. */
async function outcome(number: number): Promise<string> {
  const { options, draws } = someCase(number);
  const over = options.schema;
  try {
    using fit = await estimate.calibrated(options);
    const { model } = fit;
    const questions = [
      { clique: someClique(draws, over) },
      { clique: someClique(draws, over), query: { type: "prefix" } },
    ];
    const values = await model.answer(questions as never);
    const errors =
      number % 8 === 0 ? await model.answer(questions.slice(0, 1) as never, { standardErrors: "all" }) : [];
    using rows = await model.complete(Array.from({ length: 20 }, () => ({})) as never);
    const [records] = await rows.answer(workload(over, [questions[0]?.clique ?? []]));
    const all = [
      ...values,
      ...errors.map(({ standardErrors }) => standardErrors),
      Float64Array.of(fit.strength),
    ];
    for (const list of all)
      for (const one of list) if (!(one >= 0 && Number.isFinite(one))) return `case ${number}: ${one}`;
    return JSON.stringify([fit.status, rows.rows, [...(records ?? [])], all.map((list) => [...list])]);
  } catch (error) {
    const { code, message } = error as MarginaliaError;
    const known =
      ["MODEL_TOO_LARGE", "OPTION_INVALID", "OUT_OF_MEMORY"].includes(code) &&
      /: |use |give |ask |measure /.test(message);
    return known ? `${code}: ${message}` : `case ${number}: ${(error as Error).stack}`;
  }
}

/** So much memory that some trees do not fit, and none takes long. */
const memoryLimit = 64 * 2 ** 20;

it("of a thousand schemas and clique sets none traps or comes to no number", async () => {
  await init({ memoryLimit });
  const found: string[] = [];
  for (let number = 0; number < 1000; number++) found.push(await outcome(number));
  expect(found.filter((one) => one.startsWith("case"))).toEqual([]);
  const refused = (code: string) => found.filter((one) => one.startsWith(code)).length;
  expect(refused("MODEL_TOO_LARGE")).toBeGreaterThan(5);
  expect(refused("OPTION_INVALID")).toBeGreaterThan(20);
  expect(found.filter((one) => one.startsWith("[")).length).toBeGreaterThan(700);
}, 300_000);

it("one thread and several come to the same bits", async () => {
  const all = async (threads: false | number) => {
    await close();
    await init({ threads });
    const found: string[] = [];
    for (let number = 0; number < 60; number++) found.push(await outcome(number));
    return found.map((one) => (one.startsWith("MODEL_TOO_LARGE") ? "" : one));
  };
  expect(await all(false)).toEqual(await all(3));
}, 120_000);
