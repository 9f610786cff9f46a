import {
  type AdaptivePlan,
  type Aim,
  adaptive,
  aim,
  type Budget,
  category,
  type GroupedRelease,
  kWay,
  type Measurement,
  type Mst,
  mst,
  priorAware,
  pure,
  Rational,
  type Release,
  readTable,
  type Sealed,
  schema,
  seal,
  type Table,
  type Unit,
  zcdp,
} from "marginalia";
import { leaves } from "./shown.js";

/** A schema of 36 cells: a release of it is a matter of milliseconds. */
export const tiny = schema({
  g: category(["p", "q"], { other: null }),
  a: category(["x", "y"], { other: null }),
  b: category(["u", "v", "w"], { other: null }),
});

export type Tiny = typeof tiny;
type Person = { g: string; a: string; b: string };
type Released =
  | Release<Tiny>
  | Release<Tiny, AdaptivePlan<Tiny>>
  | Awaited<ReturnType<(Aim<Tiny> | Mst<Tiny>)["run"]>>
  | GroupedRelease<Tiny>;

/** A mechanism, which plans for a table and then runs the plan as often as it is asked to. */
interface Maker extends Disposable {
  of(data: Sealed<Tiny>): Promise<() => Promise<Released>>;
}

interface Mechanism<P> extends Disposable {
  plan(data: Sealed<Tiny>): Promise<P>;
  run(data: Sealed<Tiny>, settings: { plan: P }): Promise<Released>;
}

function made<P extends object>(mechanism: Mechanism<P>): Maker {
  return {
    async of(data) {
      const plan = await mechanism.plan(data);
      return () => mechanism.run(data, { plan });
    },
    [Symbol.dispose]: () => mechanism[Symbol.dispose](),
  };
}

const person = (text: string): Person => ({ g: text[0] ?? "", a: text[1] ?? "", b: text[2] ?? "" });
const people = (text: string): Person[] => text.split(" ").map(person);

/** What everybody knows. */
export const PUBLIC = people("pxu pxv pyw qxu qyv qyw pxu qyu pyv qxw");
const PRIVATE = people("pxu pyv qxw qyu qyu pyw");

/** One mechanism, and two tables that differ in one unit. */
export interface Study {
  readonly name: string;
  readonly unit: Unit;
  /** The whole of what is spent, and what of it is allowed to show: ε at this δ. */
  readonly spend: string;
  readonly claim: { readonly epsilon: number; readonly delta: number };
  readonly budget: (spend: Rational) => Budget;
  readonly tables: readonly [readonly Person[], readonly Person[]];
  /** What an attack is sure to find of ε = 4, where that is less than half: budgets in many parts hide it from attacks of so many runs. */
  readonly finds?: number;
  readonly maker: (prior: Table<Tiny>, spend: string) => Maker;
}

const settings = { widen: false, draws: 1, exponents: [0] } as const;
const oneMore = [PRIVATE, [...PRIVATE, person("pxu")]] as const;
const pairs = [["a"], ["b"]] as const;

/** Every mechanism under a pure budget, and one with Gaussian noise. */
export function studies(epsilon: number): Study[] {
  const spend = `${epsilon}`;
  const claim = { epsilon, delta: 0 };
  const row = { unit: "row", spend, claim, budget: pure, tables: oneMore } as const;
  const { draws: _, exponents: _all, ...rounds } = settings;
  return [
    {
      ...row,
      name: "flat",
      maker: (prior, spend) => made(priorAware({ ...settings, prior, spend, workload: pairs })),
    },
    {
      ...row,
      name: "adaptive",
      maker: (prior, spend) => made(adaptive({ ...rounds, prior, spend, workload: pairs, rounds: 1 })),
    },
    {
      ...row,
      name: "aim",
      finds: 1.5,
      maker: (_, spend) => made(aim({ spend, rounds: 1, expectedRows: 6 })),
    },
    {
      ...row,
      name: "mst",
      finds: 0.3,
      maker: (_, spend) => made(mst({ spend, attributes: ["a", "b"], expectedRows: 6 })),
    },
    {
      ...row,
      name: "grouped, where a unit is in two groups",
      unit: { maxRows: 2 },
      tables: [PRIVATE, [...PRIVATE, person("pxu"), person("qxu")]],
      maker: (prior, spend) => {
        const groups = [
          { by: [], count: 0, share: 1, workload: [["a"]] },
          { by: ["g"], count: 0, share: 15, workload: [["b"]] },
        ] as const;
        return made(priorAware({ ...settings, prior, spend, groups }));
      },
    },
  ];
}

