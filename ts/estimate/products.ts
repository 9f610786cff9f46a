import { call } from "../engine/index.js";
import type { CliqueQuery } from "../measurement.js";
import { invalid, isObject, known } from "../options.js";
import { answersOf } from "../query.js";
import type { Schema } from "../tables/schema.js";
import { applied } from "./linear.js";
import type { AnswerSettings, Model } from "./model.js";
import { joined } from "./wire.js";

/** See {@link GraphicalModel.product}. */
export function products(
  model: Model,
  queries: { readonly [name: string]: CliqueQuery | undefined },
  settings: AnswerSettings,
): Promise<Float64Array<ArrayBuffer>> {
  if (!isObject(queries)) throw invalid('a product is like { age: { type: "prefix" } }, by attributes');
  const matrix = (name: string, query: CliqueQuery) => {
    const size = model.schema.size(name);
    const answers = answersOf(query, [size]);
    const rows = new Float64Array(answers * size);
    for (let code = 0; code < size; code++) {
      const cells = new Float64Array(size);
      cells[code] = 1;
      applied(query, [size], cells).forEach((entry, answer) => {
        rows[answer * size + code] = entry;
      });
    }
    return rows;
  };
  const named = Object.entries(queries).flatMap(([name, query]) => (query ? [{ name, query }] : []));
  const factors = named.map(({ name, query }) => ({ name, rows: matrix(name, query) }));
  return productsOf(model, factors, true, settings);
}

/** See {@link GraphicalModel.products}. */
export function rowByRow(
  model: Model,
  rows: { readonly [name: string]: readonly (readonly number[])[] | undefined },
  settings: AnswerSettings,
): Promise<Float64Array<ArrayBuffer>> {
  if (!isObject(rows))
    throw invalid("products are like { age: [[1, 0, 0]] }: rows of numbers of codes, by attributes");
  const named = Object.entries(rows).flatMap(([name, list]) => (list ? [{ name, list }] : []));
  const factors = named.map(({ name, list }) => {
    const size = model.schema.size(name);
    if (!Array.isArray(list) || list.some((row) => row?.length !== size))
      throw invalid(`a row of ${name} has ${size} numbers, one for each code`);
    return { name, rows: joined(list.map((row) => Float64Array.from(row))) };
  });
  return productsOf(model, factors, false, settings);
}

async function productsOf(
  { schema, handle, total }: Model<Schema>,
  factors: readonly { name: string; rows: Float64Array }[],
  combined: boolean,
  settings: AnswerSettings,
): Promise<Float64Array<ArrayBuffer>> {
  known(settings, ["normalize", "signal", "onProgress"], "a product");
  const { normalize = false, ...options } = settings;
  let end = 0;
  const ends = factors.map(({ rows }) => (end += rows.length));
  const args = {
    attributes: Uint16Array.from(factors, ({ name }) => schema.index(name)),
    rows: joined(factors.map(({ rows }) => rows)),
    starts: Uint32Array.of(0, ...ends),
    combined,
  };
  const answers = await call("model.products", args, { on: handle, ...options });
  return normalize ? answers.map((answer) => answer / total) : answers;
}
