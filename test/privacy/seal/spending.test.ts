import { join } from "node:path";
import fc from "fast-check";
import {
  close,
  type Entry,
  MarginaliaError,
  memoryStore,
  pure,
  Rational,
  type Sealed,
  type Store,
  seal,
  workload,
  zcdp,
} from "marginalia";
import { describe, expect, it } from "vitest";
import { csv, folder, options, people, refusal, sealing } from "./support.js";

const sum = (entries: readonly Entry[]) =>
  entries.reduce((so, { cost }) => so.plus(Rational.of(cost)), Rational.of(0n));

/** A store whose writes fail from one on. */
function failing(from: number): Store {
  const inner = memoryStore();
  let writes = 0;
  return {
    ...inner,
    create: async (bytes) => {
      const medium = await inner.create(bytes);
      return {
        size: () => medium.size(),
        read: (at, length) => medium.read(at, length),
        truncate: (length) => medium.truncate(length),
        sync: () => medium.sync(),
        close: () => medium.close(),
        write: async (at, bytes_) => {
          writes += 1;
          if (writes > from) throw new Error("the disk is full");
          await medium.write(at, bytes_);
        },
      };
    },
  };
}

/** What a program may do: measure, select, measure and change its mind, lose the engine, be run again. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("measure" as const),
      tenths: fc.integer({ min: 1, max: 5 }),
      label: fc.constantFrom("", "b"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("select" as const),
      tenths: fc.integer({ min: 1, max: 5 }),
      after: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
      candidates: fc.constantFrom("cells" as const, "cliques" as const),
      source: fc.constantFrom("numbers" as const, "function" as const, "late" as const, "broken" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("abort" as const),
      tenths: fc.integer({ min: 1, max: 5 }),
      after: fc.integer({ min: 0, max: 20 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("wait" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("engine" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const) }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Spending = Extract<Step, { tenths: number }>;

const cliques = workload(people, [["age"], ["age", "sex"]]);

/** Public answers, some of which come late, or only the first time. */
function answersOf(source: Extract<Step, { kind: "select" }>["source"]) {
  const all = new Float64Array(cliques.cells);
  if (source === "numbers") return all;
  let calls = 0;
  return async (from: number, to: number) => {
    if (source === "late") await new Promise((done) => setTimeout(done, 3));
    if (source === "broken" && ++calls === 2) throw new Error("the model is gone");
    return all.subarray(from, to);
  };
}

/** Only what may go wrong: the budget, an abort, an engine that was closed. */
function expected(error: unknown): undefined {
  const codes = ["BUDGET_EXCEEDED", "ABORTED", "ENGINE_CLOSED", "HANDLE_DISPOSED", "SOURCE_FAILED"];
  expect(error).toBeInstanceOf(MarginaliaError);
  expect(codes).toContain((error as MarginaliaError).code);
}

function spendingOf(sealed: Sealed<typeof people>, one: Spending): Promise<unknown> {
  if (one.kind === "select") {
    const { tenths, after, candidates, source } = one;
    const controller = new AbortController();
    if (after !== undefined) setTimeout(() => controller.abort(), after);
    const asked = {
      workload: cliques,
      answers: answersOf(source),
      candidates,
      spend: `${tenths}/10`,
    } as const;
    return sealed.select({ ...asked, signal: controller.signal });
  }
  const asked = [{ clique: ["age"], spend: `${one.tenths}/10` }] as const;
  if (one.kind === "measure") return sealed.measure(asked, { label: one.label });
  const controller = new AbortController();
  setTimeout(() => controller.abort(), one.after);
  return sealed.measure(asked, { signal: controller.signal });
}

/** A program and its account, through all that it does. */
class Program {
  #sealed: Sealed<typeof people>;
  #pending: Promise<unknown>[] = [];

  private constructor(sealed: Sealed<typeof people>) {
    this.#sealed = sealed;
  }

  static async start(ledger: Store = memoryStore()): Promise<Program> {
    return new Program(await seal(() => new Blob([csv]).stream(), people, { ...options, ledger }));
  }

  async take(one: Step): Promise<void> {
    if ("tenths" in one) this.#pending.push(spendingOf(this.#sealed, one).catch(expected));
    if (one.kind === "wait") await this.idle();
    if (one.kind === "engine") await close();
    if (one.kind === "again") await this.#again();
    const spent = sum(this.#sealed.ledger.entries());
    expect(spent.compare(Rational.of(1))).toBeLessThanOrEqual(0);
    // What is being written is in the account before it is in the ledger.
    expect(spent.compare(this.#sealed.spent)).toBeLessThanOrEqual(0);
  }

  async idle(): Promise<void> {
    await Promise.all(this.#pending.splice(0));
    expect(`${sum(this.#sealed.ledger.entries())}`).toBe(`${this.#sealed.spent}`);
  }

  async #again(): Promise<void> {
    await this.idle();
    const exported = await this.#sealed.ledger.export();
    await this.end();
    this.#sealed = (await Program.start(memoryStore(exported))).#sealed;
  }

  async end(): Promise<void> {
    await this.idle();
    await this.#sealed.close();
  }
}

describe("whatever a program does", () => {
  it("property: the budget is never exceeded, and all accounts agree", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const program = await Program.start();
        for (const one of steps) await program.take(one);
        await program.end();
      }),
      { numRuns: process.env.MARGINALIA_FULL ? 500 : 40 },
    );
  }, 600_000);

