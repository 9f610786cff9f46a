import { category, close, estimate, type GraphicalErrors, measurement, prior, schema } from "marginalia";
import { afterAll, expect, expectTypeOf, it } from "vitest";
import { cells, codeOf, tableOf } from "./support.js";

afterAll(() => close());

const people = schema(
  { area: category(["AR1", "AR2", "BE1"]), sex: category(["F", "M"]), job: category(["x", "y", "z"]) },
  { derive: { state: { from: "area", prefix: 2 } } },
);
const LEFT = [100, 200, 50, 250, 150, 250];
const prefix = (values: readonly number[]) =>
  measurement({
    version: 1,
    clique: ["sex", "job"],
    query: { type: "prefix" },
    shape: [2, 3],
    values,
    noise: { law: "gaussian", scale: "6", variance: 36 },
    relation: "add-remove",
  });
const measured = (left = LEFT) => [
  cells(people, ["area", "sex"], left, 50),
  prefix([90, 180, 290, 700, 900, 1010]),
];
const fitted = (left?: number[]) =>
  estimate.calibrated({ schema: people, measurements: measured(left), strength: 20, tolerance: 1e-12 });

/** One question of each sort; whether measurements imply its answers. */
const QUESTIONS = [
  [{ clique: ["area", "sex"] }, true],
  [{ clique: ["sex", "state"] }, true],
  [{ clique: ["job"] }, true],
  [{ clique: ["area", "job"] }, false],
  [{ clique: ["job"], query: { type: "matrix", rows: [[1, -1, 0]] } }, true],
] as const;
const questions = QUESTIONS.map(([question]) => question) as never[];

it("standard errors are what moving each answer does, and say what they are of", async () => {
  using center = await fitted();
  const errors = await center.model.answer(questions, { standardErrors: "noise" });
  expectTypeOf(errors).toEqualTypeOf<GraphicalErrors[]>();
  const squares = errors.map(({ values }) => values.map(() => 0));
  const step = 0.5;
  // Of the first measurement by differences; of the second none is larger than all of them.
  for (const cell of LEFT.keys()) {
    const moved = async (by: number) => {
      using fit = await fitted(LEFT.map((value, at) => (at === cell ? value + by : value)));
      return fit.model.answer(questions);
    };
    const [up, down] = [await moved(step), await moved(-step)];
    squares.forEach((one, i) => {
      one.forEach((_, at) => {
        one[at]! += 50 * (((up[i]![at] as number) - (down[i]![at] as number)) / (2 * step)) ** 2;
      });
    });
  }
  // The total moves with every answer, and with it what no answer of the second measurement says.
  errors.forEach(({ standardErrors }, i) => {
    standardErrors.forEach((error, at) => {
      expect(error).toBeGreaterThan(0.98 * Math.sqrt(squares[i]![at] as number));
    });
  });
  const all = await center.model.answer(questions, { standardErrors: "all" });
  all.forEach(({ standardErrors, of }, i) => {
    expect(of).toBe(QUESTIONS[i]![1] ? "all" : "noise");
    const noise = errors[i]!.standardErrors;
    standardErrors.forEach((error, at) => {
      if (of === "noise") expect(error).toBe(noise[at]);
      else expect(error).toBeGreaterThan(noise[at] as number);
    });
  });
});

it("parts and shares have their own, and what is not known is refused", async () => {
  using fit = await fitted();
  using women = await fit.model.where({ sex: "F" });
  using young = await women.where({ state: "AR" });
  const [of, shares] = [
    await young.marginal(["area"], { standardErrors: "all" }),
    await young.marginal(["area"], { standardErrors: "all", normalize: true }),
  ];
  expect([of.of, shares.of]).toEqual(["all", "all"]);
  const whole = await fit.model.marginal(["area", "sex"], { standardErrors: "all" });
  expect(of.standardErrors[0]).toBeCloseTo(whole.standardErrors[0] as number, 6);
  expect(of.standardErrors[2]).toBe(0);
  expect(shares.standardErrors[0]).toBeCloseTo(shares.standardErrors[1] as number, 9);
  using jobs = await fit.model.where({ job: "x" });
  expect((await jobs.marginal(["area"], { standardErrors: "all" })).of).toBe("noise");
  expect(await codeOf(fit.model.marginal(["sex"], { standardErrors: true } as never))).toBe("OPTION_INVALID");
  using descended = await estimate.mirrorDescent({ schema: people, measurements: measured() });
  expect(await codeOf(descended.model.marginal(["sex"], { standardErrors: "noise" }))).toBe(
    "QUERY_UNSUPPORTED",
  );
});

it("what a prior knows is not the model's own", async () => {
  const known = schema({ area: people.attributes.area, sex: people.attributes.sex });
  const rows = [0, 1, 2].flatMap((area) => [0, 1].map((sex) => [area, sex]));
  const labels = rows.map(([area, sex]) => [known.labels("area")[area!], known.labels("sex")[sex!]]);
  using table = await tableOf(known, labels as never, LEFT);
  using before = await prior(table, { strength: 500 });
  const errors = async (options: object) => {
    using fit = await estimate.calibrated({
      schema: people,
      measurements: measured(),
      strength: 20_000,
      ...options,
    });
    return (await fit.model.marginal(["area"], { standardErrors: "noise" })).standardErrors[0] as number;
  };
  // Near to a prior the shares of single attributes move less with the answers than where they are the model's own.
  expect(await errors({ prior: before })).toBeLessThan(0.6 * (await errors({})));
});
