import { isObject } from "../../options.js";
import type { FlatTable } from "../flat.js";
import { type Known, unfit } from "./draft.js";

/** A field of a schema of Arrow, as any of its libraries has it. */
interface Field {
  readonly name: string;
  readonly nullable: boolean;
  /** The number of the type in `Schema.fbs` of Arrow's format. */
  readonly id: number;
  readonly scale?: number;
  readonly signed?: boolean;
  /** Whether the values are in a dictionary, of which the schema tells only the type. */
  readonly isCoded?: boolean;
}

/** The columns of a schema, by the field tables of its message: of the metadata, and no more. */
export const arrowColumns = (fields: readonly FlatTable[]): Known[] =>
  fields.map((field) => {
    const type = field.table(3);
    const id = field.byte(2);
    const read = (i: number): number => {
      const at = type?.place(i);
      return at === undefined || !type ? 0 : type.view.getInt32(at, true);
    };
    return column({
      name: field.text(0),
      nullable: field.byte(1) !== 0,
      id,
      ...(id === DECIMAL && { scale: read(1) }),
      ...(id === INT && { signed: type !== undefined && type.byte(1) !== 0 }),
      isCoded: field.table(4) !== undefined,
    });
  });

/** The same of the object that a library of Arrow has for a schema: `fields` with `name`, `nullable` and `type.typeId`. */
export const arrowObjectColumns = (fields: readonly unknown[]): Known[] =>
  fields.map((field) => {
    const {
      name,
      nullable = true,
      type,
    } = Object(field) as { name?: unknown; nullable?: unknown; type?: unknown };
    const outer = Object(type) as TypeObject;
    const isCoded = outer.typeId === -1;
    const inner = isCoded ? (Object(outer.dictionary) as TypeObject) : outer;
    if (typeof name !== "string" || !isObject(type) || typeof inner.typeId !== "number")
      throw unfit("the Arrow schema has a field without a `name`, or without a `type` with `typeId`");
    const { typeId: id, scale, isSigned, signed = isSigned } = inner;
    return column({
      ...{ name, nullable: nullable !== false, id, isCoded },
      ...(typeof scale === "number" && { scale }),
      ...(typeof signed === "boolean" && { signed }),
    });
  });

interface TypeObject {
  readonly typeId?: unknown;
  readonly dictionary?: unknown;
  readonly scale?: unknown;
  readonly isSigned?: unknown;
  readonly signed?: unknown;
}

const [INT, FLOAT, TEXT, BOOL, DECIMAL, DATE, LARGE_TEXT, TEXT_VIEW] = [2, 3, 5, 6, 7, 8, 20, 24];
/** Lists, structs, unions and maps. */
const NESTED = [12, 13, 14, 16, 17, 21, 25, 26];

function column({ name, nullable, id, scale, signed, isCoded }: Field): Known {
  const known = { name, ...(nullable && { nullable: true }) };
  if (NESTED.includes(id))
    throw unfit(`the column ${JSON.stringify(name)} of the Arrow schema holds lists or objects`);
  if (isCoded || [TEXT, LARGE_TEXT, TEXT_VIEW].includes(id)) return { ...known, type: "category" };
  if (id === BOOL) return { ...known, type: "boolean" };
  if (id === DATE) return { ...known, type: "date" };
  if (id === INT) return { ...known, type: "integer", ...(signed === false && { min: 0 }) };
  if (id === FLOAT) return { ...known, type: "number" };
  if (id === DECIMAL) return { ...known, ...decimal(scale ?? 0) };
  return known;
}

/** Numbers with so many digits after the point. */
export const decimal = (scale: number): Omit<Known, "name"> =>
  scale === 0
    ? { type: "integer" }
    : { type: "number", ...(scale > 0 && scale <= 17 && { decimals: scale }) };
