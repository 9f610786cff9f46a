import {
  category,
  estimate,
  prior,
  readTable,
  type Schema,
  type SupportModel,
  schema,
  workload,
} from "marginalia";
import { afterAll, describe, expect, it } from "vitest";
import { gathered, possible } from "../../ts/estimate/cells.js";
import { worthOf } from "../../ts/estimate/uncovered.js";
import { cells } from "./support.js";

const open: Disposable[] = [];
const kept = <T extends Disposable>(one: T): T => {
  open.push(one);
  return one;
};
afterAll(() => {
  for (const one of open) one[Symbol.dispose]();
});

const people = schema(
  {
    area: category(["N1", "N2", "S1"]),
    job: category(["a", "b", "c", "d"]),
    pets: category(["none", "some"]),
  },
  {
    derive: {
      side: { from: "area", prefix: 1 },
      kind: { from: "job", map: { a: "x", b: "x", c: "y", d: "y" } },
    },
  },
);
/** Public rows: nobody in S1 has job d, and nobody anywhere has job b and some pets. */
const rows = ["N1", "N2", "S1"].flatMap((area) =>
  ["a", "b", "c", "d"].flatMap((job) =>
    ["none", "some"]
      .filter((pets) => !(area === "S1" && job === "d") && !(job === "b" && pets === "some"))
      .flatMap((pets) => [0, 1, 2, 3, 4].map(() => ({ area, job, pets }))),
  ),
);
const ALL = workload(people as Schema, [["area", "job", "pets"]]).clique(0);

async function fitted(
  measured: Parameters<typeof estimate.calibrated>[0]["measurements"] = [],
): Promise<SupportModel> {
  const table = kept(await readTable(rows, people));
  const start = kept(await prior(table));
  const total = [400, 300, 300];
  const measurements = [cells(people, ["area"], total, 50), ...measured];
  return kept(
    (await estimate.calibrated({ prior: start, measurements, strength: 90, total: 1000 })).model,
  ) as SupportModel;
}

/** The labels of the uncovered cells of a clique. */
async function missed(model: SupportModel, clique: readonly string[], settings: object = {}) {
  const { uncovered, standardErrors, values } = await model.marginal(clique as never, {
    standardErrors: "all",
    ...settings,
  });
  const sizes = clique.map((name) => people.size(name as never));
  const labels = (place: number) => {
    let left = place;
    return [...clique.entries()]
      .reverse()
      .map(([i, name]) => {
        const code = left % (sizes[i] as number);
        left = Math.floor(left / (sizes[i] as number));
        return people.labels(name as never)[code];
      })
      .reverse()
      .join(" ");
  };
  const { places, low, high } = uncovered;
  for (const [i, place] of places.entries()) {
    expect(values[place]).toBe(0);
    expect(standardErrors[place]).toBeCloseTo((high[i] as number) / 1.645, 9);
  }
  return { cells: Array.from(places, labels), low: Array.from(low), high: Array.from(high) };
}

/** 2.3 of a sample of 85 for 1,000 records. */
const ONE = 1000 * (1 - 0.1 ** (1 / 85));

