import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { run as Run } from "../../ts/cli/run.js";
import { bundle } from "./bundle.js";
import type { Outcome } from "./support.js";

const { run } = (await import(bundle)) as { run: typeof Run };

let before: Promise<unknown> = Promise.resolve();

/** The same as `marginalia` of `support.js` within this process, and on its engine: one command after another. */
export function marginalia(
  args: readonly string[],
  { cwd = process.cwd(), input = "" }: { cwd?: string; input?: string | Uint8Array } = {},
): Promise<Outcome> {
  const running = before.then(async () => {
    const home = process.cwd();
    process.chdir(cwd);
    try {
      const [out, err] = [new PassThrough(), new PassThrough()];
      const [bytes, errors] = [buffer(out), buffer(err)];
      const streams = {
        stdin: Readable.from(input.length > 0 ? [Buffer.from(input)] : []),
        stdout: out,
        stderr: err,
      };
      const code = await run(
        args,
        streams as unknown as Parameters<typeof Run>[1],
        new AbortController().signal,
      );
      out.end();
      err.end();
      return { code, signal: null, bytes: await bytes, stdout: `${await bytes}`, stderr: `${await errors}` };
    } finally {
      process.chdir(home);
    }
  });
  before = running.catch(() => undefined);
  return running;
}
