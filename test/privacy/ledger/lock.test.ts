import { once } from "node:events";
import { access, link, readdir, readFile, rm, symlink, truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { compiled, killed, started } from "./programs.js";
import { begun, charge, deadHolder, deadLock, folder, open, refusal } from "./support.js";

const fresh = async () => join(await folder(), "account.json");
const lockOf = async (path: string) =>
  JSON.parse(await readFile(`${path}.lock`, "utf8")) as { token: string };

describe("a ledger that is open", () => {
  it("is refused to others, also under another name, and free once it is closed", async () => {
    const path = await fresh();
    const ledger = await open(path);
    const alias = join(await folder(), "alias");
    await symlink(path, alias);
    for (const name of [path, alias]) {
      const { message } = await refusal(open(name), "LEDGER_LOCKED");
      expect(message).toContain(`process ${process.pid}`);
      expect(message).toContain("close it there");
      expect(message).not.toContain("recover");
    }
    await ledger.close();
    await ledger.close();
    await (await open(alias)).close();
    await expect(access(`${path}.lock`)).rejects.toThrow();
  });

  it("is not taken from the living, whatever is ordered", async () => {
    const path = await fresh();
    const ledger = await open(path);
    const { token } = await lockOf(path);
    await refusal(open(path, { recover: token }), "LEDGER_LOCKED");
    await ledger.close();
  });

  it("is one of many that tried at once", async () => {
    const path = await fresh();
    const opened = await Promise.allSettled(Array.from({ length: 12 }, () => open(path)));
    const won = opened.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(won.length).toBe(1);
    for (const outcome of opened) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "LEDGER_LOCKED" });
    }
    await won[0]?.close();
  });

  it("notices that another file was put in its place, or that somebody wrote to it", async () => {
    const harms = [
      async (path: string) => writeFile(path, "more", { flag: "a" }),
      async (path: string) => {
        const bytes = await readFile(path);
        await rm(path);
        await writeFile(path, bytes);
      },
      rm,
    ];
    for (const harm of harms) {
      const path = await fresh();
      const ledger = await begun(path);
      await harm(path);
      await refusal(ledger.grant(charge("a")), "LEDGER_DAMAGED");
      await refusal(ledger.grant(charge("b")), "OPTION_INVALID");
      await ledger.close();
    }
  });
});

describe("a ledger that nothing was charged to", () => {
  it("leaves nothing behind, and is begun by the first charge", async () => {
    const at = await folder();
    const place = { path: join(at, "account.json"), counter: join(at, "counter") };
    const ledger = await open(place);
    expect([ledger.entries(), await readdir(at)]).toEqual([[], ["account.json.lock"]]);
    expect(`${ledger}`).toContain("Nothing was asked so far.");
    await ledger.close();
    expect(await readdir(at)).toEqual([]);
    await (await begun(place)).close();
    expect((await readdir(at)).sort()).toEqual(["account.json", "counter"]);
    const again = await open(place);
    expect(again.entries()).toHaveLength(1);
    await again.close();
  });

  it("is refused where somebody who does not heed the lock made one", async () => {
    const path = await fresh();
    const ledger = await open(path);
    await writeFile(path, "");
    await refusal(ledger.grant(charge("a")), "LEDGER_DAMAGED");
    await ledger.close();
    expect(await readFile(path, "utf8")).toBe("");
  });
});

describe("a ledger that is one file under two names", () => {
  it("is refused under both, and free again once one of them is gone", async () => {
    const path = await fresh();
    await (await begun(path)).close();
    const other = `${path}-copy`;
    await link(path, other);
    for (const name of [path, other]) {
      const { message } = await refusal(open(name), "LEDGER_LOCKED");
      expect(message).toContain("remove the other name");
    }
    await rm(other);
    await (await open(path)).close();
    expect(await readdir(join(path, ".."))).toEqual(["account.json"]);
  });

  it("is refused to others also while one has it open", async () => {
    const path = await fresh();
    const ledger = await begun(path);
    const other = `${path}-copy`;
    await link(path, other);
    await refusal(open(other), "LEDGER_LOCKED");
    await ledger.grant(charge("a"));
    await ledger.close();
    await rm(other);
    const again = await open(path);
    expect(again.entries()).toHaveLength(2);
    await again.close();
  });

  it("is refused as a counter as well", async () => {
    const path = await fresh();
    const counter = join(await folder(), "counter");
    await (await begun({ path, counter })).close();
    await link(counter, `${counter}-copy`);
    await refusal(open({ path, counter }), "LEDGER_LOCKED");
  });
});

