import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { measurementsFromBytes, Rational, type Sealed } from "marginalia";
import { expect, it } from "vitest";
import { killed, started } from "../ledger/programs.js";
import { csv, folder, plenty, sealing } from "./support.js";

const KILLS = process.env.MARGINALIA_FULL ? 1000 : 16;
/** Kills that one account sees, so that opening it stays quick. */
const EACH = 8;

/** Makes a program that Node runs without help; the package is told to it by its path. */
async function compiled(to: string): Promise<string> {
  const outfile = `${to}/child.mjs`;
  const here = fileURLToPath(new URL("child.ts", import.meta.url));
  await build({
    entryPoints: [here],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  return outfile;
}

/** What the killed programs were shown, by the name of the call. A line that a kill cut short says nothing. */
async function told(at: string): Promise<Map<string, Set<string>>> {
  const text = await readFile(join(at, "told"), "utf8").catch(() => "");
  const whole = text.split("\n").filter((line) => line.startsWith("[") && line.endsWith("]"));
  const shown = new Map<string, Set<string>>();
  for (const [name, list] of whole.map((line) => JSON.parse(line) as [string, string])) {
    shown.set(name, (shown.get(name) ?? new Set()).add(list));
  }
  return shown;
}

/** Everything that the account has values of. */
async function kept(sealed: Sealed<never>): Promise<string[]> {
  const released = sealed.ledger.entries().filter(({ state }) => state === "released");
  const values = await Promise.all(released.map(({ key }) => sealed.ledger.find(key)?.values()));
  return values.map((kept) =>
    JSON.stringify(kept instanceof Uint8Array ? measurementsFromBytes(kept) : kept),
  );
}

/** The account must agree with what its programs were shown, whenever they were killed. */
async function check(at: string): Promise<number> {
  const ledger = { path: join(at, "account.json"), counter: join(at, "counter") };
  const sealed = await sealing(new Blob([csv]), { ...plenty, ledger });
  const entries = sealed.ledger.entries();
  const released = entries.filter(({ state }) => state === "released");
  // Nothing that has values is paid again, and every charge is in the sum.
  expect(new Set(released.map(({ key }) => key)).size).toBe(released.length);
  const sum = entries.reduce((so, { cost }) => so.plus(Rational.of(cost)), Rational.of(0n));
  expect(`${sealed.spent}`).toBe(`${sum}`);
  const paid = new Set(await kept(sealed as unknown as Sealed<never>));
  const shown = await told(at);
  for (const lists of shown.values()) {
    // A call of the program gives the same values whenever it is run, and they were paid for.
    expect(lists.size).toBe(1);
    for (const list of lists) expect(paid.has(list)).toBe(true);
  }
  // Two calls never share their values; what they select may be the same.
  const measured = [...shown].filter(([name]) => !name.startsWith("cell"));
  expect(shown.size === 0 || measured.length < shown.size).toBe(true);
  const all = measured.flatMap(([, lists]) => [...lists]);
  expect(new Set(all).size).toBe(all.length);
  await sealed.close();
  return shown.size;
}

it(`a run that is killed ${KILLS} times loses nothing, pays nothing twice and is shown nothing unpaid`, async () => {
  const base = await folder();
  const file = await compiled(base);
  const entry = pathToFileURL("dist/index.js").href;
  let shown = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const at = join(base, `${Math.floor(kill / EACH)}`);
    await mkdir(at, { recursive: true });
    const child = await started(file, entry, at);
    await pause(Math.random() * 1500);
    await killed(child);
    if (kill % EACH === EACH - 1) shown += await check(at);
  }
  // The programs did get somewhere between the kills.
  expect(shown).toBeGreaterThan(KILLS);
}, 3_600_000);
