import { category, close, estimate, integer, prior, readTable, schema, workload } from "marginalia";
import { afterAll, expect, it } from "vitest";
import { cells, codeOf } from "./support.js";

afterAll(() => close());

const people = schema({
  age: integer({ min: 0, max: 79, width: 20 }),
  area: category(["AR1", "AR2", "BE1", "BE2"]),
  state: category(["AR", "BE"]),
  job: category(["none", "pension", "wage"]),
});
const RULES = {
  deny: [{ age: { to: 19 }, job: ["pension", "wage"] }],
  allow: [
    [
      { area: ["AR1", "BE1"], job: ["none", "wage"] },
      { area: ["AR2", "BE2"], age: { from: 20 } },
    ],
  ],
  mapping: [{ from: "area", to: "state", map: { AR1: "AR", AR2: "AR", BE1: "BE", BE2: "BE" } }],
} as const;
const counts = (names: readonly (keyof typeof people.attributes)[]) =>
  Array.from({ length: people.cells(names) }, (_, cell) => 200 + ((cell * 7919) % 301));
const MEASURED = [
  cells(people, ["age", "job"], counts(["age", "job"]), 400),
  cells(people, ["state", "age"], counts(["state", "age"]), 400),
];

/** Whether a record of codes keeps all rules. */
const keeps = (age: number, area: number, state: number, job: number) =>
  !(age === 0 && job > 0) && (area % 2 === 0 ? job !== 1 : age > 0) && state === Math.floor(area / 2);
const ALL = workload(people, [["age", "area", "state", "job"]]);
/** The cells of all attributes that hold records and break a rule, and those that keep all and hold none. */
const wrong = (list: ArrayLike<number>) => {
  const [broken, empty]: [number[], number[]] = [[], []];
  for (let cell = 0; cell < list.length; cell++) {
    const codes = [
      Math.floor(cell / 24),
      Math.floor(cell / 6) % 4,
      Math.floor(cell / 3) % 2,
      cell % 3,
    ] as const;
    if (!keeps(...codes) && list[cell] !== 0) broken.push(cell);
    if (keeps(...codes) && list[cell] === 0) empty.push(cell);
  }
  return { broken, empty };
};
const kept = { broken: [], empty: [] };

it("no answer and no record of a graphical model breaks a rule", async () => {
  using fit = await estimate.calibrated({ schema: people, measurements: MEASURED, ...RULES });
  const [all] = await fit.model.answer(ALL);
  expect(wrong(all as Float64Array)).toEqual(kept);
  using records = await fit.model.complete(Array.from({ length: 1_000_000 }, () => ({})));
  const [found] = await records.answer(ALL);
  expect(wrong(found as Float64Array)).toEqual(kept);
  using part = await fit.model.where({ state: "BE", job: "wage" });
  expect(wrong((await part.answer(ALL))[0] as Float64Array).broken).toEqual([]);
  const { values, of } = await fit.model.marginal(["age", "job"], { standardErrors: "all" });
  expect([values[1], of]).toEqual([0, "all"]);
}, 120_000);

it("nor does a model on rows have rows that do", async () => {
  const columns: Record<string, unknown[]> = { age: [], area: [], state: [], job: [] };
  for (const age of [10, 30, 50, 70])
    for (const area of people.labels("area"))
      for (const state of people.labels("state"))
        for (const job of people.labels("job"))
          for (const [name, value] of Object.entries({ age, area, state, job })) columns[name]!.push(value);
  using table = await readTable(columns as never, people);
  using before = await prior(table);
  using fit = await estimate.calibrated({ prior: before, measurements: MEASURED, ...RULES });
  expect(wrong((await fit.model.answer(ALL))[0] as Float64Array)).toEqual(kept);
  expect(fit.model.prior.rows).toBeLessThan(before.rows);
  const nothing = {
    prior: before,
    measurements: MEASURED,
    allow: [[{ job: "none" }], [{ job: "wage" }]],
  } as const;
  expect(await codeOf(estimate.calibrated(nothing))).toBe("OPTION_INVALID");
});

it("rules that contradict each other, or name what is not there, are refused by name", async () => {
  const refused = async (rules: object) => {
    const options = { schema: people, measurements: MEASURED, ...rules };
    return estimate.calibrated(options as never).then(
      () => "",
      (error) => `${error.code}: ${error.message}`,
    );
  };
  const { mapping } = RULES;
  expect(
    await refused({
      ...RULES,
      allow: [[{ area: "AR1", job: "none" }]],
      deny: [{ state: "AR" }, { age: { to: 19 } }],
    }),
  ).toMatch(/^OPTION_INVALID: .*\(state\) and \(area, job\) and \(area, state\) say together/);
  expect(
    await refused({
      mapping: [...mapping, { ...mapping[0], map: { AR1: "BE", AR2: "BE", BE1: "AR", BE2: "AR" } }],
    }),
  ).toContain("(area, state) and (area, state)");
  expect(await refused({ mapping: [{ ...mapping[0], map: { AR1: "AR" } }] })).toContain(
    'of area to state has nothing for "AR2"',
  );
  expect(await refused({ mapping: [{ ...mapping[0], map: { ...mapping[0].map, BE2: "CE" } }] })).toContain(
    '"CE"',
  );
  expect(await refused({ deny: [{}] })).toContain("OPTION_INVALID");
  expect(await refused({ deny: { age: 3 } })).toContain("OPTION_INVALID");
  expect(await refused({ allow: [{ job: "none" }] })).toContain("OPTION_INVALID");
  expect(await refused({ deny: [{ age: 3 }] })).toContain("cuts a bin");
});

it("attributes that follow take no place, so that many of them still fit", async () => {
  const codes = Array.from({ length: 2000 }, (_, i) => `c${i}`);
  const classes = Array.from({ length: 150 }, (_, i) => `k${i}`);
  const map = Object.fromEntries(codes.map((code, i) => [code, classes[i % 150] as string]));
  const wide = schema({
    code: category(codes),
    one: category(classes),
    two: category(classes),
    sex: category(["F", "M"]),
  });
  const flat = (names: (keyof typeof wide.attributes)[]) =>
    cells(wide, names, new Array(wide.cells(names)).fill(3));
  const measurements = [flat(["one", "sex"]), flat(["two", "sex"]), flat(["code"])];
  const mapping = [
    { from: "code", to: "one", map },
    { from: "one", to: "two", map: Object.fromEntries(classes.map((one) => [one, one])) },
  ] as const;
  using fit = await estimate.calibrated({ schema: wide, measurements, mapping });
  const [pair] = await fit.model.answer(workload(wide, [["one", "two"]]));
  (pair as Float64Array).forEach((count, cell) => {
    expect(count > 0).toBe(Math.floor(cell / 150) === cell % 150);
  });
});
