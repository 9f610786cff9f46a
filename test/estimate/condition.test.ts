import fc from "fast-check";
import {
  boolean,
  category,
  date,
  estimate,
  integer,
  measurement,
  number,
  prior,
  readTable,
  type SupportModel,
  schema,
} from "marginalia";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { codeOf } from "./support.js";

const people = schema(
  {
    sex: category(["F", "M"], { other: null }),
    age: integer({ min: 0, max: 99, cuts: [18, 65], other: "clamp", nullable: true }),
    size: integer({ min: 1, max: 4, other: "clamp" }),
    hours: number({ cuts: [0, 20, 37.5, 60], other: "clamp" }),
    carer: boolean({ texts: ["no", "yes"] }),
    arrived: date({ from: "2016-03-01", to: "2019-12-31", step: "year", other: "clamp", nullable: true }),
    area: category(["AR1", "AR2", "BE1"]),
  },
  { derive: { state: { from: "area", prefix: 2 } } },
);
type Names = "sex" | "age" | "size" | "hours" | "carer" | "arrived" | "area" | "state";

const rows = Array.from({ length: 200 }, (_, i) => ({
  sex: ["F", "M", "X"][(i * 7) % 3],
  age: i % 11 === 0 ? null : (i * 37) % 120,
  size: 1 + (i % 5),
  hours: (i * 13) % 70,
  carer: i % 4 === 0 ? "yes" : "no",
  arrived: i % 5 === 0 ? null : `${2015 + (i % 6)}-0${1 + (i % 9)}-11`,
  area: ["AR1", "AR2", "BE1"][(i * i) % 3],
}));

let model: SupportModel<typeof people>;
const open: Disposable[] = [];
beforeAll(async () => {
  const table = await readTable(rows, people);
  const start = await prior(table);
  const shape = [people.size("sex")];
  const noise = { law: "laplace", scale: "1", variance: 2 } as const;
  const values = [60, 70, 40];
  const one = measurement({
    version: 1,
    clique: ["sex"],
    query: { type: "identity" },
    shape,
    values,
    noise,
    relation: "add-remove",
  });
  model = (await estimate.calibrated({ prior: start, measurements: [one], strength: 20 })).model;
  open.push(table, start, model);
});
afterAll(() => {
  for (const one of open) one[Symbol.dispose]();
});

/** The records that meet a condition, by the rows of the model as a file has them. */
async function brute(meets: (row: Record<Names, string>) => boolean): Promise<number> {
  using table = await model.table();
  const codes = new Map<string, ArrayLike<number>>();
  for (const name of people.names as Names[]) codes.set(name, await table.codes(name));
  const weights = (await table.weights()) as Float64Array;
  return weights.reduce((sum, weight, i) => {
    const of = (name: string) => people.labels(name as Names)[codes.get(name)?.[i] as number];
    const row = Object.fromEntries(people.names.map((name) => [name, `${of(name)}`]));
    return meets(row as Record<Names, string>) ? sum + weight : sum;
  }, 0);
}

