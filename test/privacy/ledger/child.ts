// A program that spends, draws and shows, to be killed at any moment:  child <folder> <name>
// Whatever it has been told, it writes down as a line of its own file, which no buffer of the process holds back.

import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { type Entry, fileStore, Ledger } from "../../../ts/privacy/ledger/index.js";
import { charge, header } from "./header.js";

const [, , folder = "", name = ""] = process.argv;
const tell = (...words: unknown[]) => appendFileSync(join(folder, "told"), `\n${JSON.stringify(words)}\n`);

/** Noise that no two draws share. */
const draw = () => Array.from(crypto.getRandomValues(new Uint32Array(name === "large" ? 16_000 : 50)));

async function session(): Promise<void> {
  const place = { path: join(folder, "account.json"), counter: join(folder, "counter") };
  const ledger = await Ledger.open(header, await fileStore(place));
  const next = ledger.entries().filter(({ state }: Entry) => state === "released").length;
  const one = async (key: string) => {
    const before = ledger.find(key);
    if (before) return tell("shown", key, await before.values());
    const id = await ledger.grant(charge(key));
    tell("granted", id, key);
    const values = draw();
    await ledger.journal(id, values);
    tell("shown", key, values);
  };
  await one(`k${next - 1}`);
  await one(`k${next}`);
  await Promise.all([one(`k${next + 1}`), one(`k${next + 2}`)]);
  await ledger.close();
}

process.stdout.write("ready\n");
for (;;) await session();
