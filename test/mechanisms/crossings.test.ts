import { close, init, memory, prior, priorAware } from "marginalia";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kept, mechanism, people, publicYear, sealing } from "./support.js";

interface Crossings {
  core: number;
  model: number;
  graph: number;
  bytes: number;
}

/** The engine of this process, whose operations the package does not export. */
interface Engine {
  call(name: "engine.crossings", args: undefined): Promise<Crossings>;
}

const crossings = () => {
  const shared = globalThis as { [engines: symbol]: Record<string, Engine> };
  const [engine] = Object.values(shared[Symbol.for("marginalia.engine.v1")] ?? {});
  return (engine as Engine).call("engine.crossings", undefined);
};

/** The outcome of some work, and how often tables crossed to each module for it. */
async function counted<T>(work: () => Promise<T>): Promise<[outcome: T, crossings: Crossings]> {
  const before = await crossings();
  const outcome = await work();
  const after = await crossings();
  const since = (what: keyof Crossings) => after[what] - before[what];
  return [
    outcome,
    { core: since("core"), model: since("model"), graph: since("graph"), bytes: since("bytes") },
  ];
}

const NOTHING = { core: 0, model: 0, graph: 0, bytes: 0 };

beforeAll(() => init({ threads: false }));
afterAll(() => close());

test("the public table of a release crosses once, and its records once back", async () => {
  const made = await mechanism();
  const { rows } = made.options.prior;
  const sealed = await sealing();
  const [plan, planned] = await counted(() => made.plan(sealed));
  // A byte for each code of the attributes and of what is derived, eight for each of three raw numbers.
  expect(planned).toEqual({ ...NOTHING, model: 1, bytes: rows * (people.names.length + 3 * 8) });
  const [release, ran] = await counted(async () => kept(await made.run(sealed, { plan })));
  expect(ran).toEqual(NOTHING);
  const [table, recorded] = await counted(async () => kept(await release.table()));
  expect(recorded).toEqual(NOTHING);
  const [, written] = await counted(() => table.toCsv());
  expect(written).toEqual({ ...NOTHING, core: 1, bytes: table.rows * (people.names.length + 3 * 8) });
  expect((await counted(() => table.toCsv()))[1]).toEqual(NOTHING);
});

test("what is made for groups stays where models are", async () => {
  const made = kept(priorAware({ prior: await publicYear(), groups: [["state"], ["area"]] }));
  const sealed = await sealing();
  const [release, ran] = await counted(async () => kept(await made.run(sealed)));
  expect(ran).toMatchObject({ core: 0, model: 1 });
  const [table, recorded] = await counted(async () => kept(await release.table()));
  expect([recorded, table.weighted]).toEqual([NOTHING, false]);
});

test("a table that crossed is held by either module until it is disposed of", async () => {
  const table = await publicYear();
  const before = await memory();
  const [first, opened] = await counted(() => prior(table));
  const [second, again] = await counted(() => prior(table));
  expect([opened.model, again.model]).toEqual([1, 1]);
  for (const one of [first, second]) one.dispose();
  const { objects } = await memory();
  expect(objects).toBe(before.objects);
});
