import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type LedgerJson, readTable, type SchemaJson, schemaFromJson } from "marginalia";
import { describe, expect, it } from "vitest";
import { folder, marginalia } from "./support.js";
import { amounts, anySurvey, constant, csv, type Survey, wholes, words } from "./surveys.js";

/**
 * The same command on files that nobody here has ever looked at: drawn anew by the shapes below. A schema from the public
 * year, a plan, a release at ε = 1, its scores.
 */
const SEEDS = process.env.MARGINALIA_FULL ? 40 : 3;

const many = (count: number, column: (i: number) => Survey["columns"][number]) =>
  Array.from({ length: count }, (_, i) => column(i));

const surveys: [string, Survey, string[]][] = [
  ...Array.from({ length: SEEDS }, (_, i): [string, Survey, string[]] => [
    `columns of all kinds, seed ${i + 1}`,
    anySurvey(i + 1),
    [],
  ]),
  ["60 columns", { columns: many(60, (i) => words(`q${i}`, 2 + (i % 4))), rows: [1500, 1200], seed: 60 }, []],
  [
    "semicolons and commas in numbers",
    {
      columns: [
        ...[words("Land", 9), words("Stand", 4), wholes("Alter", 99, 0.02)],
        ...[amounts("Lohn", 2), amounts("Miete", 1), constant("Jahr", "2018")],
      ],
      ...{ rows: [2000, 2400], seed: 49, delimiter: ";", decimalComma: true },
    },
    ["--delimiter=;", "--decimal-comma"],
  ],
  ["two years that do not differ", { ...anySurvey(7), rows: [3000, 3000], drift: false }, []],
  [
    "an attribute of 500 categories",
    {
      columns: [words("job", 500), words("kind", 5), wholes("age", 90, 0.1), words("home", 3)],
      ...{ rows: [6000, 5000], seed: 500 },
    },
    [],
  ],
];

interface Judged {
  scores: { synthetic: number; public: number; subsample: number };
}

/** Points of 1,000 by which a release may fall below the public file: what rounding and noise do where nothing is gained. */
const SLACK = 3;

describe("releases of files of other shapes", () => {
  it.each(surveys)(
    "%s",
    async (name, survey, how) => {
      const cwd = await folder();
      const ask = (...args: string[]) => marginalia([...args, ...how], { cwd });
      const names = ["public.csv", "private.csv"] as const;
      for (const [year, place] of names.entries())
        await writeFile(join(cwd, place), csv(survey, year as 0 | 1));
      const drafted = await ask("schema", "public.csv", "--out=schema.json", "--max-values=600");
      expect([drafted.code, drafted.stderr]).toEqual([0, ""]);
      const schema = JSON.parse(await readFile(join(cwd, "schema.json"), "utf8")) as SchemaJson;
      expect(schema.attributes.map((one) => one.name)).toEqual(survey.columns.map((one) => one.name));

      const files = ["--public=public.csv", "--private=private.csv", "--schema=schema.json"];
      const spends = ["--epsilon=1", "--ledger=account.json"];
      const planned = await ask("plan", ...files, ...spends, "--out=plan.json");
      expect([planned.code, planned.stderr]).toEqual([0, ""]);
      expect(existsSync(join(cwd, "account.json"))).toBe(false);
      const out = ["--out=out.csv", "--report=report.html", "--save=out.marginalia", "--seed=v1"];
      const made = await ask("run", ...files, ...spends, "--planned=plan.json", ...out, "--json");
      expect([made.code, made.stderr]).toEqual([0, ""]);
      const { records, total, ledger } = JSON.parse(made.stdout) as {
        records: number;
        total: number;
        ledger: LedgerJson;
      };
      expect(ledger.spent).toBe("1");
      expect(records).toBe(Math.round(total));

      // Every value is one that the schema declares, written as it was.
      const checked = await ask("check", "out.csv", "--schema=schema.json");
      expect([checked.code, checked.stderr]).toEqual([0, ""]);
      const text = await readFile(join(cwd, "out.csv"), "utf8");
      const head = csv({ ...survey, rows: [0, 0] }, 0);
      expect(text.startsWith(head)).toBe(true);
      using table = await readTable(join(cwd, "out.csv"), schemaFromJson(schema), {
        ...(survey.delimiter && { delimiter: survey.delimiter }),
        ...(survey.decimalComma && { decimalComma: true }),
      });
      expect(table.rows).toBe(records);

      const judged = await ask("evaluate", "out.csv", ...files, "--triples=50", "--json");
      expect([judged.code, judged.stderr]).toEqual([0, ""]);
      const { scores } = JSON.parse(judged.stdout) as Judged;
      const [ours, theirs] = [scores.synthetic.toFixed(1), scores.public.toFixed(1)];
      process.stderr.write(`${name}: ${ours}, untouched ${theirs}\n`);
      expect(scores.synthetic).toBeGreaterThan(scores.public - SLACK);
      const sampled = await marginalia(["sample", "out.marginalia", "--seed=v1", ...how], { cwd });
      expect(sampled.stdout).toBe(text);
    },
    300_000,
  );
});
