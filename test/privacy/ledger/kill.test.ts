import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { compiled, killed, started } from "./programs.js";
import { folder, open } from "./support.js";

type Told = ["granted", number, string] | ["shown", string, number[]];

const KILLS = process.env.MARGINALIA_FULL ? 1000 : 60;
/** Kills that one ledger sees, so that opening it stays quick. */
const EACH = 20;

/** What the killed programs had been told. A line that a kill cut short says nothing. */
async function told(at: string): Promise<Told[]> {
  const text = await readFile(join(at, "told"), "utf8").catch(() => "");
  const whole = text.split("\n").filter((line) => line.startsWith("[") && line.endsWith("]"));
  return whole.map((line) => JSON.parse(line) as Told);
}

/** Every ledger must agree with what its programs were told, whenever they were killed. */
async function check(at: string): Promise<number> {
  const ledger = await open({ path: join(at, "account.json"), counter: join(at, "counter") });
  const entries = ledger.entries();
  const granted = new Map(entries.map(({ id, key }) => [id, key]));
  const released = entries.filter(({ state }) => state === "released").map(({ key }) => key);
  // No key is paid for again once its values are kept, so nothing is spent twice.
  expect(new Set(released).size).toBe(released.length);
  const ids = new Set<number>();
  for (const line of await told(at)) {
    if (line[0] === "granted") {
      // A grant is used once, and none that was told of is lost.
      expect(ids.has(line[1])).toBe(false);
      ids.add(line[1]);
      expect(granted.get(line[1])).toBe(line[2]);
    } else {
      // What was shown was paid for, is kept, and never changes.
      expect(await ledger.find(line[1])?.values()).toEqual(line[2]);
    }
  }
  await ledger.close();
  return entries.length;
}

it(`a program that is killed ${KILLS} times loses nothing, spends nothing twice and shows nothing unpaid`, async () => {
  const base = await folder();
  const file = await compiled("child", base);
  let entries = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const at = join(base, `${Math.floor(kill / EACH)}`);
    await mkdir(at, { recursive: true });
    const child = await started(file, at, kill % 3 === 0 ? "large" : "small");
    await pause(Math.random() * 150);
    await killed(child);
    if (kill % 5 === 4) entries += await check(at);
    if (kill % EACH === EACH - 1) {
      const rest = (await readdir(at)).filter((name) => !/\.lock[.~]/.test(name)).sort();
      // On a busy machine no program may have been told anything yet.
      const left = rest.filter((name) => !name.endsWith(".new") && name !== "told");
      expect(left).toEqual(["account.json", "counter"]);
    }
  }
  // The programs did get somewhere between the kills.
  expect(entries).toBeGreaterThan(KILLS);
}, 600_000);
