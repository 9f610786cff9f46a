import { cpuUsage } from "node:process";
import {
  adaptive,
  aim,
  approximate,
  close,
  mst,
  mwem,
  pepPub,
  pmwPub,
  priorAware,
  pure,
  readTable,
  type Schema,
  schemaFromJson,
  seal,
  zcdp,
} from "marginalia";
import { afterAll, expect, it } from "vitest";
import { stream } from "../../ts/seed.js";
import type { AttributeSpec } from "../../ts/tables/attributes.js";

afterAll(() => close());

type Draws = ReturnType<typeof stream>;
const below = (draws: Draws, n: number) => Math.floor(n * draws.double());
const pick = <T>(draws: Draws, list: readonly T[]) => list[below(draws, list.length)] as T;
const maybe = <T>(draws: Draws, chance: number, make: () => T) =>
  draws.double() < chance ? make() : undefined;
/** Between the two, as often in each power of ten. */
const scaled = (draws: Draws, least: number, most: number) => least * (most / least) ** draws.double();

const SCHEMAS = process.env.MARGINALIA_FULL === undefined ? 70 : 1000;
/** Of all threads, and twice what it may take where nobody else is: beside others the processor's seconds are longer, too. */
const SECONDS = 20;

const ALONE = { aim, mst };
const FROM_PUBLIC = { priorAware, adaptive, mwem, pmwPub, pepPub };
const REFUSALS = ["OPTION_INVALID", "MODEL_TOO_LARGE"];
const GROUPED = ["priorAware", "adaptive"];
const NAMES = [...Object.keys(ALONE), ...Object.keys(FROM_PUBLIC)];

type Column = { spec: { name: string } & AttributeSpec; value: () => unknown };

/** Any attribute, and values of it, the first ones more often. */
function someColumn(draws: Draws, name: string): Column {
  const most = 1 + below(draws, pick(draws, [1, 3, 3, 10, 10, 30, 300, 3000]));
  const low = (n: number) => Math.floor(n * draws.double() ** 2);
  const nullable = draws.double() < 0.3;
  switch (pick(draws, ["category", "category", "integer", "number", "boolean", "date"] as const)) {
    case "category": {
      const values = Array.from({ length: most }, (_, i) => `v${i}`);
      return {
        spec: { name, type: "category", values, other: null, nullable },
        value: () => values[low(most)],
      };
    }
    case "integer": {
      const width = pick(draws, [1, 5]);
      const spec = {
        name,
        type: "integer",
        min: 0,
        max: width * most - 1,
        width,
        other: "clamp",
        nullable: true,
      };
      return { spec: spec as Column["spec"], value: () => low(width * most) };
    }
    case "number": {
      const spec = {
        name,
        type: "number",
        min: 0,
        max: 1,
        bins: most,
        other: "clamp",
        nullable: true,
      } as const;
      return { spec, value: () => draws.double() ** 2 };
    }
    case "boolean":
      return { spec: { name, type: "boolean", other: null, nullable }, value: () => draws.double() < 0.3 };
    case "date": {
      const step = pick(draws, ["day", "month", "year"] as const);
      const spec = {
        name,
        type: "date",
        from: "2001-01-01",
        to: "2009-12-31",
        step,
        other: "clamp",
        nullable: true,
      } as const;
      return { spec, value: () => `200${1 + low(9)}-0${1 + low(9)}-1${low(9)}` };
    }
  }
}

/** Any clique of different attributes. */
function someClique(draws: Draws, { names }: Schema): string[] {
  return [...new Set(Array.from({ length: 1 + below(draws, 4) }, () => pick(draws, names)))];
}

/** Options that every mechanism has, where there are any. */
function someOptions(draws: Draws, schema: Schema, name: string) {
  const { names } = schema;
  const labels = (of: string) => [pick(draws, schema.labels(of as never))];
  const cliques = (n: number) => Array.from({ length: 1 + below(draws, n) }, () => someClique(draws, schema));
  const deny = () => cliques(3).map((clique) => Object.fromEntries(clique.map((of) => [of, labels(of)])));
  const options = {
    deny: maybe(draws, 0.1, deny),
    attributes: maybe(draws, 0.1, () => [...new Set(cliques(9).flat())]),
    workload: name === "mst" ? undefined : maybe(draws, 0.2, () => cliques(40)),
    group: GROUPED.includes(name) ? maybe(draws, 0.05, () => pick(draws, names)) : undefined,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** What planning a mechanism on any schema ends with: words, or the code and words of an error. */
async function planned(seed: number) {
  const draws = stream(`schemas ${seed}`);
  const count = Math.round(scaled(draws, 1, 300));
  const columns = Array.from({ length: count }, (_, i) => someColumn(draws, `n${i}`));
  const schema = schemaFromJson({ attributes: columns.map(({ spec }) => spec) });
  const name = NAMES[seed % NAMES.length] as string;
  const rows = Math.round(scaled(draws, 1, 3000));
  const epsilon = scaled(draws, 0.01, 100).toFixed(3);
  const budget = pick(draws, [pure(epsilon), zcdp(epsilon), approximate(epsilon, "1e-9")]);
  const options = someOptions(draws, schema, name);
  const what = `${seed}: ${name}, ${count} attributes, ${schema.sizes.reduce((a, b) => a + b)} codes, ${rows} rows, ${Object.keys(options)}, ${JSON.stringify(budget)}`;
  const lines = Array.from({ length: rows }, () => columns.map(({ value }) => value()).join(","));
  const file = (of: readonly string[]) => new Blob([[schema.names.join(","), ...of, ""].join("\n")]);
  const prior = name in FROM_PUBLIC ? await readTable(file(lines), schema) : undefined;
  const sealed = await seal(file([]), schema, {
    dataset: `any ${seed}`,
    unit: "row",
    budget,
    expectedRows: rows,
  });
  const make = { ...ALONE, ...FROM_PUBLIC }[name] as (options: object) => ReturnType<typeof priorAware>;
  const before = cpuUsage();
  const seconds = () => Object.values(cpuUsage(before)).reduce((a, b) => a + b) / 1e6;
  try {
    using mechanism = make({ ...(prior && { prior }), ...options });
    const plan = await mechanism.plan(sealed);
    return { what, code: "planned", words: `${plan}${JSON.stringify(plan)}`, seconds: seconds() };
  } catch (error) {
    const { code, message, stack } = error as Error & { code?: string };
    return { what, code, words: code === undefined ? `${stack}` : message, seconds: seconds() };
  } finally {
    prior?.dispose();
    await sealed.close();
  }
}

it(
  "any schema of up to 300 attributes has a plan soon, or a refusal that names what to change",
  async () => {
    const late: string[] = [];
    const strange: object[] = [];
    for (let seed = 0; seed < SCHEMAS; seed++) {
      const { seconds, ...found } = await planned(seed);
      if (seconds > SECONDS) late.push(`${seconds} s: ${found.what}`);
      const refused = REFUSALS.includes(`${found.code}`) && !found.words.includes("memoryLimit");
      if (found.code !== "planned" && !refused) strange.push(found);
    }
    expect(late).toEqual([]);
    expect(strange).toEqual([]);
  },
  20_000 * SCHEMAS,
);
