// Golden runs: what must be the same to the byte whatever becomes of the code.
//
// `golden-runs/ledgers` are accounts of releases with their noisy answers, on rows that follow from their numbers. Each release
// is run again from its account, for nothing, and hashes of all that it is are compared with `golden-runs/hashes.json`:
// - plans in words and as data, before anything was spent and after; ledger, report and page, measurements, totals;
// - records by all three methods, as many as there are, and of those that meet a condition;
// - weights, cells of all pairs and other questions, in records and shares, with standard errors of `noise` and of `all`;
//   the same where a condition is met;
// - of groups also what is known of each, its shares of all pairs, and the weights of the finest.
// Runs (`golden-runs/releases.mjs`) are of `priorAware` under pure, zCDP and (ε, δ) budgets, with pools, without widening, by a
// given workload, given strengths, what cannot be and what follows, weighted rows, coarser attributes, many rows; of `adaptive`
// with given and chosen rounds; of `aim` and `mst` from nothing, and from a public table; of groups at one and two levels, each way of totals, Algorithm 1, groups that nobody public is in.
// Estimates (`golden-runs/estimates.mjs`) from made-up measurements: every estimator with each of its choices, every kind of prior.
//
// Ledgers, saved files and hashes are those of the version before models had kinds, or of the first that had the mechanism. `golden-runs/write.mjs` has made them and
// says with `--parts` what differs. Times are left out.

import { readFile } from "node:fs/promises";
import * as index from "marginalia";
import { close, init, load } from "marginalia";
import * as reports from "marginalia/report";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ESTIMATES } from "./golden-runs/estimates.mjs";
import hashes from "./golden-runs/hashes.json" with { type: "json" };
import { partsOf, partsOfLoaded } from "./golden-runs/of-release.mjs";
import { fileName, RELEASES } from "./golden-runs/releases.mjs";
import { SAVED } from "./golden-runs/saved.mjs";

const api = { ...index, ...reports };
const releases: Record<string, unknown> = hashes.releases;
const estimates: Record<string, unknown> = hashes.estimates;
const saved: Record<string, Record<string, string>> = hashes.saved;
const kept = (name: string) => readFile(new URL(name, import.meta.url));

type Run = (typeof RELEASES)[number];

/** Standard errors of what was loaded may differ from those of the run in the last digit. */
const butErrors = (parts: Record<string, string>) =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => !name.startsWith("errors")));

async function rerun(run: Run) {
  const made = await partsOf(api, run, await kept(`golden-runs/ledgers/${fileName(run.name)}.jsonl`));
  expect(made.after).toBe(made.before);
  expect(made.hashes).toEqual(releases[run.name]);
  return made;
}

describe("on one thread", () => {
  beforeAll(() => init({ threads: false }));
  afterAll(() => close());

  it.each(RELEASES.map((run) => [run.name, run] as const))(
    "the run “%s” gives the same bytes",
    async (_, run) => {
      await rerun(run);
    },
  );

  it.each(Object.entries(ESTIMATES))("the estimate “%s” gives the same bytes", async (name, make) => {
    expect(await make(api)).toEqual(estimates[name]);
  });

  it.each(Object.entries(SAVED))(
    "the run “%s” is loaded from a file of format 1 as the same bytes",
    async (name, file) => {
      const groups = RELEASES.find((run) => run.name === name)?.mechanism === "groups";
      using release = await load(await kept(`saved-1/${file}`), { groups });
      const loaded = await partsOfLoaded(api, release);
      expect(loaded).toEqual(saved[file]);
      // It was saved of that very run.
      expect(releases[name]).toMatchObject(butErrors(loaded));
    },
  );
});

describe("on two threads", () => {
  const MANY = RELEASES.filter(({ name }) =>
    [
      "flat pure",
      "flat of many rows",
      "adaptive zCDP",
      "groups of two levels",
      "groups by Algorithm 1",
    ].includes(name),
  );
  beforeAll(() => init({ threads: 2 }));
  afterAll(() => close());

  it.each(MANY.map((run) => [run.name, run] as const))(
    "the run “%s” gives the same bytes, and so does what is saved of it and loaded",
    async (name, run) => {
      const groups = run.mechanism === "groups";
      const { saved: bytes } = await rerun(run);
      using release = await load(bytes, { groups });
      expect(releases[name]).toMatchObject(butErrors(await partsOfLoaded(api, release)));
    },
  );

  it.each(Object.entries(ESTIMATES).filter(([name]) => name.includes("many rows")))(
    "the estimate “%s” gives the same bytes",
    async (name, make) => {
      expect(await make(api)).toEqual(estimates[name]);
    },
  );
});
