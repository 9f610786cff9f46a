import { isObject } from "../../options.js";
import { parseDay } from "../dates.js";
import { bound, type Known, unfit } from "./draft.js";

type Node = Readonly<Record<string, unknown>>;

/** References that are followed one after another, before they are taken for a circle. */
const MOST_REFERENCES = 32;

/** The properties of an object, or of the objects in a list, as columns. */
export function jsonSchemaColumns(schema: object): Known[] {
  const root = schema as Node;
  const top = plain(root, root, "the JSON Schema");
  const rows = isObject(top.items) ? plain(top.items as Node, root, "the JSON Schema") : top;
  if (!isObject(rows.properties))
    throw unfit(
      "the JSON Schema declares no `properties`: give that of an object, whose properties are columns",
    );
  const needed = Array.isArray(rows.required) ? (rows.required as unknown[]) : [];
  return Object.entries(rows.properties).map(([name, property]) =>
    column(name, property, root, needed.includes(name)),
  );
}

function column(name: string, property: unknown, root: Node, isNeeded: boolean): Known {
  const what = `the property ${JSON.stringify(name)}`;
  if (property === true) return { name };
  if (!isObject(property)) throw unfit(`${what} of the JSON Schema is no schema`);
  const all = plain(property as Node, root, what);
  const [one, mayBeNull] = single(all, root, what);
  const known = { name, ...kindOf(one, what) };
  return isNeeded && !mayBeNull ? known : { ...known, nullable: true };
}

/** A schema with what it refers to, and what it puts together by `allOf`, in its place. */
function plain(node: Node, root: Node, what: string, depth = 0): Node {
  const { $ref, allOf, ...rest } = node;
  if (depth > MOST_REFERENCES) throw unfit(`${what} refers to itself`);
  const parts = Array.isArray(allOf) ? (allOf as unknown[]) : [];
  if ($ref === undefined && parts.length === 0) return rest;
  const from = $ref === undefined ? [] : [referred($ref, root, what)];
  const found = [...from, ...parts].map((part) => {
    if (isObject(part)) return plain(part as Node, root, what, depth + 1);
    throw unfit(`${what} is put together of something that is no schema`);
  });
  return Object.assign({}, ...found, rest) as Node;
}