/** The same by zCDP: what follows of ρ for δ is claimed. */
export function gaussian(rho: string, claim: Study["claim"]): Study {
  const [flat] = studies(1) as [Study];
  return { ...flat, name: "flat, Gaussian", spend: rho, claim, budget: zcdp };
}

/** What a release shows: the figures of all that it can be asked for, by where they stand, and its answers. */
export interface Shown {
  readonly leaves: ReadonlyMap<string, number | string>;
  readonly measurements: readonly Measurement[];
}

const asked = kWay(tiny, 2);
const ASKED = [{ clique: ["a", "b"] }, { clique: ["g"] }] as const;

/** All that can be had of a release, but for the time of day. */
async function shown(release: Released, before: number): Promise<Shown> {
  const { report, total } = release;
  const measurements = release.measurements.flat();
  const flat = "model" in release && typeof release.model === "object" ? release.model : undefined;
  const answers = flat
    ? await (flat.kind === "support" ? flat.answer(ASKED, { standardErrors: "all" }) : flat.answer(ASKED))
    : await (release as GroupedRelease<Tiny>).answer(asked);
  using records = await release.table({ rows: 12 });
  const counts = await records.answer(asked);
  const paid = release.ledger.entries().slice(before);
  const entries = paid.map(({ what, mechanism, cost, state }) => [what, mechanism, cost, state]);
  const all = { report, total, measurements, answers, counts, entries };
  return { leaves: leaves(all), measurements };
}

/**
 * Asks for more than a mechanism wants to spend, behind its back: twice the ε or four times the ρ is half the scale of all
 * noise.
 */
function halved(data: Sealed<Tiny>): void {
  const by = Rational.of(data.budget.type === "pure" ? 2n : 4n);
  const more = <T extends { spend?: unknown }>(one: T): T => {
    return { ...one, spend: Rational.of(one.spend as string).times(by) };
  };
  const { measure, select } = data;
  data.measure = (requests, options) => measure.call(data, requests.map(more), options);
  data.select = (options) => select.call(data, more(options));
}

/** So many runs share an account, and the memory of one vault. */
const BATCH = 50;

/** What so many runs on each of the two tables show; `half` where the noise is half of what is claimed. */
export async function audited(study: Study, runs: number, half = false): Promise<[Shown[], Shown[]]> {
  const found: [Shown[], Shown[]] = [[], []];
  using prior = await readTable(PUBLIC, tiny);
  using maker = study.maker(prior, study.spend);
  for (const [which, rows] of study.tables.entries()) {
    while ((found[which] as Shown[]).length < runs) {
      for (const one of await batch(study, maker, rows, half)) found[which as 0 | 1].push(one);
    }
  }
  return found;
}

async function batch(study: Study, maker: Maker, rows: readonly Person[], half: boolean): Promise<Shown[]> {
  const { unit, budget, spend } = study;
  const whole = Rational.of(spend).times(Rational.of(BigInt(4 * BATCH)));
  const options = { dataset: "tiny", unit, budget: budget(whole), expectedRows: 6 };
  const data = await seal([...rows], tiny, options);
  if (half) halved(data);
  const run = await maker.of(data);
  const found: Shown[] = [];
  for (let times = 0; times < BATCH; times++) {
    const before = data.ledger.entries().length;
    using release = await run();
    found.push(await shown(release, before));
  }
  await data.close();
  return found;
}
