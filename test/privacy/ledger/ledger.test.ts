import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import Ajv from "ajv";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Json, Ledger, type LedgerHeader, memoryStore } from "../../../ts/privacy/ledger/index.js";
import { Disk } from "./simulated.js";
import { charge, folder, header, open, refusal } from "./support.js";

const memory = (exported?: Uint8Array | string, of: LedgerHeader = header) =>
  Ledger.open(of, memoryStore(exported), { now: () => new Date("2026-11-18T12:45:18Z") });

const summary = new Ajv({ strict: true, allowUnionTypes: true });
const schema = JSON.parse(await readFile("ledger.schema.json", "utf8")) as object;
summary.addSchema(schema, "ledger");

function conforms(value: unknown, part = ""): void {
  const valid = summary.validate(`ledger${part}`, value);
  expect(valid, summary.errorsText()).toBe(true);
}

describe("a charge", () => {
  it("is granted, journalled, and found with its values by those who ask for the same again", async () => {
    const ledger = await memory();
    expect(ledger.find("a")).toBeUndefined();
    const id = await ledger.grant({ ...charge("a"), details: { scale: "10/3" } });
    expect(ledger.find("a")).toBeUndefined();
    await ledger.journal(id, { list: [1, -2.5, null, true, "é"] });
    expect(await ledger.find("a")?.values()).toEqual({ list: [1, -2.5, null, true, "é"] });
    expect(ledger.find("a")?.entry).toEqual({
      ...charge("a"),
      id,
      details: { scale: "10/3" },
      when: "2026-11-18T12:45:18.000Z",
      state: "released",
    });
    await ledger.close();
  });

  it("that has values is not made again; one whose values were lost is", async () => {
    const ledger = await memory();
    await ledger.grant(charge("a"));
    const id = await ledger.grant(charge("a"));
    await ledger.journal(id, 1);
    await refusal(ledger.grant(charge("a")), "OPTION_INVALID");
    expect(ledger.entries().map(({ state }) => state)).toEqual(["under way", "released"]);
    expect(await ledger.find("a")?.values()).toBe(1);
  });

  it("that was made twice at once keeps for ever the values that came first", async () => {
    const ledger = await memory();
    const [one, two] = await Promise.all([ledger.grant(charge("a")), ledger.grant(charge("a"))]);
    await ledger.journal(two, "first");
    await ledger.journal(one, "second");
    for (const each of [ledger, await memory(await ledger.export())]) {
      expect(await each.find("a")?.values()).toBe("first");
      expect(each.entries().map(({ state }) => state)).toEqual(["released", "released"]);
    }
  });

  it("takes values once, only of this session, and only of itself", async () => {
    const ledger = await memory();
    const lost = await ledger.grant(charge("lost"));
    const again = await memory(await ledger.export());
    await refusal(again.journal(lost, 1), "OPTION_INVALID");
    const id = await again.grant(charge("a"));
    for (const wrong of [id + 1, 0, Number.NaN]) await refusal(again.journal(wrong, 1), "OPTION_INVALID");
    await again.journal(id, 1);
    await refusal(again.journal(id, 2), "OPTION_INVALID");
    expect(await again.find("a")?.values()).toBe(1);
  });

  it("that is given up is lost, and takes no values any more", async () => {
    const ledger = await memory();
    const id = await ledger.grant(charge("a"));
    await ledger.abandon(id);
    expect(ledger.entries().map(({ state }) => state)).toEqual(["lost"]);
    await refusal(ledger.journal(id, 1), "OPTION_INVALID");
    await ledger.abandon(id);
    await ledger.journal(await ledger.grant(charge("a")), 2);
    expect(await ledger.find("a")?.values()).toBe(2);
  });

  it("is refused in any form that could not be read back, without quoting values", async () => {
    const ledger = await memory();
    const bad = [
      ...["", "x", "0.1", "-1", "1/0", "01", "1e3", " 1", "1/2/3", "1/-2"].map((cost) => charge("a", cost)),
      { ...charge("a"), cost: 0.1 as unknown as string },
      charge(""),
      { ...charge("a"), what: "" },
      { ...charge("a"), details: [Number.NaN] },
    ];
    for (const request of bad) await refusal(ledger.grant(request), "OPTION_INVALID");
    expect(ledger.entries()).toEqual([]);
    const id = await ledger.grant(charge("a"));
    const secret = 41713;
    const values = [
      undefined,
      [secret, Number.NaN],
      { secret: undefined },
      Object.assign([secret], { length: 3 }),
      new Map(),
      1n,
      () => 1,
    ];
    for (const value of [...values, new Date(), { a: Number.POSITIVE_INFINITY }, new Float64Array(2)]) {
      const { message } = await refusal(ledger.journal(id, value as Json), "OPTION_INVALID");
      expect(message).not.toContain(`${secret}`);
    }
    await ledger.journal(id, secret);
  });

  it("keeps values as they were when it was made, whatever the caller does to them", async () => {
    const ledger = await memory();
    const bytes = new Uint8Array([1, 2, 3]);
    const list = [1, 2, 3];
    const [a, b] = [await ledger.grant(charge("a")), await ledger.grant(charge("b"))];
    const written = [ledger.journal(a, bytes), ledger.journal(b, list)];
    bytes.fill(9);
    list.fill(9);
    await Promise.all(written);
    expect(await ledger.find("a")?.values()).toEqual(new Uint8Array([1, 2, 3]));
    expect(await ledger.find("b")?.values()).toEqual([1, 2, 3]);
  });

  it("of megabytes comes back to the byte", async () => {
    const path = join(await folder(), "account.json");
    const values = Uint8Array.from({ length: 5_000_000 }, (_, i) => (i * i) >> 5);
    const ledger = await open(path);
    await ledger.journal(await ledger.grant(charge("a")), values);
    await ledger.journal(await ledger.grant(charge("b")), [1]);
    await ledger.close();
    const again = await open(path);
    expect(Buffer.compare((await again.find("a")?.values()) as Uint8Array, values)).toBe(0);
    expect(await again.find("b")?.values()).toEqual([1]);
    await again.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("made beside others takes its place in the order of the calls", async () => {
    const ledger = await memory();
    const names = Array.from({ length: 30 }, (_, i) => `k${i}`);
    const ids = await Promise.all(names.map((name) => ledger.grant(charge(name))));
    expect(ids).toEqual(names.map((_, i) => i + 2));
    await Promise.all(ids.toReversed().map((id) => ledger.journal(id, id)));
    for (const [i, name] of names.entries()) expect(await ledger.find(name)?.values()).toBe(ids[i]);
    const [closing, late] = [ledger.close(), ledger.grant(charge("late"))];
    await refusal(late, "OPTION_INVALID");
    await closing;
  });
});

describe("a ledger is of one dataset, schema, unit, relation and budget", () => {
  const others: [string, Partial<LedgerHeader>][] = [
    ["dataset", { dataset: "survey-2018" }],
    ["schema", { schema: "{}" }],
    ["unit", { unit: { column: "id", maxRows: 2 } }],
    ["relation", { relation: { replace: { n: 1000 } } }],
    ["budget", { budget: { pure: "2" } }],
  ];

  it.each(others)("and refuses another %s by name", async (what, change) => {
    const bytes = await (await memory()).export();
    const { message } = await refusal(memory(bytes, { ...header, ...change }), "LEDGER_MISMATCH");
    expect(message).toContain(`another \`${what}\``);
    for (const [other] of others) if (other !== what) expect(message).not.toContain(`another \`${other}\` (`);
  });

  it("whatever the order of fields, and with the total that it was begun with", async () => {
    const unit = { column: "id", maxRows: 2 };
    const bytes = await (await memory(undefined, { ...header, unit })).export();
    const total = { currency: "epsilon", amount: "2" } as const;
    const ledger = await memory(bytes, { ...header, unit: { maxRows: 2, column: "id" }, total });
    expect(ledger.header.total.amount).toBe("1");
  });

  it("of which it needs all, in a form that can be read back", async () => {
    const bad = [{ dataset: "" }, { unit: undefined }, { total: { currency: "ε", amount: "1" } }];
    const amounts = ["0.1", "-1", ""].map((amount) => ({ total: { currency: "rho", amount } }));
    for (const change of [...bad, ...amounts]) {
      await refusal(memory(undefined, { ...header, ...change } as LedgerHeader), "OPTION_INVALID");
    }
  });

  it("and no hash of anything but the declared schema is in its header", async () => {
    const { schema, account, ...rest } = (await memory()).header;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(header.schema));
    expect(schema).toBe(Buffer.from(digest).toString("hex"));
    expect(account).not.toBe((await memory()).header.account);
    expect(JSON.stringify(rest)).not.toMatch(/[0-9a-f]{16}/);
  });
});

describe("in memory", () => {
  it("property: what is exported is imported as it was, at any moment", async () => {
    const kept = fc.array(fc.oneof(fc.uint8Array(), fc.dictionary(fc.string(), fc.integer())), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(kept, fc.boolean(), async (all, text) => {
        const ledger = await memory();
        for (const [i, values] of all.entries()) {
          await ledger.journal(await ledger.grant(charge(`k${i}`)), values);
        }
        const bytes = await ledger.export();
        const copy = await memory(text ? new TextDecoder().decode(bytes) : bytes);
        expect(copy.entries()).toEqual(ledger.entries());
        for (const [i, values] of all.entries()) expect(await copy.find(`k${i}`)?.values()).toEqual(values);
        await copy.close();
        await ledger.grant(charge("more"));
      }),
    );
  });

  it("what is exported is a file's, and the other way round", async () => {
    const path = join(await folder(), "account.json");
    const ledger = await open(path);
    await ledger.journal(await ledger.grant(charge("a")), [7]);
    const copy = await memory(await ledger.export());
    expect(await copy.find("a")?.values()).toEqual([7]);
    await ledger.close();
    expect(await ledger.export().catch((error: Error) => error.message)).toContain("closed");
    expect((await memory(await readFile(path, "utf8"))).entries()).toEqual(copy.entries());
  });
});

describe("where writing fails", () => {
  it("nothing more is accepted, and all that was told of is there when it is opened again", async () => {
    const disk = new Disk();
    const ledger = await Ledger.open(header, disk.store());
    const id = await ledger.grant(charge("a"));
    disk.stopAfter(1, "failure");
    const { message } = await refusal(ledger.journal(id, [41713]), "SOURCE_FAILED");
    expect(message).toContain("EIO");
    expect(message).not.toContain("41713");
    disk.stopAfter(Number.POSITIVE_INFINITY);
    await refusal(ledger.grant(charge("b")), "OPTION_INVALID");
    await ledger.close();
    const again = await Ledger.open(header, disk.store());
    // The line was whole when its sync failed, so it counts; nobody had been shown it.
    expect(again.entries().map(({ key, state }) => `${key} ${state}`)).toEqual(["a released"]);
  });
});

describe("for people", () => {
  const ledgerOf = async () => {
    const ledger = await memory();
    await ledger.journal(await ledger.grant(charge("a", "1/10")), [1]);
    await ledger.grant({ ...charge("b", "1/3"), what: "income\nby \u001b[31mstate" });
    return ledger;
  };

  it("prints what was asked, how, what it cost and what is left", async () => {
    const before = await ledgerOf();
    expect(`${before}`).toContain("paid, under way");
    const text = `${await memory(await before.export())}`;
    expect(text).toBe(`Privacy account of survey-2019, begun 2026-11-18 12:45 UTC
  protects    each row
  against     telling whether it is in the data at all
  budget      ε 1 in all, declared as {"pure":"1"}

   when (UTC)        what was asked        how                        cost          left          outcome
1  2026-11-18 12:45  age × sex             discrete Laplace, b = 100  ε 0.1         ε 0.9         released
2  2026-11-18 12:45  income by  [31mstate  discrete Laplace, b = 100  ε ≈ 0.333333  ε ≈ 0.566666  paid, never seen

ε ≈ 0.433333 of ε 1 is spent, ε ≈ 0.566666 is left.
1 charge was paid without anything being seen (ε ≈ 0.333333), because the call or the program ended between \
paying and keeping the result. What is paid is never given back.`);
    expect(`${await memory()}`).toContain("Nothing was asked so far.");
  });

  it("says units and relations in words, and any other as it is", async () => {
    const words = async (unit: Json, relation: Json) =>
      `${await memory(undefined, { ...header, unit, relation })}`;
    expect(await words({ column: "id", maxRows: 3 }, { replace: { n: 500 } })).toMatch(
      /same `id`, at most 3 rows\n.*number, 500, is public/,
    );
    expect(await words({ maxRows: 1 }, ["?"])).toMatch(/at most 1 row\n.*\["\?"\]/);
  });

  it("is JSON as its schema says, and so is every line of the file", async () => {
    const ledger = await ledgerOf();
    const json = JSON.parse(JSON.stringify(ledger)) as { spent: string; left: string };
    conforms(json);
    expect(json).toMatchObject({ total: "1", spent: "13/30", left: "17/30", currency: "epsilon" });
    await ledger.journal(await ledger.grant(charge("c", "0")), new Uint8Array(3));
    const lines = new TextDecoder()
      .decode(await ledger.export())
      .split("\n")
      .slice(0, -1);
    for (const line of lines) conforms(JSON.parse(line), "#/definitions/line");
    expect(lines.length).toBe(8);
    const wrong = { ...(JSON.parse(lines[2] as string) as object), cost: "0.1" };
    expect(summary.validate("ledger#/definitions/line", wrong)).toBe(false);
    expect(summary.validate("ledger", { ...json, spent: 1 })).toBe(false);
  });
});