describe("uncovered answers", () => {
  it("are those of cells that no public row is in, with what a sample may miss", async () => {
    const model = await fitted();
    expect(rows.length).toBe(95);
    const sample = 95;
    // A prior that is worth 90 of 1,000 records is taken for a sample of 90·1000/910, and it has no more than 95.
    const worth = worthOf(sample, 90, 1000);
    expect(worth).toBe(95);
    const each = 1000 * (1 - 0.1 ** (1 / worth));
    const pairs = await missed(model, ["area", "job"]);
    expect(pairs.cells).toEqual(["S1 d"]);
    expect(pairs.low).toEqual([0]);
    expect(pairs.high[0]).toBeCloseTo(each, 9);
    expect((await missed(model, ["job", "pets"])).cells).toEqual(["b some"]);
    expect((await missed(model, ["kind", "pets"])).cells).toEqual([]);
    const whole = await missed(model, ["area", "job", "pets"]);
    expect(whole.cells).toEqual(["N1 b some", "N2 b some", "S1 b some", "S1 d none", "S1 d some"]);
    expect((await missed(model, ["area"])).cells).toEqual([]);
    expect(ONE).toBeGreaterThan(each);
  });

  it("are not those that the schema or a condition rules out", async () => {
    const model = await fitted();
    expect((await missed(model, ["area", "side", "job"])).cells).toEqual(["S1 S d"]);
    expect((await missed(model, ["side", "job"])).cells).toEqual(["S d"]);
    using south = await model.where({ side: "S" } as never);
    expect((await missed(south, ["area", "job"])).cells).toEqual(["S1 d"]);
    using some = await model.where({ pets: "some", area: ["N1", "N2"] } as never);
    expect((await missed(some, ["job"])).cells).toEqual(["b"]);
    expect((await missed(some, ["job", "pets"])).cells).toEqual(["b some"]);
    using within = await some.where({ job: ["a", "b"] } as never);
    expect((await missed(within, ["job"])).cells).toEqual(["b"]);
    expect((await missed(within, ["kind", "job"])).cells).toEqual(["x b"]);
  });

  it("are shares where shares are asked for, and 0 by the noise alone", async () => {
    const model = await fitted();
    const [counts, parts] = [
      await missed(model, ["job", "pets"]),
      await missed(model, ["job", "pets"], { normalize: true }),
    ];
    expect(parts.high[0]).toBeCloseTo((counts.high[0] as number) / 1000, 12);
    const noise = await model.marginal(["job", "pets"] as never, { standardErrors: "noise" });
    const place = noise.uncovered.places[0] as number;
    expect([noise.values[place], noise.standardErrors[place]]).toEqual([0, 0]);
    expect(noise.uncovered.high[0]).toBe(counts.high[0]);
  });

  it("may be sums of cells, as long as no public row is in any", async () => {
    const model = await fitted();
    const rowsOf = [
      [0, 0, 0, 1, 0, 0, 0, 0],
      [1, 0, 0, 1, 0, 0, 0, 0],
      [0, 0, 0, -2, 0, 0, 0, 0],
    ];
    const [answer] = await model.answer(
      [{ clique: ["job", "pets"], query: { type: "matrix", rows: rowsOf } }] as never,
      {
        standardErrors: "all",
      },
    );
    const { places, low, high } = answer?.uncovered ?? (undefined as never);
    const each = (await missed(model, ["job", "pets"])).high[0] as number;
    expect(Array.from(places)).toEqual([0, 2]);
    expect(low[0]).toBe(0);
    expect(high[0]).toBeCloseTo(each, 9);
    expect(low[1]).toBeCloseTo(-2 * each, 9);
    expect(Math.abs(high[1] as number)).toBe(0);
    expect(answer?.standardErrors[2]).toBeCloseTo((2 * each) / 1.645, 9);
    const prefix = { clique: ["job", "pets"], query: { type: "prefix" } };
    const [sums] = await model.answer([prefix] as never, { standardErrors: "all" });
    expect(sums?.uncovered.places.length).toBe(0);
    const ranges = {
      clique: ["job", "pets"],
      query: {
        type: "ranges",
        ranges: [
          [3, 3],
          [2, 3],
          [3, 4],
        ],
      },
    };
    const [found] = await model.answer([ranges] as never, { standardErrors: "all" });
    expect(Array.from(found?.uncovered.places ?? [])).toEqual([0]);
  });

  it("are what was measured of them, where its noise is less than what a sample may miss", async () => {
    const values = Array.from({ length: 8 }, (_, i) => (i === 3 ? 31 : 130));
    const precise = cells(people, ["job", "pets"], values, 4);
    const { cells: names, low, high } = await missed(await fitted([precise]), ["job", "pets"]);
    expect(names).toEqual(["b some"]);
    expect(low[0]).toBeCloseTo(31 - 1.645 * 2, 9);
    expect(high[0]).toBeCloseTo(31 + 1.645 * 2, 9);
    // Two that say it, one of them as a sum: by the inverse of their variances.
    const finer = cells(
      people,
      ["area", "job", "pets"],
      Array.from({ length: 24 }, (_, i) => (i % 8 === 3 ? 9 : 40)),
      4,
    );
    const both = await missed(await fitted([precise, finer]), ["job", "pets"]);
    const error = Math.sqrt(1 / (1 / 4 + 1 / 12));
    const value = (31 / 4 + 27 / 12) * error ** 2;
    expect([both.low[0], both.high[0]].map((end) => end?.toFixed(6))).toEqual(
      [value - 1.645 * error, value + 1.645 * error].map((end) => end.toFixed(6)),
    );
    const rough = cells(people, ["job", "pets"], values, 400);
    expect((await missed(await fitted([rough]), ["job", "pets"])).high[0]).toBeCloseTo(
      1000 * (1 - 0.1 ** (1 / 95)),
      9,
    );
    // An answer far below zero leaves one record all the same.
    const below = cells(
      people,
      ["job", "pets"],
      values.map((one, i) => (i === 3 ? -40 : one)),
      4,
    );
    const least = await missed(await fitted([below]), ["job", "pets"]);
    expect([least.low, least.high]).toEqual([[0], [1]]);
  });

  it("have wider intervals where many cells are of one or two public rows", async () => {
    // Forty values: ten of nobody, twenty of one row and ten of two.
    const values = Array.from({ length: 40 }, (_, i) => `v${i}`);
    const over = schema({ a: category(values) });
    const list = values.slice(10).flatMap((a, i) => (i < 20 ? [{ a }] : [{ a }, { a }]));
    const start = kept(await prior(kept(await readTable(list, over))));
    const measured = cells(
      over,
      ["a"],
      values.map(() => 2),
      1e6,
    );
    const { model } = await estimate.calibrated({
      prior: start,
      measurements: [measured],
      strength: 1e9,
      total: 80,
    });
    const { uncovered } = await kept(model).marginal(["a"], { standardErrors: "all" });
    // A mean of 2 · 20/10 records, and of their squares 4 · 2 · 10/10, beside which a sample varies.
    const [rate, mean] = [80 / 40, 2 * (20 / 10)];
    const variance = mean + Math.max(0, (2 * rate ** 2 * 10) / 10 - mean ** 2);
    expect(uncovered.places.length).toBe(10);
    expect(uncovered.high[0]).toBeCloseTo(mean + 3 * Math.sqrt(variance), 9);
  });
});

