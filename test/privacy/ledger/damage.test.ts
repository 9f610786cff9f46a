import { copyFile, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Entry, Ledger, memoryStore } from "../../../ts/privacy/ledger/index.js";
import { begun, charge, deadHolder, deadLock, folder, header, open, refusal } from "./support.js";

const utf8 = (text: string) => new TextEncoder().encode(text);
const keys = (entries: readonly Entry[]) => entries.map(({ key, state }) => `${key} ${state}`);
const read = (bytes: Uint8Array) => Ledger.open(header, memoryStore(bytes));

/** Opens what a process left that is known to have died. */
const interrupted = (bytes: Uint8Array) => {
  const store = memoryStore(bytes);
  const opened = async () => ({ ...(await store.open(undefined)), interrupted: true });
  return Ledger.open(header, { ...store, open: opened });
};

/** A small ledger in a file, closed or left open, and its lines. */
async function small(close = true): Promise<{ path: string; lines: string[]; ledger: Ledger }> {
  const path = join(await folder(), "account.json");
  const ledger = await open(path);
  const id = await ledger.grant(charge("first"));
  await ledger.journal(id, { count: 41713 });
  await ledger.grant(charge("second"));
  if (close) await ledger.close();
  const text = await readFile(path, "utf8");
  return { path, lines: text.split("\n").slice(0, -1), ledger };
}

describe("a ledger that was closed", () => {
  it("is refused when any byte is changed in any way", async () => {
    const { path } = await small();
    const sound = new Uint8Array(await readFile(path));
    const changes = [0x01, 0x20, 0x80, 0xff];
    for (let at = 0; at < sound.length; at++) {
      for (const change of process.env.MARGINALIA_FULL ? Array(255).keys() : changes.keys()) {
        const flipped = sound.slice();
        flipped[at]! ^= process.env.MARGINALIA_FULL ? change + 1 : changes[change]!;
        await refusal(read(flipped), "LEDGER_DAMAGED");
      }
      const zeroed = sound.slice();
      zeroed[at] = 0;
      await refusal(read(zeroed), "LEDGER_DAMAGED");
    }
    expect(keys((await read(sound)).entries())).toEqual(["first released", "second lost"]);
  }, 300_000);

  it("is refused when it was cut at any byte, but where a session had ended", async () => {
    const { path, lines } = await small();
    const sound = new Uint8Array(await readFile(path));
    const begun = utf8(`${lines[0]}\n${lines[1]}\n`).length;
    const accepted: number[] = [];
    for (let length = 0; length < sound.length; length++) {
      await read(sound.slice(0, length)).then(
        () => accepted.push(length),
        (error: { code: string }) => expect(error.code).toBe("LEDGER_DAMAGED"),
      );
    }
    // What only a counter can tell: the copy of an earlier moment at which the ledger was closed.
    expect(accepted).toEqual([begun]);
  });

  it("is refused when lines were swapped, doubled, removed or added", async () => {
    const { lines } = await small();
    const of = (changed: readonly (string | undefined)[]) =>
      utf8(changed.map((line) => `${line}\n`).join(""));
    for (let i = 0; i < lines.length; i++) {
      const doubled = [...lines.slice(0, i + 1), ...lines.slice(i)];
      await refusal(read(of(doubled)), "LEDGER_DAMAGED");
      if (i < lines.length - 1) {
        const swapped = lines.with(i, lines[i + 1]!).with(i + 1, lines[i]!);
        await refusal(read(of(swapped)), "LEDGER_DAMAGED");
        await refusal(read(of(lines.toSpliced(i, 1))), "LEDGER_DAMAGED");
      }
    }
    await refusal(read(of([...lines, ""])), "LEDGER_DAMAGED");
    await refusal(read(of([...lines, "{}"])), "LEDGER_DAMAGED");
    await refusal(read(utf8("")), "LEDGER_DAMAGED");
    await refusal(read(utf8("\n")), "LEDGER_DAMAGED");
  });

  it("is refused when an entry is that of another ledger in the same place", async () => {
    const [one, two] = [await small(), await small()];
    for (let i = 1; i < one.lines.length; i++) {
      const mixed = one.lines.with(i, two.lines[i]!);
      await refusal(read(utf8(mixed.map((line) => `${line}\n`).join(""))), "LEDGER_DAMAGED");
      const spliced = [...one.lines.slice(0, i), ...two.lines.slice(i)];
      await refusal(read(utf8(spliced.map((line) => `${line}\n`).join(""))), "LEDGER_DAMAGED");
    }
  });

  it("of a newer version is refused, and the message says so", async () => {
    const { lines } = await small();
    const body = lines[0]!.replace('"version":1', '"version":2').replace(/,"hash":"[0-9a-f]{64}"\}$/, "");
    const hash = Buffer.from(await crypto.subtle.digest("SHA-256", utf8(body))).toString("hex");
    const error = await refusal(read(utf8(`${body},"hash":"${hash}"}\n`)), "LEDGER_DAMAGED");
    expect(error.message).toContain("version 2");
    expect(error.message).toContain("update this package");
  });
});