describe("a part of a model", () => {
  it.each([
    [{ sex: "F" }, (row: Record<Names, string>) => row.sex === "F"],
    [{ sex: null }, (row) => row.sex === "null"],
    [{ sex: ["F", null] }, (row) => row.sex !== "M"],
    [{ age: { from: 18, to: 64 } }, (row) => row.age === "18..64"],
    [{ age: { from: 18 } }, (row) => row.age === "18..64" || row.age === "65..99"],
    [{ age: { to: 17 } }, (row) => row.age === "0..17"],
    [{ age: "65..99", carer: true }, (row) => row.age === "65..99" && row.carer === "yes"],
    [{ carer: "no" }, (row) => row.carer === "no"],
    [{ size: 3 }, (row) => row.size === "3"],
    [{ size: { from: 2, to: 3 } }, (row) => row.size === "2" || row.size === "3"],
    [{ hours: { from: 20 } }, (row) => row.hours !== "[0, 20)"],
    [{ hours: { from: 0, to: 37.5 } }, (row) => row.hours !== "[37.5, 60]"],
    [{ arrived: { from: "2017-01-01", to: "2018-12-31" } }, (row) => /^201[78]/.test(row.arrived)],
    [{ arrived: { to: "2016-12-31" } }, (row) => /^2016/.test(row.arrived)],
    [{ state: "AR", sex: undefined }, (row) => row.area !== "BE1"],
    [{}, () => true],
  ] as [object, (row: Record<Names, string>) => boolean][])(
    "%j is what its rows say",
    async (condition, meets) => {
      using part = await model.where(condition as never);
      const expected = await brute(meets);
      expect(part.total).toBeCloseTo(expected, 9);
      const cells = await part.marginal(["sex", "age"]);
      expect(cells.reduce((a, b) => a + b)).toBeCloseTo(expected, 9);
      const shares = await part.marginal(["area"], { normalize: true });
      expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 12);
      expect(shares[0]).toBeCloseTo((await brute((row) => meets(row) && row.area === "AR1")) / expected, 9);
    },
  );

  it("of a part is both at once, and the parts make the whole", async () => {
    const texts = (name: "sex" | "area" | "age") => fc.subarray([...people.labels(name)], { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(texts("sex"), texts("area"), texts("age"), async (sex, area, age) => {
        const total = async (condition: object) => {
          try {
            using part = await model.where(condition as never);
            return part.total;
          } catch (error) {
            expect(error).toMatchObject({ code: "CONDITION_IMPOSSIBLE" });
            return 0;
          }
        };
        const both = await total({ sex, area, age });
        using first = await model.where({ sex: sex as ["F"] });
        using second = await first.where({ area: area as ["AR1"], age: age as never }).catch(() => ({
          total: 0,
          [Symbol.dispose]() {},
        }));
        expect(second.total).toBeCloseTo(both, 9);
        const apart = await Promise.all(sex.map((one) => total({ sex: one, area, age })));
        expect(apart.reduce((a, b) => a + b, 0)).toBeCloseTo(both, 9);
      }),
      { numRuns: 40 },
    );
  });
});

describe("what is refused", () => {
  it.each([
    [{ sex: "X" }, "CONDITION_IMPOSSIBLE"],
    [{ sex: [] }, "CONDITION_IMPOSSIBLE"],
    [{ area: null }, "CONDITION_IMPOSSIBLE"],
    [{ size: 9 }, "CONDITION_IMPOSSIBLE"],
    [{ age: { from: 200 } }, "CONDITION_IMPOSSIBLE"],
    [{ age: { from: 64, to: 18 } }, "CONDITION_IMPOSSIBLE"],
    [{ state: "XX" }, "CONDITION_IMPOSSIBLE"],
    [
      { sex: "F", area: "AR1", age: "0..17", size: 1, hours: "[0, 20)", carer: "yes", arrived: null },
      "CONDITION_IMPOSSIBLE",
    ],
    [{ age: 30 }, "OPTION_INVALID"],
    [{ age: { from: 20, to: 64 } }, "OPTION_INVALID"],
    [{ hours: { to: 30 } }, "OPTION_INVALID"],
    [{ arrived: { from: "2017-02-01" } }, "OPTION_INVALID"],
    [{ arrived: { from: "yesterday" } }, "OPTION_INVALID"],
    [{ arrived: { from: 2017 } }, "OPTION_INVALID"],
    [{ age: { from: "18" } }, "OPTION_INVALID"],
    [{ age: { from: Number.NaN } }, "OPTION_INVALID"],
    [{ age: {} }, "OPTION_INVALID"],
    [{ age: { above: 18 } }, "OPTION_INVALID"],
    [{ sex: { from: "F" } }, "OPTION_INVALID"],
    [{ sex: [["F"]] }, "OPTION_INVALID"],
    [[], "OPTION_INVALID"],
    [null, "OPTION_INVALID"],
    [{ nobody: 1 }, "ATTRIBUTE_UNKNOWN"],
  ])("%j", async (condition, code) => {
    expect(await codeOf(model.where(condition as never))).toBe(code);
  });

  it("a message quotes nothing", async () => {
    const error = await model.where({ sex: "secret" as "F" }).catch((thrown: Error) => thrown);
    expect((error as Error).message).not.toContain("secret");
  });
});