describe("cells", () => {
  const names = ["side", "job", "area", "kind"];
  const codes = (place: number) => {
    let left = place;
    return [...names]
      .reverse()
      .map((name) => {
        const size = people.size(name as never);
        const code = left % size;
        left = Math.floor(left / size);
        return code;
      })
      .reverse();
  };

  it("can be where some record has them", () => {
    const meant = new Map([
      ["kind", Uint8Array.of(0, 1)],
      ["area", Uint8Array.of(1, 0, 1)],
    ]);
    const found = possible(people as Schema, names, meant);
    found.forEach((can, place) => {
      const [side, job, area, kind] = codes(place) as [number, number, number, number];
      const is = side === (area === 2 ? 1 : 0) && kind === (job < 2 ? 0 : 1) && kind === 1 && area !== 1;
      expect(can, `${codes(place)}`).toBe(Number(is));
    });
    expect(possible(people as Schema, ["side"], new Map([["area", Uint8Array.of(1, 1, 0)]]))).toEqual(
      Uint8Array.of(1, 0),
    );
  });

  it("gather what a measurement of their attributes says, or of what these follow from", () => {
    const values = Array.from({ length: 24 }, (_, i) => 2 ** i);
    const measured = cells(people, ALL as never, values, 3) as never;
    const meant = new Map([["kind", Uint8Array.of(1, 0)]]);
    const found = gathered(people as Schema, measured, ["pets", "side"], meant);
    const sums = [0, 0, 0, 0];
    for (let i = 0; i < 24; i++) {
      const [area, job, pets] = [Math.floor(i / 8), Math.floor(i / 2) % 4, i % 2];
      if (job < 2) (sums[2 * pets + (area === 2 ? 1 : 0)] as number) += values[i] as number;
    }
    expect(Array.from(found?.sums ?? [])).toEqual(sums);
    expect(Array.from(found?.values ?? [])).toEqual([4, 2, 4, 2]);
    expect(gathered(people as Schema, cells(people, ["side"], [1, 2]) as never, ["area"], new Map())).toBe(
      undefined,
    );
  });
});
