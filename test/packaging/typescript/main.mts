import * as marginalia from "marginalia";
import { boolean, category, integer, kWay, type Row, readTable, schema, type Table } from "marginalia";
import { type Evaluation, evaluate } from "marginalia/evaluate";
import { parseReportInput, report } from "marginalia/report";
import { story } from "./story.mjs";

const people = schema(
  {
    age: integer({ min: 0, max: 99, width: 10, other: "clamp" }),
    sex: category(["F", "M"], { nullable: true }),
    carer: boolean({ texts: ["no", "yes"] }),
  },
  { derive: { group: { from: "sex", map: { F: "f", M: "m" } } } },
);

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Person = Row<typeof people>;
const inferred: Equal<Person, { age: number; sex: "F" | "M" | null; carer: boolean }> = true;
// @ts-expect-error: a value that the schema does not declare
const stranger: Person = { age: 3, sex: "X", carer: inferred };

const rows: Person[] = [
  { age: 34, sex: "F", carer: true },
  { age: 34, sex: null, carer: false },
];
using table: Table<typeof people> = await readTable(rows, people);
const cells: Float64Array = await table.marginal(["group", "carer"]);
const answers: readonly Float64Array[] = await table.answer(kWay(people, 1));
if (cells.reduce((sum, count) => sum + count, 0) !== rows.length || answers.length !== 3) {
  throw new Error(`${stranger.sex}: ${[...cells]}`);
}
// @ts-expect-error: an attribute that the schema does not have
const unknown: Error = await table.marginal(["colour"]).catch((error: Error) => error);
if (!(unknown instanceof marginalia.MarginaliaError) || unknown.code !== "ATTRIBUTE_UNKNOWN") throw unknown;

const evaluation: Evaluation = await evaluate({
  truth: table,
  synthetic: table,
  attributes: ["age", "carer"],
});
if (evaluation.scores.synthetic !== 1000) throw new Error("a table is not like itself");
// @ts-expect-error: an attribute that the schema does not have
const other: Error = await evaluate({ truth: table, synthetic: table, group: "colour" }).catch(
  (e: Error) => e,
);
if (!(other instanceof marginalia.MarginaliaError) || other.code !== "ATTRIBUTE_UNKNOWN") throw other;

// @ts-expect-error: plain JSON is no input of a report that is shared
const page = () => report({ format: "marginalia-report", origin: "released" });
if (typeof page !== "function" || typeof parseReportInput !== "function") throw new Error("no reports");

console.log(JSON.stringify(await story(marginalia)));