describe("a ledger that could not be written", () => {
  it("can be opened again in the same process, which says that it was not closed", async () => {
    const path = await fresh();
    const ledger = await open(path);
    await ledger.grant(charge("a"));
    const sound = await readFile(path);
    await writeFile(path, "more", { flag: "a" });
    await refusal(ledger.grant(charge("b")), "LEDGER_DAMAGED");
    await truncate(path, sound.length);
    await ledger.close();
    expect(await lockOf(path)).toMatchObject({ abandoned: true });
    const again = await open(path);
    expect(again.entries().map(({ key }) => key)).toEqual(["a"]);
    await again.close();
    expect(await readFile(path, "utf8")).toContain('"kind":"recovered"');
    expect(await readdir(join(path, ".."))).toEqual(["account.json"]);
  });
});

describe("the lock of a dead process", () => {
  it("is taken over when the process was of this host", async () => {
    const path = await fresh();
    await deadLock(path);
    await (await open(path)).close();
  });

  it("is recognised though its number is used again, or the machine was started anew", async () => {
    for (const change of [
      { pid: process.pid, birth: "1" },
      { boot: "another", pid: process.pid },
    ]) {
      const path = await fresh();
      await deadLock(path, change);
      await (await open(path)).close();
    }
  });

  it("is taken over by one of many, and by nobody who died while doing so", async () => {
    for (const half of [false, true]) {
      const path = await fresh();
      await deadLock(path);
      // The right to take over is left behind by a process that died with it, and so on.
      if (half)
        await writeFile(`${path}.lock.0123456789abcdef`, await deadHolder({ token: "00000000000000aa" }));
      const opened = await Promise.allSettled(Array.from({ length: 8 }, () => open(path)));
      const won = opened.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      expect(won.length).toBe(1);
      await won[0]?.close();
      expect(await readdir(join(path, ".."))).toEqual([]);
    }
  });

  it.each([
    ["another host", { host: "elsewhere" }],
    ["another machine of the same name", { machine: "0000000000000000" }],
    ["another container", { space: "pid:[1]" }],
  ])("of %s is not taken over, unless by its name", async (_, change) => {
    const path = await fresh();
    await deadLock(path, change);
    const { message } = await refusal(open(path), "LEDGER_LOCKED");
    expect(message).toContain("nobody can tell");
    const code = /recover: "(\w+)"/.exec(message)?.[1];
    await refusal(open(path, { recover: "0000000000000000" }), "LEDGER_LOCKED");
    await (await open(path, { recover: code })).close();
  });

  it("is not taken over when it cannot be read, unless by order", async () => {
    for (const text of ["", "{}", "null", '{"token":"x"', "\xff"]) {
      const path = await fresh();
      await writeFile(`${path}.lock`, text, "latin1");
      const { message } = await refusal(open(path), "LEDGER_LOCKED");
      expect(message).toContain('recover: "unreadable"');
      await (await open(path, { recover: "unreadable" })).close();
    }
  });

  it("leaves nothing behind for ever: drafts of the dead and old ones are swept away, others are not", async () => {
    const path = await fresh();
    const [old, right, young] = [`${path}.lock~aa`, `${path}.lock.bb`, `${path}.lock~cc`];
    for (const name of [old, right, young]) await writeFile(name, "");
    await writeFile(`${path}.lock~dd`, await deadHolder({ token: "00000000000000dd" }));
    const yesterday = new Date(Date.now() - 86_400_000);
    for (const name of [old, right]) await utimes(name, yesterday, yesterday);
    await (await open(path)).close();
    expect(await readdir(join(path, ".."))).toEqual(["account.json.lock~cc"]);
  });
});

describe("processes that contend", () => {
  it("are inside one at a time, though some end without closing", async () => {
    const at = await folder();
    const file = await compiled("contender", at);
    const [programs, rounds] = process.env.MARGINALIA_FULL ? [6, 100] : [4, 8];
    const children = await Promise.all(
      Array.from({ length: programs }, () => started(file, at, `${rounds}`)),
    );
    const codes = await Promise.all(
      children.map(async (child) => child.exitCode ?? (await once(child, "exit"))[0]),
    );
    expect(codes).toEqual(Array(programs).fill(0));
    const ledger = await open(join(at, "account.json"));
    expect(ledger.entries().length).toBe(programs * rounds);
    await ledger.close();
  }, 120_000);

  it("that are killed leave a lock that is taken over at once", async () => {
    const at = await folder();
    const file = await compiled("child", at);
    const child = await started(file, at, "small");
    const place = { path: join(at, "account.json"), counter: join(at, "counter") };
    while (!(await readdir(at)).includes("told")) await new Promise((done) => setTimeout(done, 1));
    await killed(child);
    await (await open(place)).close();
  });
});
