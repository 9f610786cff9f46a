import { readFileSync } from "node:fs";
import { type NameOf, readTable } from "marginalia";
import { describe, expect, it } from "vitest";
import { file, survey } from "../../examples/survey.mjs";

type Name = NameOf<typeof survey>;
interface Golden {
  rows: number;
  /** Cells that occur: a text for each attribute (of a bin, where it begins), then the count. */
  marginals: { attributes: Name[]; cells: (string | null | number)[][] }[];
}

/** Where a bin begins: `"15..24"` and `"[15, 25)"` both at `"15"`. */
const begin = (label: string | null) => label && (/^\[([^,]+),/.exec(label)?.[1] ?? label.split("..")[0]);

/** The cells that occur, as the golden file has them. */
function named(attributes: readonly Name[], counts: Float64Array): unknown[][] {
  const labels = attributes.map((name) => survey.labels(name));
  return Array.from(counts, (count, cell) => {
    let rest = cell;
    const texts = labels.toReversed().map((of) => {
      const label = of[rest % of.length] ?? null;
      rest = Math.floor(rest / of.length);
      return begin(label);
    });
    return [...texts.reverse(), count];
  }).filter((row) => row.at(-1) !== 0);
}

const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort();

describe("the shipped survey", () => {
  it("has the marginals that another implementation counted", async () => {
    const golden = JSON.parse(readFileSync("test/golden/survey-2019-counts.json", "utf8")) as Golden;
    using table = await readTable(file(2019), survey);
    expect(table.rows).toBe(golden.rows);
    expect(golden.marginals.length).toBeGreaterThan(20);
    for (const { attributes, cells } of golden.marginals) {
      expect(sorted(named(attributes, await table.marginal(attributes))), attributes.join()).toEqual(
        sorted(cells),
      );
    }
  });
});
