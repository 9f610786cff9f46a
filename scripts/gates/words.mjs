// What no committed file may contain: paths of one machine, hosts of a registry, unfinished or skipped work, and names that say
// that something happened instead of what it is.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { committedFiles, finish } from "../lib/gate.mjs";
import { root } from "../lib/manifest.mjs";

const longest = 400;
const page = 62;
// Written so that this file does not contain what it looks for.
const word = (...parts) => parts.join("");
const machinePath = new RegExp(word("(?<![\\w.~$}/-])/", "(work|root|home|Users)", "/[\\w.-]"));
const registryHost = new RegExp(
  word(
    "registry\\.",
    "npmjs|static\\.",
    "crates|index\\.",
    "crates\\.io|deb\\.",
    "debian\\.org|pythonhosted",
    "\\.org",
  ),
);
const unfinished = new RegExp(word("\\b(TO", "DO|FIX", "ME|HA", "CK|XX", "X)\\b|\\b(todo|unimplemented)!"));

/** Participles that were names once: each thing has a noun of the field, which docs/glossary.md knows. */
const retired =
  /\b(Asked|Told|Settled|Given|Making|Answered|Desk|Crew|asked|told|settled|given|making|desk|crew|answered(?!:))\b/;
const phrase = /\bwhat (became|came) of\b/i;

/** The code of a line: without comments, and texts but for what is put into them. Lines of longer comments begin with a star. */
function codeOf(line) {
  if (/^\s*(\/?\*|\/\/)/.test(line)) return "";
  const texts = line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|\/(?:[^/\\\s]|\\.)+\//g, '""');
  const parts = texts
    .split("`")
    .map((part, i) => (i % 2 ? [...part.matchAll(/\$\{([^}]*)\}/g)].join(" ") : part));
  return parts.join(" ").replace(/\/\/.*/, "");
}

/** Each rule: which files, what, and why it is refused. `but` names files that are about the thing itself. */
const rules = [
  { in: /./, what: machinePath, why: "a path of one machine", but: /^package-lock\.json$/ },
  { in: /./, what: registryHost, why: "a registry's host", but: /^scripts\/build-wasm$/ },
  { in: /./, what: unfinished, why: "unfinished work", but: /^(LICENSE|package-lock\.json|Cargo\.lock)$/ },
  {
    in: /^test\//,
    what: /\b(test|it|describe|suite)\.(skip|only|todo|skipIf|runIf|fails)\b/,
    why: "a test that may not run",
  },
  { in: /^(crates|fuzz)\/.*\.rs$/, what: /#!?\[(ignore|allow)\b/, why: "a silenced warning or test" },
  { in: /\.[cm]?ts$/, what: /@ts-(ignore|nocheck)|eslint-disable/, why: "a silenced compiler" },
  {
    in: /\.[cm]?[jt]s$/,
    what: /biome-ignore[^:]*(:\s*(<.*>)?\s*)?$/,
    why: "a silenced lint without a reason",
  },
  { in: /^(ts|crates)\//, what: phrase, why: "a phrase in the place of a noun" },
  {
    in: /^(ts\/.*\.ts|(crates|fuzz|bench|examples)\/.*\.(rs|mjs|ts))$/,
    of: codeOf,
    what: retired,
    why: "a name that was retired for a noun",
    // How somebody came by a candidate or a split is a word of plans in files.
    but: /^ts\/(mechanisms\/(kit\/forecast|groups\/splitting)|evaluate\/report\/sections\/forecast)\.ts$/,
  },
  { in: /^ts\//, what: /Math\.random/, why: "randomness that no seed reproduces" },
];

function check(path, text) {
  const found = [];
  const lines = text.split("\n");
  for (const rule of rules.filter((one) => one.in.test(path) && !one.but?.test(path))) {
    lines.forEach((line, at) => {
      if (rule.what.test(rule.of ? rule.of(line) : line)) {
        found.push(`${path}:${at + 1}: ${rule.why}: ${line.trim().slice(0, 80)}`);
      }
    });
  }
  if (/\.(rs|[cm]?[jt]s)$/.test(path) && lines.length - 1 > longest) {
    found.push(`${path}: ${lines.length - 1} lines; no source file has more than ${longest}`);
  }
  if (path.startsWith("docs/adr/") && lines.length - 1 > page) {
    found.push(
      `${path}: ${lines.length - 1} lines; a decision is a page of ${page}, and journals go to docs/notes/`,
    );
  }
  return found;
}

const planted = [
  ["docs/a.md", word("see /", "home/me/notes")],
  ["a.json", word("https://registry.", "npmjs.org/x")],
  ["crates/a/src/a.rs", word("// TO", "DO: later")],
  ["test/a.test.ts", "test.skip('a', () => {});"],
  ["crates/a/src/a.rs", "#[ignore]"],
  ["ts/a.ts", "// @ts-ignore"],
  ["ts/a.ts", "// biome-ignore lint/style/useConst: "],
  ["ts/a.ts", "const a = Math.random();"],
  ["ts/a.ts", "// What became of it."],
  ["ts/a.ts", "interface Asked {"],
  ["crates/a/tests/a.rs", "fn asked() {"],
  ["bench/a.mjs", "const told = 1;"],
  ["ts/a.ts", word("return `of $", "{asked.length}`;")],
  ["ts/a.ts", "\n".repeat(longest + 1)],
  ["docs/adr/0001-a.md", "\n".repeat(page + 1)],
];
const problems = planted
  .filter(([path, text]) => check(path, text).length === 0)
  .map(([path, text]) => `self-test: ${JSON.stringify(text)} in ${path} went unnoticed`);
const innocent = [
  "/** As asked. */",
  'throw invalid("as told");',
  word("const a = `as given, $", "{b}`; // settled"),
];
for (const text of innocent)
  if (check("ts/a.ts", text).length > 0) problems.push(`self-test: ${text} was refused`);

const files = committedFiles().filter((path) => !/^pkg\/|\.(wasm|png|gz|parquet|arrow)$/.test(path));
for (const path of files) {
  if (path !== "scripts/gates/words.mjs") {
    problems.push(...check(path, readFileSync(join(root, path), "utf8")));
  }
}
finish(problems, "say it without", `${files.length} files are free of what may not be committed`);
