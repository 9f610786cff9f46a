import { readFileSync } from "node:fs";
import fc from "fast-check";
import {
  adaptive,
  aim,
  approximate,
  type Budget,
  memoryStore,
  mst,
  pmwPub,
  priorAware,
  pure,
  type Rational,
  rank,
  type Sealed,
  type SealOptions,
  type Store,
  workload as workloadOf,
  zcdp,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { file, kept, people, publicYear, sealing } from "../support.js";

/**
 * Until the first charge of a release is in the ledger nothing of a private table is read but the line that names its
 * columns. So plans, progress, memory and everything else until then are the same for all tables.
 */

interface Mechanism {
  plan(data: Sealed<typeof people>, settings: object): Promise<{ fits: boolean }>;
  run(data: Sealed<typeof people>, settings: object): Promise<Disposable>;
}

const workload = [
  ["age", "employment"],
  ["sex", "tenure"],
] as const;
const common = async () => ({ prior: await publicYear(), widen: false }) as const;

const mechanisms: Record<string, () => Promise<Mechanism>> = {
  flat: async () => kept(priorAware({ ...(await common()), draws: 1, workload })),
  adaptive: async () => kept(adaptive({ ...(await common()), workload, rounds: 2, strength: "harmonic" })),
  aim: async () => kept(aim({ workload, rounds: 2 })),
  mst: async () => kept(mst({ attributes: ["age", "sex", "tenure"] })),
  pmwPub: async () => kept(pmwPub({ ...(await common()), workload, rounds: 2 })),
  grouped: async () =>
    kept(priorAware({ ...(await common()), groups: [{ by: ["state"], workload }, ["area"]] })),
  rank: async () => {
    const own = { workload: workloadOf(people, workload), spend: "1/2000" };
    const year = await publicYear();
    return {
      plan: async (data) => (await rank.plan({ data, ...own })).plan,
      async run(data) {
        await rank({ data, ...own, public: { year } });
        return { [Symbol.dispose]: () => undefined };
      },
    };
  },
};

const [header = "", ...rows] = readFileSync(file(2019), "utf8").split(/(?<=\n)/);

/** Any lines at all under the header: people, garbage, nobody. */
const tables = fc.oneof(
  fc.constant(""),
  fc.array(fc.constantFrom(...rows), { maxLength: 40 }).map((list) => list.join("")),
  fc.string({ unit: "binary", maxLength: 3000 }),
  fc.integer({ min: 1, max: 3 }).map((times) => rows.join("").repeat(times)),
);

/** What is seen from outside, until a charge is in the ledger. */
class Log {
  readonly events: string[] = [];
  granted = false;

  note(event: string): void {
    if (!this.granted) this.events.push(event);
  }

  store(): Store {
    const store = memoryStore();
    return {
      ...store,
      create: async (first) => {
        const medium = await store.create(first);
        const write = medium.write.bind(medium);
        medium.write = (at, bytes) => {
          this.granted = true;
          return write(at, bytes);
        };
        return medium;
      },
    };
  }

  /** The header first, then the rows in one piece. */
  async *source(table: string): AsyncGenerator<Uint8Array> {
    this.note("the header is read");
    yield new TextEncoder().encode(header);
    this.note("rows are read");
    yield new TextEncoder().encode(table);
    this.note("the end is read");
  }
}

const budgets: Budget[] = [pure("1/3"), pure(2), zcdp("1/20"), approximate(1, "1e-9")];
const how: Partial<SealOptions>[] = [
  {},
  { expectedRows: 900 },
  { unit: { maxRows: 3 } },
  { unit: { column: "tenure", maxRows: 2 } },
  { relation: { replace: { n: 4800 } } },
];

describe.each(Object.entries(mechanisms))("of a %s release", (_, make) => {
  it("plans are the same to the byte, whatever the private rows, the unit, the budget and what was spent", async () => {
    const mechanism = await make();
    const options = fc.record({
      budget: fc.constantFrom(...budgets),
      change: fc.constantFrom(...how),
      spends: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(tables, tables, options, async (one, other, { budget, change, spends }) => {
        const plans: string[] = [];
        for (const table of [one, other]) {
          const data = await sealing({ budget, ...change }, new Blob([header, table]));
          if (spends) await data.measure([{ clique: ["sex"], spend: "1/100" }]);
          const plan = await mechanism.plan(data, {});
          expect(plan.fits).toBe(true);
          plans.push(`${plan}\n${JSON.stringify(plan)}\n${told(data.spent)}`);
          await data.close();
        }
        expect(plans[1]).toBe(plans[0]);
      }),
      { numRuns: 12 },
    );
  });

  it("nothing but the header is read, and nothing else is seen, until the first charge is in the ledger", async () => {
    const seen = async (table: string, budget: Budget) => {
      const mechanism = await make();
      const log = new Log();
      const source = log.source(table);
      const data = await sealing({ budget, ledger: log.store() }, source as Parameters<typeof sealing>[1]);
      const onProgress = ({ phase }: { phase: string }) => log.note(phase);
      await mechanism.run(data, { onProgress }).then(
        (release) => release[Symbol.dispose](),
        (error: { code?: string; message?: string }) => log.note(`${error.code} ${error.message}`),
      );
      await data.close();
      return log;
    };
    await fc.assert(
      fc.asyncProperty(tables, tables, fc.constantFrom(...budgets), async (one, other, budget) => {
        const [a, b] = [await seen(one, budget), await seen(other, budget)];
        expect([a.granted, b.granted]).toEqual([true, true]);
        expect(a.events).toContain("the header is read");
        expect(a.events).not.toContain("rows are read");
        // How often progress is told depends on the clock.
        expect(new Set(b.events)).toEqual(new Set(a.events));
      }),
      { numRuns: 8 },
    );
  });
});

const told = (spent: Rational) => `${spent}`;
