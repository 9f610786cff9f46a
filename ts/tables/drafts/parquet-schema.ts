import type { Struct } from "../thrift.js";
import { decimal } from "./arrow-schema.js";
import { type Known, unfit } from "./draft.js";

/** Fields of `SchemaElement` in `parquet.thrift`. */
const [TYPE, REPETITION, NAME, CHILDREN, CONVERTED, SCALE, LOGICAL] = [1, 3, 4, 5, 6, 7, 10];
const REPEATED = 2;

/** The columns of a Parquet file by the children of its root, each of which is a column where it has none itself. */
export const parquetColumns = (elements: readonly Struct[]): Known[] => elements.map(column);

function column(element: Struct): Known {
  const name = new TextDecoder().decode(element.get(NAME) as Uint8Array);
  if (Number(element.get(CHILDREN) ?? 0) > 0 || element.get(REPETITION) === REPEATED)
    throw unfit(`the column ${JSON.stringify(name)} of the Parquet file holds lists or objects`);
  const nullable = element.get(REPETITION) === 1;
  return { name, ...(nullable && { nullable: true }), ...kindOf(element) };
}

function kindOf(element: Struct): Omit<Known, "name"> {
  const scale = Number(element.get(SCALE) ?? 0);
  const [logical, content] = [...((element.get(LOGICAL) as Struct | undefined) ?? [])][0] ?? [];
  // What is a type of its own, by the union `LogicalType`, or by the older `ConvertedType`.
  switch (logical ?? CONVERSIONS[Number(element.get(CONVERTED) ?? -1)]) {
    case STRING:
    case ENUM:
      return { type: "category" };
    case NUMBER:
      return decimal(content instanceof Map ? Number(content.get(1) ?? 0) : scale);
    case DATE:
      return { type: "date" };
    case WHOLE: {
      const unsigned = content instanceof Map ? content.get(2) === false : isUnsigned(element);
      return { type: "integer", ...(unsigned && { min: 0 }) };
    }
    case undefined:
      return physical(Number(element.get(TYPE)));
    default:
      return {};
  }
}

const [STRING, ENUM, NUMBER, DATE, TIME, WHOLE, JSON_TEXT] = [1, 4, 5, 6, 7, 10, 12];
/** The logical type of each converted one that has its own. */
const CONVERSIONS: Readonly<Record<number, number>> = {
  ...{ 0: STRING, 4: ENUM, 5: NUMBER, 6: DATE, 7: TIME, 8: TIME, 9: TIME, 10: TIME },
  ...{ 11: WHOLE, 12: WHOLE, 13: WHOLE, 14: WHOLE, 15: WHOLE, 16: WHOLE, 17: WHOLE, 18: WHOLE },
  ...{ 19: JSON_TEXT, 20: JSON_TEXT, 21: TIME },
};

function isUnsigned(element: Struct): boolean {
  const converted = Number(element.get(CONVERTED));
  return converted >= 11 && converted <= 14;
}

/** A type without a meaning beside it: a boolean, whole numbers of 32 or 64 bits, or others of as many. */
function physical(type: number): Omit<Known, "name"> {
  if (type === 0) return { type: "boolean" };
  if (type === 1 || type === 2) return { type: "integer" };
  return type === 4 || type === 5 ? { type: "number" } : {};
}
