// A run that measures and selects, as it would be started again after an interruption:  child <package> <folder>
// Whatever it has been shown it writes down in a file of its own, which no buffer of the process holds back.

import { appendFileSync } from "node:fs";
import { join } from "node:path";

const [, , entry = "", folder = ""] = process.argv;
const { category, integer, pure, schema, seal, workload }: typeof import("marginalia") = await import(entry);

const people = schema({
  age: integer({ min: 0, max: 9, other: "clamp", nullable: true }),
  sex: category(["F", "M"], { other: null }),
});
const tell = (...words: unknown[]) => appendFileSync(join(folder, "told"), `\n${JSON.stringify(words)}\n`);

process.stdout.write("ready\n");
const sealed = await seal(new Blob(["age,sex\n", "1,F\n".repeat(20_000)]), people, {
  dataset: "d",
  unit: "row",
  budget: pure(1_000_000),
  ledger: { path: join(folder, "account.json"), counter: join(folder, "counter") },
});
/** Each name is one call of the program, the same whenever it is run. */
const one = async (name: string, clique: readonly ("age" | "sex")[], label?: string) => {
  const list = await sealed.measure([{ clique, scale: 10 }], label === undefined ? {} : { label });
  tell(name, JSON.stringify(list));
};
const cells = workload(people, [["age", "sex"]]);
const answers = new Float64Array(cells.cells);
/** So little is spent that any cell may be selected. */
const choose = async (name: string, label?: string) => {
  const asked = { workload: cells, answers, candidates: "cells", spend: "1/1000" } as const;
  const { place, cell } = await sealed.select(label === undefined ? asked : { ...asked, label });
  tell(name, JSON.stringify({ clique: place, cell }));
};
for (let i = 0; ; i++) {
  await one(`age ${i}`, ["age"]);
  await Promise.all([
    one(`both ${i}`, ["age", "sex"]),
    choose(`cell ${i}`),
    one(`age of ${i}`, ["age"], `${i}`),
    choose(`cell of ${i}`, `${i}`),
  ]);
}
