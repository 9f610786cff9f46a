// What docs/adding.md says of adding an estimator and a kind of model is done to a copy of the tree: each touches no more
// than is promised, compiles without a warning, and passes its test. Planted violations are caught first. (That of a mechanism
// is one of the tests of mechanisms.)

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { attempt, committedFiles, finish, need } from "../lib/gate.mjs";
import { root } from "../lib/manifest.mjs";
import { broken, edited, walkthroughs } from "../lib/walkthroughs.mjs";

need("node", "rust");

const page = "docs/adding.md";
const tree = join(root, "target/walkthroughs");

const walks = walkthroughs(readFileSync(join(root, page), "utf8"));
const problems = [...unnoticed(), ...broken(walks).map((problem) => `${page}: ${problem}`)];
if (problems.length === 0) {
  const edits = [...walks.values()].flatMap((walk) => walk.edits);
  copyTree(edits);
  const steps = [
    ["cargo", "test", "--locked", "--package", "marginalia-estimate", "--lib", "walkthrough"],
    ["cargo", "fmt", "--all", "--check"],
    ["tsc", "--noEmit"],
  ];
  problems.push(...steps.flatMap(([command, ...args]) => failure(command, args)).slice(0, 1));
}
finish(
  problems,
  `mend ${page}, or the walls that it speaks of`,
  "an estimator and a kind of model are added as docs/adding.md says",
);

/** The tree as it would be committed, with the edits; what is the same is not written, so that little is compiled anew. */
function copyTree(edits) {
  const files = new Map(committedFiles().map((file) => [file, readFileSync(join(root, file))]));
  for (const edit of edits) files.set(edit.file, Buffer.from(edited(files.get(edit.file)?.toString(), edit)));
  for (const part of ["crates", "ts", "test"]) {
    const there = existsSync(join(tree, part)) ? readdirSync(join(tree, part), { recursive: true }) : [];
    for (const name of there) {
      const file = join(part, name);
      const known = files.has(file) || [...files.keys()].some((one) => one.startsWith(`${file}/`));
      if (!known) rmSync(join(tree, file), { recursive: true, force: true });
    }
  }
  for (const [file, bytes] of files) {
    const path = join(tree, file);
    if (existsSync(path) && readFileSync(path).equals(bytes)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  if (!existsSync(join(tree, "node_modules"))) {
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  }
}

/** What went wrong with a command: that it failed, warned, or ran no test for each of its walk-throughs. */
function failure(command, args) {
  const env = { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` };
  const { ok, text } = attempt(command, args, {
    cwd: tree,
    // Not the tree's own: cargo takes packages at the same place of two workspaces for one, and what is compiled here for what is there.
    env: { ...env, CARGO_TARGET_DIR: join(root, "target/walkthroughs-build") },
  });
  const tested = args[0] !== "test" || (/test result: ok\. [2-9]/.test(text) && !/^warning/m.test(text));
  return ok && tested ? [] : [`${[command, ...args].join(" ")}, in target/walkthroughs:\n${text}`];
}

/** Violations that were planted and not found out. */
function unnoticed() {
  const fence = (file, code) => `\`\`\`rust file=${file}\n${code}\n\`\`\`\n`;
  const walk = (name, blocks) =>
    `<!-- walkthrough ${name} a/${name}/ -->\n${blocks}<!-- end of walkthrough -->\n`;
  const good = ["estimator", "model"].map((name) => [name, fence(`a/${name}/x`, "1")]);
  const many = {
    estimator: ["b", "c", "d", "e", "f"].map((file) => fence(file, "1")).join(""),
    model: fence("b", "1\n2\n3\n4"),
  };
  const pageOf = (own) =>
    Object.entries({ ...Object.fromEntries(good), ...own })
      .map((one) => walk(...one))
      .join("");
  const found = (own) => broken(walkthroughs(pageOf(own))).length > 0;
  const missed = Object.keys(many).filter((name) => !found({ [name]: many[name] }) || !found({ [name]: "" }));
  const refused = found({}) ? ["an innocent page"] : [];
  const places = ["", "x\nx"].filter((text) => {
    try {
      return edited(text, { file: "a", place: "after", anchor: "x", code: "1" }) !== undefined;
    } catch {
      return false;
    }
  });
  return [...missed, ...refused, ...places].map(
    (what) => `self-test: ${JSON.stringify(what)} was judged wrongly`,
  );
}
