import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const words = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map((match) => match[1] as string).sort();
const read = (path: string) => readFileSync(path, "utf8");

it("the documented codes are those of TypeScript, and hold all those of Rust", () => {
  const documented = words(read("docs/errors.md"), /^\| `([A-Z_]+)`/gm);
  const typed = words(read("ts/errors.ts"), /^ {2}\| "([A-Z_]+)"/gm);
  const rust = words(read("crates/tables/src/error.rs"), /Code::\w+ => "([A-Z_]+)"/g);
  expect(documented).toEqual(typed);
  expect(rust.length).toBeGreaterThan(10);
  for (const code of rust) expect(typed).toContain(code);
});
