import { createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { load, schemaFromJson } from "marginalia";
import { beforeAll, expect, it } from "vitest";
import { EXIT } from "../../ts/cli/exit.js";
import { isPrinted } from "../../ts/print.js";
import { folder } from "./support.js";
import { marginalia } from "./within.js";

let cwd = "";
const rows = (count: number) =>
  `k,sex\n${Array.from({ length: count }, (_, i) => `"v\u001b[${i % 2}m\u202e",${i % 3 ? "F" : "M"}\n`).join("")}`;

/** An attribute whose values cannot be printed, which is nobody's fault. */
const strange = {
  attributes: [
    { name: "k", type: "category", values: ["v\u001b[0m\u202e", "v\u001b[1m\u202e", "a\nb"], other: null },
    { name: "sex", type: "category", values: ["F", "M"], other: null },
  ],
};

beforeAll(async () => {
  cwd = await folder();
  // 600 MB of zeros in half a megabyte; more than 64 MiB are read of none of them, but where kept files are looked at.
  const zeros = Buffer.alloc(1 << 20, "[");
  const pieces = Readable.from(
    (function* () {
      for (let i = 0; i < 600; i++) yield zeros;
    })(),
  );
  await pipeline(pieces, createGzip({ level: 1 }), createWriteStream(join(cwd, "bomb.json.gz")));
  await writeFile(join(cwd, "schema.json"), JSON.stringify(strange));
  await writeFile(join(cwd, "public.csv"), rows(300));
  await writeFile(join(cwd, "private.csv"), rows(200));
});

const FILES = ["--public=public.csv", "--private=private.csv", "--epsilon=1", "--ledger=account.json"];

it.each([
  ["schema", ["plan", "--schema=bomb.json.gz", ...FILES], "--schema"],
  ["config", ["plan", "--config=bomb.json.gz", ...FILES], "`config`"],
  ["planned", ["run", "--schema=schema.json", "--planned=bomb.json.gz", ...FILES], "--planned"],
  [
    "dictionary",
    ["evaluate", "public.csv", "--private=private.csv", "--schema=schema.json", "--dictionary=bomb.json.gz"],
    "--dictionary",
  ],
  [
    "released",
    [
      "evaluate",
      "public.csv",
      "--private=private.csv",
      "--schema=schema.json",
      "--released=bomb.json.gz",
      "--report=a.html",
    ],
    "--released",
  ],
  ["file", ["inspect", "bomb.json.gz"], "--file"],
])("reads no more of %s than belongs there", async (_, args, name) => {
  const { code, stdout, stderr } = await marginalia(args, { cwd });
  expect([code, stdout]).toEqual([EXIT.io, ""]);
  expect(stderr).toContain(
    `the file of ${name} holds more than ${name === "--file" ? 512 : 64} MiB, unpacked`,
  );
});

it("prints values that cannot be printed in no plan, account or release, which can be loaded again", async () => {
  const all = [...FILES, "--schema=schema.json", "--label=l\u001b[2J", '--deny=[{"k":"a\\nb","sex":"F"}]'];
  const asked: (readonly string[])[] = [
    ["plan", ...all],
    ["run", ...all, "--save=a.marginalia", "--out=a.csv", "--report=a.html"],
    ["inspect", "account.json"],
    ["inspect", "a.marginalia"],
    ["query", "a.marginalia", "--cliques=k,sex"],
    ["check", "private.csv", "--schema=schema.json"],
    ["evaluate", "a.csv", "--private=private.csv", "--schema=schema.json"],
  ];
  for (const args of asked) {
    const more = args[0] === "inspect" || args[0] === "query" ? [] : ["--json"];
    for (const how of [args, [...args, ...more]]) {
      const { code, stdout, stderr } = await marginalia(how, { cwd });
      expect([code, stderr], how[0]).toEqual([0, ""]);
      expect(stdout.split("\n").every(isPrinted), how[0]).toBe(true);
    }
  }
  using release = await load(join(cwd, "a.marginalia"));
  expect(release.schema.normal()).toBe(schemaFromJson(strange as never).normal());
});

it("refuses a data set or an attribute by a name that cannot be printed", async () => {
  const named = JSON.stringify({ attributes: [{ ...strange.attributes[1], name: "a\u0007b" }] });
  await writeFile(join(cwd, "named.json"), named);
  const attribute = await marginalia(["plan", ...FILES, "--schema=named.json"], { cwd });
  expect([attribute.code, attribute.stderr]).toEqual([EXIT.input, expect.stringContaining('"a b"')]);
  const dataset = await marginalia(["plan", ...FILES, "--schema=schema.json", "--dataset=d\u001b[2J"], {
    cwd,
  });
  expect([dataset.code, dataset.stderr]).toEqual([
    EXIT.usage,
    expect.stringContaining("--dataset has control"),
  ]);
  await writeFile(join(cwd, "headed.csv"), '"a\u001b[1mb",sex\n1,F\n2,M\n');
  const draft = await marginalia(["schema", "headed.csv", "--out=draft.json"], { cwd });
  expect(draft.stdout).toContain("left out: its name has characters that no attribute may be called by");
  expect(draft.stdout.split("\n").every(isPrinted)).toBe(true);
});
