import fs from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { charge, deadHolder, folder, open, refusal } from "./support.js";

/** What the platform is like: whether it has hard links, as NTFS does, or none, as FAT. */
const platform = vi.hoisted(() => ({ links: true, broken: [] as string[] }));

/**
 * The rules of Windows over this platform's files: either slash parts names, some characters are forbidden in them, what is
 * open is neither removed, renamed nor replaced, and folders cannot be opened.
 */
vi.mock("../../../ts/node.js", async (original) => {
  const opened: string[] = [];
  const failure = (code: string, path: string) => {
    if (code !== "EISDIR" && code !== "ENOTSUP") platform.broken.push(`${code} ${path}`);
    return Object.assign(new Error(code), { code });
  };
  const at = (path: string): string => {
    const plain = path.replaceAll("\\", "/");
    if (/[<>:"|?*]/.test(plain)) throw failure("EINVAL", path);
    return plain;
  };
  const free = (path: string): string => {
    const plain = at(path);
    if (opened.includes(plain)) throw failure("EBUSY", path);
    return plain;
  };
  const promises = {
    ...fs.promises,
    open: async (path: string, ...rest: [string, number?]) => {
      if (fs.existsSync(at(path)) && fs.statSync(at(path)).isDirectory()) throw failure("EISDIR", path);
      const file = await fs.promises.open(at(path), ...rest);
      opened.push(at(path));
      const close = file.close.bind(file);
      file.close = async () => {
        opened.splice(opened.indexOf(at(path)), 1);
        await close();
      };
      return file;
    },
    realpath: async (path: string) => (await fs.promises.realpath(at(path))).replaceAll("/", "\\"),
    rename: async (from: string, to: string) => fs.promises.rename(free(from), free(to)),
    unlink: async (path: string) => fs.promises.unlink(free(path)),
    readdir: async (path: string) => fs.promises.readdir(at(path)),
    stat: async (path: string, options?: fs.StatOptions) => fs.promises.stat(at(path), options),
    readFile: async (path: string, encoding?: "utf8") => fs.promises.readFile(at(path), encoding),
    copyFile: async (from: string, to: string, mode: number) => fs.promises.copyFile(at(from), at(to), mode),
    link: async (from: string, to: string) => {
      if (!platform.links) throw failure("ENOTSUP", to);
      return fs.promises.link(at(from), at(to));
    },
  };
  const before = (await original()) as object;
  return { ...before, fileSystem: async () => ({ ...fs, promises }) };
});

describe.each([true, false])("by the rules of Windows, with hard links: %s", (links) => {
  beforeEach(() => {
    platform.links = links;
    platform.broken.length = 0;
  });

  const place = async () => {
    const at = await folder();
    const windows = at.replaceAll("/", "\\");
    return { at, path: `${windows}\\account.json`, counter: `${windows}\\counter` };
  };

  it("a ledger and its counter are begun, written, closed and continued", async () => {
    const { at, path, counter } = await place();
    const first = await open({ path, counter });
    await first.journal(await first.grant(charge("a")), [1, 2]);
    await refusal(open({ path, counter }), "LEDGER_LOCKED");
    await first.close();
    const second = await open({ path, counter });
    expect(await second.find("a")?.values()).toEqual([1, 2]);
    await second.grant(charge("b"));
    await second.close();
    expect((await readdir(at)).sort()).toEqual(["account.json", "counter"]);
    expect(platform.broken).toEqual([]);
  });

  it("the lock of a dead process is taken over, by one of many", async () => {
    const { at, path } = await place();
    const dead = await deadHolder();
    await writeFile(join(at, "account.json.lock"), dead);
    const opened = await Promise.allSettled(Array.from({ length: 5 }, () => open(path)));
    const won = opened.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(won).toHaveLength(1);
    await won[0]?.close();
    expect(await readdir(at)).toEqual([]);
    expect(platform.broken).toEqual([]);
  });

  it("a ledger that could not be written is left with proof, and mended", async () => {
    const { at, path } = await place();
    const ledger = await open(path);
    await ledger.grant(charge("a"));
    const sound = await readFile(join(at, "account.json"));
    await writeFile(join(at, "account.json"), "more", { flag: "a" });
    await refusal(ledger.grant(charge("b")), "LEDGER_DAMAGED");
    await writeFile(join(at, "account.json"), sound);
    await ledger.close();
    const again = await open(path);
    expect(again.entries().map(({ state }) => state)).toEqual(["lost"]);
    await again.close();
    expect(await readdir(at)).toEqual(["account.json"]);
    expect(platform.broken).toEqual([]);
  });
});
