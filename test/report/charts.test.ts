import { internalReport, report } from "marginalia/report";
import { expect, test } from "vitest";
import { bars } from "../../ts/evaluate/report/charts/bars.js";
import { heat, MOST_ATTRIBUTES } from "../../ts/evaluate/report/charts/heat.js";
import { compared, example, input, type Mark, marksOf, section } from "./support.js";

const values = (marks: readonly Mark[], series: string) =>
  marks.filter((mark) => mark["data-series"] === series).map((mark) => Number(mark["data-value"]));

test("the budget's parts are drawn as they are, largest first", () => {
  const marks = marksOf(section(report(input()), "cost"));
  expect(marks.map((mark) => [mark["data-row"], Number(mark["data-value"])])).toEqual([
    ["age × sex", 0.625],
    ["sex", 0.375],
  ]);
});

test("candidates are drawn by points lost: the chosen one, none, then the others", () => {
  const marks = marksOf(section(report(input()), "plan")).filter((mark) => mark["data-value"]);
  expect(marks.map((mark) => [mark["data-series"], Number(mark["data-value"])])).toEqual([
    ["plain", 1000 - 970.75],
    ["public", 1000 - 951.5],
    ["public", 1000 - 960.25],
  ]);
});

test("misfit stands beside noise, data beside prior, and records outside have their interval", () => {
  const marks = marksOf(section(report(input()), "model"));
  expect(values(marks, "plain")).toEqual([7.77, 3.21]);
  expect(values(marks, "tick")).toEqual([2.83, 5.64]);
  expect(values(marks, "synthetic")).toEqual([0.875, 0.125]);
  expect(values(marks, "public")).toEqual([0.125, 0.875]);
  const [dot] = marks.filter((mark) => mark["data-series"] === "dot");
  expect(Number(dot?.["data-value"])).toBe(-1.5);
  // 90 % of a normal law lie within 1.645 standard errors.
  expect(Number(dot?.["data-low"])).toBeCloseTo(-1.5 - 1.6449 * 4.25, 3);
  expect(Number(dot?.["data-high"])).toBeCloseTo(-1.5 + 1.6449 * 4.25, 3);
});

test("values of attributes are drawn as they are, the most changed attribute first", () => {
  const page = section(internalReport(input(), compared()), "attributes");
  const marks = marksOf(page);
  expect(values(marks, "public")).toEqual([0.5625, 0.25, 0.1875, 0.4, 0.6]);
  expect(values(marks, "private")).toEqual([0.53125, 0.28125, 0.1875, 0.46875, 0.53125]);
  expect(values(marks, "synthetic")).toEqual([0.5, 0.3125, 0.1875, 0.4375, 0.5625]);
  const [first] = marks.filter((mark) => mark["data-low"]);
  expect(Number(first?.["data-low"])).toBeCloseTo(0.51 - 1.6449 * 0.01, 6);
});

test("pairs and scores are drawn as they are, the baselines beside", () => {
  const page = internalReport(input(), compared());
  const cell = (id: string) => Number(marksOf(section(page, id))[0]?.["data-value"]);
  expect(cell("changes")).toBe(0.0875);
  expect(cell("errors")).toBe(0.0375 / 2);
  const marks = marksOf(section(page, "scores"));
  expect(marks.map((mark) => [mark["data-series"], Number(mark["data-value"])])).toEqual([
    ["synthetic", 18.75],
    ["public", 37.5],
    ["subsample", 9.875],
  ]);
});

test("bars begin at zero and are as long as their numbers", () => {
  const row = (label: string, value: number) => ({
    label,
    bars: [{ series: "plain" as const, value, words: "" }],
  });
  const marks = marksOf(`${bars("", [row("a", 1), row("b", 4), row("c", 0)])}`);
  expect(marks.map(({ x }) => x)).toEqual(["0", "0", "0"]);
  const [a, b, c] = marks.map(({ width }) => Number(width));
  expect(b).toBeCloseTo(4 * a!, 1);
  expect(c).toBe(0);
});

test("what is more than twelve categories is one bar that holds the rest", () => {
  const { oneWays, ...rest } = example();
  const labels = Array.from({ length: 20 }, (_, i) => `v${i}`);
  const even = labels.map(() => 0.05);
  const rising = labels.map((_, i) => (i + 1) / 210);
  const many = { attribute: "age", labels, synthetic: rising, public: even };
  const page = report({ ...input(), ...rest, oneWays: [many] });
  const synthetic = marksOf(section(page, "attributes")).filter((m) => m["data-series"] === "synthetic");
  expect(synthetic).toHaveLength(12);
  expect(synthetic.at(-1)?.["data-row"]).toBe("9 others together");
  const total = synthetic.reduce((sum, mark) => sum + Number(mark["data-value"]), 0);
  expect(total).toBeCloseTo(1, 12);
  // The table has them all.
  for (const label of labels) expect(page).toContain(`<bdi>${label}</bdi>`);
});

test("a heat map has the attributes that differ most, each pair once", () => {
  const names = Array.from({ length: 20 }, (_, i) => `a${i}`);
  const pairs = names.flatMap((a, i) =>
    names.slice(i + 1).map((b, j) => ({ attributes: [a, b] as const, value: (i + j + 1) / 100 })),
  );
  const marks = marksOf(`${heat("", pairs as never, String)}`);
  const drawn = new Set(marks.map((mark) => [mark["data-a"], mark["data-b"]].sort().join()));
  expect(drawn.size).toBe((MOST_ATTRIBUTES * (MOST_ATTRIBUTES - 1)) / 2);
  for (const mark of marks) {
    const of = pairs.find(({ attributes }) =>
      attributes.every((name) => [mark["data-a"], mark["data-b"]].includes(name)),
    );
    expect(Number(mark["data-value"])).toBe(of?.value);
  }
  expect(drawn.has("a0,a1")).toBe(false);
});
