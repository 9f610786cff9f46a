import { invalid } from "../options.js";

/** What JSON Schema says of a value in a configuration. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** An option of a command: `--name value`, or a key of the configuration. */
export interface Option<T> {
  readonly help: string;
  /** What stands for its value in the help; a flag has no value. */
  readonly shown?: string;
  /** What the configuration may hold. */
  readonly schema: JsonSchema;
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
  const parse = (given: string, name: string) => check(/^\d+$/.test(given) ? Number(given) : given, name);
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

/** Something that is on or off. */
export function flag(help: string): Option<boolean> {
  const check = (value: unknown, name: string) => {
    if (typeof value === "boolean") return value;
    throw invalid(`\`${name}\` is true or false`);
  };
  const parse = (given: string, name: string) =>
    check(given === "true" ? true : given === "false" ? false : given, name);
  return { help, schema: { type: "boolean" }, parse, check };
}

/** Whether an option is a flag, which takes no value on the command line. */
export const isFlag = (option: Option<unknown>): boolean => option.shown === undefined;
