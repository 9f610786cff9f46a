import { MarginaliaError } from "../errors.js";
import { readTable, type Schema, type Table } from "../index.js";
import { type Options, text, type Values } from "../option.js";
import { invalid } from "../options.js";
import type { Console } from "./console.js";
import { sameFile } from "./files.js";
import { sourceOf } from "./input.js";
import { textOf } from "./text-options.js";

/** The public table that a release starts from. */
export const PRIOR = {
  public: text("PUBLIC", "the public file that it starts from, such as last year's; - is standard input"),
  publicWeight: text("COLUMN", "a column of the public file: how many rows each row stands for"),
} as const satisfies Options;

export type PriorValues = Values<typeof PRIOR> & {
  readonly private?: string;
  readonly allowSameSource?: unknown;
};

/** The public table, with its raw numbers, so that records have numbers that people have. */
export async function priorOf(values: PriorValues, schema: Schema, io: Console): Promise<Table> {
  const { publicWeight: weight } = values;
  const place = await publicPlace(values);
  const table = await readTable(sourceOf(place, io.stdin), schema, {
    ...textOf(values),
    ...(weight === undefined ? {} : { weight }),
    keepRaw: keptRaw(schema),
    ignore: true,
    signal: io.signal,
    onProgress: io.progress("reading the public file"),
  });
  io.clear();
  return table;
}

/** The attributes with raw numbers. */
export const keptRaw = (schema: Schema): string[] =>
  Object.entries(schema.attributes).flatMap(([name, { type }]) => (NUMERIC.has(type) ? [name] : []));

const NUMERIC = new Set(["integer", "number", "date"]);

/** Refuses to take the private file for the public one, also under another name of it. */
export async function publicPlace(values: PriorValues): Promise<string> {
  const { public: place, private: hidden, allowSameSource = false } = values;
  if (place === undefined) {
    const message =
      "a public file is missing: --public FILE, of the same columns, such as the year before, another region or a public " +
      "sample. Without one there is `--mechanism aim`";
    throw new MarginaliaError("PRIOR_MISSING", message);
  }
  if (hidden === undefined || allowSameSource) return place;
  if (place === "-" && hidden === "-")
    throw invalid("only one of the public and the private file is standard input");
  if (!(await sameFile(place, hidden))) return place;
  throw invalid(
    "the public and the private file are one, and nothing would be protected: give a public one, or --allow-same-source " +
      "where this is an experiment with public data",
  );
}

/** What the public file is called; nothing where it has no name. */
export function publicName(place: string | undefined): string | undefined {
  const [name] = /[^/\\]+$/.exec(place ?? "") ?? [];
  return name === "-" ? undefined : name;
}
