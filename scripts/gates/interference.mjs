// From a copied account every release is the same to the byte whatever the private file holds, and nothing is paid; plans and
// refusals are before. Commands that leak are planted first, and must be found out by the same comparison.

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { finish, need, output, scratchFolder } from "../lib/gate.mjs";
import { interference, marginalia } from "../lib/interference.mjs";
import { root } from "../lib/manifest.mjs";

need("node");
output("node", ["scripts/lib/bundle.mjs", "--untyped"]);
const { people } = await import("../../examples/survey.mjs");
const full = process.argv.includes("--full");

const NAMES = ["area", "age", "sex", "tenure"];
const { attributes, derive } = JSON.parse(JSON.stringify(people));
const schema = { attributes: attributes.filter(({ name }) => NAMES.includes(name)), derive };
const OPEN = { name: "age", type: "integer", bins: 8, other: "clamp", nullable: true };
const survey = (year) => readFileSync(join(root, `examples/data/survey-${year}.csv`), "utf8");
/** The same, but that the bounds of age are to be found. */
const bounds = { share: "1/10", grid: { from: -20, to: 150, step: 5 } };
const open = attributes
  .filter(({ name }) => NAMES.includes(name))
  .map((one) => (one.name === "age" ? { ...OPEN, bounds } : one));
const files = {
  "public.csv": survey(2018),
  "schema.json": JSON.stringify(schema),
  "open.json": JSON.stringify({ attributes: open }),
};

/** Two rows of each person. */
const [header, ...rows] = survey(2019).trimEnd().split("\n");
const tableOf = (list) => [`person,${header}`, ...list.map((row, i) => `${i >> 1},${row}`), ""].join("\n");
const table = tableOf(rows);
const twin = ["more rows", tableOf([...rows.slice(7), ...rows])];
const others = [
  ["other rows, and fewer", tableOf(rows.slice(3000, 3700).reverse())],
  ["rows that are all bad", `${tableOf([])}${";\n0,AR101\n\0\n\n".repeat(500)}`],
  ["no row", tableOf([])],
  ["one row", tableOf(["AR101,200000,X,,,,,,,,,,"])],
  twin,
];

const SEALED = ["--schema=schema.json", "--ledger=account.json", "--dataset=survey"];
const PRIVATE = ["--private=private.csv", "--seed=v1", "--rows=300"];
const PRIOR = ["--public=public.csv", ...PRIVATE];

/** Releases of a mechanism: the options of `run` and `plan`. */
const released = (options, settled = true, start = PRIOR, sealed = SEALED) => {
  return (how) => {
    const given = [...sealed, ...start, ...how, ...options];
    const run = ["run", ...given, "--out=a.csv", "--save=a.marginalia"];
    return {
      before: [
        ["plan", ...given.filter((one) => !/^--(seed|rows)=/.test(one)), "--out=plan.json"],
        [...run, "--spend=7"],
      ],
      runs: [
        [...run, "--report=a.html"],
        [...run, "--report=a.json", "--json"],
      ],
      makes: ["a.csv", "a.html", "a.marginalia"],
      settled,
    };
  };
};

/** Marginals alone. */
const measured = (how) => {
  const run = ["measure", "private.csv", ...SEALED, ...how, "--cliques=age,sex;tenure", "--spend=1/9"];
  return {
    before: [
      [...run, "--plan"],
      [...run.slice(0, -1), "--spend=7"],
    ],
    runs: [
      [...run, "--out=m.json"],
      [...run, "--out=m.bin", "--json"],
    ],
    makes: ["m.json"],
    settled: true,
  };
};

/** Public files beside it. */
const ranked = (how) => {
  const run = ["rank", "--private=private.csv", ...SEALED, ...how, "--cliques=age,sex;tenure", "--spend=1/9"];
  const over = run.map((one) => (one.startsWith("--spend") ? "--spend=7" : one));
  return {
    before: [
      [...run, "--plan"],
      [...over, "--public=public.csv"],
    ],
    runs: [
      [...run, "--public", "public.csv", "--out=r.json"],
      [...run, "--public=public.csv", "--out=r.json", "--json"],
    ],
    makes: ["r.json"],
    settled: false,
  };
};

