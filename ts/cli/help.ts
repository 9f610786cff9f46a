import { dashed, type Option, type Options } from "../option.js";
import { COMMON, type Command } from "./command.js";

/** The list of commands. */
export function overview(commands: readonly Command[], version: string): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    `marginalia ${version}: statistics of a table that may not be shown, under differential privacy`,
    "",
    "  marginalia COMMAND [OPTION…]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "marginalia COMMAND --help says what a command takes, marginalia --version which version this is.",
    "marginalia --config-schema prints the JSON Schema of the files that --config takes.",
    "- stands for standard input or output; names that end in .gz are compressed.",
    "",
  ].join("\n");
}

/** What one command takes. */
export function helpOf({ name, summary, details, options, positional }: Command): string {
  const unnamed = positional.map((key) => ` ${options[key]?.shown ?? key}`).join("");
  return [
    `marginalia ${name}${unnamed} [OPTION…]`,
    "",
    `${summary[0]?.toUpperCase()}${summary.slice(1)}.`,
    ...(details === "" ? [] : ["", ...details.split("\n").flatMap(folded)]),
    "",
    ...table(options),
    "",
    ...table(COMMON),
    "",
  ].join("\n");
}

/** Lines of examples are short, and stay as they are. */
const folded = (line: string): string[] =>
  line.length > LEFT + RIGHT ? wrapped(line, LEFT + RIGHT) : [line];

const LEFT = 30;
const RIGHT = 78;

function table(options: Options): string[] {
  return Object.entries(options).flatMap(([name, option]) => {
    const left = `  ${written(name, option)}`;
    const [first = "", ...rest] = wrapped(option.help, RIGHT);
    const head = left.length < LEFT ? [left.padEnd(LEFT) + first] : [left, " ".repeat(LEFT) + first];
    return [...head, ...rest.map((line) => " ".repeat(LEFT) + line)];
  });
}

const written = (name: string, { shown }: Option<unknown>): string =>
  shown === undefined ? `--${dashed(name)}` : `--${dashed(name)} ${shown}`;

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length >= width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
