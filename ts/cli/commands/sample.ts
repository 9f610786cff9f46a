import { text } from "../../option.js";
import { command } from "../command.js";
import { EXIT } from "../exit.js";
import { checkPlaces } from "../files.js";
import { filesOf, RECORDS, writeRecords } from "../records.js";
import { SAVED, savedOf } from "../saved.js";
import { TEXT } from "../text-options.js";

const { delimiter, decimalComma } = TEXT;

export const sample = command({
  name: "sample",
  summary: "make records of a saved release: as many as you like, for nothing",
  details:
    "The same --seed gives the same records as `run` did. With --where only records that meet a condition: as many as the " +
    "release says there are, unless --rows says otherwise.\n\n" +
    "  marginalia sample survey.marginalia --seed v2 --copies 5 --out synthetic.csv",
  positional: ["release"],
  options: {
    ...{ ...SAVED, ...RECORDS, delimiter, decimalComma },
    out: text("FILE", "where the records go, as CSV; standard output unless given"),
  },
  async run(values, io) {
    const files = filesOf(values.out ?? "-", values);
    await checkPlaces(
      values,
      files.map(({ place }) => ["--out", place]),
    );
    using release = await savedOf(values, io);
    const records = await writeRecords(release, files, values, io);
    const where = files.map(({ place }) => place).filter((place) => place !== "-");
    await io.say(
      () => `${records} synthetic records${where.length > 0 ? ` in ${where.join(", ")}` : ""}.`,
      () => ({ records, files: where }),
    );
    return EXIT.done;
  },
});
