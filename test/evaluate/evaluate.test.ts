import { readTable } from "marginalia";
import { contestScore, type Evaluation, evaluate, kMarginal, totalVariation } from "marginalia/evaluate";
import { describe, expect, it } from "vitest";
import { file, survey } from "../../examples/survey.mjs";
import { codeOf, rowsOf, sized } from "./support";

const years = () => Promise.all([readTable(file(2019), survey), readTable(file(2018), survey)]);

describe("an evaluation", () => {
  it("has every score, and those of two baselines", async () => {
    const [truth, before] = await years();
    const found = await evaluate({ truth, synthetic: before, public: before, group: "area" });
    expect(found.columns).toEqual(["synthetic", "public", "subsample"]);
    expect(found.rows).toEqual({ truth: 4800, synthetic: 4600, public: 4600, subsample: 2400 });
    expect(found.marginals.map(({ k, cliques }) => [k, cliques])).toEqual([
      [1, 13],
      [2, 78],
      [3, 286],
    ]);
    // The same table twice has the same scores twice.
    expect(found.scores.public).toBe(found.scores.synthetic);
    expect(found.workload.public).toEqual(found.workload.synthetic);
    expect(found.correlation.public).toEqual(found.correlation.synthetic);
    for (const scores of found.marginals) expect(scores.public).toEqual(scores.synthetic);
    // Each is what the function of its own gives.
    const alone = await kMarginal({ truth, synthetic: before, group: "area" });
    expect(found.kMarginal).toEqual(alone);
    expect(found.scores.synthetic).toBe(alone.score);
    expect(found.scores.subsample).toBe(alone.subsamples.find(({ share }) => share === 0.5)?.score);
    expect(found.marginals[2]?.synthetic).toEqual(await totalVariation({ truth, synthetic: before, k: 3 }));
    // The workload is all pairs: twice the variation. A part of the truth fabricates nothing.
    expect(found.workload.synthetic.l1).toBeCloseTo(2 * (found.marginals[1]?.synthetic.mean as number), 10);
    for (const { subsample } of found.marginals) expect(subsample.fabricated.combinations).toBe(0);
    // The two years differ by .037 in the mean over all pairs, as the data's description says.
    expect(found.marginals[1]?.synthetic.mean).toBeCloseTo(0.037, 3);
  });

  it("draws the same for the same seed, and says that it is not private", async () => {
    const [truth, synthetic] = await years();
    const run = (seed: number) => evaluate({ truth, synthetic, seed, triples: 20 });
    const [one, same, other] = [await run(1), await run(1), await run(2)];
    expect(JSON.stringify(one)).toBe(JSON.stringify(same));
    expect(JSON.stringify(one)).not.toBe(JSON.stringify(other));
    expect(one.marginals[2]?.cliques).toBe(20);
    expect("public" in one.scores).toBe(false);
    const text = `${one}`;
    expect(text).toMatch(/^NOT PRIVATE/);
    expect(text).toContain(one.scores.subsample.toFixed(2));
    const json = JSON.parse(JSON.stringify(one)) as Evaluation & { format: string };
    expect([json.format, json.private, json.scores]).toEqual(["marginalia-evaluation", false, one.scores]);
  });

  it("tells how far it is, in growing steps up to all", async () => {
    const [truth, synthetic] = await years();
    const seen: { phase: string; done: number; total?: number }[] = [];
    await evaluate({ truth, synthetic, onProgress: (progress) => seen.push(progress) });
    const done = seen.map((progress) => progress.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(seen.at(-1)?.done).toBe(seen.at(-1)?.total);
    expect(new Set(seen.map(({ phase }) => phase)).size).toBeGreaterThan(4);
  });

  it("ends when it is told to", async () => {
    const [truth, synthetic] = await years();
    for (const after of [1, 3, 10]) {
      const stop = new AbortController();
      let calls = 0;
      const onProgress = () => {
        calls += 1;
        if (calls === after) stop.abort();
      };
      const running = evaluate({ truth, synthetic, signal: stop.signal, onProgress });
      expect(await codeOf(running)).toBe("ABORTED");
    }
    expect(await codeOf(kMarginal({ truth, synthetic, signal: AbortSignal.abort() }))).toBe("ABORTED");
  });

  it("refuses tables of two schemas, unknown options and shares that are none", async () => {
    const [truth] = await years();
    const other = await rowsOf("pax");
    const wrong = { truth, synthetic: other } as never;
    for (const run of [evaluate, kMarginal, totalVariation] as ((options: never) => Promise<unknown>)[]) {
      expect(await codeOf(run(wrong))).toBe("OPTION_INVALID");
      expect(await codeOf(run({ truth, synthetic: truth, nope: 1 } as never))).toBe("OPTION_INVALID");
    }
    const same = { truth, synthetic: truth };
    expect(await codeOf(evaluate({ ...same, subsample: 0 }))).toBe("OPTION_INVALID");
    expect(await codeOf(evaluate({ ...same, triples: 0 }))).toBe("OPTION_INVALID");
    expect(await codeOf(evaluate({ ...same, attributes: ["age"] }))).toBe("OPTION_INVALID");
    expect(await codeOf(kMarginal({ ...same, attributes: ["age", "nope"] as never }))).toBe(
      "ATTRIBUTE_UNKNOWN",
    );
    expect(await codeOf(kMarginal({ truth, synthetic: "file.csv" } as never))).toBe("OPTION_INVALID");
  });

  it("respects that 30 attributes are too many for all pairs", async () => {
    const over = sized(new Array<number>(30).fill(2));
    const rows = Array.from({ length: 50 }, (_, i) =>
      Object.fromEntries(over.names.map((name, j) => [name, `${(i >> (j % 5)) & 1}`])),
    );
    const truth = await readTable(rows, over);
    const drawn = await kMarginal({ truth, synthetic: truth, subsamples: false });
    expect(drawn.pairs.length).toBeGreaterThan(150);
    expect(drawn.pairs.length).toBeLessThanOrEqual(200);
    const all = await kMarginal({ truth, synthetic: truth, subsamples: false, pairs: "all" });
    expect(all.pairs).toHaveLength(435);
  });
});

describe("files", () => {
  const a = "AGE,SEX,GROUP\n3,F,p\n50,M,p\n77,F,q\n";

  it("may be rows, columns, NDJSON, CSV of another delimiter and gzip", async () => {
    const rows = a
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(","))
      .map(([AGE, SEX, GROUP]) => ({ AGE: Number(AGE), SEX, GROUP }));
    const columns = { AGE: Uint8Array.of(3, 50, 77), SEX: ["F", "M", "F"], GROUP: ["p", "p", "q"] };
    const bytes = new TextEncoder().encode(a);
    const zipped = new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("gzip")));
    const ndjson = new File([rows.map((row) => `${JSON.stringify(row)}\n`).join("")], "rows.ndjson");
    const sources = [bytes, rows, columns, zipped, ndjson];
    for (const synthetic of sources) {
      const score = await kMarginal({ truth: new Blob([a]), synthetic, group: "GROUP" });
      expect(score.score).toBe(1000);
      expect(score.groups.map(({ group }) => group[0])).toEqual(["p", "q"]);
    }
    const some = { truth: new Blob([a]), synthetic: bytes, attributes: ["AGE", "SEX"], subsamples: false };
    expect((await kMarginal({ ...some, group: "GROUP" })).groups).toHaveLength(2);
    const semicolons = new Blob([a.replaceAll(",", ";")]);
    const { pairs } = await kMarginal({ truth: semicolons, synthetic: semicolons, delimiter: ";" });
    expect(pairs).toHaveLength(3);
  });

  it("are compared in the contest's bins, which others may replace", async () => {
    const b = a.replace("3,F", "19,F").replace("50,M", "46,M").replace("77", "80");
    const files = () => ({ truth: new Blob([a]), synthetic: new Blob([b]), group: "GROUP" });
    expect((await contestScore(files())).score).toBe(1000);
    expect((await contestScore({ ...files(), bins: {} })).score).toBe(0);
    expect((await contestScore({ ...files(), bins: { AGE: [0, 19, 100] } })).score).toBe(1000);
    expect(await codeOf(contestScore({ ...files(), bins: { AGE: [3, 3] } }))).toBe("OPTION_INVALID");
  });

  it("are refused by a code where they make no sense", async () => {
    const good = () => new Blob([a]);
    const score = (text: string | Uint8Array<ArrayBuffer>, more = {}) =>
      codeOf(kMarginal({ truth: good(), synthetic: new Blob([text]), subsamples: false, ...more }));
    expect(await score("AGE,SEX\n1\n")).toBe("ROW_RAGGED");
    expect(await score("AGE,AGE\n1,2\n")).toBe("COLUMN_DUPLICATE");
    expect(await score('AGE,SEX\n"1,2\n')).toBe("TEXT_INVALID");
    expect(await score(Uint8Array.of(65, 10, 255, 254, 10))).toBe("TEXT_INVALID");
    expect(await score("AGE\n1\n")).toBe("OPTION_INVALID");
    expect(await score(a, { attributes: ["AGE", "NOPE"] })).toBe("COLUMN_MISSING");
    expect(await score(a, { delimiter: "::" })).toBe("OPTION_INVALID");
  });
});
