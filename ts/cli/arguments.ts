import { dashed, isFlag, type Options } from "../option.js";
import { invalid } from "../options.js";
import { suggestion } from "./nearest.js";

/** The options of every command. */
export interface Arguments {
  options: Options;
  /** Options that may be given without their name, in this order. */
  positional: readonly string[];
}

type ParsedOptions = Record<string, unknown>;

/** Reads `--name value`, `--name=value`, `--flag`, `--no-flag`, and what stands without a name. */
export function parseArguments(argv: readonly string[], { options, positional }: Arguments): ParsedOptions {
  const parsed: ParsedOptions = {};
  const unnamed: string[] = [];
  const words = argv[Symbol.iterator]();
  const set = (name: string, value: unknown) => {
    const said = Object.hasOwn(parsed, name);
    if (said && !options[name]?.many) throw invalid(`--${dashed(name)} is given twice`);
    parsed[name] = said ? [parsed[name], value].flat() : value;
  };
  for (const word of words) {
    if (word === "--") unnamed.push(...words);
    else if (word === "-h") set("help", true);
    else if (word === "-" || !word.startsWith("-")) unnamed.push(word);
    else {
      const { name, value } = named(word, options, () => words.next().value);
      set(name, value);
    }
  }
  for (const [at, word] of unnamed.entries()) {
    const name = positional[at] ?? positional.findLast((last) => options[last]?.many);
    if (name === undefined) throw invalid(`there is one argument too many: the ${at + 1}. without a name`);
    set(name, options[name]?.parse(word, name));
  }
  return parsed;
}

/** One option with its value, which may be the next word. */
function named(
  word: string,
  options: Options,
  next: () => string | undefined,
): { name: string; value: unknown } {
  const [, dashes = "", written = "", , inline] = /^(--?)([^=]*)(=(.*))?$/s.exec(word) ?? [];
  const own = Object.keys(options).find((name) => dashed(name) === written);
  const off = Object.keys(options).find((name) => `no-${dashed(name)}` === written);
  if (dashes === "--" && own !== undefined) {
    const option = options[own] as Options[string];
    if (isFlag(option)) return { name: own, value: inline === undefined || option.parse(inline, own) };
    const text = inline ?? next();
    if (text === undefined || (inline === undefined && text.startsWith("--")))
      throw invalid(`--${written} needs a value: ${option.shown}`);
    return { name: own, value: option.parse(text, own) };
  }
  if (dashes === "--" && off !== undefined && inline === undefined && isFlag(options[off] as Options[string]))
    return { name: off, value: false };
  const names = Object.keys(options).map(dashed);
  throw invalid(
    `there is no option ${dashes}${written}${suggestion(written, names, (name) => `--${name}`)}` +
      " (--help lists them)",
  );
}
