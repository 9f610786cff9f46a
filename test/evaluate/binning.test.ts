import { describe, expect, it } from "vitest";
import { binnerOf, canonical, densityEdges, numberOf } from "../../ts/evaluate/binning.js";
import { TextColumn } from "../../ts/evaluate/columns.js";

function column(texts: Iterable<string | number>): TextColumn {
  const made = new TextColumn();
  for (const text of texts) made.add(`${text}`);
  return made;
}

const upTo = (last: number) => Array.from({ length: last + 1 }, (_, i) => i);
const dictionary = { AGE: { values: { min: 0, max: 200 } }, KIDS: { values: { min: 0, max: 20 } } };
const binned = (
  truth: Iterable<string | number>,
  other: Iterable<string | number>,
  given = {},
  name = "AGE",
) => binnerOf(name, [column(truth), column(other)], dictionary, given);

describe("bins", () => {
  it("are twenty percentiles of the true numbers, closed on the right, the first on both sides", () => {
    const bin = binned(upTo(100), []);
    expect(["0", "5", "6", "10", "11", "95", "96", "100"].map(bin)).toEqual([1, 1, 2, 2, 3, 19, 20, 20]);
  });

  it("take the next number up where a percentile falls between two", () => {
    // Twelve numbers: 5 % is at .55, so the second; 10 % at 1.1, the third; 95 % at 10.45, the last.
    const bin = binned(upTo(11), []);
    expect(["0", "1", "2", "11"].map(bin)).toEqual([1, 1, 2, 11]);
  });

  it("are one fewer for each side on which the other file goes beyond, which has a bin of its own", () => {
    const bin = binned(upTo(100), [-3, 150]);
    // 18 bins: the edges lie at 100·i/18, one up: 0, 6, 12, 17, …, 95, 100.
    expect(["-3", "0", "6", "7", "12", "13", "17", "100", "150"].map(bin)).toEqual([
      0, 1, 1, 2, 2, 3, 3, 18, 19,
    ]);
  });

  it("are one fewer for each code that is no number, which is a value of its own", () => {
    const nulls = { AGE: { values: { min: 0, max: 200, N: "none", "0": "zero" } } };
    const bin = binnerOf("AGE", [column([...upTo(100), "N"]), column([])], nulls, {});
    expect(["N", "6", "7", "100"].map(bin)).toEqual(["N", 1, 2, 18]);
  });

  it("leave narrow ranges and columns that the dictionary does not know as they are", () => {
    expect(binned(upTo(20), [], {}, "KIDS")("7.0")).toBe("7");
    expect(binned(upTo(20), [], {}, "OTHER")("0x7")).toBe("0x7");
    expect(["03", "3.0", "3.5", "25-00503", "", "1e2"].map(canonical)).toEqual([
      "3",
      "3",
      "3.5",
      "25-00503",
      "",
      "100",
    ]);
  });

  it("lie between given edges, and what is beyond belongs to the ends", () => {
    const bin = binned([], [], { AGE: [0, 10, 20] });
    expect(["-1", "0", "10", "10.5", "20", "99", "N"].map(bin)).toEqual([1, 1, 1, 2, 2, 2, "N"]);
  });

  it("of DENSITY are fourteen, even in the logarithm above 150", () => {
    const edges = densityEdges(52_864.7);
    expect(edges).toHaveLength(15);
    expect(edges.slice(0, 2)).toEqual([0, 150]);
    expect(edges.at(-1)).toBeCloseTo(53_364.7, 6);
    const ratios = edges.slice(3).map((edge, i) => edge / (edges[i + 2] as number));
    for (const ratio of ratios) expect(ratio).toBeCloseTo(5336.47 ** (1 / 20), 10);
  });
});

describe("numbers", () => {
  it("are decimals and nothing else", () => {
    expect(["1", "-2.5", ".5", "5.", " 7 ", "1e3"].map(numberOf)).toEqual([1, -2.5, 0.5, 5, 7, 1000]);
    for (const text of ["", " ", "N", "0x10", "Infinity", "NaN", "1,5", "1 2"])
      expect(numberOf(text)).toBeUndefined();
  });
});
