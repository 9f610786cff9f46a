// Files that comments and documentation name exist; the check (lib/mentions.mjs) first catches planted violations.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { committedFiles, finish } from "../lib/gate.mjs";
import { root } from "../lib/manifest.mjs";
import { astray, misplaced, missing, tree } from "../lib/mentions.mjs";

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
const rows = (...words) => ["word", ...words].map((word) => `| ${word} | what |`).join("\n");
for (const [text, wrong] of [
  [rows("a", "b", "a"), 1],
  [rows("b", "a"), 1],
  [`${rows("b")}\n\n${rows("a")}`, 0],
]) {
  if (misplaced("a.md", text).length !== wrong)
    problems.push(`self-test: ${JSON.stringify(text)} is misjudged`);
}
const hop = (number, name) => `| ${number} | moves | \`a.ts\` | \`${name}\` |`;
const hops = (count) => Array.from({ length: count }, (_, at) => hop(at + 1, "A.run")).join("\n");
for (const [text, wrong] of [
  ["", 1],
  [hop(1, "walk"), 1],
  [hop(2, "run"), 1],
  [hops(26), 1],
  [hops(25), 0],
]) {
  if (astray("a.md", text, () => "function run() {}").length !== wrong)
    problems.push(`self-test: ${JSON.stringify(text)} is misjudged`);
}

const map = "docs/architecture.md";
const read = (file) => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : undefined);
problems.push(...astray(map, read(map), read));
const glossary = "docs/glossary.md";
problems.push(...misplaced(glossary, read(glossary)));
const files = committedFiles();
const known = tree(files);
const readable = files.filter(
  (path) =>
    /^(crates|ts|test|scripts|bench|docs|fuzz|examples|\.ci)\/|^[\w.-]+$/.test(path) &&
    /\.(rs|[cm]?[jt]s|md|sh|toml)$|^(\.ci|scripts)\/[\w-]+$/.test(path) &&
    path !== "scripts/gates/comments.mjs",
);
for (const path of readable) {
  problems.push(...missing(path, read(path), known));
}
finish(
  problems,
  "name the file that is meant, or none",
  `files that ${readable.length} files name in comments and prose are there; ${planted.length} planted violations are caught`,
);
