import { adaptive, pure, readTable, seal } from "marginalia";
import { parseReportInput, report, reportInput } from "marginalia/report";
import { expect, test } from "vitest";
import { file, people } from "../../examples/survey.mjs";
import { ordered } from "../../ts/evaluate/report/charts/arcs.js";
import { roundsOf } from "../../ts/evaluate/report/gather.js";
import { byRounds, marksOf, section } from "./support.js";

const input = () => parseReportInput(JSON.parse(JSON.stringify(byRounds())));

test("rounds are drawn in their order, with what they measured; one that was lost is said", () => {
  const page = section(report(input()), "rounds");
  expect(marksOf(page).map((mark) => [mark["data-row"], Number(mark["data-value"])])).toEqual([
    ["1: age × sex", 0.0875],
    ["3: sex", 0.0625],
  ]);
  expect(page).toContain("3 rounds chose what to measure, each among 66 marginals");
  expect(page).toContain("1 round measured nothing");
  expect(page).toContain("noise ± 5.64");
});

test("what was measured together is drawn, with what its rounds got of the budget", () => {
  const kept = byRounds();
  expect(section(report(input()), "rounds")).not.toContain("What depends on what");
  const release = { ...kept.release, estimate: { status: "converged", estimator: "graphical" } };
  const page = section(report(parseReportInput({ ...kept, release })), "rounds");
  expect(page).toContain("What depends on what in the model");
  const links = marksOf(page).filter((mark) => mark.class === "link");
  expect(links.map((mark) => [mark["data-joins"], mark["data-value"]])).toEqual([["age sex", "1"]]);
  // Choosing and measuring in the one round that measured both: 1/30 + .3.
  expect(page.slice(page.indexOf("What was measured together"))).toContain("33.3");
});

test("attributes stand near what they are joined to, and those without a link last", () => {
  const link = (a: string, b: string, weight: number) => ({ names: [a, b], weight });
  const links = [link("a", "e", 1), link("c", "e", 0.5), link("d", "c", 0.2)];
  expect(ordered(links, ["a", "b", "c", "d", "e"])).toEqual(["c", "e", "a", "d", "b"]);
});

test("choices are charges too", () => {
  const page = section(report(input()), "cost");
  const marks = marksOf(page).map((mark) => [mark["data-row"], Number(mark["data-value"])]);
  expect(marks).toEqual([
    ["round 1: age × sex", 0.3],
    ["round 2: what was chosen", 0.3],
    ["round 3: sex", 0.3],
    ["round 1: choosing among 66", 1 / 30],
    ["round 2: choosing among 66", 1 / 30],
    ["round 3: choosing among 66", 1 / 30],
  ]);
});

test("measurements find their rounds by the account, where some were lost", () => {
  const measure = { law: "laplace", scale: "1", cost: "1", share: 1, variance: 2 };
  const select = { mechanism: "exponential", epsilon: "1", among: 3, cost: "1", share: 0 };
  const rounds = [1, 2, 3].map((round) => ({ round, select, measure }));
  const start = [{ clique: ["z"], answers: 2, ...measure }];
  const entry = (label: string, state = "released") => ({
    ...{ what: "", mechanism: "", cost: "1", state, details: { label } },
  });
  const plan = { label: "adaptive x", start, rounds };
  const all = [
    entry("adaptive x, start"),
    ...rounds.map(({ round }) => entry(`adaptive x, round ${round}: measure`)),
  ];
  const cliques = (...names: string[]) => names.map((name) => [name]);
  expect(roundsOf(plan, { entries: all }, cliques("z", "a", "b", "c"))).toEqual([0, 1, 2, 3]);
  const lost = all.map((one, i) => (i === 2 ? { ...one, state: "lost" } : one));
  expect(roundsOf(plan, { entries: lost }, cliques("z", "a", "c"))).toEqual([0, 1, 3]);
  expect(roundsOf(plan, { entries: lost.slice(1) }, cliques("a", "c"))).toEqual([1, 3]);
  // Of an account that somebody else uses too, only what is of this release.
  const others = [entry("adaptive y, round 2: measure"), entry("priorAware")];
  expect(roundsOf(plan, { entries: [...others, ...lost] }, cliques("z", "a", "c"))).toEqual([0, 1, 3]);
});

test.each([
  ["no rounds", { rounds: undefined }],
  ["something else in a round", { rounds: [{ ...byRounds().rounds[0], truth: 1 }] }],
])("what was kept of rounds is refused with %s", (_, change) => {
  expect(() => parseReportInput({ ...byRounds(), ...change })).toThrow(
    expect.objectContaining({ code: "OPTION_INVALID" }),
  );
});

test("the shipped survey by rounds: the page has what was chosen, in order", async () => {
  const prior = await readTable(file(2018), people);
  const data = await seal(file(2019), people, { dataset: "survey", unit: "row", budget: pure(2) });
  const attributes = ["age", "sex", "tenure", "employment"] as const;
  const mechanism = adaptive({ prior, attributes, rounds: 3, start: "one-ways" });
  const release = await mechanism.run(data);
  try {
    const made = await reportInput(release, { prior, seed: 1 });
    expect(parseReportInput(JSON.parse(JSON.stringify(made)))).toEqual(made);
    expect(made.rounds?.map(({ round }) => round)).toEqual([0, 0, 0, 0, 1, 2, 3]);
    expect(made.rounds?.map(({ clique }) => clique)).toEqual(
      release.measurements.map(({ clique }) => [...clique]),
    );
    const page = report(made);
    expect(new TextEncoder().encode(page).length).toBeLessThan(300_000);
    const drawn = marksOf(section(page, "rounds")).map((mark) => mark["data-row"]);
    expect(drawn).toEqual(
      release.measurements.map(({ clique }, i) => `${i < 4 ? "before" : i - 3}: ${clique.join(" × ")}`),
    );
  } finally {
    for (const one of [release, mechanism, prior]) one.dispose();
    await data.close();
  }
}, 60_000);
