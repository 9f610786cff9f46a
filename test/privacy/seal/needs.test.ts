import { category, close, init, type SealOptions, schema, seal } from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { exact, options, plenty } from "./support.js";

const ROWS = 400_000;
const labels = Array.from({ length: 300 }, (_, i) => `v${i}`);
const wide = schema({
  a: category(labels, { other: null }),
  b: category(labels.slice(0, 90), { other: null }),
});
const text = `a,b\n${Array.from({ length: ROWS }, (_, i) => `v${i % 300},v${i % 90}\n`).join("")}`;
const asked = [{ clique: ["a", "b"], ...exact }] as const;

const sealing = (source: Blob, change: Partial<SealOptions> = {}) =>
  seal(source, wide, { ...options, ...plenty, ...change });

afterAll(close);

describe("what a plan says that measuring needs", () => {
  it("follows from the rows that are expected alone, and is missing where nobody expects any", async () => {
    const data = await sealing(new Blob([text]), { expectedRows: 1000 });
    const few = await data.plan(asked);
    const many = await data.plan(asked, { expectedRows: ROWS });
    expect(many.needs?.bytes).toBeGreaterThan(few.needs?.bytes ?? Number.NaN);
    expect(many.toJSON().needs).toEqual(many.needs);
    await data.measure(asked);
    expect((await data.plan(asked)).needs).toEqual(few.needs);
    await data.close();
    const other = await sealing(new Blob(["a,b\n"]));
    expect((await other.plan(asked)).needs).toBeUndefined();
    await other.close();
  });

  it("is enough: measuring fits a memory whose share for private rows is that", async () => {
    const first = await sealing(new Blob([text]), { expectedRows: ROWS });
    const { bytes = 0 } = (await first.plan(asked)).needs ?? {};
    await first.close();
    await close();
    await init({ memoryLimit: 4 * bytes });
    const data = await sealing(new Blob([text]));
    const [measured] = await data.measure(asked);
    expect(measured?.values.reduce((sum, value) => sum + value, 0)).toBe(ROWS);
    await data.close();
  });
});
