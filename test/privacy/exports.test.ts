import { readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import * as simd from "../../pkg/simd/marginalia.js";

/** What the engine gives to whoever calls it directly. */

const FLAVOURS = ["simd", "threads"] as const;

/** Each class of a build: its methods, and what they give. */
function classesOf(flavour: string): Map<string, Record<string, string>> {
  const path = `pkg/${flavour}/marginalia.d.ts`;
  const all = new Map<string, Record<string, string>>();
  for (const node of ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true)
    .statements) {
    if (!ts.isClassDeclaration(node)) continue;
    const methods = node.members.filter(ts.isMethodDeclaration);
    const own = methods.map((one) => [one.name.getText(), one.type?.getText() ?? ""] as const);
    all.set(node.name?.text ?? "", Object.fromEntries(own.filter(([name]) => !/^free$|^\[/.test(name))));
  }
  return all;
}

/** A class, and all that its methods lead to. */
function reached(classes: Map<string, Record<string, string>>, from: string, seen = new Set<string>()) {
  seen.add(from);
  for (const type of Object.values(classes.get(from) ?? {}))
    if (classes.has(type) && !seen.has(type)) reached(classes, type, seen);
  return seen;
}

const moduleOf = (flavour: string) =>
  new WebAssembly.Module(readFileSync(`pkg/${flavour}/marginalia_bg.wasm`));

describe.each(FLAVOURS)("of the engine's build %s", (flavour) => {
  it("nothing that holds private rows hands them out", () => {
    const classes = classesOf(flavour);
    const held = [...reached(classes, "Vault")].map((name) => [name, classes.get(name)]);
    // `step` tells when to go on, `done` and `total` count public cells; prices and variances are of requests alone; what is
    // taken of measurements and selections is noisy.
    expect(Object.fromEntries(held)).toEqual({
      Vault: {
        fill: "void",
        reader: "SealedReader",
        measure: "Measuring",
        prepare: "Preparing",
        select: "Selecting",
        price: "string",
        selectionPrice: "string",
        spent: "string",
        variances: "Float64Array",
      },
      SealedReader: { push: "void" },
      Measuring: { step: "boolean", finish: "Measured" },
      Preparing: { step: "boolean", finish: "Prepared" },
      Prepared: {},
      Measured: { length: "number", take: "Float64Array" },
      Selecting: { push: "void", done: "number", total: "number", finish: "number" },
    });
    // The module itself has no more functions of them than that.
    const exported = WebAssembly.Module.exports(moduleOf(flavour)).map(({ name }) => name);
    for (const [name, methods] of held as [string, Record<string, string>][]) {
      const prefix = `${name.toLowerCase()}_`;
      const own = exported.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length));
      expect(own.filter((one) => one !== "new").sort()).toEqual(Object.keys(methods).sort());
    }
  });

  it("no function is told what noise to draw", () => {
    const module = moduleOf(flavour);
    const suspect = /seed|noise|random|entropy|stream|sampler/i;
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    expect(names.filter((name) => suspect.test(name))).toEqual([]);
    const asked = WebAssembly.Module.imports(module).map(({ name }) => name.replace(/_[0-9a-f]{16}$/, ""));
    expect(asked.filter((name) => suspect.test(name))).toEqual(["__wbg_getRandomValues"]);
  });
});

it("the same request with the same seed beside it draws other noise, and a vault takes no seed", () => {
  simd.initSync({ module: moduleOf("simd") });
  const attributes = [{ name: "a", type: "category", values: ["x"], other: null }];
  const schema = JSON.stringify({ nulls: [""], attributes });
  const options = {
    ...{ format: "csv", delimiter: ",", decimalComma: false, encoding: "utf-8", badRows: "drop" },
    ...{ records: "quoted", lineEnd: "lf" },
    ...{ unit: "row", relation: "add-remove", budget: { type: "pure", epsilon: "1" } },
  };
  const drawn = () => {
    const vault = new simd.Vault(schema, JSON.stringify(options));
    const reader = vault.reader();
    reader.push(Buffer.from("a\nx\n"));
    vault.fill(reader);
    const request = { clique: [0], query: { type: "identity" }, law: "laplace", scale: "1000000", seed: 7 };
    const measuring = vault.measure(JSON.stringify([request]), "0", 1e8);
    while (!measuring.step(1e6));
    return `${measuring.finish().take(0)}`;
  };
  expect(drawn()).not.toBe(drawn());
  for (const more of [{ seed: 7 }, { noise: false }])
    expect(() => new simd.Vault(schema, JSON.stringify({ ...options, ...more }))).toThrow();
});
