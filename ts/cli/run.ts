import { MarginaliaError } from "../errors.js";
import { invalid } from "../options.js";
import type { Command } from "./command.js";
import { COMMANDS } from "./commands/index.js";
import { configSchema } from "./config-schema.js";
import { Console, type Streams } from "./console.js";
import { EXIT } from "./exit.js";
import { helpOf, overview } from "./help.js";
import { suggestion } from "./nearest.js";
import { writeOut } from "./output.js";
import { settingsOf } from "./settings.js";

declare const MARGINALIA_VERSION: string;

/** Runs a command line; answers the exit code. What fails is said, and never thrown. */
export async function run(argv: readonly string[], streams: Streams, signal: AbortSignal): Promise<number> {
  // Until the options are read, this much is known of how errors shall be said.
  let io = new Console(streams, { json: argv.includes("--json") }, signal);
  try {
    const [word, ...rest] = argv;
    if (word === "--version") return await print(MARGINALIA_VERSION);
    if (word === "--config-schema") return await print(JSON.stringify(configSchema(COMMANDS), null, 2));
    if (word === undefined || word === "--help" || word === "-h" || word === "help") {
      const about = rest[0];
      if (about !== undefined) return await print(helpOf(commandOf(about)));
      if (word === undefined) throw invalid("which command? marginalia --help lists them");
      return await print(overview(COMMANDS, MARGINALIA_VERSION));
    }
    const command = commandOf(word);
    const values = await settingsOf(command, rest, COMMANDS, streams.stdin);
    if (values.help) return await print(helpOf(command));
    io = new Console(streams, values, signal, command.options);
    return await command.run(values, io);
  } catch (thrown) {
    return io.fail(signal.aborted ? stopped(thrown) : thrown);
  } finally {
    io.clear();
  }

  async function print(text: string): Promise<number> {
    await writeOut("-", new TextEncoder().encode(`${text.trimEnd()}\n`), streams.stdout);
    return EXIT.done;
  }
}

function commandOf(word: string): Command {
  const found = COMMANDS.find(({ name }) => name === word);
  if (found) return found;
  const names = COMMANDS.map(({ name }) => name);
  throw invalid(`there is no command ${JSON.stringify(word)}${suggestion(word, names)} (--help lists them)`);
}

/** Whatever fails once a stop was asked for is the stop; what was said of the account is kept. */
function stopped(thrown: unknown): MarginaliaError {
  if (thrown instanceof MarginaliaError && thrown.code === "ABORTED") return thrown;
  return new MarginaliaError("ABORTED", "the command was stopped before its end", { cause: thrown });
}
