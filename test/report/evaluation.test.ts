import { evaluationReport } from "marginalia/report";
import { expect, test } from "vitest";
import { compared, input, marksOf, section } from "./support.js";

const MARK = "internal: not differentially private";
const { oneWays } = input();

test("comparisons without a release are a page of their own, each part marked", () => {
  const page = evaluationReport({ ...compared(), beside: oneWays }, { title: "Judged", date: "today" });
  const ids = Array.from(page.matchAll(/<section id="(\w+)">/g), ([, id]) => id);
  expect(ids).toEqual(["scores", "errors", "attributes"]);
  for (const id of ids) expect(section(page, id as string)).toContain(MARK);
  expect(page).toContain(`<title>${MARK} – Judged</title>`);
  expect(page).toContain("today");
  const marks = marksOf(section(page, "attributes"));
  const of = (series: string) =>
    marks.filter((mark) => mark["data-series"] === series).map((mark) => Number(mark["data-value"]));
  expect(of("private")).toEqual([0.53125, 0.28125, 0.1875, 0.46875, 0.53125]);
  expect(of("public").length).toBe(5);
});

test("without a public table it has the scores alone", () => {
  const page = evaluationReport(compared());
  expect(page).not.toContain('<section id="attributes">');
  expect(page).toContain("Evaluation of a synthetic table");
});
