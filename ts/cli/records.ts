import type { Condition, Released, ReleasedGroups, SupportModel, Table } from "../index.js";
import { flag, type Options, oneOf, text, type Values, whole } from "../option.js";
import { invalid } from "../options.js";
import type { Console } from "./console.js";
import { type Copy, copiesOf } from "./copies.js";
import { textOf } from "./text-options.js";

/** How many records there are, how they are made, and how they are written. */
export const RECORDS = {
  rows: whole("N", 0, "how many records; as many as the answers say unless given"),
  method: oneOf(
    ["controlled", "systematic", "iid"],
    "how weights become records; controlled unless given, and iid loses most of what was gained",
  ),
  copies: whole("M", 1, "so many files of records, each with its number in its name and in its seed"),
  weighted: text(
    "COLUMN",
    "instead of records, every row of the model with its weight in a column of that name",
  ),
  within: oneOf(
    ["uniform", "midpoint"],
    "where in a bin a number lies that no public row has; uniform unless given",
  ),
  derived: flag("write derived attributes too"),
  seed: text("TEXT", "the seed of the records: the same gives the same file, and another costs nothing"),
} as const satisfies Options;

export type RecordValues = Values<typeof RECORDS> & {
  readonly delimiter?: string;
  readonly decimalComma?: boolean;
  readonly where?: Condition;
};

export const SEED = "marginalia";

/** The files that records go to. */
export function filesOf(out: string, { copies, weighted, rows, method, seed = SEED }: RecordValues): Copy[] {
  if (weighted !== undefined && [copies, rows, method].some((one) => one !== undefined))
    throw invalid("`weighted` writes every row once: leave out `copies`, `rows` and `method`");
  return copiesOf(out, copies, seed);
}

/** What records are made of: the model of a release, or those of its groups. */
type Recorded = Pick<Released, "table" | "model"> | Pick<ReleasedGroups, "table" | "model">;

/** Writes them, each whole or not at all; answers how many records each has. */
export async function writeRecords(
  release: Recorded,
  files: readonly Copy[],
  values: RecordValues,
  io: Console,
): Promise<number> {
  const { weighted: weight, within, derived } = values;
  const { delimiter, decimalComma } = textOf(values);
  const written = {
    ...{ signal: io.signal, ...(within && { within }), ...(derived && { derived }) },
    ...(delimiter && { delimiter }),
    ...(decimalComma && { decimalComma }),
  };
  let count = 0;
  for (const { place, seed } of files) {
    using made = await tableOf(release, seed, values, io);
    await made.writeCsv(io.target(place), {
      ...{ ...written, seed, ...(weight !== undefined && { weight }) },
      onProgress: io.progress("writing"),
    });
    io.clear();
    count = made.rows;
  }
  return count;
}

/** The records of one file, or all rows of the model with their weights. */
async function tableOf(
  release: Recorded,
  seed: string,
  { rows, method, weighted, where }: RecordValues,
  io: Console,
): Promise<Table> {
  const { signal } = io;
  if (weighted === undefined) {
    return release.table({
      ...{ seed, signal, onProgress: io.phases() },
      ...(rows !== undefined && { rows }),
      ...(method !== undefined && { method }),
      ...(where && { where }),
    });
  }
  const { model } = release;
  if (typeof model === "function")
    throw invalid("`weighted` writes the rows of one model, and groups have many");
  // Another kind says that it has no rows.
  const weights = model as SupportModel;
  if (where === undefined) return weights.table({ signal });
  using part = await weights.where(where, { signal });
  return await part.table({ signal });
}
