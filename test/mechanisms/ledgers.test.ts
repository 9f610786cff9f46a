// Ledgers of the version in which each line was a record (`ledgers/`), and what was made of them then.

import { createHash } from "node:crypto";
import { copyFile, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  adaptive,
  category,
  integer,
  priorAware,
  pure,
  readTable,
  type SealOptions,
  schema,
  seal,
} from "marginalia";
import { describe, expect, it } from "vitest";

const people = schema({
  age: integer({ min: 0, max: 99, width: 20, other: "clamp", nullable: true }),
  sex: category(["F", "M"], { other: null }),
  home: category(["a", "b", "c"], { other: null }),
});

/** Rows that follow from their numbers. */
function csv(rows: number, shift: number): Blob {
  const row = (i: number) =>
    `${(i * 7 + shift) % 100},${(i * 13 + shift) % 5 < 2 ? "F" : "M"},${"abc"[(i * i + shift) % 3]}\n`;
  return new Blob(["age,sex,home\n", ...Array.from({ length: rows }, (_, i) => row(i))]);
}

async function resumed(name: string, options: Partial<SealOptions> = {}) {
  const ledger = join(await mkdtemp(join(tmpdir(), "ledger-")), "account.json");
  await copyFile(new URL(`ledgers/${name}.jsonl`, import.meta.url), ledger);
  const sealing = { dataset: "fixture", unit: "row", budget: pure(2), ledger, ...options } as const;
  return seal(csv(300, 3), people, sealing);
}

const MECHANISMS = {
  flat: {
    make: priorAware,
    options: {},
    records: "1ba85bca15f4ca66828d719832a41e2d2b7f248a83462f9d8f28744715bee207",
  },
  adaptive: {
    make: adaptive,
    options: { rounds: 2 },
    records: "895fa56148cf968fc5ba597cce65ec0f311bad918318fe10dfe27724be27a8c0",
  },
  grouped: {
    make: priorAware,
    options: { groups: [["home"]] },
    records: "512fcb1e8e45b7952a302eca8e6ef42ce96de78d0129bab33d4be631dabc5084",
  },
} as const;

describe("a ledger of the time when each line was a record", () => {
  it.each(Object.entries(MECHANISMS))("makes the same %s release again, for nothing", async (name, of) => {
    const { make, options, records } = of;
    for (const reading of [{}, { records: "lines" }] as const) {
      const prior = await readTable(csv(400, 0), people);
      await using data = await resumed(name, reading);
      const before = `${data.spent}`;
      const mechanism = (make as typeof adaptive)({ prior, spend: 1, seed: "s", ...options } as never);
      const release = await mechanism.run(data);
      expect(`${data.spent}`).toBe(before);
      const place = join(await mkdtemp(join(tmpdir(), "records-")), "records.csv");
      await release.writeCsv(place, { seed: "v" });
      expect(
        createHash("sha256")
          .update(await readFile(place))
          .digest("hex"),
      ).toBe(records);
      expect(`${data.ledger}`).toContain("Read by lines: a row is a line of CSV, whatever its quotes say");
    }
  });

  it("has no release of rows that are read in another way", async () => {
    const prior = await readTable(csv(400, 0), people);
    for (const reading of [{ badRows: "null" }, { lineEnd: "crlf" }, { encoding: "latin-1" }] as const) {
      await using data = await resumed("flat", reading);
      const mechanism = priorAware({ prior, spend: 1, seed: "s" });
      expect((await mechanism.plan(data)).toJSON().measure).toMatchObject({ spent: "1" });
      if (reading.lineEnd === undefined) await mechanism.run(data);
      expect(`${data.spent}`).toBe(reading.lineEnd === undefined ? "2" : "1");
    }
  });

  it("answers the same measurement for nothing, once; the next of the same is paid and read as records", async () => {
    await using data = await resumed("measured");
    const ask = () => data.measure([{ clique: ["age", "sex"], spend: "1/2" }], { label: "a" });
    await ask();
    expect(`${data.spent}`).toBe("1/2");
    await ask();
    expect(`${data.spent}`).toBe("1");
    const { readings } = data.ledger.toJSON();
    expect(readings.map(({ charges }) => charges)).toEqual([[1], [2]]);
    expect(readings[1]?.reading).toContain("a row is a record of CSV as RFC 4180 quotes it");
    expect(`${data.ledger}`).toContain("Charge 1: read by lines");
  });
});
