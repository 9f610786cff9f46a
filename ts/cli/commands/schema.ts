import { dependenciesInWords, type PlannedDependency } from "../../estimate/dependencies.js";
import { schemaFromJson } from "../../index.js";
import { text, whole } from "../../option.js";
import { oneLine } from "../../print.js";
import { fullDialect } from "../../tables/dialect.js";
import { command } from "../command.js";
import { type Draft, draft, printed } from "../draft/draft.js";
import { EXIT } from "../exit.js";
import { checkPlaces, needed } from "../files.js";
import { sourceOf } from "../input.js";
import { TEXT, textOf } from "../text-options.js";

const NOTICE =
  "The schema is made of the values of this file, and will be shown to everybody: the file must be PUBLIC. Read the " +
  "draft, and change what you know better.";

export const schema = command({
  name: "schema",
  summary: "draft a schema from a public file, for a person to read and edit",
  details: `${NOTICE}\n\n  marginalia schema survey-2018.csv > schema.json`,
  positional: ["public"],
  options: {
    public: text("PUBLIC", "the public file; - is standard input"),
    out: text("FILE", "where the draft goes; standard output unless given"),
    bins: whole("N", 2, "bins of a numeric column with many values; 20 unless given"),
    maxValues: whole("N", 1, "values of a category, at most; 200 unless given"),
    ...TEXT,
  },
  async run(values, io) {
    const { out = "-", bins = 20, maxValues = 200 } = values;
    const place = needed(values.public, "the public file");
    await checkPlaces(values, [["--out", out]]);
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
