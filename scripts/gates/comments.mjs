// Files that comments and documentation name exist; the check (lib/mentions.mjs) first catches planted violations.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { committedFiles, finish } from "../lib/gate.mjs";
import { root } from "../lib/manifest.mjs";
import { missing, tree } from "../lib/mentions.mjs";

const small = tree([
  "crates/a/src/deep/b.rs",
  "crates/c/src/d.rs",
  "ts/x/y.ts",
  "docs/z.md",
  "scripts/w",
  "docs/adr/0007-a.md",
]);
const planted = [
  ["crates/a/src/lib.rs", "// See crates/a/src/b.rs.", "crates/a/src/b.rs"],
  ["crates/a/src/lib.rs", "/// Worked out in `d.rs`.", "d.rs"],
  ["crates/a/src/lib.rs", "//! As `shallow/b.rs` does.", "shallow/b.rs"],
  ["ts/x/y.ts", "/** What\n * `gone.ts` hands on. */", "gone.ts"],
  ["ts/x/y.ts", "f(); // (ts/x/gone.ts)", "ts/x/gone.ts"],
  ["docs/z.md", "Kept in `ts/gone/`.", "ts/gone/"],
  ["docs/z.md", "See [there](gone.md#part).", "gone.md"],
  ["docs/z.md", "Why is in ADR 8.", "ADR 8"],
  ["docs/z.md", "```sh\nscripts/gone\n```", "scripts/gone"],
];
const innocent = [
  [
    "crates/a/src/lib.rs",
    '// `b.rs`, deep/b.rs, crates/c/src/d.rs and ts/x/y.ts.\nconst A: &str = "gone.rs";',
  ],
  ["ts/x/y.ts", 'import "./gone.ts"; // y.ts, docs/z.md; see https://example.org/ts/gone.ts'],
  ["docs/z.md", "ADR 7, [w](../scripts/w), ts/x/, [e](https://example.org)\n```ts\n// mine.ts\n```"],
];

const problems = planted
  .filter(([path, text, name]) => !missing(path, text, small).some((line) => line.endsWith(` ${name}`)))
  .map(([path, text]) => `self-test: ${JSON.stringify(text)} in ${path} went unnoticed`);
for (const [path, text] of innocent) {
  problems.push(
    ...missing(path, text, small).map((line) => `self-test: an innocent text is refused: ${line}`),
  );
}

const files = committedFiles();
const known = tree(files);
const read = files.filter(
  (path) =>
    /^(crates|ts|test|scripts|bench|docs|fuzz|examples|\.ci)\/|^[\w.-]+$/.test(path) &&
    /\.(rs|[cm]?[jt]s|md|sh|toml)$|^(\.ci|scripts)\/[\w-]+$/.test(path) &&
    path !== "scripts/gates/comments.mjs",
);
for (const path of read) {
  problems.push(...missing(path, readFileSync(join(root, path), "utf8"), known));
}
finish(
  problems,
  "name the file that is meant, or none",
  `files that ${read.length} files name in comments and prose are there; ${planted.length} planted violations are caught`,
);
