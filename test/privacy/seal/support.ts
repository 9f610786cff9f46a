import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  category,
  integer,
  MarginaliaError,
  pure,
  type Sealed,
  type SealOptions,
  schema,
  seal,
} from "marginalia";
import { afterAll, afterEach, expect } from "vitest";

export const people = schema({
  age: integer({ min: 0, max: 9, other: "clamp", nullable: true }),
  sex: category(["F", "M"], { other: null }),
});

/** 7 rows: ages 1, 2, 2, 9, null; F three times, M twice, null twice. */
export const csv = "age,sex\n1,F\n2,M\n2,F\n12,F\n,M\n0,x\n0,\n";
export const ages = [2, 1, 2, 0, 0, 0, 0, 0, 0, 1, 1];

export const options: SealOptions = { dataset: "d", unit: "row", budget: pure(1) };

const folders: string[] = [];
const sealed: Sealed[] = [];

/** A folder that is removed when the tests of the file are done. */
export async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "sealed-"));
  folders.push(made);
  return made;
}

afterEach(async () => {
  await Promise.all(sealed.splice(0).map((one) => one.close()));
});

afterAll(async () => {
  for (const made of folders) await rm(made, { recursive: true, force: true });
});

/** Seals, and closes at the end of the test. */
export async function sealing(
  source: Parameters<typeof seal>[0] = csv.split(/(?<=\n)/),
  change: Partial<SealOptions> = {},
): Promise<Sealed<typeof people>> {
  const made = await seal(source, people, { ...options, ...change });
  sealed.push(made as unknown as Sealed);
  return made;
}

/** Noise of this scale is zero but for once in e^1000 draws, so what is measured is what was counted. */
export const exact = { scale: "1/1000" } as const;
export const plenty = { budget: pure(1_000_000) };

/** What a call is refused with: the error itself, when it has the code. */
export async function refusal(call: Promise<unknown>, code: string): Promise<MarginaliaError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(MarginaliaError);
  expect((error as MarginaliaError).code, (error as Error).message).toBe(code);
  return error as MarginaliaError;
}