  it("concurrent calls are served in order, and the budget ends between them", async () => {
    const sealed = await sealing(new Blob([csv]), { budget: pure("1/2") });
    const calls = Array.from({ length: 9 }, (_, i) =>
      sealed.measure([{ clique: ["age"], spend: "1/10" }], { label: `${i}` }),
    );
    const states = (await Promise.allSettled(calls)).map(({ status }) => status);
    expect(states).toEqual([...new Array(5).fill("fulfilled"), ...new Array(4).fill("rejected")]);
    expect(`${sealed.spent} ${sealed.left}`).toBe("1/2 0");
    expect(sealed.ledger.entries().every(({ state }) => state === "released")).toBe(true);
  });

  it("costs are exact: three tenths fit 0.3, and a tenth more does not", async () => {
    const sealed = await sealing(new Blob([csv]), { budget: pure(0.3) });
    for (let i = 0; i < 3; i++) await sealed.measure([{ clique: ["age"], spend: 0.1 }]);
    await refusal(sealed.measure([{ clique: ["age"], scale: "1e30" }]), "OPTION_INVALID");
    await refusal(sealed.measure([{ clique: ["age"], scale: 2 ** 47 }]), "BUDGET_EXCEEDED");
    const gaussian = await sealing(new Blob([csv]), { budget: zcdp("1/2") });
    await gaussian.measure([
      { clique: ["age"], scale: 2 },
      { clique: ["sex"], law: "laplace", scale: 2 },
    ]);
    // 1/4 for the Gaussian noise, (1/2)²/2 for the Laplace noise.
    expect(`${gaussian.spent}`).toBe("3/8");
  });

  it("an abort before the charge spends nothing; one while rows are read leaves it spent, and says so", async () => {
    const asked = [{ clique: ["age"], spend: "1/4" }] as const;
    const sealed = await sealing(() => new Blob([csv]).stream());
    await refusal(sealed.measure(asked, { signal: AbortSignal.abort() }), "ABORTED");
    expect(sealed.ledger.entries()).toEqual([]);
    const controller = new AbortController();
    async function* slow() {
      yield "age,sex\n";
      yield "1,F\n".repeat(400_000);
      controller.abort(new Error("enough"));
      await new Promise(() => undefined);
    }
    const slower = await sealing(slow);
    const error = await refusal(slower.measure(asked, { signal: controller.signal }), "ABORTED");
    expect(error.message).toContain("ε = 0.25 stays spent");
    expect(error.cause).toEqual(new Error("enough"));
    expect(slower.ledger.entries().map(({ state }) => state)).toEqual(["lost"]);
    expect(`${slower.spent}`).toBe("1/4");
  });

  it("a call that waits for another can be aborted, and leaves the other alone", async () => {
    const sealed = await sealing(new Blob(["age,sex\n", "1,F\n".repeat(500_000)]));
    const controller = new AbortController();
    const first = sealed.measure([{ clique: ["age"], spend: "1/4" }]);
    const second = sealed.measure([{ clique: ["age"], spend: "1/4" }], { signal: controller.signal });
    const third = sealed.measure([{ clique: ["age"], spend: "1/4" }]);
    controller.abort();
    await refusal(second, "ABORTED");
    await Promise.all([first, third]);
    expect(`${sealed.spent}`).toBe("1/2");
  });

  it("a source that fails between charge and draw, or damaged data, leaves the charge spent", async () => {
    async function* broken() {
      yield `age,sex\n${"1,F\n".repeat(400_000)}`;
      throw new Error("the network is gone: 1,F");
    }
    const sealed = await sealing(broken);
    const asked = [{ clique: ["age"], spend: "1/4" }] as const;
    const { message, cause } = await refusal(sealed.measure(asked), "SOURCE_FAILED");
    expect(message).toBe(
      "the private source failed while it was read; it was charged before, and the ε = 0.25 stays spent",
    );
    expect(cause).toEqual(new Error("the network is gone: 1,F"));
    expect(sealed.ledger.entries().map(({ state }) => state)).toEqual(["lost"]);
    // The same call again is charged again, under the same key.
    await sealed.measure(asked).catch((error: unknown) => error);
    const entries = sealed.ledger.entries();
    expect(new Set(entries.map(({ key }) => key)).size).toBe(1);
    expect(`${sum(entries)}`).toBe("1/2");
  });

  it("where the ledger cannot be written nothing is drawn, or nothing is shown", async () => {
    // Two writes make a record: the grant's, then the journal's.
    for (let from = 0; from < 4; from++) {
      const sealed = await sealing(() => new Blob([csv]).stream(), { ledger: failing(from) });
      const asked = [{ clique: ["age"], spend: "1/4" }] as const;
      const { message } = await refusal(sealed.measure(asked), "SOURCE_FAILED");
      expect(message.includes("stays spent")).toBe(from >= 2);
      await refusal(sealed.measure(asked), "OPTION_INVALID");
      expect(sealed.left.compare(Rational.of("3/4"))).toBeLessThanOrEqual(0);
      await sealed.close().catch(() => undefined);
    }
    const whole = await sealing(new Blob([csv]), { ledger: failing(4) });
    expect(await whole.measure([{ clique: ["age"], spend: "1/4" }])).toHaveLength(1);
    await whole.close().catch(() => undefined);
  });

  it("the ledger of a file says what was spent, whoever spent it", async () => {
    const path = join(await folder(), "account.json");
    for (const spent of ["1/10", "1/5", "3/10"]) {
      const sealed = await sealing(new Blob([csv]), { ledger: { path, counter: `${path}.counter` } });
      await sealed.measure([{ clique: ["age"], spend: "1/10" }], { label: spent });
      expect(`${sealed.spent}`).toBe(spent);
      await sealed.close();
    }
  });
});
