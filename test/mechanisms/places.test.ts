import { execFileSync } from "node:child_process";
import { createReadStream, existsSync } from "node:fs";
import { copyFile, link, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { adaptive, priorAware, readTable, type seal } from "marginalia";
import { beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../privacy/seal/support.js";
import { file, folder, kept, people, publicYear, sealing } from "./support.js";

const small = { draws: 1, workload: [["sex"]] } as const;
const original = fileURLToPath(file(2018));

let at = "";
beforeEach(async () => {
  at = await folder();
});

const text = () => readFile(original);
const linked = async (make: typeof link) => {
  await make(original, join(at, "linked.csv"));
  return join(at, "linked.csv");
};
const copied = async () => {
  await copyFile(original, join(at, "copy.csv"));
  return join(at, "copy.csv");
};

type Hidden = Parameters<typeof seal>[0];

/** What holds the same as the public file, by kind. A hard link needs one file system: there it is made of a copy. */
const SAME: [string, () => Promise<Hidden>][] = [
  ["a symbolic link", () => linked(symlink)],
  ["a copy", copied],
  ["a URL of a copy", async () => pathToFileURL(await copied())],
  ["a File", async () => new File([new Uint8Array(await text())], "other.csv")],
  ["bytes", async () => new Uint8Array(await text())],
  ["an ArrayBuffer", async () => new Uint8Array(await text()).buffer],
];

describe("a private table that is the public one is refused", () => {
  it.each(SAME)("as %s, before anything of it is told", async (_, make) => {
    const data = await sealing({}, await make());
    const prior = await publicYear();
    for (const release of [
      priorAware({ prior }),
      adaptive({ prior }),
      priorAware({ prior, groups: [["area"]] }),
    ].map(kept)) {
      const { message } = await refusal(release.plan(data), "OPTION_INVALID");
      expect(message).toContain("nothing would be protected");
    }
    const meant = kept(priorAware({ prior: await publicYear(), allowSameSource: true, ...small }));
    expect((await meant.plan(data)).fits).toBe(true);
  });

  it("as a hard link", async () => {
    const path = await copied();
    await link(path, join(at, "linked.csv"));
    const prior = kept(await readTable(path, people));
    const data = await sealing({}, join(at, "linked.csv"));
    await refusal(kept(priorAware({ prior })).plan(data), "OPTION_INVALID");
  });

  it.each<[string, () => Hidden]>([
    ["a path", () => original],
    ["a stream of it", () => createReadStream(original)],
    ["the bytes", async () => new Uint8Array(await text())] as never,
  ])("as %s that a function opens, before anything is paid", async (_, open) => {
    const ledger = join(at, "account.json");
    const data = await sealing({ ledger }, open as never);
    const release = kept(priorAware({ prior: await publicYear(), ...small }));
    const { message } = await refusal(release.run(data), "OPTION_INVALID");
    expect(message).toContain("nothing would be protected");
    expect([`${data.spent}`, existsSync(ledger)]).toEqual(["0", false]);
  });

  it("and one that differs by a byte is not, whatever was read at first", async () => {
    const bytes = new Uint8Array(await text());
    bytes[bytes.length - 2] = (bytes[bytes.length - 2] as number) ^ 1;
    const prior = await publicYear();
    for (const source of [bytes, () => new Blob([bytes]), join(at, "nothing.csv")])
      expect((await kept(priorAware({ prior, ...small })).plan(await sealing({}, source))).fits).toBe(true);
  });

  it("and a pipe is not opened for it", async () => {
    execFileSync("mkfifo", [join(at, "pipe.csv")]);
    const release = kept(priorAware({ prior: await publicYear(), ...small }));
    expect((await release.plan(await sealing({}, join(at, "pipe.csv")))).fits).toBe(true);
  });
});

it("no release is written over what it was made of, also once the table is closed", async () => {
  const [place, hidden] = [join(at, "public.csv"), join(at, "private.csv")];
  await copyFile(original, place);
  await copyFile(fileURLToPath(file(2019)), hidden);
  await mkdir(join(at, "elsewhere"));
  const ledger = { path: join(at, "account.json"), counter: join(at, "elsewhere", "counter") };
  const data = await sealing({ ledger }, hidden);
  const prior = kept(await readTable(place, people));
  const release = kept(await kept(priorAware({ prior, ...small })).run(data));
  for (const [name, target] of [
    ["private", hidden],
    ["account", ledger.path],
    ["counter", ledger.counter],
  ] as const)
    await symlink(target, join(at, `link-${name}`));
  await link(hidden, join(at, "hard"));
  const over: [string, string | URL][] = [
    ["the private source", hidden],
    ["the private source", pathToFileURL(hidden)],
    ["the private source", join(at, "link-private")],
    ["the private source", join(at, "hard")],
    ["the private source", join(at, "elsewhere", "..", "private.csv")],
    ["the public source", place],
    ["the account", ledger.path],
    ["the account", `${ledger.path}.new`],
    ["the account", join(at, "link-account")],
    ["the lock of the account", `${ledger.path}.lock`],
    ["the counter of the account", ledger.counter],
    ["the counter of the account", join(at, "link-counter")],
  ];
  const before = await Promise.all([hidden, place].map((path) => readFile(path, "hex")));
  const refused = async () => {
    for (const [what, target] of over)
      for (const write of [() => release.writeCsv(target), () => release.save(target)])
        expect((await refusal(write(), "OPTION_INVALID")).message).toContain(`written over ${what}`);
  };
  await refused();
  // While the table is open, nor is any other table.
  await refusal(prior.writeCsv(hidden), "OPTION_INVALID");
  await refusal(prior.writeCsv(ledger.path), "OPTION_INVALID");
  await data.close();
  await refused();
  expect(await Promise.all([hidden, place].map((path) => readFile(path, "hex")))).toEqual(before);
  await release.writeCsv(join(at, "synthetic.csv"));
  await prior.writeCsv(join(at, "again.csv"));
  await writeFile(hidden, "");
});
