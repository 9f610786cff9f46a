import { dependenciesInWords, type PlannedDependency } from "../../estimate/dependencies.js";
import { type SchemaJson, schemaFrom, schemaFromJson, schemaOfColumns } from "../../index.js";
import { type Options, text, type Values, whole } from "../../option.js";
import { invalid } from "../../options.js";
import { oneLine } from "../../print.js";
import { fullDialect } from "../../tables/dialect.js";
import { holesInWords } from "../../tables/drafts/holes.js";
import { command } from "../command.js";
import type { Console } from "../console.js";
import { type Draft, draft, printed } from "../draft/draft.js";
import { EXIT } from "../exit.js";
import { checkPlaces, needed } from "../files.js";
import { readAll, sourceOf } from "../input.js";
import { TEXT, textOf } from "../text-options.js";

const NOTICE =
  "The schema is made of the values of this file, and will be shown to everybody: the file must be PUBLIC. Read the " +
  "draft, and change what you know better.";

const NAMES_NOTICE =
  "The first line of the file, or its schema, is in the draft and will be shown to everybody: it must name columns and hold no " +
  "row. No row was read; fill in what is public knowledge, and nothing that the rows told.";

const FROM_NOTICE =
  "What the schema is made of will be shown to everybody: it must be public, and not made of private rows. Read the draft, " +
  "and change what you know better.";

const OPTIONS = {
  public: text("PUBLIC", "the public file; - is standard input"),
  from: text(
    "FILE",
    "another schema, which is public: JSON Schema, CSVW, a data dictionary, Arrow or Parquet",
  ),
  columns: text("PRIVATE", "a private file, of which the names of its columns are read and no row"),
  out: text("FILE", "where the draft goes; standard output unless given"),
  bins: whole("N", 2, "bins of a numeric column with many values; 20 unless given"),
  maxValues: whole("N", 1, "values of a category, at most; 200 unless given"),
  ...TEXT,
} as const satisfies Options;

export const schema = command({
  name: "schema",
  summary: "draft a schema for a person to read and edit: from a public file, another schema, or names alone",
  details:
    `${NOTICE}\n\n  marginalia schema survey-2018.csv > schema.json\n\n` +
    "Without a public file: from another schema (JSON Schema, CSVW, a data dictionary as CSV with name, type, min, max and " +
    "values, or the schemas in files of Arrow and Parquet), or from the names of the columns of a private file, of which no row " +
    'is read. Where they leave something open, the draft has "?", and is no schema before that is filled in.\n\n' +
    "  marginalia schema --from dictionary.csv > schema.json\n" +
    "  marginalia schema --columns survey-2019.csv > schema.json",
  positional: ["public"],
  options: OPTIONS,
  async run(values, io) {
    const { out = "-", bins = 20, maxValues = 200 } = values;
    await checkPlaces(values, [["--out", out]]);
    const starts = [values.public, values.from, values.columns].filter((one) => one !== undefined);
    if (starts.length > 1)
      throw invalid("a schema is drafted from one thing: a public file, --from or --columns");
    if (starts.length === 1 && values.public === undefined) return open(values, out, io);
    const place = needed(values.public, "the public file, --from or --columns");
    const { format } = values;
    const made = await draft(sourceOf(place, io.stdin), {
      ...{ ...fullDialect(textOf(values)), ...(format && { format }), bins, maxValues },
      ...{ signal: io.signal, onProgress: io.progress("reading") },
    });
    // Standard input is read once.
    const from = place === "-" ? undefined : { place, schema: schemaFromJson(made.schema) };
    const dependencies = from
      ? await (await import("../draft/follows.js")).followsIn(from.place, from.schema, {
          ...{ ...textOf(values), signal: io.signal, onProgress: io.progress("what follows from what") },
        })
      : [];
    io.clear();
    await io.deliver(out, printed(made.schema));
    await io.say(
      () => report(made, dependencies),
      () => ({ rows: made.rows, columns: made.decisions, dependencies, notice: NOTICE }),
    );
    return EXIT.done;
  },
});

/** A draft that a person has to complete. */
async function open(values: Values<typeof OPTIONS>, out: string, io: Console): Promise<number> {
  const { from, columns, bins, delimiter, format } = values;
  const { signal } = io;
  const made =
    columns === undefined
      ? await schemaFrom(await origin(from as string, io), {
          ...{ signal, ...(bins !== undefined && { bins }), ...(delimiter !== undefined && { delimiter }) },
        })
      : await schemaOfColumns(sourceOf(columns, io.stdin), {
          ...{ ...fullDialect(textOf(values)), ...(format && { format }), signal },
        });
  const notice = columns === undefined ? FROM_NOTICE : NAMES_NOTICE;
  await io.deliver(out, printed(made.json as unknown as SchemaJson));
  const { holes, json } = made;
  const count = `${json.attributes.length} ${json.attributes.length === 1 ? "attribute" : "attributes"}`;
  await io.say(
    () =>
      [
        `Drafted ${count} from ${made.origin}.`,
        holes.length === 0
          ? "Nothing is left to fill in."
          : `To fill in, where "?" stands: ${oneLine(holesInWords(holes))}.`,
        notice,
      ].join("\n"),
    () => ({ origin: made.origin, holes, notice }),
  );
  return EXIT.done;
}

/** Standard input is read whole: it may be JSON. */
const origin = async (place: string, io: Console): Promise<string | Uint8Array> =>
  place === "-" ? readAll(place, io.stdin, "from") : place;

function report({ rows, decisions }: Draft, dependencies: readonly PlannedDependency[]): string {
  const width = Math.min(24, Math.max(...decisions.map(({ name }) => name.length)));
  const lines = decisions.map(({ name, why }) => `  ${oneLine(name).padEnd(width)}  ${oneLine(why)}`);
  return [
    `Drafted from ${rows} rows:`,
    ...lines,
    ...dependenciesInWords(dependencies).map(oneLine),
    NOTICE,
  ].join("\n");
}
