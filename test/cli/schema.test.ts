import { createReadStream, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { type SchemaJson, schemaFromJson } from "marginalia";
import { check } from "marginalia/check";
import { expect, it } from "vitest";
import { EXIT } from "../../ts/cli/exit.js";
import { begin, data, folder, outcome } from "./support.js";
import { marginalia } from "./within.js";

const drafted = async (...args: string[]) => {
  const { code, stdout, stderr } = await marginalia(["schema", ...args]);
  expect(code).toBe(0);
  const json = JSON.parse(stdout) as SchemaJson;
  const derive = json.derive ?? [];
  const by = Object.fromEntries(json.attributes.map(({ name, ...spec }) => [name, spec]));
  return { by, derive, stdout, stderr, made: schemaFromJson(json) };
};

it("drafts a total schema of the public survey", async () => {
  const { by, derive, stderr, made } = await drafted(data("survey-2018.csv"));
  expect(by.area).toMatchObject({ type: "category", other: null });
  expect(by.education).toEqual({
    type: "category",
    values: ["bachelor", "master", "primary", "secondary", "vocational"],
    other: null,
    nullable: true,
  });
  expect(by.disability).toEqual({ type: "boolean", texts: ["no", "yes"], other: null });
  expect(by.size).toEqual({ type: "integer", min: 1, max: 6, other: "clamp", nullable: true });
  expect(by.arrived).toMatchObject({ type: "date", step: "year", other: "clamp", nullable: true });
  // Each age has a code, and pairs are counted by bins.
  expect(by.age).toEqual({ type: "integer", min: 0, max: 99, other: "clamp", nullable: true });
  expect(derive).toMatchObject([{ name: "age_bins", from: "age" }]);
  expect(by.hours).toMatchObject({ type: "number", decimals: 1 });
  // A bin that is more than twice another's was not asked for, unless one value fills it.
  const { table } = await counted(made, "age_bins");
  expect(table.length).toBe(21);
  const full = table.slice(0, 20);
  expect(Math.max(...full)).toBeLessThan(2 * Math.min(...full));
  expect(stderr).toContain("PUBLIC");
  const found = await check(data("survey-2018.csv"), made);
  expect(found.fits).toBe(true);
  expect((await check(data("survey-2019.csv"), made)).attributes.every(({ total }) => total)).toBe(true);
});

async function counted(made: ReturnType<typeof schemaFromJson>, name: string) {
  const { readTable } = await import("marginalia");
  const table = await readTable(data("survey-2018.csv"), made, { ignore: true });
  return { table: [...(await table.marginal([name as never]))] };
}

it("leaves out what identifies rows, and says so", async () => {
  const { by, stderr } = await drafted(data("households.csv"));
  expect(by).not.toHaveProperty("id");
  expect(by).toHaveProperty("cars");
  expect(stderr).toMatch(/id +left out: its numbers rise/);
});

it("gives the same bytes from a file, standard input and gzip, again and again", async () => {
  const plain = await readFile(data("persons.csv"));
  const { stdout } = await drafted(data("persons.csv"));
  expect((await drafted(data("persons.csv"))).stdout).toBe(stdout);
  for (const input of [plain, gzipSync(plain)])
    expect((await marginalia(["schema", "-"], { input })).stdout).toBe(stdout);
  const cwd = await folder();
  const written = await marginalia(["schema", data("persons.csv"), "--out", "schema.json.gz"], { cwd });
  expect(written).toMatchObject({ code: 0, stderr: "" });
  expect(written.stdout).toContain("Drafted from 3314 rows");
  expect(`${gunzipSync(await readFile(join(cwd, "schema.json.gz")))}`).toBe(stdout);
});

it("says as data what it decided", async () => {
  const cwd = await folder();
  const { code, stdout, stderr } = await marginalia(
    ["schema", data("households.csv"), "--json", "--out=s.json"],
    { cwd },
  );
  expect([code, stderr]).toEqual([0, ""]);
  const { rows, columns } = JSON.parse(stdout) as {
    rows: number;
    columns: { name: string; spec?: object }[];
  };
  expect(rows).toBe(1500);
  expect(columns[0]).toEqual({ name: "id", why: expect.stringContaining("left out") });
  expect(columns.filter(({ spec }) => spec).length).toBe(7);
  expect((await marginalia(["schema", data("households.csv"), "--quiet"], { cwd })).stderr).toBe("");
});

it("reads other ways to write the same", async () => {
  const semicolons = "a;b\n1,5;x\n2,5;y\n3,25;x\n";
  const { code, stdout } = await marginalia(["schema", "-", "--delimiter=;", "--decimal-comma"], {
    input: semicolons,
  });
  expect(code).toBe(0);
  const lines = '{"a":1.5,"b":"x"}\n{"a":2.5,"b":"y"}\n{"b":"x","a":3.25}\n';
  const other = await marginalia(["schema", "-", "--format=ndjson"], { input: lines });
  expect(other.stdout).toBe(stdout);
  expect(JSON.parse(stdout)).toMatchObject({
    attributes: [{ name: "a", cuts: [1.5, 2.5, 3.25], decimals: 2 }, {}],
  });
});

it("says which columns follow from others", async () => {
  const cwd = await folder();
  const rows = Array.from(
    { length: 300 },
    (_, i) => `${(i * 7) % 40},k${((i * 7) % 40) % 3},${(i * i) % 11}`,
  );
  await writeFile(join(cwd, "a.csv"), ["code,kind,other", ...rows].join("\n"));
  const { stderr, stdout } = await marginalia(["schema", "a.csv"], { cwd });
  expect(stderr).toContain("kind from code. No record breaks that");
  const told = await marginalia(["schema", "a.csv", "--json", "--out=s.json"], { cwd });
  expect(JSON.parse(told.stdout).dependencies).toEqual([{ from: "code", to: "kind" }]);
  const piped = await marginalia(["schema", "-"], { cwd, input: ["code,kind,other", ...rows].join("\n") });
  expect(piped.stdout).toBe(stdout);
});

it.each([
  ["a,b\n1\n", EXIT.input, "ROW_RAGGED: row 1 "],
  ["a,a\n1,2\n", EXIT.input, "COLUMN_DUPLICATE"],
  ['a,b\n"1,2\n', EXIT.input, "TEXT_INVALID"],
  ["a,b\n", EXIT.usage, "no rows"],
  ["", EXIT.usage, "no rows"],
])("refuses %j", async (input, exit, why) => {
  const { code, stdout, stderr } = await marginalia(["schema", "-"], { input });
  expect([code, stdout]).toEqual([exit, ""]);
  expect(stderr).toContain(why);
});

it("does not overwrite the public file", async () => {
  const cwd = await folder();
  await writeFile(join(cwd, "a.csv"), "a\n1\n2\n");
  const { code } = await marginalia(["schema", "a.csv", "--out", "./a.csv"], { cwd });
  expect(code).toBe(EXIT.usage);
  expect(await readFile(join(cwd, "a.csv"), "utf8")).toBe("a\n1\n2\n");
});

it("reads a large file in little memory", async () => {
  // Forty megabytes, all different: with every value kept it would be several hundred.
  const child = begin(["schema", "-", "--quiet"], {
    env: { ...process.env, NODE_OPTIONS: "--max-old-space-size=64" },
  });
  const done = outcome(child);
  child.stdin?.write("row,amount,words,kind\n");
  for (let block = 0, row = 0; block < 40; block++) {
    let text = "";
    for (; text.length < 1 << 20; row++)
      text += `${row},${(row * 7919) % 1_000_003},text ${row * 31},${"abc"[row % 3]}\n`;
    if (!child.stdin?.write(text)) await new Promise((drained) => child.stdin?.once("drain", drained));
  }
  child.stdin?.end();
  const { code, stdout } = await done;
  expect(code).toBe(0);
  const { attributes } = JSON.parse(stdout) as SchemaJson;
  expect(attributes.map(({ name }) => name)).toEqual(["amount", "kind"]);
  const { cuts = [] } = attributes[0] as { cuts?: number[] };
  expect(cuts.length).toBe(19);
  for (const [i, cut] of cuts.entries()) expect(Math.abs(cut / 1_000_003 - (i + 1) / 20)).toBeLessThan(0.005);
}, 120_000);

it("drafts the schema of a survey whose numbers say N where there are none", async () => {
  const base = process.env.MARGINALIA_DATA;
  if (base === undefined) {
    process.stderr.write("MARGINALIA_DATA is not set: the acs-ma file was not tried\n");
    return;
  }
  const path = join(base, "acs-ma", "ma2018.csv.gz");
  const { by, stderr, made } = await drafted(path);
  expect(by.PUMA).toMatchObject({ type: "category", other: null });
  expect((by.PUMA as { values?: readonly string[] }).values?.length).toBe(5);
  expect(by.MSP).toEqual({ type: "integer", min: 1, max: 6, other: "clamp", nullable: true, nulls: ["N"] });
  expect(by.DVET).toMatchObject({ type: "integer", nulls: ["N"] });
  expect(by.PINCP).toMatchObject({ type: "integer", nulls: ["N"] });
  expect((by.PINCP as { cuts?: readonly number[] }).cuts?.length).toBe(19);
  expect(by.DENSITY).toMatchObject({ type: "number" });
  expect(stderr).toContain("PINCP         whole numbers, in 20 bins");
  expect((await check(createReadStream(path), made)).fits).toBe(true);
  const columns = gunzipSync(readFileSync(path)).toString().split("\n", 1)[0]?.split(",");
  expect(Object.keys(by)).toEqual(columns);
});

it("drafts from names alone, and refuses the draft until it is filled in", async () => {
  const cwd = await folder();
  await writeFile(join(cwd, "private.csv"), "age,sex\n41,Secret\n");
  const { code, stdout, stderr } = await marginalia(["schema", "--columns", "private.csv"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toBe(
    '{\n  "attributes": [\n    { "name": "age", "type": "?" },\n    { "name": "sex", "type": "?" }\n  ]\n}\n',
  );
  expect(stderr).toContain('To fill in, where "?" stands: type of "age"; type of "sex".');
  expect(stderr).toContain("No row was read");
  await writeFile(join(cwd, "schema.json"), stdout);
  const refused = await marginalia(["check", "private.csv", "--schema", "schema.json"], { cwd });
  expect(refused).toMatchObject({ code: EXIT.input, stdout: "" });
  expect(refused.stderr).toContain(
    'SCHEMA_INVALID: the schema is a draft: fill in what is "?": type of "age"',
  );
  const over = await marginalia(["schema", "--columns", "private.csv", "--out", "private.csv"], { cwd });
  expect(over.stderr).toContain("--out would overwrite the private file");
});

it("drafts from a data dictionary, from a file and from standard input", async () => {
  const cwd = await folder();
  const input = "name,type,min,max,values\nage,integer,0,99,\nsex,,,,F|M\nwage,number,0,,\n";
  await writeFile(join(cwd, "dictionary.csv"), input);
  const { code, stdout, stderr } = await marginalia(["schema", "--from", "dictionary.csv", "--bins=5"], {
    cwd,
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).attributes).toMatchObject([
    { name: "age", type: "integer", min: 0, max: 99 },
    { name: "sex", type: "category", values: ["F", "M"] },
    { name: "wage", type: "number", min: 0, max: "?", bins: 5 },
  ]);
  expect(stderr).toContain(
    'Drafted 3 attributes from data dictionary.\nTo fill in, where "?" stands: max of "wage".',
  );
  const piped = await marginalia(["schema", "--from", "-", "--bins=5", "--json", "--out=s.json"], {
    cwd,
    input,
  });
  expect(JSON.parse(piped.stdout)).toMatchObject({ holes: [{ attribute: "wage", fields: ["max"] }] });
  expect(`${await readFile(join(cwd, "s.json"))}`).toBe(stdout);
  const both = await marginalia(["schema", "--from", "dictionary.csv", "--columns", "dictionary.csv"], {
    cwd,
  });
  expect(both.stderr).toContain("a schema is drafted from one thing");
});
