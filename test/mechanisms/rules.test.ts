import { aim, category, integer, mst, priorAware, pure, readTable, schema, seal, workload } from "marginalia";
import { expect, it } from "vitest";
import { denials } from "../../ts/estimate/rules.js";
import { kept } from "./support.js";

const homes = schema({
  area: category(["a", "b", "c", "d"], { other: "d" }),
  state: category(["ab", "cd"], { other: "cd" }),
  adults: integer({ min: 0, max: 3, width: 1, other: "clamp", nullable: true }),
  children: integer({ min: 0, max: 3, width: 1, other: "clamp", nullable: true }),
  persons: integer({ min: 0, max: 5, width: 1, other: "clamp", nullable: true }),
});
const RULES = {
  deny: [{ adults: "0", children: "0" }],
  allow: [[{ area: ["a", "b"], adults: ["0", "1", "2"] }, { area: ["c", "d"] }]],
  mapping: [{ from: "area", to: "state", map: { a: "ab", b: "ab", c: "cd", d: "cd" } }],
  sums: [{ total: "persons", of: ["adults", "children"] }],
} as const;

/** Whether a home breaks no rule; 4 children or adults and 6 persons are nulls. */
const keeps = ([area, state, adults, children, persons]: readonly number[]) =>
  state === Math.floor((area as number) / 2) &&
  (adults === 4 ||
    children === 4 ||
    persons === 6 ||
    persons === (adults as number) + (children as number)) &&
  !(adults === 0 && children === 0) &&
  ((area as number) >= 2 || (adults as number) < 3);

const ALL = ["area", "state", "adults", "children", "persons"] as const;
const every = (sizes: readonly number[]): number[][] =>
  sizes.reduce<number[][]>(
    (all, size) => all.flatMap((one) => [...Array(size).keys()].map((code) => [...one, code])),
    [[]],
  );
const SIZES = homes.sizes.slice(0, ALL.length);

/** Rows that keep the rules, and every tenth one that does not. */
function rows(count: number, seed: number) {
  const all = every(SIZES);
  const [good, bad] = [all.filter(keeps), all.filter((one) => !keeps(one))];
  const labels = ALL.map((name) => homes.labels(name));
  return Array.from({ length: count }, (_, i) => {
    const from = i % 10 === 9 ? bad : good;
    const codes = from[(i * 31 + seed * 17 + i * i) % from.length] as number[];
    const value = (place: number) => labels[place]?.[codes[place] as number] as string | null;
    const number = (place: number) => (value(place) === null ? null : Number(value(place)));
    return {
      ...{ area: value(0), state: value(1) },
      ...{ adults: number(2), children: number(3), persons: number(4) },
    };
  });
}

it("what cannot be is what the rules leave out, combination by combination", () => {
  const rules = {
    ...RULES,
    allow: [...RULES.allow, [{ area: "a" }, { adults: ["0", "3"] }, { children: ["1", "2", "3"] }]],
  };
  const denied = denials(homes, rules as never);
  const also = (codes: readonly number[]) =>
    codes[0] === 0 || codes[2] === 0 || codes[2] === 3 || [1, 2, 3].includes(codes[3] as number);
  for (const codes of every(SIZES)) {
    const broken = denied.some((one) => one.every(([place, of]) => of.includes(codes[place] as number)));
    expect([codes, broken]).toEqual([codes, !(keeps(codes) && also(codes))]);
  }
});

it.each(["priorAware", "aim", "mst"] as const)(
  "no record of %s breaks a rule, and whatever keeps them may be",
  async (name) => {
    const prior = kept(await readTable(rows(900, 1), homes));
    await using data = await seal(rows(1500, 2), homes, { dataset: "homes", unit: "row", budget: pure(3) });
    const mechanism = {
      priorAware: () => priorAware({ prior, draws: 1, ...RULES }),
      aim: () => aim(RULES),
      mst: () => mst(RULES),
    };
    const release = kept(await kept(mechanism[name]()).run(data));
    using records = await release.table({ rows: 1_000_000, seed: 1 });
    const [found] = await records.answer(workload(homes, [[...ALL]]));
    const cells = every(SIZES);
    const broken = cells.filter((codes, cell) => found?.[cell] !== 0 && !keeps(codes));
    expect(broken).toEqual([]);
    expect(
      cells.filter((codes, cell) => (found?.[cell] as number) > 0 && keeps(codes)).length,
    ).toBeGreaterThan(40);
  },
  120_000,
);

it("rules that contradict each other are refused before anything is paid", async () => {
  const prior = kept(await readTable(rows(300, 1), homes));
  await using data = await seal(rows(300, 2), homes, { dataset: "homes", unit: "row", budget: pure(3) });
  const contradicting = { allow: [[{ area: "a" }], [{ state: "cd" }]], mapping: RULES.mapping } as const;
  for (const mechanism of [priorAware({ prior, draws: 1, ...contradicting }), aim(contradicting)]) {
    const refused = await kept(mechanism)
      .plan(data)
      .catch((error) => error);
    expect(refused.code).toBe("OPTION_INVALID");
    expect(refused.message).toMatch(/area.*state|state.*area/s);
  }
  const never = (rules: object) =>
    kept(aim(rules))
      .plan(data)
      .catch((error) => error.message);
  expect(await never({ sums: [{ total: "area", of: ["adults"] }] })).toMatch(/whole numbers/);
  expect(await never({ sums: [{ total: "persons" }] })).toMatch(/a part at least/);
  expect(await never({ mapping: [{ from: "area", to: "state", map: { a: "ab" } }] })).toMatch(
    /has nothing for "b"/,
  );
  expect(`${data.spent}`).toMatch(/^0|nothing/);
});