const mechanisms = {
  flat: released(["--draws=1"]),
  adaptive: released(["--adaptive", "--rounds=2"], false),
  aim: released(["--rounds=3"], false, PRIVATE),
  mst: released(["--mechanism=mst"], false, PRIVATE),
  "pmw-pub": released(["--mechanism=pmw-pub", "--rounds=2", "--ways=2"], false),
  "bounds, aim": released(["--rounds=3"], false, PRIVATE, ["--schema=open.json", ...SEALED.slice(1)]),
  grouped: released(["--draws=1", "--groups=area", "--parent=state"]),
  marginals: measured,
  ranking: ranked,
};
/** Other models and estimates of these, which take one unit for each currency. */
const variants = {
  "flat, of areas": released(["--draws=1", "--group=area", "--strength=harmonic"]),
  "adaptive, after one-ways": released(["--adaptive", "--rounds=1", "--start=one-ways"], false),
  "grouped, iterative": released(["--draws=1", "--groups=area", "--estimator=iterative", "--keep-refused"]),
};
const budgets = { ε: ["--epsilon=1"], ρ: ["--rho=1/8"] };
const units = ["row", "2", "person:2"];

/**
 * Each release with two other tables, in turn; in full with all of them. What comes before a charge is asked with one unit
 * for each currency: test/mechanisms/audit/before.test.ts has plans with all.
 */
const releases = Object.entries({ ...mechanisms, ...variants }).flatMap(([mechanism, make], kind) =>
  Object.entries(budgets).flatMap(([currency, budget], which) =>
    units.flatMap((unit, i) => {
      const chosen = full || i === (kind + which) % units.length;
      if (mechanism in variants && !chosen) return [];
      const two = [0, 1].map((more) => others[(kind + which + 2 * i + more) % others.length]);
      const release = {
        name: `${mechanism}, ${currency}, unit ${unit}`,
        ...make([...budget, `--unit=${unit}`]),
      };
      return [[chosen ? release : { ...release, before: [] }, full ? others : two]];
    }),
  ),
);

const lines = (cwd) => readFileSync(join(cwd, "private.csv"), "utf8").split("\n").length;
/** The command, but that an option of it is as many as the private file has lines. */
const knowing = (option, command) => (args, cwd) => {
  const others = args.filter((one) => !one.startsWith(option));
  return marginalia(args[0] === command ? [...others, `${option}=${lines(cwd)}`] : args, cwd);
};

/** Commands that tell how many lines the private file has, each in its way, and words that the finding must contain. */
const leaks = [
  ["in the label of a release", knowing("--label", "run"), '"inspect account.json --json" differs'],
  ["in its plan", knowing("--expected-rows", "plan"), "plan.json differs"],
  ["in the seed of records", knowing("--seed", "run"), "a.csv differs"],
  ["in the report", knowing("--title", "run"), "a.html differs"],
  [
    "on standard error",
    async (args, cwd) => {
      const said = await marginalia(args, cwd);
      return { ...said, stderr: Buffer.from(`${said.stderr}${lines(cwd)} lines\n`) };
    },
    "the standard error of",
  ],
  [
    "by noise of its own",
    (args, cwd) => {
      if (args[0] === "run") rmSync(join(cwd, "account.json"), { force: true });
      return marginalia(args, cwd);
    },
    "account.json differs",
  ],
];

const folder = scratchFolder();
const problems = [];
let checks = 0;

/** Two at a time. */
async function each(list, work) {
  const left = [...list];
  const next = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one);
  };
  await Promise.all([next(), next()]);
}

const planted = { name: "planted", ...mechanisms.flat([...budgets.ε, "--unit=2"]) };
await each(leaks, async ([how, command, words]) => {
  const tables = { table, others: [others[0]], twin };
  const found = await interference(planted, tables, { folder, files, command });
  if (!found.problems.some((line) => line.includes(words)))
    problems.push(`self-test: a leak ${how} is not found out: ${found.problems}`);
});
await each(releases, async ([release, instead]) => {
  const found = await interference(release, { table, others: instead, twin }, { folder, files });
  checks += found.checks;
  problems.push(...found.problems);
});

finish(
  problems,
  "what is said before a charge, or follows of answers in the account, must not depend on private rows: mend what differs",
  `${checks} comparisons of ${releases.length} releases: nothing shows of the private file; ${leaks.length} planted leaks are found out`,
);
