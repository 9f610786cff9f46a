import { readFileSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { Ajv } from "ajv";
import { type LoadedRelease, load, type Release } from "marginalia";
import { report, reportInput } from "marginalia/report";
import { describe, expect, it } from "vitest";
import { apart, small, smallRelease } from "./saving.js";
import { folder, kept, mechanism, onRows, people, publicYear, refusal, sealing } from "./support.js";

const quick = {
  workload: [
    ["age", "employment"],
    ["sex", "tenure"],
  ],
  draws: 1,
  widen: { rows: 500, share: 0.05 },
} as const;

const survey = async (change = {}) =>
  kept(await (await mechanism({ ...quick, ...change })).run(await sealing()));
const loaded = async (bytes: Uint8Array) => kept(await load(bytes));
const weightsOf = async ({ model }: Release | LoadedRelease) =>
  Buffer.from((await onRows(model).weights({ normalize: true })).buffer).toString("hex");

async function csv(
  release: Release | LoadedRelease,
  seed: string,
  method: "controlled" | "systematic" | "iid",
) {
  using table = await release.table({ seed, method, rows: 1500 });
  return await table.toCsv({ seed });
}

describe("a release that was saved", () => {
  it.each([
    ["potentials", {}, true],
    ["weights, where potentials would be as many", undefined, false],
    ["a pooled prior", { group: "area", workload: [["area", "age"]], widen: undefined }, true],
  ])("comes back to the bit: %s", async (_, change, potentials) => {
    const release = change ? await survey(change) : await smallRelease([["a", "n", "m"]]);
    const bytes = await release.toBytes();
    expect("cliques" in (apart(bytes).header.model as object)).toBe(potentials);
    const again = await loaded(bytes);
    expect(await weightsOf(again)).toBe(await weightsOf(release));
    for (const method of ["controlled", "systematic", "iid"] as const)
      expect(await csv(again, "v1", method)).toBe(await csv(release, "v1", method));
    const [theirs, ours] = [kept(await release.table()), kept(await again.table())];
    expect(await ours.toCsv()).toBe(await theirs.toCsv());
  });

  it("has all that was released, and saves to the same bytes", async () => {
    const release = await smallRelease();
    const bytes = await release.toBytes();
    const again = await loaded(bytes);
    expect(again.total).toBe(release.total);
    expect(JSON.stringify(again.schema)).toBe(JSON.stringify(release.schema));
    expect(again.measurements).toEqual(release.measurements);
    for (const part of ["plan", "ledger"] as const) {
      expect(`${again[part]}`).toBe(`${release[part]}`);
      expect(JSON.stringify(again[part])).toBe(JSON.stringify(release[part]));
    }
    expect(again.report).toEqual(JSON.parse(JSON.stringify(release.report)));
    expect(onRows(again.model).prior).toMatchObject({ strength: release.model.prior.strength });
    expect(await onRows(again.model).relativeEntropy()).toBe(await release.model.relativeEntropy());
    expect(await again.toBytes()).toEqual(bytes);
    const twice = await release.toBytes();
    expect(twice).toEqual(bytes);
  });

  it("comes from paths, addresses, blobs, streams and bytes, compressed again or not", async () => {
    const place = join(await folder(), "small.marginalia");
    const release = await smallRelease();
    await release.save(place);
    const bytes = new Uint8Array(await readFile(place));
    const zipped = `${place}.gz`;
    await release.save(zipped);
    expect((await readFile(zipped)).subarray(0, 2)).toEqual(Buffer.of(0x1f, 0x8b));
    async function* pieces() {
      for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
    }
    const sources = [
      place,
      zipped,
      pathToFileURL(place),
      bytes,
      bytes.buffer,
      new Blob([bytes]),
      new Blob([bytes]).stream(),
      new Response(new Blob([bytes])),
      new Uint8Array(gzipSync(bytes)),
      pieces(),
    ];
    for (const source of sources) {
      using again = await load(source);
      expect(again.total).toBe(release.total);
    }
    expect(bytes).toEqual(await release.toBytes());
  });

  it("goes to a stream, and replaces a file when all of it is there", async () => {
    const place = join(await folder(), "small.marginalia");
    await writeFile(place, "before");
    const release = await smallRelease();
    const stop = AbortSignal.abort(new Error("enough"));
    await refusal(release.save(place, { signal: stop }), "ABORTED");
    expect(await readFile(place, "utf8")).toBe("before");
    await release.save(place);
    const chunks: Uint8Array[] = [];
    await release.save(new WritableStream({ write: (chunk) => void chunks.push(chunk) }));
    expect(Buffer.concat(chunks)).toEqual(await readFile(place));
    await refusal(release.save(7 as never), "OPTION_INVALID");
    await refusal(release.save(place, { gzip: true } as never), "OPTION_INVALID");
  });

  it("outlives the release, and ends once", async () => {
    const release = await smallRelease();
    const again = await loaded(await release.toBytes());
    release.dispose();
    expect((await again.model.marginal(["a"])).reduce((a, b) => a + b)).toBeCloseTo(again.total, 9);
    again.dispose();
    again.dispose();
    await refusal(again.table(), "HANDLE_DISPOSED");
    await refusal(again.toBytes(), "HANDLE_DISPOSED");
  });

  it("has the types of a schema that is given, and refuses another", async () => {
    const bytes = await (await smallRelease()).toBytes();
    using again = await load(bytes, { schema: small });
    expect(await again.model.marginal(["a", "n"])).toHaveLength(4 * 7);
    await refusal(load(bytes, { schema: people }), "OPTION_INVALID");
    await refusal(load(bytes, { nonsense: 1 } as never), "OPTION_INVALID");
    await refusal(load([{ a: 1 }]), "OPTION_INVALID");
    await refusal(load("nowhere.marginalia"), "SOURCE_FAILED");
  });

  it("tells how far it is, and stops", async () => {
    const bytes = await (await smallRelease()).toBytes();
    const told: number[] = [];
    using _ = await load(bytes, { onProgress: ({ done }) => told.push(done) });
    expect(told.at(-1)).toBe(bytes.length);
    await refusal(load(bytes, { signal: AbortSignal.abort() }), "ABORTED");
  });

  it("makes the report that the release makes", async () => {
    const release = await survey();
    const again = kept(await load(await release.toBytes(), { schema: people }));
    const prior = await publicYear();
    const html = async (one: typeof release | typeof again) =>
      report(await reportInput(one, { prior, seed: "v1" }));
    expect(await html(again)).toBe(await html(release));
  });
});

describe("a saved release of the example", () => {
  it("is smaller than its records, and holds what its schema says", async () => {
    const place = join(await folder(), "survey.marginalia");
    const release = kept(await (await mechanism()).run(await sealing()));
    await release.save(place);
    using table = await release.table({ seed: "size" });
    const records = Buffer.byteLength(await table.toCsv());
    const { size } = await stat(place);
    const { header } = apart(new Uint8Array(await readFile(place)));
    const parts = header.sections.map(({ name, stored }) => `${name} ${stored}`).join(", ");
    const said = `saved: ${size} bytes (${parts}); its ${Math.round(release.total)} records as CSV: ${records}`;
    process.stdout.write(`${said}\n`);
    const read = (name: string) => JSON.parse(readFileSync(`${name}.schema.json`, "utf8"));
    const ajv = new Ajv({
      strict: true,
      strictRequired: false,
      strictTypes: false,
      allErrors: true,
      schemas: [read("ledger")],
    });
    ajv.addSchema(JSON.parse(readFileSync("schema.json", "utf8")));
    const check = ajv.compile(read("release"));
    expect(check(header), JSON.stringify(check.errors)).toBe(true);
    expect(check({ ...header, seed: 1 })).toBe(false);
    expect(size).toBeLessThan(records / 2.5);
  });
});
