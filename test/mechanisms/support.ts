import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  MarginaliaError,
  type PriorAwareOptions,
  priorAware,
  pure,
  type Released,
  readTable,
  type Schema,
  type Sealed,
  type SealOptions,
  type SupportModel,
  seal,
  type Table,
  type Workload,
} from "marginalia";
import { afterAll, afterEach, expect } from "vitest";
import { file, people } from "../../examples/survey.mjs";

export { file, people } from "../../examples/survey.mjs";

const folders: string[] = [];
const open: { dispose(): void }[] = [];
const sealed: Sealed[] = [];

/** A folder that is removed when the tests of the file are done. */
export async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), "release-"));
  folders.push(made);
  return made;
}

afterEach(async () => {
  for (const one of open.splice(0)) one.dispose();
  await Promise.all(sealed.splice(0).map((one) => one.close()));
});

afterAll(async () => {
  for (const made of folders) await rm(made, { recursive: true, force: true });
});

/** Disposes of it at the end of the test. */
export function kept<T extends { dispose(): void }>(one: T): T {
  open.push(one);
  return one;
}

/** A model that is on public rows. */
export function onRows<S extends Schema>(model: Released<S>["model"]): SupportModel<S> {
  if (model.kind !== "support") throw new Error(`the model is a ${model.kind}`);
  return model;
}

/** The public year. */
export const publicYear = async (): Promise<Table<typeof people>> =>
  kept(await readTable(file(2018), people, { keepRaw: ["age", "hours", "income"] }));

/** Seals the private year, and closes at the end of the test. */
export async function sealing(
  change: Partial<SealOptions> = {},
  source: Parameters<typeof seal>[0] = file(2019),
): Promise<Sealed<typeof people>> {
  const made = await seal(source, people, { dataset: "survey", unit: "row", budget: pure(1), ...change });
  sealed.push(made as unknown as Sealed);
  return made;
}

/** A mechanism from the public year. */
export async function mechanism(change: Partial<PriorAwareOptions<typeof people>> = {}) {
  return kept(priorAware({ prior: await publicYear(), ...change }));
}

/** The mean total variation of two tables over the marginals of a workload. */
export async function distance(
  workload: Workload<typeof people>,
  a: Table<typeof people>,
  b: Table<typeof people>,
): Promise<number> {
  const [ours, theirs] = [await a.answer(workload), await b.answer(workload)];
  const sizes = [a.rows, b.rows];
  const of = (cells: Float64Array, i: number) =>
    cells.reduce((sum, count, cell) => {
      const other = (theirs[i] as Float64Array)[cell] as number;
      return sum + Math.abs(count / (sizes[0] as number) - other / (sizes[1] as number));
    }, 0) / 2;
  return ours.reduce((sum, cells, i) => sum + of(cells, i), 0) / ours.length;
}

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
