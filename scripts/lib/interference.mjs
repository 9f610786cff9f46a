// Whether a private file shows in what a command says and writes, otherwise than by the noisy answers in the account.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./manifest.mjs";

const execute = promisify(execFile);
const PRIVATE = "private.csv";
const ACCOUNT = "account.json";

/** The built command, run in a folder to its end. */
export async function marginalia(args, cwd) {
  const options = { cwd, encoding: "buffer", maxBuffer: 1 << 28 };
  const program = join(root, "dist/cli.js");
  const ended = await execute(process.execPath, [program, ...args], options).catch((failed) => failed);
  return { code: ended.code ?? 0, stdout: ended.stdout, stderr: ended.stderr };
}

/** A folder that holds `files`, the private file, and a copy of the account in `from` where that is given. */
function home({ folder, files }, table, from) {
  const made = mkdtempSync(join(folder, "run-"));
  for (const [name, text] of Object.entries({ ...files, [PRIVATE]: table }))
    writeFileSync(join(made, name), text);
  if (from !== undefined) cpSync(join(from, ACCOUNT), join(made, ACCOUNT));
  return made;
}

/** What commands say, one after the other in a folder: a map from what it is to its bytes. */
async function said(command, lines, cwd) {
  const all = new Map();
  for (const args of lines) {
    const { code, stdout, stderr } = await command(args, cwd);
    const name = `"${args.join(" ")}"`;
    all.set(`the exit code of ${name}`, Buffer.from(`${code}`));
    all.set(`the standard output of ${name}`, stdout);
    all.set(`the standard error of ${name}`, stderr);
  }
  return all;
}

/** The files of a folder but those that were put there. */
function written(cwd, { files }) {
  const names = readdirSync(cwd).filter((name) => name !== PRIVATE && !(name in files));
  return new Map(names.map((name) => [name, readFileSync(join(cwd, name))]));
}

/** One line for each thing that is not the same to the byte, or not in both. */
function differences(found, expected) {
  return [...new Set([...found.keys(), ...expected.keys()])].flatMap((name) => {
    const [a, b] = [found.get(name), expected.get(name)];
    if (a === undefined || b === undefined) return [`${name} is there once only`];
    if (a.equals(b)) return [];
    let at = 0;
    while (a[at] === b[at]) at += 1;
    return [`${name} differs from byte ${at} on`];
  });
}

/** What is said by two runs has other times of day. */
function clockless(all) {
  const time = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:[\d.]+Z)?/g;
  return new Map(all.map(([what, bytes]) => [what, Buffer.from(`${bytes}`.replaceAll(time, "then"))]));
}

/**
 * Runs a release with a table, and with others in its place, and counts what it compared.
 *
 * - Before a charge: `before`, with the table and with another. The account itself is left out: if there is one, it has a
 *   random name and the time.
 * - After it: the first of `runs` with the table; then each of `runs` from a copy of its account, with the table and with
 *   another. What is written must be the same, the account included, so that nothing is paid; and so must what is said.
 * - `settled` says that what is asked follows from the options alone; then what is said of the run of another table, and of
 *   its account, is the same.
 */
export async function interference({ name, before, runs, makes, settled }, tables, place) {
  const { command = marginalia } = place;
  const { table, others, twin } = tables;
  const problems = [];
  let checks = 0;
  const same = (when, found, expected) => {
    checks += expected.size;
    problems.push(...differences(found, expected).map((line) => `${name}: ${when}: ${line}`));
  };
  const shown = async (lines, cwd) => new Map([...(await said(command, lines, cwd)), ...written(cwd, place)]);

  const planned = async (text) => {
    const all = await shown(before, home(place, text));
    all.delete(ACCOUNT);
    return all;
  };
  const [unlike, text] = others[0];
  same(`before a charge, with ${unlike}`, await planned(text), await planned(table));

  const first = home(place, table);
  const outcome = await said(command, runs.slice(0, 1), first);
  const files = written(first, place);
  const missing = [ACCOUNT, ...makes].filter((made) => !files.get(made)?.length);
  if (missing.length > 0) {
    const [, , stderr] = outcome.values();
    return { checks, problems: [`${name}: the run itself does not write ${missing}: ${stderr}`] };
  }

  const expected = await Promise.all(runs.map((run) => shown([run], home(place, table, first))));
  for (const made of files.keys())
    same("run again", new Map([[made, expected[0].get(made)]]), new Map([[made, files.get(made)]]));
  for (const [i, [other, text]] of others.entries()) {
    const which = i % runs.length;
    const found = await shown([runs[which]], home(place, text, first));
    same(`run again with ${other}`, found, expected[which]);
  }

  if (settled) {
    const [other, text] = twin;
    const second = home(place, text);
    const elsewhere = await said(command, runs.slice(0, 1), second);
    const inspected = async (cwd) => said(command, [["inspect", ACCOUNT, "--json"]], cwd);
    const own = clockless([...outcome, ...(await inspected(first))]);
    same(`run with ${other}`, clockless([...elsewhere, ...(await inspected(second))]), own);
  }
  return { checks, problems };
}
