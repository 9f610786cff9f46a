import { invalid } from "./options.js";

/** What JSON Schema says of a value in a configuration. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An option of a command: `--name value`, or a key of the configuration. */
export interface Option<T> {
  readonly help: string;
  /** What stands for its value in the help; a flag has no value. */
  readonly shown?: string;
  /** What the configuration may hold. */
  readonly schema: JsonSchema;
  /** Whether it may be said several times, and its lists are joined. */
  readonly many?: boolean;
  /** The value of a text on the command line. */
  parse(text: string, name: string): T;
  /** The value in a configuration. */
  check(value: unknown, name: string): T;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

/** What is given of options, by their names. */
export type Values<O extends Options> = {
  readonly [K in keyof O]?: O[K] extends Option<infer T> ? T : never;
};

/** `someName` as it is written on the command line: `some-name`. */
export const dashed = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A text as it is. */
export function text(shown: string, help: string): Option<string> {
  const check = (value: unknown, name: string) => {
    if (typeof value === "string" && value !== "") return value;
    throw invalid(`\`${name}\` is a text, and not an empty one`);
  };
  return { help, shown, schema: { type: "string", minLength: 1 }, parse: check, check };
}

/** One of some texts. */
export function oneOf<const T extends string>(values: readonly T[], help: string): Option<T> {
  const check = (value: unknown, name: string) => {
    const found = values.find((one) => one === value);
    if (found !== undefined) return found;
    throw invalid(`\`${name}\` is one of ${values.join(", ")}`);
  };
  return { help, shown: values.join("|"), schema: { enum: values }, parse: check, check };
}

/** A whole number from `least`. */
export function whole(shown: string, least: number, help: string): Option<number> {
  const check = (value: unknown, name: string) => {
    if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
    throw invalid(`\`${name}\` is a whole number from ${least}`);
  };
  const parse = (text: string, name: string) => check(/^\d+$/.test(text) ? Number(text) : text, name);
  return { help, shown, schema: { type: "integer", minimum: least }, parse, check };
}

/** An exact amount: a number, or a text such as `1/3`. What makes sense is for the budget to say. */
export function amount(shown: string, help: string): Option<string | number> {
  const check = (value: unknown, name: string) => {
    if (typeof value === "number" || (typeof value === "string" && value !== "")) return value;
    throw invalid(`\`${name}\` is a number, or a text such as 1/3`);
  };
  return { help, shown, schema: { type: ["number", "string"] }, parse: check, check };
}

/** A number above zero. */
export function positive(shown: string, help: string): Option<number> {
  const check = (value: unknown, name: string) => {
    if (typeof value === "number" && Number.isFinite(value) && value > 0) return value;
    throw invalid(`\`${name}\` is a number above 0`);
  };
  const parse = (text: string, name: string) => check(text.trim() === "" ? text : Number(text), name);
  return { help, shown, schema: { type: "number", exclusiveMinimum: 0 }, parse, check };
}

/** A part of a whole: a number above 0 and below 1. */
export function part(shown: string, help: string): Option<number> {
  const { parse, schema } = positive(shown, help);
  const check = (value: unknown, name: string) => {
    if (typeof value === "number" && value > 0 && value < 1) return value;
    throw invalid(`\`${name}\` is a number above 0 and below 1`);
  };
  return {
    ...{ help, shown, check, schema: { ...schema, exclusiveMaximum: 1 } },
    parse: (text, name) => check(parse(text, name), name),
  };
}

/** What JSON Schema says of names, and of cliques. */
export const schemas = {
  names: { type: "array", items: { type: "string" } },
  cliques: { type: "array", items: { type: "array", items: { type: "string" } } },
} as const satisfies Record<string, JsonSchema>;

export const isNames = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

/** One file or several: as many as there are words. */
export function files(shown: string, help: string): Option<string[]> {
  const check = (value: unknown, name: string) => {
    const list = typeof value === "string" ? [value] : value;
    if (isNames(list) && list.length > 0 && !list.includes("")) return list;
    throw invalid(`\`${name}\` is a path, or a list of them`);
  };
  const schema = { type: ["string", "array"], minLength: 1, items: { type: "string" } };
  return { help, shown, schema, many: true, parse: check, check };
}

/** Names between commas. */
export function names(shown: string, help: string): Option<string[]> {
  const check = (value: unknown, name: string) => {
    if (isNames(value)) return value;
    throw invalid(`\`${name}\` is a list of names`);
  };
  const parse = (text: string) => text.split(",").map((one) => one.trim());
  return { help, shown, schema: schemas.names, parse, check };
}

/** Cliques: names between commas, cliques between semicolons. */
export function cliques(help: string): Option<string[][]> {
  return {
    help,
    shown: '"age,sex;area"',
    schema: schemas.cliques,
    parse: (text) =>
      text.split(";").map((one) => (one.trim() === "" ? [] : one.split(",").map((name) => name.trim()))),
    check(value, name) {
      if (Array.isArray(value) && value.every(isNames)) return value;
      throw invalid(`\`${name}\` is a list of lists of names`);
    },
  };
}

type JsonType = "object" | "array" | "boolean" | "number";

/** What is JSON on the command line too, of one of some types; whoever takes it says what makes sense. */
export function json<T>(
  types: readonly JsonType[],
  shown: string,
  help: string,
  more: JsonSchema = {},
): Option<T> {
  const check = (value: unknown, name: string) => {
    const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
    if ((types as readonly string[]).includes(type)) return value as T;
    throw invalid(`\`${name}\` is JSON such as ${shown}`);
  };
  const schema = { type: types.length === 1 ? types[0] : types, ...more };
  return { help, shown, schema, parse: (text, name) => check(fromText(text, name), name), check };
}

/** JSON on the command line. */
export function fromText(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw Object.assign(invalid(`\`${name}\` is not JSON`), { cause });
  }
}

/** Something that is on or off. */
export function flag(help: string): Option<boolean> {
  const check = (value: unknown, name: string) => {
    if (typeof value === "boolean") return value;
    throw invalid(`\`${name}\` is true or false`);
  };
  const parse = (text: string, name: string) =>
    check(text === "true" ? true : text === "false" ? false : text, name);
  return { help, schema: { type: "boolean" }, parse, check };
}

/** Whether an option is a flag, which takes no value on the command line. */
export const isFlag = (option: Option<unknown>): boolean => option.shown === undefined;
