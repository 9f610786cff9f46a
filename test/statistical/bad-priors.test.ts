// A prior of groups that is wrong does little harm: by the mean of several releases, as each has its own noise.

import { readFileSync } from "node:fs";
import { priorAware, pure, readTable } from "marginalia";
import { describe, expect, it } from "vitest";
import { file, kept, people, type publicYear, sealing } from "../mechanisms/support.js";

describe("a bad prior of groups", () => {
  const RELEASES = 8;

  /** The public year with the values of some columns taken from other rows, and with all weight on few values. */
  async function spoilt(columns: readonly string[]) {
    const [header, ...rows] = readFileSync(file(2018), "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => line.split(","));
    const at = columns.map((name) => (header as string[]).indexOf(name));
    const apart = rows.map((row, i) =>
      row.map((value, column) => {
        const of = at.indexOf(column);
        return of < 0 ? value : ((rows[(i + 1777 * (of + 1)) % rows.length] as string[])[column] as string);
      }),
    );
    const text = [header as string[], ...apart].map((row) => row.join(",")).join("\n");
    return readTable(new Blob([`${text}\n`]), people);
  }

  /** The mean distance of the measured one-ways of the areas from the truth. */
  async function off(
    from: Awaited<ReturnType<typeof spoilt>>,
    strength: number | undefined,
    epsilon: number,
  ) {
    const asked = ["tenure", "employment", "age"] as const;
    const level = { count: 1, share: 4, ...(strength !== undefined && { strength }) };
    const one = kept(
      priorAware<typeof people>({
        prior: from,
        groups: [
          { by: ["state"], workload: [["tenure", "employment"], ["age"]], ...level },
          { by: ["area"], workload: asked.map((name) => [name]), ...level },
        ],
      }),
    );
    const release = kept(await one.run(await sealing({ budget: pure(epsilon) })));
    const truth = kept(await readTable(file(2019), people));
    let all = 0;
    for (const name of asked) {
      const [ours, theirs] = [await release.marginal(["area", name]), await truth.marginal(["area", name])];
      all += ours.reduce((so, cell, i) => so + Math.abs(cell - (theirs[i] as number)), 0) / truth.rows;
    }
    return all / asked.length;
  }

  it.each([
    ["areas are permuted", ["area"]],
    ["what matters is permuted", ["tenure", "employment", "age"]],
  ])("does no notable harm: %s", async (_, columns) => {
    const bad = kept(await spoilt(columns));
    const uniform = kept(await uniformOf(bad));
    for (const epsilon of [1, 8]) {
      let [ours, ignoring] = [0, 0];
      for (let release = 0; release < RELEASES; release++) {
        ours += (await off(bad, undefined, epsilon)) / RELEASES;
        ignoring += (await off(uniform, undefined, epsilon)) / RELEASES;
      }
      // At ε = 1 the difference of two releases has a standard deviation of .007, and this allows .0098: of eight each that is
      // four standard deviations, a false alarm in 30,000 runs.
      expect(ours, `${columns} at ${epsilon}`).toBeLessThan(1.1 * ignoring + 0.003);
      // Whoever believes such a table does much worse.
      expect(ours, `${columns} at ${epsilon}`).toBeLessThan(0.7 * (await off(bad, 1e5, epsilon)));
    }
  });
});

/** The same rows, each once. */
async function uniformOf(table: Awaited<ReturnType<typeof publicYear>>) {
  const lines = (await table.toCsv()).trimEnd().split("\n");
  return readTable(new Blob([`${[...new Set(lines)].join("\n")}\n`]), people);
}