describe("a ledger whose process was killed", () => {
  it("is continued wherever an append was cut, with all that anybody was told of", async () => {
    const { path, ledger } = await small(false);
    const full = new Uint8Array(await readFile(path));
    await ledger.close();
    const ends = Array.from(full.keys()).filter((at) => full[at] === 10);
    const begun = ends[1]! + 1;
    const states = ["first lost", "first released", "second lost"];
    for (let length = begun; length <= full.length; length++) {
      const reopened = await interrupted(full.subarray(0, length));
      // A record counts from its last byte on, with or without the newline that ends it.
      const done = ends.filter((end) => end >= begun && end <= length).length;
      const expected = [[], [states[0]], [states[1]], [states[1], states[2]]][done];
      expect(keys(reopened.entries()), `cut at ${length}`).toEqual(expected);
      const text = new TextDecoder().decode(await reopened.export());
      const atEnd = ends.some((end) => end + 1 === length || end === length);
      expect(text.includes('"recovered"'), `cut at ${length}`).toBe(length > begun || !atEnd);
      expect(keys((await read(utf8(text))).entries())).toEqual(expected);
    }
  }, 120_000);

  it("is so in a file as well", async () => {
    const { path, ledger } = await small(false);
    const full = new Uint8Array(await readFile(path));
    await ledger.close();
    const copy = join(await folder(), "copy.json");
    const begins = full.lastIndexOf(10, full.length - 2) + 1;
    const lock = await deadHolder();
    for (const length of [begins, begins + 1, begins + 80, full.length - 2, full.length - 1, full.length]) {
      await writeFile(copy, full.subarray(0, length));
      await writeFile(`${copy}.lock`, lock);
      const reopened = await open(copy);
      expect(reopened.entries().length).toBe(length >= full.length - 1 ? 2 : 1);
      await reopened.close();
      expect((await readFile(copy, "utf8")).split("\n").at(-2)).toContain('"closed"');
    }
  });

  it("is refused when any byte of a finished line is changed", async () => {
    const { path, ledger } = await small(false);
    const full = new Uint8Array(await readFile(path));
    await ledger.close();
    for (let at = 0; at < full.length; at++) {
      for (const change of [0x01, 0x20, 0x80]) {
        const flipped = full.slice();
        flipped[at]! ^= change;
        await refusal(interrupted(flipped), "LEDGER_DAMAGED");
      }
    }
  });

  it("is refused without the dead process's lock, unless by order", async () => {
    const { path, ledger } = await small(false);
    const copy = join(await folder(), "copy.json");
    await copyFile(path, copy);
    await ledger.close();
    const { message } = await refusal(open(copy), "LEDGER_DAMAGED");
    const code = /recover: "([0-9a-f]{16})"/.exec(message)?.[1];
    await refusal(open(copy, { recover: "0000000000000000" }), "LEDGER_DAMAGED");
    const recovered = await open(copy, { recover: code });
    expect(keys(recovered.entries())).toEqual(["first released", "second lost"]);
    await recovered.close();
    await (await open(copy)).close();
  });

  it("with a torn last line: any change of it is refused or dropped with it, and any before it refused", async () => {
    const { path, ledger } = await small(false);
    const full = new Uint8Array(await readFile(path));
    await ledger.close();
    const torn = full.subarray(0, full.length - 20);
    const begins = torn.lastIndexOf(10) + 1;
    // Up to here, what belongs there is known: the number and the hash of the record before.
    const known = begins + '{"seq":4,"previous":"",'.length + 64;
    for (let at = 0; at < torn.length; at++) {
      const flipped = torn.slice();
      flipped[at]! ^= 0x04;
      if (at < known) await refusal(interrupted(flipped), "LEDGER_DAMAGED");
      else expect(keys((await interrupted(flipped)).entries())).toEqual(["first released"]);
    }
    // Pages that were never written are zeros.
    const zeros = torn.slice().fill(0, begins);
    expect(keys((await interrupted(zeros)).entries())).toEqual(["first released"]);
  });
});

