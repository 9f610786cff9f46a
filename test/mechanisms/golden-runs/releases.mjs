// The releases of the golden runs, by name: what is sealed, what is public, which mechanism with which options.

import { ages, agesOf, people, peopleOf, RAW } from "./data.mjs";

const PAIRS = [["age", "sector"], ["area", "pets"], ["income", "age"], ["job"]];
const DENY = [
  { age: "0..19", pets: "some" },
  { sector: ["farm", null], area: "S2" },
];

/** Options of `priorAware` without groups. */
const FLAT = {
  "flat pure": {},
  "flat zCDP": { budget: ["zcdp", "1/4"] },
  "flat approximate": { budget: ["approximate", 1, "1e-6"], options: { spend: "1/50", label: "a part" } },
  "flat of replaced rows": {
    sealing: { relation: { replace: { n: 700 } } },
    options: { total: 700, tolerance: 1e-6, exponents: [1] },
  },
  "flat by units": {
    budget: ["pure", 4],
    sealing: { unit: { maxRows: 2 }, expectedRows: 650 },
  },
  "flat with pooled groups": { options: { group: "area" } },
  "flat with a share of pooled groups": { options: { group: "pets", pool: { alpha: 0.3 } } },
  "flat in groups that lend nothing": { options: { group: "area", pool: false } },
  "flat, not widened": { options: { widen: false } },
  "flat, widened much": { options: { widen: { share: 0.3, rows: 900 }, dependencies: "ignore" } },
  "flat by a workload": {
    options: {
      workload: PAIRS,
      targets: [
        ["age", "pets"],
        ["area", "sector"],
      ],
    },
  },
  "flat by a strength": { options: { workload: PAIRS, strength: 250, priorStrength: 400 } },
  "flat by the harmonic strength": { options: { workload: PAIRS, strength: "harmonic" } },
  "flat without what cannot be": { options: { deny: DENY } },
  "flat from weighted rows": { weighted: true, options: { attributes: ["age", "income", "pets", "state"] } },
  "flat of many rows": {
    rows: 20_000,
    budget: ["zcdp", 2],
    options: { workload: PAIRS, widen: { rows: 40_000 } },
  },
  "flat by coarser attributes": { coarser: true, budget: ["pure", 6] },
};

const ADAPTIVE = {
  "adaptive pure": { options: { rounds: 3 } },
  "adaptive zCDP": { budget: ["zcdp", "1/4"], options: { rounds: 2, start: "one-ways", group: "area" } },
  "adaptive by a workload": {
    options: {
      workload: PAIRS,
      factors: [1, 2, 3, 1],
      rounds: 2,
      selectShare: 0.3,
      deny: DENY,
      widen: false,
    },
  },
  "adaptive by the noise": { budget: ["pure", 3], options: { attributes: ["age", "pets", "state"] } },
};

/** From nothing public, unless a run says otherwise. */
const AIM = {
  "aim pure": { alone: true, options: { rounds: 8 } },
  "aim zCDP": { alone: true, budget: ["zcdp", "1/4"], options: { deny: DENY.slice(0, 1), cells: 2000 } },
  "aim from a public table": {
    budget: ["zcdp", "1/8"],
    options: { rounds: 12, workload: PAIRS, factors: [1, 2, 3, 1] },
  },
};
const MST = {
  "mst pure": { alone: true, budget: ["pure", 3] },
  "mst zCDP": {
    alone: true,
    budget: ["zcdp", "1/50"],
    options: { attributes: ["age", "pets", "sector", "area"] },
  },
};

const LEVELS = [
  { by: [], workload: [["age", "pets"]] },
  { by: ["area"], workload: [["sector"], ["age"]] },
];
const GROUPED = {
  "groups of one level": { options: { groups: [["area"]], total: 700 } },
  "groups of two levels": { options: { groups: [["state"], ["area"]] } },
  "groups zCDP": { budget: ["zcdp", "1/2"], options: { groups: [["state"], ["area"]], local: false } },
  "groups by a workload": {
    options: { groups: LEVELS, totals: "combined", widen: { share: 0.1, rows: 300 } },
  },
  "groups by counts": { options: { groups: LEVELS, totals: "count", deny: DENY.slice(0, 1) } },
  "groups by Algorithm 1": { options: { groups: LEVELS, estimator: "iterative" } },
  "groups by Algorithm 1 and counts": {
    options: { groups: [["state"], ["area"]], estimator: "iterative", totals: "count" },
  },
  "groups that the public table does not know": {
    without: ["S2"],
    options: { groups: [["state"], ["area"]], dependencies: "ignore" },
  },
  "groups of known totals": {
    options: {
      groups: [
        { by: ["state"], count: 1, share: 2, strength: 300, workload: [["age", "pets"]] },
        { by: ["area"], count: 2, share: 3, workload: [["sector"]] },
      ],
      total: [
        { group: { state: "N" }, records: 350 },
        { group: { state: "S" }, records: 340 },
        { group: { state: null }, records: 10 },
      ],
      mostRows: 120,
    },
  },
};

const of = (mechanism, list) => Object.entries(list).map(([name, one]) => ({ name, mechanism, ...one }));

/** Every run: its name, mechanism, and whatever is not as usual. */
export const RELEASES = [
  ...of("priorAware", FLAT),
  ...of("adaptive", ADAPTIVE),
  ...of("aim", AIM),
  ...of("mst", MST),
  ...of("groups", GROUPED),
];

/** The file that a run is kept in. */
export const fileName = (name) => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");

/** The public table of a run, unless it has none. */
export async function publicOf(api, { alone, coarser, rows = 600, weighted, without }) {
  if (alone) return undefined;
  if (coarser) return await api.readTable(ages(900, { now: false }), agesOf(api));
  const options = { keepRaw: RAW, ...(weighted ? { weight: "w" } : {}) };
  return await api.readTable(people(rows, 1, { weighted, without }), peopleOf(api), options);
}

/** The private table of a run, with the account that is given. */
export async function sealedOf(api, { coarser, rows = 700, budget = ["pure", 1], sealing = {} }, ledger) {
  const [kind, ...amounts] = budget;
  const options = { dataset: "golden", unit: "row", ledger, ...sealing };
  const promise = api[kind](...amounts);
  const source = coarser ? ages(900, { now: true }) : people(rows, 2);
  return await api.seal(source, coarser ? agesOf(api) : peopleOf(api), { ...options, budget: promise });
}

/** The mechanism of a run. */
export function mechanismOf(api, { alone, mechanism, options = {} }, prior) {
  if (alone) return api[mechanism]({ seed: "golden", ...options });
  const all = {
    prior,
    seed: "golden",
    provenance: { name: "made up", declaredPublicBy: "nobody" },
    ...options,
  };
  if (mechanism !== "groups" && mechanism !== "priorAware") return api[mechanism](all);
  return api.priorAware({ draws: 1, ...all });
}
