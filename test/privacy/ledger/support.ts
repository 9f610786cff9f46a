import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import { type ErrorCode, MarginaliaError } from "../../../ts/errors.js";
import {
  fileStore,
  type GrantRequest,
  Ledger,
  type LedgerHeader,
  type LedgerOptions,
  type LedgerPlace,
} from "../../../ts/privacy/ledger/index.js";

export const header: LedgerHeader = {
  dataset: "survey-2019",
  schema: '{"attributes":[{"name":"age"}]}',
  unit: "row",
  relation: "add-remove",
  budget: { pure: "1" },
  total: { currency: "epsilon", amount: "1" },
};

export const charge = (key: string, cost = "1/100"): GrantRequest => ({
  key,
  what: "age × sex",
  mechanism: "discrete Laplace, b = 100",
  cost,
});

export const open = async (place: LedgerPlace, options: LedgerOptions = {}, of = header): Promise<Ledger> =>
  Ledger.open(of, await fileStore(place), options);

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

/** A lock as a process leaves it that was killed: no process has this number, since Linux ends at 2²². */
export async function deadLock(path: string, change: object = {}): Promise<void> {
  const probe = join(await folder(), "probe");
  const ledger = await open(probe);
  const own = JSON.parse(await readFile(`${probe}.lock`, "utf8")) as object;
  await ledger.close();
  const dead = { ...own, pid: 2 ** 22 + 1, host: hostname(), token: "0123456789abcdef", ...change };
  await writeFile(`${path}.lock`, JSON.stringify(dead));
}