describe("a counter", () => {
  const place = async () => {
    const at = await folder();
    return { path: join(at, "account.json"), counter: join(at, "counter") };
  };

  it("tells an older copy from the newest, also one that was closed in order", async () => {
    const both = await place();
    const copies: Uint8Array[] = [];
    for (const key of ["a", "b", "c"]) {
      const ledger = await open(both);
      await ledger.grant(charge(key));
      await ledger.close();
      copies.push(new Uint8Array(await readFile(both.path)));
    }
    for (const older of copies.slice(0, -1)) {
      await writeFile(both.path, older);
      const { message } = await refusal(open(both), "LEDGER_DAMAGED");
      expect(message).toContain("older than its counter");
    }
    await writeFile(both.path, copies.at(-1)!);
    await (await open(both)).close();
  });

  it("tells a cut last entry from one that was never told of", async () => {
    const both = await place();
    const ledger = await open(both);
    await ledger.grant(charge("a"));
    const full = new Uint8Array(await readFile(both.path));
    await ledger.close();
    const cut = await place();
    const marks = (await readFile(both.counter, "utf8")).split("\n");
    for (const [records, accepted] of [
      [3, false],
      [2, true],
    ] as const) {
      await writeFile(cut.path, full.subarray(0, full.length - 2));
      const mark = marks.find((line) => line.includes(`"records":${records}`));
      await writeFile(cut.counter, `${mark}\n`);
      await deadLock(cut.path);
      // The whole record lacks two bytes: after the mark was written, it cannot have been.
      if (accepted) await (await open(cut)).close();
      else await refusal(open(cut), "LEDGER_DAMAGED");
    }
  });

  it("remembers a ledger that is missing, and is missed itself", async () => {
    const both = await place();
    const ledger = await open(both);
    await ledger.grant(charge("a"));
    await ledger.close();
    await copyFile(both.path, `${both.path}.kept`);
    await unlink(both.path);
    expect((await refusal(open(both), "LEDGER_DAMAGED")).message).toContain("missing");
    await copyFile(`${both.path}.kept`, both.path);
    await refusal(open(both.path), "LEDGER_MISMATCH");
    await copyFile(both.counter, `${both.counter}.kept`);
    await unlink(both.counter);
    expect((await refusal(open(both), "LEDGER_DAMAGED")).message).toContain("lost its counter");
    await copyFile(`${both.counter}.kept`, both.counter);
    await (await open(both)).close();
  });

  it("of another ledger, an empty one, or a damaged one is refused; a torn mark is not missed", async () => {
    const [one, two] = [await place(), await place()];
    for (const each of [one, two]) {
      const ledger = await open(each);
      await ledger.grant(charge("a"));
      await ledger.close();
    }
    await refusal(open({ path: one.path, counter: two.counter }), "LEDGER_DAMAGED");
    const sound = new Uint8Array(await readFile(one.counter));
    for (const at of [0, sound.length - 40, sound.length - 3]) {
      const flipped = sound.slice();
      flipped[at]! ^= 0x01;
      await writeFile(one.counter, flipped);
      await refusal(open(one), "LEDGER_DAMAGED");
    }
    await writeFile(one.counter, "");
    await refusal(open(one), "LEDGER_DAMAGED");
    await writeFile(one.counter, Buffer.concat([sound, utf8('{"account":"12')]));
    const ledger = await open(one);
    await ledger.grant(charge("b"));
    await ledger.close();
    await (await open(one)).close();
  });

  it("cannot be added to a ledger that was begun without", async () => {
    const both = await place();
    await (await begun(both.path)).close();
    await refusal(open(both), "LEDGER_MISMATCH");
    await refusal(open({ path: both.path, counter: both.path }), "OPTION_INVALID");
  });
});

it("a ledger that must exist already is missed", async () => {
  const path = join(await folder(), "account.json");
  await refusal(open(path, { existing: true }), "LEDGER_DAMAGED");
});
