import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { LedgerJson } from "marginalia";
import { beforeEach, describe, expect, it } from "vitest";
import { SURVEY } from "../../ts/cli/demo/survey.js";
import { EXIT } from "../../ts/cli/exit.js";
import { begin, data, folder, marginalia, type Outcome, outcome } from "./support.js";

/** A command that writes all it can, ended at every stage of its course. */
const NAMES = ["age", "sex", "tenure"];
const small = { attributes: SURVEY.attributes.filter(({ name }) => NAMES.includes(name)) };
const OUTPUTS = ["synthetic.csv", "report.html", "survey.marginalia"];
const ARGS = [
  ...["run", `--public=${data("survey-2018.csv")}`, "--private=private.csv", "--schema=schema.json"],
  ...["--dataset=d", "--epsilon=10", "--spend=1", "--ledger=account.json", "--draws=1", "--rows=30000"],
  ...["--out=synthetic.csv", "--report=report.html", "--save=survey.marginalia"],
];
const hook = pathToFileURL(resolve("test/cli/stop.mjs")).href;

let cwd = "";
beforeEach(async () => {
  cwd = await folder();
  await writeFile(join(cwd, "schema.json"), JSON.stringify(small));
  await cp(data("survey-2019.csv"), join(cwd, "private.csv"));
});

/** Runs the command until it is stopped there. */
function stopped(at: string, by: NodeJS.Signals): Promise<Outcome> {
  const env = { ...process.env, NODE_OPTIONS: `--import ${hook}`, STOP_AT: at, STOP_BY: by };
  const child = begin(ARGS, { cwd, env });
  child.stdin?.end();
  return outcome(child);
}

async function account(place: string): Promise<LedgerJson> {
  if (!existsSync(join(place, "account.json"))) return { closed: true, spent: "0", entries: [] } as never;
  const { stdout } = await marginalia(["inspect", "account.json", "--json"], { cwd: place });
  return JSON.parse(stdout) as LedgerJson;
}

/** The outputs that are there, by name. */
async function outputs(place: string): Promise<Record<string, string>> {
  const there = (await readdir(place)).filter((name) => OUTPUTS.includes(name)).sort();
  const bytes = await Promise.all(there.map((name) => readFile(join(place, name), "base64")));
  return Object.fromEntries(there.map((name, i) => [name, bytes[i] as string]));
}

/** Makes the same of a copy of the account, in a folder of its own. */
async function elsewhere(): Promise<string> {
  const place = join(cwd, "elsewhere");
  await mkdir(place);
  for (const name of ["schema.json", "private.csv", "account.json"])
    await cp(join(cwd, name), join(place, name));
  return place;
}

const before = ["call public.prior", "call public.design", "call vault.reader"];
const paid = ["read private.csv", "call vault.measure"];
const kept = [
  ...["call prior.open", "call estimate.run", "call public.records", "call writer.block"],
  ...OUTPUTS.flatMap((name) => ["write", "rename", "renamed"].map((what) => `${what} ${name}`)),
];
const cases = [
  ...before.map((at) => [at, "before anything is paid", []] as const),
  ...paid.map((at) => [at, "with its charge written", ["lost"]] as const),
  ...kept.map((at) => [at, "with its answers kept", ["released"]] as const),
];

/** Every point takes three seconds: all of them where there is time. */
const SOME = [
  ...["call public.design", "read private.csv", "call vault.measure", "call estimate.run"],
  ...["write synthetic.csv", "renamed synthetic.csv", "write report.html", "rename survey.marginalia"],
];
const some = <T extends readonly [at: string, ...unknown[]]>(list: readonly T[]): readonly T[] =>
  process.env.MARGINALIA_FULL ? list : list.filter(([at]) => SOME.includes(at));

describe("a command that is killed", () => {
  it.each(some(cases))(
    "at %s is %s, leaves no half of a file, and is completed by a rerun",
    async (at, _, states) => {
      const killed = await stopped(at, "SIGKILL");
      expect([killed.code, killed.signal, killed.stdout]).toEqual([null, "SIGKILL", ""]);
      const held = await account(cwd);
      expect(held.entries.map(({ state }) => state)).toEqual(states);
      expect(held.spent).toBe(`${states.length}`);
      const left = await outputs(cwd);
      const done = kept.indexOf(at);
      const whole = OUTPUTS.filter((name) => done >= kept.indexOf(`renamed ${name}`) && done >= 0);
      expect(Object.keys(left)).toEqual([...whole].sort());
      const again = await marginalia(ARGS, { cwd });
      expect([again.code, again.stderr]).toEqual([0, ""]);
      const free = states.some((state) => state === "released");
      expect(again.stdout.includes("nothing was paid again")).toBe(free);
      expect((await account(cwd)).spent).toBe(free ? "1" : `${states.length + 1}`);
      const all = await outputs(cwd);
      expect(Object.keys(all)).toEqual([...OUTPUTS].sort());
      for (const [name, bytes] of Object.entries(left)) expect(bytes === all[name], name).toBe(true);
      if (!free) return;
      // Another program with the same account comes to the same bytes of everything.
      const copy = await elsewhere();
      expect((await marginalia(ARGS, { cwd: copy })).code).toBe(0);
      for (const [name, bytes] of Object.entries(await outputs(copy)))
        expect(bytes === all[name], name).toBe(true);
    },
  );
});

describe("a command that is stopped", () => {
  const points = [
    ["call public.design", "SIGINT", []],
    ["call public.design", "SIGTERM", []],
    ["call vault.measure", "SIGTERM", ["released"]],
    ["call estimate.run", "SIGINT", ["released"]],
    ["call public.records", "SIGTERM", ["released"]],
    ["write synthetic.csv", "SIGINT", ["released"]],
    ["rename report.html", "SIGINT", ["released"]],
  ] as const;
  it.each(some(points))(
    "at %s by %s tidies up, closes a true account, and is completed by a rerun",
    async (at, by, states) => {
      const { code, stdout, stderr } = await stopped(at, by);
      expect([code, stdout]).toEqual([by === "SIGINT" ? EXIT.aborted : 143, ""]);
      expect(stderr).toContain(
        states.length === 0
          ? "ABORTED"
          : "ABORTED: the command was stopped: ε 1 is paid, in the account account.json; the same command finishes it for nothing",
      );
      const held = (await account(cwd)) as LedgerJson & { closed: boolean };
      expect([held.closed, held.entries.map(({ state }) => state)]).toEqual([true, states]);
      const left = await outputs(cwd);
      const begun = states.length > 0 ? ["account.json"] : [];
      const names = [...begun, "private.csv", "schema.json", ...Object.keys(left)].sort();
      expect((await readdir(cwd)).sort()).toEqual(names);
      const again = await marginalia(ARGS, { cwd });
      expect([again.code, again.stderr]).toEqual([0, ""]);
      expect((await account(cwd)).spent).toBe("1");
      const all = await outputs(cwd);
      expect(Object.keys(all)).toEqual([...OUTPUTS].sort());
      for (const [name, bytes] of Object.entries(left)) expect(bytes === all[name], name).toBe(true);
    },
  );
});
