// Every TypeScript and JavaScript snippet of README.md and docs/ is type-checked and run against the packed
// package, in the order of the page, each as a program of its own beside the example data.
//
// Command lines that are fenced as ```sh run are run by a shell, page after page in one folder, with the packed command.
//
// A snippet that cannot run is fenced as ```ts sketch=NAME, and NAME stands here with the reason.

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, committedFiles, finish, need, scratchFolder } from "../lib/gate.mjs";
import { root } from "../lib/manifest.mjs";
import { install, pack } from "../lib/pack.mjs";

const sketches = {
  "vite-headers": "a configuration file; test/packaging/vite-threads has it",
  "vite-7": "a configuration file; test/packaging/vite-7 has it",
  "esbuild-within": "runs once it is bundled; test/packaging/esbuild-node does that",
  "bun-compiled": "runs once it is compiled; test/packaging/bun-compiled does that",
  walkthrough: "is done to a copy of the tree; the gate walkthroughs does that",
  worker: "runs in workerd; test/packaging/workerd does that",
};

/** The snippets of a page: language, sketch name if any, line and text. */
function snippetsOf(page, text) {
  const found = [];
  for (const match of text.matchAll(/^```(ts|typescript|js|javascript|mjs)\b([^\n]*)\n([\s\S]*?)^```$/gm)) {
    const line = text.slice(0, match.index).split("\n").length;
    found.push({
      where: `${page}:${line}`,
      typed: match[1].startsWith("t"),
      sketch: /\bsketch=([\w-]+)/.exec(match[2])?.[1],
      code: match[3],
    });
  }
  return found;
}

/** The command lines of a page that shall run: line and text. */
function commandsOf(page, text) {
  const all = [...text.matchAll(/^```sh run\n([\s\S]*?)^```$/gm)];
  return all.map((match) => {
    return { where: `${page}:${text.slice(0, match.index).split("\n").length}`, code: match[1] };
  });
}

/** Runs command lines with the packed command in the place of the one that npx would find. */
function runCommands(folder, { where, code }) {
  const npx = 'npx() { shift; node node_modules/marginalia/dist/cli.js "$@"; }';
  const args = ["-euo", "pipefail", "-c", `${npx}\n${code}`];
  const { ok, text } = attempt("bash", args, { cwd: folder, timeout: 120_000 });
  return ok ? [] : [`${where} does not run:\n${text}`];
}

function typeErrors(folder) {
  const options = {
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2023", "DOM", "DOM.Iterable", "ESNext.Disposable"],
      module: "nodenext",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ["node"],
    },
    include: ["*.mts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(options));
  const { ok, text } = attempt("tsc", ["--project", folder, "--pretty", "false"], { cwd: folder });
  return ok ? [] : text.trim().split("\n");
}

function run(folder, name, snippet) {
  const file = join(folder, `${name}.run.mjs`);
  const code = snippet.typed
    ? transformSync(snippet.code, { loader: "ts", format: "esm", target: "es2022" }).code
    : snippet.code;
  writeFileSync(file, code);
  const { ok, text } = attempt(process.execPath, [file], { cwd: folder, timeout: 120_000 });
  return ok ? [] : [`${snippet.where} does not run:\n${text}`];
}

need("node");
const { transformSync } = await import("esbuild");
const pages = committedFiles().filter((path) => path === "README.md" || /^docs\/.*\.md$/.test(path));
const snippets = pages.flatMap((page) => snippetsOf(page, readFileSync(join(root, page), "utf8")));
const problems = [];
const used = new Set(snippets.map((snippet) => snippet.sketch));
problems.push(
  ...Object.keys(sketches)
    .filter((name) => !used.has(name))
    .map((name) => `the sketch ${name} is in no page`),
);
for (const { sketch, where } of snippets) {
  if (sketch !== undefined && sketches[sketch] === undefined) {
    problems.push(`${where}: the sketch ${sketch} has no reason in scripts/gates/docs.mjs`);
  }
}

const folder = scratchFolder();
install(folder, pack(folder).tarball);
mkdirSync(join(folder, "examples"));
if (existsSync(join(root, "examples"))) {
  cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });
}
const programs = snippets.filter((snippet) => snippet.sketch === undefined);
writeFileSync(join(folder, "package.json"), '{ "type": "module", "private": true }');
const names = programs.map((snippet, at) => `${at}-${snippet.where.replace(/\W+/g, "-")}`);
programs.forEach((snippet, at) => {
  if (snippet.typed) {
    writeFileSync(join(folder, `${names[at]}.mts`), `${snippet.code}\nexport {};\n`);
  }
});
if (programs.some((snippet) => snippet.typed)) {
  problems.push(...typeErrors(folder));
}
problems.push(...programs.flatMap((snippet, at) => run(folder, names[at], snippet)));
const commands = pages.flatMap((page) => commandsOf(page, readFileSync(join(root, page), "utf8")));
problems.push(...commands.flatMap((command) => runCommands(folder, command)));
finish(
  problems,
  "mend the page or the code; what is written must run",
  `${programs.length} snippets and ${commands.length} command lines of ${pages.length} pages run`,
);
