import { flag, type Options, text, type Values } from "../option.js";
import type { Console } from "./console.js";

/** A command: one file in `commands/`, one line in its table. */
export interface Command<O extends Options = Options> {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What the help says beyond the options. */
  readonly details: string;
  readonly options: O;
  /** Options that may be given without their name, in this order. */
  readonly positional: readonly (keyof O & string)[];
  /** Answers the exit code. */
  run(values: Values<O>, io: Console): Promise<number>;
}

/** A command as the table holds it: its values are checked before it sees them. */
export function command<const O extends Options>(spec: Command<O>): Command {
  return spec as unknown as Command;
}

/** What every command takes. */
export const COMMON = {
  config: text("FILE", "take options from a JSON file; those on the command line come first"),
  json: flag("say everything as JSON"),
  quiet: flag("say nothing but errors"),
  progress: flag("draw a bar on a terminal while public files are read; --no-progress draws none"),
  help: flag("show this"),
} as const satisfies Options;
