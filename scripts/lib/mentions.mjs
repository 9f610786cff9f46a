// Files that comments and documentation name, and whether the tree has them.

import { posix } from "node:path";

/** Folders of the repository: a path that begins with one is meant from the root, or from the file's own package. */
const top = "crates|ts|test|scripts|bench|docs|pkg|examples|fuzz|\\.ci";
const piece = "[\\w@-][\\w.@-]*";
const rooted = new RegExp(`(?<![\\w/.$~@-])(?:\\./)?(?:${top})/(?:${piece}/)*${piece}/?`, "g");
const source = new RegExp(
  `(?<![\\w/.$~@:-])(?:\\.{1,2}/)*(?:${piece}/)*[\\w-][\\w.-]*\\.(?:rs|[cm]?ts|mjs|sh)\\b`,
  "g",
);
const decision = /\bADRs? (\d+)\b/g;
const link = /\]\(([^)\s#:]+)(?:#[^)\s]*)?\)/g;

/** Text with everything but its comments blanked, so that lines keep their numbers. */
function comments(path, text) {
  const comment = /\.(rs|[cm]?[jt]s)$/.test(path) ? /^\s*(\/\/|\/?\*).*$|\s\/\/\s.*$/ : /^\s*#.*$/;
  return text
    .split("\n")
    .map((line) => comment.exec(line)?.[0] ?? "")
    .join("\n");
}

/** Markdown without fenced code and marks, whose files are their own; what shells are told stays. */
function prose(text) {
  return text
    .replace(/^<!--.*-->$/gm, "")
    .replace(/^([ \t]*)```(\w*)[\s\S]*?^\1```/gm, (block, _, language) =>
      language === "sh" || language === "" ? block : block.replace(/[^\n]/g, ""),
    );
}

/** The folder within which a bare name is looked for: a crate, or all TypeScript. */
function home(path) {
  return /^crates\/[^/]+\//.exec(path)?.[0] ?? /^(ts|test|scripts|bench)\//.exec(path)?.[0];
}

/** The files of the tree, also by each end of their paths; all folders; and the numbers of all decisions. */
export function tree(files) {
  const endings = new Map();
  const folders = new Set();
  for (const path of files) {
    const parts = path.split("/");
    for (let at = parts.length - 1; at >= 0; at -= 1) {
      const ending = parts.slice(at).join("/");
      endings.set(ending, [...(endings.get(ending) ?? []), path]);
      folders.add(parts.slice(0, at).join("/"));
    }
  }
  const decisions = new Set(files.map((path) => /^docs\/adr\/0*(\d+)-/.exec(path)?.[1]));
  return { files: new Set(files), folders, endings, decisions };
}

function exists(path, name, known) {
  if (/\bNAME\b/.test(name)) {
    return true;
  }
  const plain = name.replace(/^\.\//, "").replace(/\/$/, "");
  const has = (at) => known.files.has(at) || known.folders.has(at);
  if (has(plain) || has(posix.join(posix.dirname(path), name).replace(/\/$/, ""))) {
    return true;
  }
  const crate = /^crates\/[^/]+\//.exec(path)?.[0];
  if (crate !== undefined && has(crate + plain)) {
    return true;
  }
  const within = plain.includes("/") ? undefined : home(path);
  return (known.endings.get(plain.replace(/^(\.\.\/)+/, "")) ?? []).some((at) => at.startsWith(within ?? ""));
}

/** One line per file that `text` at `path` names and that is not in the `known` tree. */
export function missing(path, text, known) {
  const markdown = path.endsWith(".md");
  const found = [];
  (markdown ? prose(text) : comments(path, text)).split("\n").forEach((line, at) => {
    const named = [...line.matchAll(rooted), ...line.matchAll(source)].map((match) =>
      match[0].replace(/\.$/, ""),
    );
    const linked = markdown ? Array.from(line.matchAll(link), (match) => match[1]) : [];
    const absent = [...new Set([...named, ...linked])].filter((name) => !exists(path, name, known));
    const undecided = Array.from(line.matchAll(decision), (match) => match[1]).filter(
      (number) => !known.decisions.has(number),
    );
    for (const name of [...absent, ...undecided.map((number) => `ADR ${number}`)]) {
      found.push(`${path}:${at + 1}: there is no ${name}`);
    }
  });
  return found;
}

/** What is wrong with the words of a glossary, the first cells of its tables: one that stands twice or out of order. */
export function misplaced(path, text) {
  const seen = new Set();
  let before = "";
  return text.split("\n").flatMap((line, at) => {
    const word = /^\| ([^|]+) \|/.exec(line)?.[1].trim();
    before = word === undefined || word === "word" ? "" : before;
    if (word === undefined || word === "word") return [];
    const wrong = seen.has(word)
      ? "stands twice"
      : before.localeCompare(word, "en") > 0
        ? "is out of order"
        : "";
    seen.add(word);
    before = word;
    return wrong === "" ? [] : [`${path}:${at + 1}: ${word} ${wrong}`];
  });
}

const mostHops = 25;

/** What is wrong with the numbered rows of the way of the data: a function that its file lacks, or more hops than a reader follows. */
export function astray(path, text, read) {
  const rows = [...text.matchAll(/^\| (\d+) \|.*\| `([^`]+)` \| `([^`]+)` \|$/gm)];
  const wrong = rows.flatMap(([, number, file, name], at) => {
    if (Number(number) !== at + 1) return [`${path}: hop ${number} is the ${at + 1}th`];
    return new RegExp(`\\b${name.replace(/^.*[.:#]/, "")}\\b`).test(read(file) ?? "")
      ? []
      : [`${path}: ${file} has no ${name}`];
  });
  if (rows.length === 0) return [`${path}: there is no way of the data`];
  return rows.length > mostHops ? [...wrong, `${path}: ${rows.length} hops, more than ${mostHops}`] : wrong;
}
