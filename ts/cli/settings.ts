import { MarginaliaError } from "../errors.js";
import type { Options, Values } from "../option.js";
import { invalid, isObject } from "../options.js";
import { parseArguments } from "./arguments.js";
import { COMMON, type Command } from "./command.js";
import { readAll } from "./input.js";
import { suggestion } from "./nearest.js";

/** What a command is given: by the command line first, then by its configuration. */
export async function settingsOf(
  command: Command,
  argv: readonly string[],
  all: readonly Command[],
  stdin: AsyncIterable<Uint8Array>,
): Promise<Values<Options> & Values<typeof COMMON>> {
  const options: Options = { ...command.options, ...COMMON };
  const values = parseArguments(argv, { options, positional: command.positional });
  if (typeof values.config !== "string" || values.help === true) return values;
  const kept = parsed(await readAll(values.config, stdin, "config"));
  return { ...configured(kept, options, all), ...values };
}

function parsed(bytes: Uint8Array): object {
  try {
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isObject(json)) return json;
  } catch (cause) {
    throw new MarginaliaError("OPTION_INVALID", "the configuration is not JSON", { cause });
  }
  throw invalid("the configuration is an object whose keys are options");
}

/** Checks a configuration. One file may serve several commands, so it may hold what only others take. */
function configured(kept: object, options: Options, all: readonly Command[]): Record<string, unknown> {
  const names = new Set([COMMON, ...all.map((command) => command.options)].flatMap(Object.keys));
  for (const only of ["config", "help"]) names.delete(only);
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(kept)) {
    if (name === "$schema") continue;
    if (!names.has(name))
      throw invalid(`the configuration has an unknown key \`${name}\`${suggestion(name, [...names])}`);
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option) values[name] = option.check(value, name);
  }
  return values;
}
