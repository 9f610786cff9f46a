import { readFileSync } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import {
  close,
  type GroupedOptions,
  type GroupedRelease,
  init,
  kWay,
  type LoadedGroupedRelease,
  load,
  priorAware,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { apart, smallGroups, smallRelease } from "./saving.js";
import { folder, kept, people, publicYear, refusal, sealing } from "./support.js";

type Options = GroupedOptions<typeof people>;
type Either = GroupedRelease<typeof people> | LoadedGroupedRelease<typeof people>;

/** Two levels, with little to measure. */
const groups = [
  {
    by: ["state"],
    workload: [
      ["age", "employment"],
      ["sex", "tenure"],
    ],
  },
  { by: ["area"], workload: [["tenure"], ["age"]] },
] as const;

async function survey(change: Partial<Options> = {}) {
  const options: Options = { prior: await publicYear(), groups, widen: false, ...change };
  return kept(await kept(priorAware(options)).run(await sealing()));
}

const loaded = async (bytes: Uint8Array) => kept(await load(bytes, { groups: true, schema: people }));

const pairs = kWay(people, 2, ["state", "sex", "tenure"]);

/** All that a release of groups is asked, in bytes and texts. */
async function asked(release: Either) {
  const first = { area: "BE202" } as const;
  const state = release.report.plan.levels.some(({ by }) => by.join() === "state") ? { state: "BE" } : first;
  using model = await release.model(first);
  using counted = await release.count(pairs, { group: state });
  const records: string[] = [];
  for (const method of ["controlled", "systematic", "iid"] as const) {
    using table = await release.table({ method, rows: 700, seed: "s" });
    records.push(await table.toCsv({ seed: "s" }));
  }
  using table = await release.table();
  const chunks: Uint8Array[] = [];
  await release.writeCsv(new WritableStream({ write: (chunk) => void chunks.push(chunk) }), { rows: 90 });
  return {
    groups: release.groups,
    group: release.group(first),
    total: release.total,
    measurements: release.measurements,
    report: JSON.stringify(release.report),
    schema: JSON.stringify(release.schema),
    words: [`${release.plan}`, `${release.ledger}`],
    data: [JSON.stringify(release.plan), JSON.stringify(release.ledger)],
    count: await counted.all(),
    answers: await release.answer(pairs),
    shares: await release.answer(pairs, { group: state, normalize: true }),
    marginal: await release.marginal(["age", "area"]),
    where: await release.marginal(["age"], { where: { state: "BE", sex: "F" } }),
    errors: release.report.plan.estimate.estimator === "calibrated" && (await erring(release)),
    part: await (await release.table({ where: { sex: "F", area: ["BE202", "AR101"] } })).toCsv({ seed: "s" }),
    weights: await model.weights({ normalize: true }),
    of: [model.total, model.prior.strength, await model.relativeEntropy()],
    records: [...records, await table.toCsv(), Buffer.concat(chunks).toString()],
  };
}

/** Answers with their standard errors. */
async function erring(release: Either) {
  const one = { group: { area: "BE202" }, where: { sex: "F" } } as const;
  return [
    await release.marginal(["tenure"], { ...one, standardErrors: "all" }),
    await release.marginal(["tenure"], { ...one, standardErrors: "noise", normalize: true }),
    await release.marginal([], { standardErrors: "noise" }),
  ];
}

describe("a release of groups that was saved", () => {
  it.each<[string, Partial<Options>]>([
    ["with public counts of groups", {}],
    ["without, and with rows of a public network", { local: false, widen: { share: 0.05, rows: 300 } }],
    ["by Algorithm 1 of the paper", { estimator: "iterative", totals: "count" }],
    ["by Algorithm 1, without public counts", { estimator: "iterative", totals: "count", local: false }],
    ["in two stages", { estimator: "twoStage", totals: "combined" }],
    [
      "in two stages, where only the finest are measured",
      { estimator: "twoStage", groups: [{ by: ["state"], workload: [] }, groups[1]] },
    ],
    [
      "of three levels, one of them all records",
      { groups: [{ by: [], workload: [["sex"]] }, ...groups], totals: "combined", draws: 1 },
    ],
    ["of one level", { groups: [{ by: ["area"], workload: [["sex"]], strength: 500 }] }],
  ])("answers the same bytes as the live one: %s", async (_, change) => {
    const release = await survey(change);
    const bytes = await release.toBytes();
    const again = await loaded(bytes);
    expect(await asked(again)).toEqual(await asked(release));
    expect(await again.toBytes()).toEqual(bytes);
  });

  it("outlives the release, and ends once", async () => {
    const release = await survey();
    const again = await loaded(await release.toBytes());
    release.dispose();
    expect(kept(await again.table({ rows: 30 })).rows).toBe(30);
    again.dispose();
    again.dispose();
    for (const late of [() => again.table(), () => again.toBytes(), () => again.marginal(["sex"])])
      await refusal(late(), "HANDLE_DISPOSED");
  });

  it("is the same bytes whatever the number of threads", async () => {
    const bytes = await (await survey()).toBytes();
    const found: Awaited<ReturnType<typeof asked>>[] = [];
    for (const options of [{ threads: 2 }, { threads: false }, { worker: false }] as const) {
      await close();
      await init(options);
      using again = await load(bytes, { groups: true, schema: people });
      found.push(await asked(again));
      expect(await again.toBytes()).toEqual(bytes);
    }
    await close();
    expect(found[1]).toEqual(found[0]);
    expect(found[2]).toEqual(found[0]);
  });

  it("is loaded as what it is, or as either", async () => {
    const [flat, grouped] = [await smallRelease(), await smallGroups()];
    const [whole, parts] = [await flat.toBytes(), await grouped.toBytes()];
    expect((await refusal(load(parts), "OPTION_INVALID")).message).toContain("groups: true");
    await refusal(load(whole, { groups: true }), "OPTION_INVALID");
    await refusal(load(parts, { groups: "yes" as never }), "OPTION_INVALID");
    await refusal(load(parts, { groups: true, schema: people }), "OPTION_INVALID");
    for (const bytes of [whole, parts]) {
      using either = await load(bytes, { groups: "either" });
      expect("groups" in either).toBe(bytes === parts);
    }
  });

  it("tells how far it is, and stops", async () => {
    const release = await survey();
    const told: number[] = [];
    const bytes = await release.toBytes({ onProgress: ({ done, total }) => told.push(done / (total ?? 0)) });
    expect(told.at(-1)).toBe(1);
    const stop = { signal: AbortSignal.abort() };
    await refusal(release.toBytes(stop), "ABORTED");
    await refusal(load(bytes, { groups: true, ...stop }), "ABORTED");
  });
});

describe("a condition on groups and records", () => {
  it("is that of all cells that meet it", async () => {
    const release = await survey();
    const names = ["area", "sex", "tenure"] as const;
    const cells = await release.marginal(names);
    const [sexes, tenures] = [people.labels("sex"), people.labels("tenure")];
    const areas = people.labels("area");
    const where = { state: ["BE", "AR"], sex: "F" };
    const expected = areas.map((area, a) => {
      const meant = area !== null && where.state.includes(area.slice(0, 2));
      const of = (t: number) => cells[(a * sexes.length + sexes.indexOf("F")) * tenures.length + t] as number;
      return tenures.map((_, t) => (meant ? of(t) : 0));
    });
    const found = await release.marginal(["area", "tenure"], { where });
    for (const [i, cell] of expected.flat().entries()) expect(found[i]).toBeCloseTo(cell, 6);
    const own = await release.marginal(["sex", "tenure"], { where });
    const sums = tenures.map((_, t) => expected.reduce((so, of) => so + (of[t] as number), 0));
    for (const [i, cell] of own.entries()) {
      const women = Math.floor(i / tenures.length) === sexes.indexOf("F");
      expect(cell).toBeCloseTo(women ? (sums[i % tenures.length] as number) : 0, 6);
    }
    const within = await release.marginal(["tenure"], { group: { area: "BE202" }, where: { sex: "F" } });
    for (const [t, cell] of within.entries())
      expect(cell).toBeCloseTo((expected[areas.indexOf("BE202")] as number[])[t] as number, 6);
    const shares = await release.marginal(["tenure"], { where, normalize: true });
    expect(shares.reduce((a, b) => a + b)).toBeCloseTo(1, 9);
  });

  it("chooses the groups that records are made of", async () => {
    const release = await survey();
    using table = await release.table({ where: { state: "BE" } });
    const counts = await table.marginal(["area"]);
    for (const [i, label] of people.labels("area").entries()) {
      const records = release.group({ area: label } as never).records;
      if (label?.startsWith("BE")) expect(Math.abs((counts[i] as number) - records)).toBeLessThan(1);
      else expect(counts[i]).toBe(0);
    }
    await refusal(release.table({ where: { area: "XX" } as never }), "CONDITION_IMPOSSIBLE");
    const apart = { state: "BE", area: "AR101" } as const;
    await refusal(release.marginal(["sex"], { where: apart }), "CONDITION_IMPOSSIBLE");
    await refusal(release.count(pairs, { where: { sex: "F" } } as never), "OPTION_INVALID");
  });
});

describe("a saved release of groups of the example", () => {
  it("is smaller than its records, and holds what its schema says", async () => {
    const place = join(await folder(), "areas.marginalia");
    const release = await survey();
    await release.save(place);
    using table = await release.table({ seed: "size" });
    const records = Buffer.byteLength(await table.toCsv());
    const { size } = await stat(place);
    const { header } = apart(new Uint8Array(await readFile(place)));
    const parts = header.sections.map(({ name, stored }) => `${name} ${stored}`).join(", ");
    const said = `saved: ${size} bytes (${parts}); its ${Math.round(release.total)} records as CSV: ${records}`;
    process.stdout.write(`${said}\n`);
    const read = (name: string) => JSON.parse(readFileSync(`${name}.schema.json`, "utf8"));
    const strict = { strict: true, strictRequired: false, strictTypes: false, allErrors: true } as const;
    const ajv = new Ajv({ ...strict, schemas: [read("ledger")] });
    ajv.addSchema(JSON.parse(readFileSync("schema.json", "utf8")));
    const check = ajv.compile(read("release"));
    expect(check(header), JSON.stringify(check.errors)).toBe(true);
    const { groups: own, ...rest } = header as Record<string, unknown>;
    expect(check(rest)).toBe(false);
    expect(check({ ...header, model: own })).toBe(false);
    expect(check({ ...header, groups: { ...(own as object), levels: [] } })).toBe(false);
    expect(size).toBeLessThan(records / 2);
  });
});