/** What a pointer within the document names (RFC 6901). */
function referred(pointer: unknown, root: Node, what: string): unknown {
  if (typeof pointer !== "string" || !/^#(\/|$)/.test(pointer))
    throw unfit(`${what} refers to another document: put what it means in the place of \`$ref\``);
  const keys = unescaped(pointer.slice(1)).split("/").slice(1);
  const found = keys.reduce<unknown>((at, key) => {
    const own = key.replaceAll("~1", "/").replaceAll("~0", "~");
    return typeof at === "object" && at !== null && Object.hasOwn(at, own) ? (at as Node)[own] : undefined;
  }, root);
  if (isObject(found)) return found;
  throw unfit(`${what} refers to ${JSON.stringify(pointer)}, which is not there`);
}

/** A fragment of a URL as it is meant, or as it stands. */
function unescaped(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Alternatives as one schema: of values, or of one schema and null; and whether null is among them. */
function single(node: Node, root: Node, what: string): [one: Node, mayBeNull: boolean] {
  const listed = node.anyOf ?? node.oneOf;
  if (!Array.isArray(listed)) return withoutNull(node);
  const options = listed.map((option) => {
    if (isObject(option)) return withoutNull(plain(option as Node, root, what));
    throw unfit(`${what} has an alternative that is no schema`);
  });
  const rest = options.map(([option]) => option).filter((option) => option.type !== "null");
  const mayBeNull = options.some(([option, nullable]) => nullable || option.type === "null");
  const { anyOf: _, oneOf: __, ...own } = node;
  if (rest.length === 1) return [{ ...own, ...rest[0] }, mayBeNull];
  const values = rest.map(valuesOf);
  if (rest.length > 0 && values.every((list) => list !== undefined))
    return [{ ...own, enum: values.flat() }, mayBeNull];
  throw unfit(`${what} may be of several types: a column has one, or a list of values`);
}

/** A schema with null taken from its types and values, and whether it was there. */
function withoutNull(node: Node): [one: Node, mayBeNull: boolean] {
  const types = Array.isArray(node.type) ? (node.type as unknown[]) : undefined;
  const values = Array.isArray(node.enum) ? (node.enum as unknown[]) : undefined;
  const mayBeNull = (types?.includes("null") ?? values?.includes(null) ?? false) || node.nullable === true;
  const left = types?.filter((type) => type !== "null");
  return [
    {
      ...node,
      ...(left && { type: left.length === 1 ? left[0] : left }),
      ...(values && { enum: values.filter((value) => value !== null) }),
    },
    mayBeNull,
  ];
}

function valuesOf({ const: only, enum: values }: Node): unknown[] | undefined {
  if (only !== undefined) return [only];
  return Array.isArray(values) ? (values as unknown[]) : undefined;
}

type Kind = Omit<Known, "name">;

function kindOf(node: Node, what: string): Kind {
  const values = valuesOf(node);
  if (values) return listed(values, what);
  switch (node.type) {
    case undefined:
      return {};
    case "boolean":
      return { type: "boolean" };
    case "integer":
      return { type: "integer", ...boundsOf(node, 1) };
    case "number":
      return numbers(node);
    case "string":
      return texts(node);
  }
  const types = [node.type].flat().filter((type) => typeof type === "string");
  throw unfit(
    `${what} is of the type ${types.join(" or ")}, which no column is: leave it out, or give its parts a column each`,
  );
}

function listed(values: readonly unknown[], what: string): Kind {
  const isText = (value: unknown) => ["string", "number", "boolean"].includes(typeof value);
  if (values.length === 0 || !values.every(isText))
    throw unfit(`${what} lists values that are no texts, numbers or booleans`);
  if (values.every((value) => typeof value === "boolean") && new Set(values).size === 2)
    return { type: "boolean" };
  return { type: "category", values: [...new Set(values.map(String))] };
}

function numbers(node: Node): Kind {
  const { multipleOf } = node;
  if (typeof multipleOf !== "number" || !(multipleOf > 0)) return { type: "number", ...boundsOf(node, 0) };
  if (Number.isInteger(multipleOf)) return { type: "integer", ...boundsOf(node, 1) };
  const digits = /^0\.(\d{1,17})$/.exec(`${multipleOf}`)?.[1]?.length;
  return { type: "number", ...boundsOf(node, 0), ...(digits !== undefined && { decimals: digits }) };
}

/** The bounds of numbers; those that are excluded, of whole ones, move by `step`. Draft 4 marks exclusion beside the bound. */
function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Node, step: number): Kind {
  const [low, above] = [bound(minimum), bound(exclusiveMinimum)];
  const [high, below] = [bound(maximum), bound(exclusiveMaximum)];
  const lows = [
    low === undefined ? undefined : low + (exclusiveMinimum === true ? step : 0),
    above === undefined ? undefined : Math.floor(above) === above ? above + step : above,
  ].filter((value) => value !== undefined);
  const highs = [
    high === undefined ? undefined : high - (exclusiveMaximum === true ? step : 0),
    below === undefined ? undefined : Math.floor(below) === below ? below - step : below,
  ].filter((value) => value !== undefined);
  return {
    ...(lows.length > 0 && { min: Math.max(...lows) }),
    ...(highs.length > 0 && { max: Math.min(...highs) }),
  };
}

function texts(node: Node): Kind {
  if (node.format === undefined || node.format === null) return { type: "category" };
  // Times are no days: what becomes of them is for a person to say.
  if (node.format === "date-time" || node.format === "time" || node.format === "duration") return {};
  if (node.format !== "date") return { type: "category" };
  const [from, to] = [node.formatMinimum, node.formatMaximum].map((day) =>
    typeof day === "string" && parseDay(day) !== undefined ? day : undefined,
  );
  return { type: "date", ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
}
