import fs from "node:fs";
import { chmod, readdir, readFile, writeFile } from "node:fs/promises";
import os from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Fs, Os } from "../../../ts/node.js";
import { fateOf, type Identity, ourselves } from "../../../ts/privacy/ledger/process.js";
import { folder } from "./support.js";

/** A platform of which no file tells anything, as macOS and Windows are. */
const silent: Fs = {
  ...fs,
  promises: {
    ...fs.promises,
    readlink: (() => Promise.reject(new Error("there is none"))) as unknown as Fs["promises"]["readlink"],
    readFile: ((path: string, encoding: "utf8") =>
      /^\/(proc|etc)\//.test(path)
        ? Promise.reject(new Error("there is none"))
        : readFile(path, encoding)) as unknown as Fs["promises"]["readFile"],
  },
};

/** One machine, called as all of them here are. */
const machine = (tmpdir: string): Os => ({ ...os, hostname: () => "alike", tmpdir: () => tmpdir });

/** No process has this number, since Linux ends at 2²². */
const dead = (of: Identity): Identity => ({ ...of, pid: 2 ** 22 + 1 });

describe("where the platform says of which machine it is nothing but a name", () => {
  it("a machine keeps a random name, by which its dead processes are known", async () => {
    const tmpdir = await folder();
    const us = await ourselves(silent, machine(tmpdir));
    expect(us.machine).toMatch(/^[0-9a-f]{32}$/);
    expect(await readdir(tmpdir)).toEqual(["marginalia-machine"]);
    const later = await ourselves(silent, machine(tmpdir));
    expect(later.machine).toBe(us.machine);
    expect(await fateOf(silent, us, later)).toBe("alive");
    expect(await fateOf(silent, dead(us), later)).toBe("dead");
  });

  it("nothing is known of the processes of another machine that is called the same", async () => {
    const [one, other] = [machine(await folder()), machine(await folder())];
    const [us, them] = [await ourselves(silent, one), await ourselves(silent, other)];
    expect(them.host).toBe(us.host);
    expect(await fateOf(silent, dead(them), us)).toBe("foreign");
  });

  it("nor of those of before a name was lost, or of a time that had none", async () => {
    const tmpdir = await folder();
    const before = await ourselves(silent, machine(tmpdir));
    await writeFile(join(tmpdir, "marginalia-machine"), "cut");
    const after = await ourselves(silent, machine(tmpdir));
    expect(after.machine).toMatch(/^[0-9a-f]{32}$/);
    expect(await fateOf(silent, dead(before), after)).toBe("foreign");
    const { machine: _, ...nameless } = after;
    expect(await fateOf(silent, dead(nameless), after)).toBe("foreign");
  });

  it("nor of any where no name can be kept", async () => {
    const us = await ourselves(silent, machine(join(await folder(), "missing")));
    expect(us.machine).toBeUndefined();
    expect(await fateOf(silent, dead(us), us)).toBe("foreign");
  });

  it("many processes that begin at once agree on the name in the end", async () => {
    const tmpdir = await folder();
    await Promise.all(Array.from({ length: 20 }, () => ourselves(silent, machine(tmpdir))));
    const [one, two] = [await ourselves(silent, machine(tmpdir)), await ourselves(silent, machine(tmpdir))];
    expect(one.machine).toBe(two.machine);
    expect(await readdir(tmpdir)).toEqual(["marginalia-machine"]);
    await chmod(tmpdir, 0o500);
    expect((await ourselves(silent, machine(tmpdir))).machine).toBe(one.machine);
    await chmod(tmpdir, 0o700);
  });
});

describe("where the start of the machine is known", () => {
  const us: Identity = {
    host: "h",
    pid: process.pid,
    started: "",
    machine: "m",
    boot: "b",
    space: "pid:[4026531836]",
  };
  const gone = dead(us);

  it.each<[string, Partial<Identity>, string]>([
    ["in this start", {}, "dead"],
    ["in another start", { boot: "a" }, "dead"],
    ["on another machine", { machine: "n" }, "foreign"],
    ["in another container", { space: "pid:[1]" }, "foreign"],
    ["before starts were told", { boot: undefined } as unknown as Partial<Identity>, "foreign"],
  ])("a process that ran %s", async (_, change, fate) => {
    expect(await fateOf(fs, { ...gone, ...change }, us)).toBe(fate);
  });

  it("one of another start may run elsewhere, where both are in containers or the machine has no identity", async () => {
    const { machine: _, ...nameless } = us;
    for (const own of [{ ...us, space: "pid:[7]" }, nameless])
      expect(await fateOf(fs, { ...dead(own), boot: "a" }, own)).toBe("foreign");
    expect(await fateOf(fs, dead(nameless), nameless)).toBe("dead");
  });
});
