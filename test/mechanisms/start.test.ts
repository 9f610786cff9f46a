import {
  type GroupedPlan,
  load,
  priorAware,
  pure,
  type ReleasePlan,
  readTable,
  seal,
  type Table,
} from "marginalia";
import { expect, it } from "vitest";
import { startInWords } from "../../ts/tables/start.js";
import { apart, outcome, small, smallGroups, smallRelease, together } from "./saving.js";
import { kept } from "./support.js";

/** Six rows, two of them twice, one that weighs nothing. */
const rows = [
  ["x", 5, 0.5, 1],
  ["x", 5, 0.5, 2],
  ["y", 5, 0.5, 1],
  ["y", 25, 2, 1],
  ["y", 25, 2, 1],
  ["z", 45, 3, 0],
].map(([a, n, m, w]) => ({ a, n, m, w }));

const codesOf = async (table: Table<typeof small>, names: readonly ("a" | "n" | "m")[]) => {
  const columns = await Promise.all(names.map((name) => table.codes(name)));
  return Array.from({ length: table.rows }, (_, i) => columns.map((codes) => codes[i]).join());
};

async function bytesOf(release: { save(to: WritableStream<Uint8Array>): Promise<void> }) {
  const chunks: Uint8Array[] = [];
  await release.save(new WritableStream({ write: (chunk) => void chunks.push(chunk) }));
  return new Uint8Array(Buffer.concat(chunks));
}

type Ask = Omit<Parameters<typeof priorAware<typeof small>>[0], "prior">;

async function planOf(ask: Ask) {
  const prior = kept(await readTable(rows, small, { weight: "w" }));
  const data = await seal([], small, { dataset: "small", unit: "row", budget: pure(1) });
  const made = kept(priorAware({ draws: 1, ...ask, prior } as never));
  const plan = (await made.plan(data as never)) as unknown as ReleasePlan | GroupedPlan;
  await data.close();
  return { prior, plan, data: plan.toJSON().prior };
}

it.each<[string, Ask, number[]]>([
  ["as they are", { widen: false }, [6, 3, 0]],
  ["without denied ones", { widen: false, deny: [{ a: "x" }] }, [6, 2, 0]],
  ["widened", { widen: { share: 0.1, rows: 200 } }, [6, 3]],
  ["widened, without denied ones", { widen: { share: 0.1, rows: 200 }, deny: [{ a: "x" }] }, [6, 2]],
  // Each of two rows of the rest in each of four groups, null among them.
  ["pooled", { group: "a" }, [6, 3, 5]],
])("rows of the file, different ones and added ones are three figures: %s", async (_, ask, expected) => {
  const { prior, plan, data } = await planOf(ask);
  const { table } = plan.parts.prepared as unknown as { table: Table<typeof small> };
  const own = new Set(await codesOf(prior, ["a", "n", "m"]));
  const start = await codesOf(table, ["a", "n", "m"]);
  const found = start.filter((row) => own.has(row)).length;
  expect([data.rows, data.distinct]).toEqual(expected.slice(0, 2));
  expect(data.support).toBe(new Set(start).size);
  expect([data.distinct, data.added]).toEqual([found, start.length - found]);
  // How many rows a network draws is luck; that some are new is not.
  const [, , added] = expected;
  if (added === undefined) expect(data.added).toBeGreaterThan(0);
  else expect(data.added).toBe(added);
  expect(`${plan}`).toContain(`; ${startInWords(data)}`);
});

it("groups share the different rows of all attributes that tell none apart", async () => {
  const { data, plan } = await planOf({ groups: [["a"]] } as never);
  // (5, 0.5) is of x and y, and (25, 2) of y twice.
  expect(data).toMatchObject({ rows: 6, distinct: 2, added: 0, support: 2 });
  const wide = await planOf({ groups: [["a"]], widen: { share: 0.1, rows: 200 } } as never);
  expect(wide.data).toMatchObject({ rows: 6, distinct: 2 });
  expect(wide.data.added).toBe(wide.data.support - 2);
  expect(wide.data.added).toBeGreaterThan(0);
  expect(`${plan}`).toContain("6 rows, 2 of them different.");
});

it("says no more than is known where an earlier version counted", () => {
  expect(startInWords({ rows: 4600, support: 10571 })).toBe(
    "4600 rows; with those that were added, 10571 different ones",
  );
  expect(startInWords({ rows: 1, distinct: 1, added: 1, support: 2 })).toBe(
    "1 row, 1 of them different, and 1 row added by widening",
  );
  expect(startInWords({ rows: 9, distinct: 8, added: 3, support: 11, pool: {} }, (n) => `<${n}>`)).toBe(
    "<9> rows, <8> of them different, and <3> rows added by pooling",
  );
});

it.each([
  ["one model", smallRelease],
  ["groups", smallGroups],
])("a release of %s that an earlier version saved, without the new figures, still loads", async (_, make) => {
  const parts = apart(await bytesOf(await make()));
  const { report } = parts.header as unknown as { report: { plan: { group?: string[]; prior: object } } };
  expect(report.plan.prior).toMatchObject({ rows: 90 });
  delete report.plan.group;
  for (const name of ["distinct", "added"]) delete (report.plan.prior as Record<string, unknown>)[name];
  expect(await outcome(load(together(parts), { groups: "either" }))).toBeUndefined();
  for (const [name, wrong] of [
    ["distinct", -1],
    ["added", "many"],
  ] as const) {
    const bad = structuredClone(parts);
    const plan = (bad.header as unknown as { report: typeof report }).report.plan;
    Object.assign(plan.prior, { [name]: wrong });
    expect(await outcome(load(together(bad), { groups: "either" }))).toBe("RELEASE_DAMAGED");
  }
});
