import { readFileSync } from "node:fs";
import { copyFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import Ajv from "ajv";
import { category, integer, kWay, pure, schema, seal } from "marginalia";
import { expect, it } from "vitest";
import { Ledger, memoryStore } from "../../../ts/privacy/ledger/index.js";
import { charge, folder, header } from "./support.js";

interface Line {
  kind: string;
  when?: string;
}

const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const described = new Ajv({ strict: false, allowUnionTypes: true }).compile({
  ...(JSON.parse(readFileSync("ledger.schema.json", "utf8")) as object),
  ...{ type: "array", required: [], additionalProperties: true, properties: {} },
  ...{ items: { $ref: "#/definitions/line" } },
});

/** A clock that goes on by an hour whenever somebody looks. */
function clock(): () => Date {
  let hours = 0;
  return () => new Date(Date.UTC(2026, 10, 18, hours++));
}

it("a ledger tells when programs began, and no time of what they did", async () => {
  const store = memoryStore();
  const exported: string[] = [];
  for (const [first, second] of [
    ["a", "b"],
    ["c", "d"],
  ] as const) {
    const ledger = await Ledger.open(header, store, { now: clock() });
    await ledger.journal(await ledger.grant(charge(first)), [1]);
    await ledger.grant(charge(second));
    exported.push(new TextDecoder().decode(await ledger.export()));
    await ledger.close();
  }
  const lines = linesOf(exported[1] as string);
  expect(described(lines), JSON.stringify(described.errors)).toBe(true);
  for (const { kind, when } of lines)
    expect(when !== undefined, kind).toBe(kind === "header" || kind === "grant");
  // Each program looked at the clock as often as the other, and never after it had begun.
  expect(new Set(lines.flatMap(({ when }) => when ?? [])).size).toBeLessThanOrEqual(2);
  const granted = lines.filter(({ kind }) => kind === "grant").map(({ when }) => when);
  expect([granted[0] === granted[1], granted[2] === granted[3]]).toEqual([true, true]);
});

const people = schema({
  age: integer({ min: 0, max: 9, other: "clamp", nullable: true }),
  sex: category(["F", "M"], { other: null }),
});

it("a ledger of when every line had a time opens, has its answers for nothing, and goes on without times", async () => {
  const at = await folder();
  const ledger = { path: join(at, "account.json"), counter: join(at, "counter") };
  const kept = join(import.meta.dirname, "kept");
  await copyFile(join(kept, "account.ledger"), ledger.path);
  await copyFile(join(kept, "counter"), ledger.counter);
  const before = await readFile(ledger.path, "utf8");
  expect(linesOf(before).every(({ when }) => when !== undefined)).toBe(true);
  expect(described(linesOf(before)), JSON.stringify(described.errors)).toBe(true);
  const data = await seal(() => ["age,sex\n1,F\n2,M\n"], people, {
    ...{ dataset: "kept", unit: "row", budget: pure(1), ledger },
  });
  const spent = () => [
    `${data.spent}`,
    data.ledger
      .entries()
      .map(({ state }) => state)
      .join(),
  ];
  const states = "released,released,lost,released";
  expect(spent()).toEqual(["1/2", states]);
  const ask = (label: string) => data.measure([{ clique: ["age"], spend: "1/10" }], { label });
  for (const label of ["first", "last"]) expect((await ask(label))[0]?.values).toHaveLength(11);
  const answers = new Float64Array(14);
  const chosen = { workload: kWay(people, 1), answers, candidates: "cells", spend: "1/5" } as const;
  expect((await data.select(chosen)).clique).toHaveLength(1);
  expect(spent()).toEqual(["1/2", states]);
  await ask("killed");
  expect(spent()).toEqual(["3/5", `${states},released`]);
  await data.close();
  const after = await readFile(ledger.path, "utf8");
  expect(after.startsWith(before)).toBe(true);
  expect(linesOf(after.slice(before.length)).map(({ kind, when }) => `${kind} ${typeof when}`)).toEqual([
    "grant string",
    "journal undefined",
    "closed undefined",
  ]);
});
