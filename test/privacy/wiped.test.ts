import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as simd from "../../pkg/simd/marginalia.js";
import * as threads from "../../pkg/threads/marginalia.js";

/** What the engine's memory holds after a sealed table is gone: nothing that was marked. */

/** An instance of a build, on this thread; its allocator is that of all its threads. */
function started(flavour: "simd" | "threads") {
  const bytes = readFileSync(`pkg/${flavour}/marginalia_bg.wasm`);
  const raw = flavour === "simd" ? simd : threads;
  const { memory } = raw.initSync({ module: new WebAssembly.Module(bytes) }) as {
    memory: WebAssembly.Memory;
  };
  return { ...raw, memory };
}

const CELLS = [54_321, 43_210, 32_109];
const schema = JSON.stringify({
  nulls: [""],
  attributes: [
    { name: "colour", type: "category", values: ["red", "green"], other: "blue" },
    { name: "size", type: "integer", lows: [0, 10, 20], max: 29, other: "clamp", nullable: true },
  ],
});
const options = JSON.stringify({
  format: "csv",
  delimiter: ",",
  decimalComma: false,
  encoding: "utf-8",
  records: "quoted",
  lineEnd: "lf",
  badRows: "drop",
  unit: { column: "id", maxRows: 1 },
  relation: "add-remove",
  budget: { type: "pure", epsilon: "1" },
});

/** Texts of people, words that the schema does not list, and the counts of the three colours in each form they take. */
const marks = [
  ...["Ottoline-77", "vermilion-blue"].flatMap((text) => [Buffer.from(text), Buffer.from(text, "utf16le")]),
  ...CELLS.map((count) => Buffer.from(Float64Array.of(count).buffer)),
  Buffer.from(Uint32Array.from(CELLS).buffer),
];

/** Rows of 129,640 people, some of whom have a colour of their own, in pieces that cut rows anywhere. */
function* pieces() {
  const colours = ["red", "green", "vermilion-blue"];
  let text = "id,colour,size\n";
  let person = 0;
  for (const [i, count] of CELLS.entries()) {
    for (let row = 0; row < count; row++) text += `Ottoline-77${person++},${colours[i]},${row % 30}\n`;
  }
  const all = Buffer.from(text);
  for (let at = 0; at < all.length; at += 10_007) yield all.subarray(at, at + 10_007);
}

function finish<T>(job: { step(work: number): boolean; finish(): T }): T {
  while (!job.step(1e6));
  return job.finish();
}

test.each(["simd", "threads"] as const)(
  "no marked value is left in the memory of %s after the table is gone",
  (flavour) => {
    const { memory, Terms, Vault } = started(flavour);
    const found = () => {
      const all = Buffer.from(memory.buffer);
      return marks.map((mark) => all.includes(mark));
    };
    const vault = new Vault(schema, options);
    const reader = vault.reader();
    for (const piece of pieces()) reader.push(piece);
    expect(found().slice(0, 1), "the search finds what is there").toEqual([true]);
    vault.fill(reader);

    const requests = [{ clique: [0], query: { type: "identity" }, law: "laplace", scale: "1000000" }];
    const measured = finish(vault.measure(JSON.stringify(requests), "0", 1e8));
    expect(measured.take(0)).toHaveLength(3);

    const prepared = finish(vault.prepare(Uint16Array.of(0, 0, 1), Uint32Array.of(0, 1, 3), undefined, 1e8));
    expect(found().at(-1), "the search finds counts").toBe(true);
    const choice = { mechanism: "exponential", epsilon: "1/1000", grid: 4, difference: "absolute" };
    const cells = vault.select(prepared, JSON.stringify(choice), undefined, "0");
    cells.push(new Float64Array(5), undefined, undefined, Uint8Array.of(0, 1, 1, 0, 1));
    cells.push(new Float64Array(10), new Float64Array(10), undefined, new Uint8Array(10));
    expect([cells.done(), cells.total()]).toEqual([15, 15]);
    expect([1, 2, 4]).toContain(cells.finish());

    const { difference: _, ...marginal } = choice;
    const terms = new Terms(Uint32Array.of(1, 2), Float64Array.of(0, 5), undefined, Uint8Array.of(0, 1));
    const marginals = vault.select(prepared, JSON.stringify(marginal), terms, "0");
    marginals.push(new Float64Array(15));
    expect(marginals.finish()).toBe(1);
    const [flat, starts] = [Uint16Array.of(0), Uint32Array.of(0, 1)];
    expect(vault.selectionPrice(flat, starts, undefined, JSON.stringify(choice), undefined, 1e8)).toBe(
      "1/1000",
    );

    for (const object of [measured, prepared, vault]) object.free();
    expect(found()).toEqual(marks.map(() => false));
  },
);
