// The one place here that knows marginalia's API: everything measured goes through the package's public
// names, as a user would call them.

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { names } from "./lib/data.mjs";

const ENTRY = new URL("../dist/index.js", import.meta.url);

/** Whether the package is built. */
export const built = () => existsSync(ENTRY);

/** The package, or undefined before it is built. */
export async function load() {
  return built() ? await import(ENTRY.href) : undefined;
}

/** The package's version. */
export async function version() {
  return JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8")).version;
}

/** A schema of integer codes: attribute `a0` with the values 0 … sizes[0] − 1, and so on. */
export function codes({ schema, integer }, sizes) {
  return schema(
    Object.fromEntries(names(sizes.length).map((name, i) => [name, integer({ min: 0, max: sizes[i] - 1 })])),
  );
}

/** The same for any file: other numbers become the nearest, and other texts null. */
export function clamped({ schema, integer }, sizes) {
  const attribute = (size) => integer({ min: 0, max: size - 1, other: "clamp", nullable: true });
  return schema(Object.fromEntries(names(sizes.length).map((name, i) => [name, attribute(sizes[i])])));
}

/** A schema for a file in which every code of a column has a text: numbers in order, or words. */
export function texts({ schema, integer, category }, labels) {
  const attribute = (values) =>
    values.every((text, code) => text === String(code))
      ? integer({ min: 0, max: values.length - 1 })
      : category(values);
  return schema(Object.fromEntries(names(labels.length).map((name, i) => [name, attribute(labels[i])])));
}

/** The same for any file: whatever it does not list becomes null. */
export function total({ schema, category }, labels) {
  const attribute = (values) => category(values, { other: null });
  return schema(Object.fromEntries(names(labels.length).map((name, i) => [name, attribute(labels[i])])));
}

/** Reads the bytes of a CSV file and counts a pair: as a public table. */
export async function countPublic({ readTable }, bytes, schema, pair) {
  const table = await readTable(bytes, schema);
  const counts = await table.marginal(pair);
  table.dispose();
  return counts;
}

/** The same as a sealed table. Noise of this scale is zero but for once in e^1000 draws. */
export async function countSealed({ pure, seal }, bytes, schema, pair) {
  const data = await seal(bytes, schema, { dataset: "bench", unit: "row", budget: pure(1000) });
  const [{ values }] = await data.measure([{ clique: pair, scale: "1/1000" }]);
  await data.close();
  return values;
}

/** Starts the engine with so many threads (1: none besides its own); says why it has fewer, if it has. */
export async function begin({ init, capabilities }, threads) {
  await init({ threads: threads === 1 ? false : threads });
  const running = await capabilities();
  if (running.threads !== threads) return running.reason ?? `it runs ${running.threads} threads`;
}

export const end = ({ close }) => close();

/** Reads columns of codes (Uint8Array each), or the bytes of a CSV file. */
export function read({ readTable }, source, schema) {
  return readTable(
    Array.isArray(source) ? Object.fromEntries(source.map((column, i) => [`a${i}`, column])) : source,
    schema,
  );
}

/** All pairs of attributes, ready to be counted. */
export const pairs = ({ kWay }, schema) => kWay(schema, 2);

/** Counts a workload; the answers stay in the engine. */
export const count = (table, workload) => table.count(workload);

/** One clique's counts, copied out. */
export const clique = (answers, index) => answers.clique(index);

/** A measurement of every cell of a clique, given by places. */
export function identity({ measurement }, schema, clique, values, noise = {}) {
  const names = clique.map((a) => schema.names[a]);
  const shape = names.map((name) => schema.size(name));
  return measurement({
    version: 1,
    clique: names,
    query: { type: "identity" },
    shape,
    values: Array.from(values),
    noise: { law: "laplace", scale: "1", variance: 1, ...noise },
    relation: "add-remove",
  });
}
