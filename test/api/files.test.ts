import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { integer, type MarginaliaError, readTable, schema } from "marginalia";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const s = schema({ a: integer({ min: 0, max: 9 }) });
const column = { a: Uint8Array.from({ length: 100_000 }, (_, i) => i % 10) };
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: MarginaliaError) => error.code,
  );

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "marginalia-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a file that is written", () => {
  it("is as it was after an error in the middle, and nothing lies beside it", async () => {
    using table = await readTable(column, s);
    for (const before of ["precious", undefined]) {
      const path = join(folder, `${before}.csv`);
      if (before) writeFileSync(path, before);
      const listed = readdirSync(folder);
      const controller = new AbortController();
      const onProgress = ({ done }: { done: number }) => {
        if (done > 30_000) controller.abort();
      };
      expect(await codeOf(table.writeCsv(path, { signal: controller.signal, onProgress }))).toBe("ABORTED");
      expect(readdirSync(folder)).toEqual(listed);
      if (before) expect(readFileSync(path, "utf8")).toBe(before);
    }
  });

  it("does not show before all of it is there", async () => {
    using table = await readTable(column, s);
    const path = join(folder, "a.csv");
    writeFileSync(path, "before");
    const seen = new Set<string>();
    await table.writeCsv(path, { onProgress: () => seen.add(readFileSync(path, "utf8")) });
    expect([...seen]).toEqual(["before"]);
    expect(readFileSync(path, "utf8")).toBe(await table.toCsv());
    expect(readdirSync(folder)).toEqual(["a.csv"]);
  });

  it("keeps its mode, and the link that leads to it", async () => {
    using table = await readTable(column, s);
    const text = await table.toCsv();
    const [path, link] = [join(folder, "a.csv"), join(folder, "link.csv")];
    writeFileSync(path, "before");
    chmodSync(path, 0o600);
    symlinkSync(path, link);
    await table.writeCsv(link);
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual([text, 0o600]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it("can be named by a URL, and two of one name are both whole", async () => {
    using table = await readTable(column, s);
    const text = await table.toCsv();
    const path = join(folder, "ein Ort #1.csv");
    await Promise.all([table.writeCsv(pathToFileURL(path)), table.writeCsv(path)]);
    await table.writeCsv(pathToFileURL(path));
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(readdirSync(folder)).toEqual(["ein Ort #1.csv"]);
    await table.writeCsv("/dev/null");
    mkdirSync(join(folder, "folder.csv"));
    expect(await codeOf(table.writeCsv(join(folder, "folder.csv")))).toBe("SOURCE_FAILED");
  });
});
