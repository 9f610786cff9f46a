import { check as find } from "../../check.js";
import { text } from "../../option.js";
import { command } from "../command.js";
import { EXIT } from "../exit.js";
import { needed, schemaOf, schemaOption } from "../files.js";
import { sourceOf } from "../input.js";
import { TEXT, textOf } from "../text-options.js";

export const check = command({
  name: "check",
  summary: "look where a private file does not fit its schema; what it says is NOT private",
  details:
    "For whoever holds the file, before anything is spent. It names rows and columns exactly and quotes no value; keep what " +
    "it says where the file is kept. The exit code is 0 where everything fits and 1 where something does not.\n\n" +
    "  marginalia check survey-2019.csv --schema schema.json",
  positional: ["private"],
  options: {
    private: text("PRIVATE", "the private file; - is standard input"),
    schema: schemaOption,
    ...TEXT,
  },
  async run(values, io) {
    const place = needed(values.private, "the private file");
    const declared = await schemaOf(values.schema, io.stdin);
    const found = await find(sourceOf(place, io.stdin), declared, { ...textOf(values), signal: io.signal });
    await io.say(
      () => `${found}`,
      () => ({ ...found, fits: found.fits }),
    );
    return found.fits ? EXIT.done : EXIT.misfits;
  },
});
