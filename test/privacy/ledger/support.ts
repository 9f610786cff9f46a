import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { type ErrorCode, MarginaliaError } from "../../../ts/errors.js";
import { fileStore, Ledger, type LedgerOptions, type LedgerPlace } from "../../../ts/privacy/ledger/index.js";
import { charge, header } from "./header.js";

export { charge, header };

export const open = async (place: LedgerPlace, options: LedgerOptions = {}, of = header): Promise<Ledger> =>
  Ledger.open(of, await fileStore(place), options);

/** Opens a ledger and charges it: before that, there is none. */
export async function begun(...given: Parameters<typeof open>): Promise<Ledger> {
  const ledger = await open(...given);
  await ledger.grant(charge("first"));
  return ledger;
}

const folders: string[] = [];

/** A folder that is removed when the tests of the file are done. */
export async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "ledger-"));
  folders.push(made);
  return made;
}

afterAll(async () => {
  for (const made of folders) await rm(made, { recursive: true, force: true });
});

/** What a call is refused with: the error itself, when it has the code. */
export async function refusal(call: Promise<unknown>, code: ErrorCode): Promise<MarginaliaError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MarginaliaError);
  expect((error as MarginaliaError).code, (error as Error).message).toBe(code);
  return error as MarginaliaError;
}

/** What the lock of a killed process holds: no process has this number, since Linux ends at 2²². */
export async function deadHolder(change: object = {}): Promise<string> {
  const probe = join(await folder(), "probe");
  const ledger = await open(probe);
  const own = JSON.parse(await readFile(`${probe}.lock`, "utf8")) as object;
  await ledger.close();
  return JSON.stringify({ ...own, pid: 2 ** 22 + 1, token: "0123456789abcdef", ...change });
}

/** Leaves the lock of a killed process at a ledger. */
export async function deadLock(path: string, change: object = {}): Promise<void> {
  await writeFile(`${path}.lock`, await deadHolder(change));
}
