import { close, init, kWay } from "marginalia";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { people, plenty, refusal, sealing } from "./support.js";

const platform = crypto.getRandomValues;

/** An entropy that gives these bytes in turn. It is one for an engine in this thread only. */
function entropyOf(...bytes: number[]): void {
  let asked = 0;
  crypto.getRandomValues = ((array: Uint8Array) =>
    array.fill(bytes[asked++ % bytes.length] as number)) as typeof platform;
}

beforeAll(() => init({ worker: false }));
afterEach(() => {
  crypto.getRandomValues = platform;
});
afterAll(() => close());

const request = { clique: ["age", "sex"] as const, scale: "50" };
const measured = async (data: Awaited<ReturnType<typeof sealing>>, label: string) =>
  Array.from((await data.measure([request], { label }))[0]?.values ?? []);

it("entropy that is always the same gives one measurement, and refuses the next, in any table", async () => {
  await close();
  entropyOf(9);
  const [data, other] = [await sealing(undefined, plenty), await sealing(undefined, plenty)];
  expect(await measured(data, "1")).toHaveLength(33);
  const refused = await refusal(measured(data, "2"), "ENTROPY_UNAVAILABLE");
  expect(refused.message).toContain("gave the same twice");
  await refusal(measured(other, "1"), "ENTROPY_UNAVAILABLE");
  const select = { workload: kWay(people, 1), answers: new Float64Array(14), candidates: "cells" } as const;
  await refusal(other.select({ ...select, spend: 1 }), "ENTROPY_UNAVAILABLE");
  // Rows of units are chosen at random as well: such a table is refused before anything is paid.
  await refusal(sealing(["age,sex,id\n"], { unit: { column: "id", maxRows: 1 } }), "ENTROPY_UNAVAILABLE");
});

it("entropy of two values that alternate gives two measurements, which differ", async () => {
  await close();
  entropyOf(9, 7);
  const data = await sealing(undefined, plenty);
  expect(await measured(data, "1")).not.toEqual(await measured(data, "2"));
  await refusal(measured(data, "3"), "ENTROPY_UNAVAILABLE");
});

it("an engine that follows another has other noise, though the entropy is the same and nobody remembers it", async () => {
  const all: number[][] = [];
  for (let i = 0; i < 3; i++) {
    await close();
    entropyOf(9);
    const data = await sealing(undefined, plenty);
    all.push(await measured(data, "1"));
  }
  expect(new Set(all.map(String)).size).toBe(3);
});
