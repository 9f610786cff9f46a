import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import Ajv from "ajv";
import {
  capabilities,
  close,
  init,
  Ledger,
  measurement,
  measurementsFromBytes,
  memory,
  memoryStore,
  pure,
  type SealOptions,
  schema,
  seal,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { ages, csv, exact, folder, options, people, plenty, refusal, sealing } from "./support.js";

describe("the account", () => {
  const asked = [{ clique: ["age"], spend: "1/10" }] as const;

  it("is continued by the next program: what was answered is answered alike and costs nothing", async () => {
    const ledger = join(await folder(), "account.json");
    const first = await sealing(new Blob([csv]), { ledger });
    const [one, two] = [await first.measure(asked), await first.measure(asked)];
    const other = await first.measure(asked, { label: "again" });
    await first.close();
    expect(JSON.stringify(one)).not.toBe(JSON.stringify(two));
    expect(JSON.stringify(one)).not.toBe(JSON.stringify(other));
    const second = await sealing(() => expect.fail("the source was opened"), { ledger });
    expect(`${second.spent}`).toBe("3/10");
    expect(JSON.stringify(await second.measure(asked, { label: "again" }))).toBe(JSON.stringify(other));
    expect(JSON.stringify(await second.measure([{ clique: ["age"], scale: 10 }]))).toBe(JSON.stringify(one));
    expect(JSON.stringify(await second.measure(asked))).toBe(JSON.stringify(two));
    expect(`${second.spent}`).toBe("3/10");
    await second.close();
    const third = await sealing(new Blob([csv]), { ledger });
    const all = await Promise.all([third.measure(asked), third.measure(asked), third.measure(asked)]);
    expect(all.map((list) => JSON.stringify(list)).slice(0, 2)).toEqual(
      [one, two].map((list) => JSON.stringify(list)),
    );
    expect(`${third.spent}`).toBe("2/5");
  });

  it("holds the measurements, as bytes that anybody can read, and prints itself", async () => {
    const sealed = await sealing(new Blob([csv]));
    const list = await sealed.measure([
      ...asked,
      { clique: ["age", "sex"], query: { type: "prefix" }, spend: "0.2" },
    ]);
    const [entry] = sealed.ledger.entries();
    const kept = (await sealed.ledger.find(entry?.key ?? "")?.values()) as Uint8Array;
    expect(JSON.stringify(measurementsFromBytes(kept))).toBe(JSON.stringify(list));
    expect(JSON.stringify(list.map((one) => measurement(one.toJSON())))).toBe(JSON.stringify(list));
    expect(entry).toMatchObject({ cost: "3/10", state: "released", what: "age; age × sex (prefix sums)" });
    expect(`${sealed.ledger}`).toContain("ε 0.3 of ε 1 is spent, ε 0.7 is left.");
    expect(`${sealed.ledger}`).toContain("declared as ε = 1");
    const described = new Ajv({ strict: true, allowUnionTypes: true });
    const schema = JSON.parse(readFileSync("ledger.schema.json", "utf8")) as object;
    expect(
      described.validate(schema, JSON.parse(JSON.stringify(sealed.ledger))),
      described.errorsText(),
    ).toBe(true);
  });

  const others: [string, Partial<SealOptions>][] = [
    ["dataset", { dataset: "e" }],
    ["unit", { unit: { maxRows: 2 } }],
    ["relation", { relation: { replace: { n: 7 } } }],
    ["budget", { budget: pure(2) }],
  ];

  it.each(others)("of another %s is refused", async (what, change) => {
    const ledger = join(await folder(), "account.json");
    const first = await sealing(new Blob([csv]), { ledger });
    await first.measure(asked);
    await first.close();
    const { message } = await refusal(
      seal(new Blob([csv]), people, { ...options, ledger, ...change }),
      "LEDGER_MISMATCH",
    );
    expect(message).toContain(`another \`${what}\``);
    expect(message).toContain("for another `dataset`");
    // The refusal left the account free.
    await sealing(new Blob([csv]), { ledger });
  });

  it("is not begun by what is refused before the first charge", async () => {
    const at = await folder();
    const ledger = { path: join(at, "account.json"), counter: join(at, "counter") };
    const sealed = await sealing(new Blob(["age,sexx\n1,F\n"]), { ledger });
    await sealed.plan(asked);
    await refusal(sealed.measure(asked), "COLUMN_MISSING");
    await refusal(sealed.measure([{ clique: ["age"], spend: 2 }]), "BUDGET_EXCEEDED");
    expect([`${sealed.spent}`, sealed.ledger.entries()]).toEqual(["0", []]);
    await sealed.close();
    expect(await readdir(at)).toEqual([]);
  });

  it("of another schema is refused, and one that is open is locked", async () => {
    const ledger = join(await folder(), "account.json");
    const sealed = await sealing(new Blob([csv]), { ledger });
    await refusal(seal(new Blob([csv]), people, { ...options, ledger }), "LEDGER_LOCKED");
    await sealed.measure(asked);
    await sealed.close();
    const narrow = schema({ sex: people.attributes.sex });
    await refusal(seal(new Blob([csv]), narrow, { ...options, ledger }), "LEDGER_MISMATCH");
  });

  it("of whom another sum was worked out by another version is refused", async () => {
    const sealed = await sealing(new Blob([csv]));
    const header = { ...sealed.ledger.header, schema: people.normal() };
    const older = await Ledger.open(
      { ...header, total: { currency: "epsilon", amount: "2" } },
      memoryStore(),
    );
    const exported = await older.export();
    await refusal(
      seal(csv.split(","), people, { ...options, ledger: memoryStore(exported) }),
      "LEDGER_MISMATCH",
    );
  });

  it("is given up by close(), after which nothing is answered", async () => {
    const ledger = join(await folder(), "account.json");
    const sealed = await sealing(new Blob([csv]), { ledger });
    const under = sealed.measure(asked);
    await sealed.close();
    expect(await under).toHaveLength(1);
    await refusal(sealed.measure(asked), "HANDLE_DISPOSED");
    await refusal(sealed.plan(asked), "HANDLE_DISPOSED");
    await sealed.close();
    await (await sealing(new Blob([csv]), { ledger })).close();
  });
});

describe("another way to read the rows", () => {
  const asked = [{ clique: ["sex"], ...exact }] as const;
  const semicolons = "age;sex\n1;F\n2;M\nnothing\n3;M\n";
  const reading = async (ledger: string, change: Partial<SealOptions>) => {
    const sealed = await sealing(() => new Blob([semicolons.replaceAll(";", change.delimiter ?? ";")]), {
      ...plenty,
      ledger,
      ...change,
    });
    const [made] = await sealed.measure(asked);
    const entries = sealed.ledger.entries();
    await sealed.close();
    return { values: [...(made?.values ?? [])], entries };
  };

  it("is another request on the same account, since what was answered before would not be true", async () => {
    const ledger = join(await folder(), "account.json");
    const dropped = await reading(ledger, { delimiter: ";" });
    expect(dropped.values).toEqual([1, 2, 0]);
    expect(dropped.entries).toMatchObject([{ details: { readAs: { delimiter: ";" } } }]);
    const kept = await reading(ledger, { delimiter: ";", badRows: "null" });
    expect(kept.values).toEqual([1, 2, 1]);
    expect(kept.entries).toHaveLength(2);
    expect(kept.entries[1]).toMatchObject({ details: { readAs: { badRows: "null", delimiter: ";" } } });
    expect(new Set(kept.entries.map(({ key }) => key)).size).toBe(2);
    const others: Partial<SealOptions>[] = [
      { encoding: "latin-1" },
      { decimalComma: true },
      { format: "csv" },
      { records: "lines" },
      { lineEnd: "any" },
    ];
    for (const [i, change] of others.entries()) {
      const { entries } = await reading(ledger, { delimiter: ";", ...change });
      expect(entries).toHaveLength(3 + i);
    }
    const again = await reading(ledger, { delimiter: ";" });
    expect(again.values).toEqual(dropped.values);
    expect(again.entries).toHaveLength(2 + others.length);
  });

  it("that is as usual is the same request, whether it is said or not", async () => {
    const ledger = join(await folder(), "account.json");
    const silent = await reading(ledger, { delimiter: "," });
    const said = await reading(ledger, {
      delimiter: ",",
      encoding: "utf-8",
      decimalComma: false,
      badRows: "drop",
      records: "quoted",
      lineEnd: "lf",
    });
    expect(said).toEqual(silent);
    expect(said.entries).toHaveLength(1);
    expect(said.entries[0]?.details).toMatchObject({ readAs: { records: "quoted" } });
  });
});

describe("what is handed out of an account", () => {
  it("can be read, and neither charged, written to nor closed", async () => {
    const sealed = await sealing(new Blob([csv]));
    await sealed.measure([{ clique: ["age"], spend: "1/10" }]);
    const { ledger } = sealed;
    expect(Object.keys(ledger).sort()).toEqual(["entries", "export", "find", "header", "toJSON", "toString"]);
    for (const name of ["grant", "journal", "abandon", "close"]) expect(name in ledger).toBe(false);
    expect(ledger).not.toBeInstanceOf(Ledger);
    expect(Object.isFrozen(ledger)).toBe(true);
    const header = ledger.header as { total: { amount: string } };
    header.total.amount = "1000";
    expect(ledger.header.total.amount).toBe("1");
    expect(`${ledger}`).toContain("ε 0.1 of ε 1 is spent");
  });
});

describe("a plan that is being made when the table is closed", () => {
  it("is finished first, and leaves no rows and no engine behind that nobody closes", async () => {
    await close();
    await init({ worker: false });
    const before = (await memory()).objects;
    const sealed = await sealing(new Blob([csv]));
    const plans = [sealed.plan([{ clique: ["age"], spend: 0.1 }]), sealed.plan([])];
    const closed = sealed.close();
    await refusal(sealed.plan([{ clique: ["age"], spend: 0.1 }]), "HANDLE_DISPOSED");
    expect((await plans[0])?.fits).toBe(true);
    await expect(plans[1]).rejects.toThrow();
    await closed;
    expect((await memory()).objects).toBe(before);
  });
});

describe("an engine that ends", () => {
  const asked = [{ clique: ["age"], ...exact }] as const;

  it("takes the rows with it: they are read again, and what was spent stays", async () => {
    const sealed = await sealing(new Blob([csv]), plenty);
    await sealed.measure(asked);
    for (const options of [{ threads: false }, { worker: false }, {}] as const) {
      await close();
      await init(options);
      const [age] = await sealed.measure(asked);
      expect([...(age?.values ?? [])]).toEqual(ages);
    }
    await capabilities();
    expect(`${sealed.spent}`).toBe("4000");
  });

  it("leaves a source that can be read only once unreadable, and says so before anything is paid", async () => {
    for (const source of [
      new Blob([csv]).stream(),
      new Response(csv),
      Readable.from([csv]),
      [{ age: 1 }].values(),
    ]) {
      const sealed = await sealing(source, plenty);
      await sealed.measure(asked);
      await close();
      const { message } = await refusal(sealed.measure(asked), "SOURCE_CONSUMED");
      expect(message).toContain("function that opens");
      expect(`${sealed.spent}`).toBe("1000");
    }
  });

  it("in the middle of a call loses what was paid, and says so", async () => {
    // The first time it does not end: the engine does, while it is read.
    let opened = 0;
    const rows = new TextEncoder().encode("1,F\n".repeat(1000));
    const endless = () =>
      new ReadableStream<Uint8Array>({
        start: (stream) => stream.enqueue(new TextEncoder().encode("age,sex\n")),
        async pull(stream) {
          await new Promise((done) => setTimeout(done, 1));
          stream.enqueue(rows.slice());
        },
      });
    const sealed = await sealing(() => (opened++ === 0 ? endless() : new Blob([csv]).stream()));
    const call = sealed.measure([{ clique: ["age"], spend: 0.5 }]);
    while (sealed.ledger.entries().length === 0) await new Promise((done) => setTimeout(done, 1));
    await close();
    const { message } = await refusal(call, "ENGINE_CLOSED");
    expect(message).toContain("ε = 0.5 stays spent");
    const [made] = await sealed.measure([{ clique: ["age"], spend: 0.5 }]);
    expect(made?.values.length).toBe(11);
    expect(sealed.ledger.entries().map(({ state }) => state)).toEqual(["lost", "released"]);
    await refusal(sealed.measure([{ clique: ["sex"], spend: 0.001 }]), "BUDGET_EXCEEDED");
  });
});
