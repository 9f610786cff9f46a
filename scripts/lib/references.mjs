// The tests that a page names for its sentences, and the check that each sentence names one and that each is there.
//
// A sentence ends in footnotes: `It is so.[^proof]`. A footnote names tests: [^proof]: `path`: "title", "title"; `path`: …
// A test of Rust has the name of its function, or `compile_fail,CODE` where it is documentation; a gate has no title. Two
// footnotes name nothing: [^limit] marks what is not promised, [^note] what says how to read or use something.

import ts from "typescript";

const PLAIN = ["limit", "note"];
const MARK = /\[\^([\w-]+)\]/g;
const NOTE = /^\[\^([\w-]+)\]: (.*(?:\n {4}.*)*)/gm;

const notesOf = (page) => new Map([...page.matchAll(NOTE)].map(([, name, text]) => [name, text]));

/** How many tests and gates the footnotes of a page name. */
export function footnotes(page) {
  const named = [...notesOf(page).values()].flatMap(testsOf);
  return new Set(
    named.flatMap(({ path, titles }) => (titles.length ? titles.map((title) => path + title) : [path])),
  ).size;
}

/**
 * One line for each sentence, row or paragraph without a footnote, each footnote that is missing or unused, and each test
 * that is not there. `read` gives the text of a file, undefined where there is none; `gates` are the names of those that run.
 */
export function unproven(page, { read, gates }) {
  const notes = notesOf(page);
  const body = page.replaceAll(NOTE, "").replaceAll(/^```[\s\S]*?^```$/gm, "");
  const used = new Set([...body.matchAll(MARK)].map(([, name]) => name));
  const found = blocks(body).flatMap(unmarked);
  for (const name of used) if (!notes.has(name)) found.push(`[^${name}] is no footnote of the page`);
  for (const [name, text] of notes) {
    if (!used.has(name)) found.push(`[^${name}] is used by no sentence`);
    if (PLAIN.includes(name)) continue;
    const tests = testsOf(text);
    if (tests.length === 0) found.push(`[^${name}] names no test`);
    found.push(
      ...tests.flatMap((test) => missing(test, { read, gates }).map((line) => `[^${name}]: ${line}`)),
    );
  }
  return found;
}

/** Rows of tables, and paragraphs and items of lists as one line each; headings, and heads of tables, claim nothing. */
function blocks(body) {
  const rows = /^\|.*$/gm;
  const heads = /^\|.*\n\|[-| ]+$/gm;
  const tables = [...body.replaceAll(heads, "").matchAll(rows)].map(([row]) => row);
  const text = body.replaceAll(rows, "").replaceAll(/^#.*$/gm, "").replaceAll(/^- /gm, "\n\n");
  const paragraphs = text.split(/\n\s*\n/).map((part) => part.replaceAll(/\s+/g, " ").trim());
  return [...tables, ...paragraphs.filter((part) => part !== "")];
}

/** Sentences of a block that do not end in a footnote. What ends in a colon goes on in the next block. */
function unmarked(block) {
  const named = block.startsWith("|") ? /\[\^[\w-]+\]/ : /\[\^[\w-]+\]$|:$/;
  const sentences = block.replace(/^\*\*[^*]+\*\* /, "").split(/(?<=[.?!](?:\[\^[\w-]+\])*)\s+/);
  const bare = (block.startsWith("|") ? [block] : sentences).filter((text) => !named.test(text));
  return bare.map((text) => `no test is named for: ${text.slice(0, 90)}`);
}

/** Pairs of a path and the titles after it. */
function testsOf(text) {
  return [...text.matchAll(/`([^`]+)`((?:[:,]\s+"[^"]+")*)/g)].map(([, path, titles]) => {
    return {
      path,
      titles: [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => title.replaceAll(/\s+/g, " ")),
    };
  });
}

function missing({ path, titles }, { read, gates }) {
  const gate = /^scripts\/gates\/([\w-]+)\.(mjs|sh)$/.exec(path);
  const text = read(path);
  if (text === undefined) return [`there is no ${path}`];
  if (gate) return gates.includes(gate[1]) && titles.length === 0 ? [] : [`${path} is no gate that runs`];
  const there = path.endsWith(".rs")
    ? testsOfRust(text)
    : /\.test\.ts$/.test(path)
      ? titlesOf(path, text)
      : undefined;
  if (there === undefined || titles.length === 0) return [`${path} needs the title of a test`];
  return titles.filter((title) => !there.has(title)).map((title) => `${path} has no test "${title}"`);
}

function testsOfRust(text) {
  const functions = text.matchAll(/#\[test\]\s*(?:#\[[^\]]*\]\s*)*(?:async\s+)?fn\s+(\w+)/g);
  const documented = text.matchAll(/^\s*\/\/[/!] ```(compile_fail,E\d+)/gm);
  return new Set([...functions, ...documented].map(([, name]) => name));
}

/** The titles of tests and of what they are grouped in; what is filled in stands as `…`. */
function titlesOf(path, text) {
  const titles = new Set();
  const walk = (node) => {
    if (ts.isCallExpression(node) && /^(it|test|describe)\b/.test(node.expression.getText())) {
      const [first] = node.arguments;
      if (first && ts.isStringLiteralLike(first)) titles.add(first.text);
      else if (first && ts.isTemplateExpression(first))
        titles.add([first.head.text, ...first.templateSpans.map(({ literal }) => literal.text)].join("…"));
    }
    ts.forEachChild(node, walk);
  };
  walk(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return titles;
}
