import fc from "fast-check";
import { expect, it } from "vitest";
import { type Json, Ledger } from "../../../ts/privacy/ledger/index.js";
import { Disk } from "./simulated.js";
import { charge, header } from "./support.js";

type Step =
  | { do: "charge"; key: number; values: Uint8Array | Json; draw: boolean }
  | { do: "close" }
  | { do: "many"; keys: number[] };

const value = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.array(fc.integer(), { maxLength: 40 }).map((list) => ({ list, text: "a\n\u2028\ud800é\u0000" })),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("charge" as const),
      key: fc.integer({ min: 0, max: 12 }),
      values: value,
      draw: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("close" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("many" as const),
      keys: fc.uniqueArray(fc.integer({ min: 20, max: 60 }), { maxLength: 6 }),
    }),
  },
);

/** What the program has been told, and so may have acted upon. */
class Witness {
  readonly granted = new Map<number, string>();
  readonly seen = new Map<string, Uint8Array | Json>();
  attempted = 0;

  /** One charge as an account makes it: reuse, or pay, draw, keep, show. */
  async charge(ledger: Ledger, key: string, values: Uint8Array | Json, draw: boolean): Promise<void> {
    const before = ledger.find(key);
    if (before) {
      const kept = await before.values();
      if (this.seen.has(key)) expect(kept).toEqual(this.seen.get(key));
      this.seen.set(key, kept);
      return;
    }
    this.attempted++;
    const id = await ledger.grant(charge(key));
    expect(this.granted.has(id)).toBe(false);
    this.granted.set(id, key);
    if (!draw) return;
    await ledger.journal(id, values);
    // Nothing is seen twice: whoever has seen the values of a key reuses them for ever.
    expect(this.seen.has(key)).toBe(false);
    this.seen.set(key, values);
  }

  /** Nothing lost, nothing exposed unpaid, nothing spent that was not asked for, all values as they were. */
  async check(ledger: Ledger): Promise<void> {
    const entries = new Map(ledger.entries().map((entry) => [entry.id, entry]));
    for (const [id, key] of this.granted) expect(entries.get(id)?.key).toBe(key);
    expect(entries.size).toBeLessThanOrEqual(this.attempted);
    for (const [key, values] of this.seen) expect(await ledger.find(key)?.values()).toEqual(values);
  }
}

async function play(ledger: Ledger, steps: readonly Step[], witness: Witness): Promise<void> {
  for (const one of steps) {
    if (one.do === "close") return ledger.close();
    if (one.do === "charge") await witness.charge(ledger, `k${one.key}`, one.values, one.draw);
    else {
      const all = one.keys.map((key) => witness.charge(ledger, `k${key}`, [key], true));
      const failed = (await Promise.allSettled(all)).find((outcome) => outcome.status === "rejected");
      if (failed) throw failed.reason;
    }
  }
}

const session = fc.record({
  steps: fc.array(step, { maxLength: 12 }),
  stop: fc.option(fc.integer({ min: 0, max: 120 }), { nil: undefined }),
  how: fc.constantFrom("loss" as const, "failure" as const),
  pages: fc.infiniteStream(fc.boolean()),
});

interface Session {
  steps: readonly Step[];
  stop: number | undefined;
  how: "loss" | "failure";
}

async function live({ steps, stop, how }: Session, disk: Disk, witness: Witness): Promise<void> {
  if (stop !== undefined) disk.stopAfter(stop, how);
  let ledger: Ledger | undefined;
  try {
    ledger = await Ledger.open(header, disk.store());
    await witness.check(ledger);
    await play(ledger, steps, witness);
    await ledger.close();
  } catch (error) {
    if (stop === undefined) throw error;
    expect((error as Error).name).toBe("MarginaliaError");
    // Where operations fail, the program lives on and closes; where the power goes, it does not.
    if (how === "failure") await ledger?.close().catch(() => undefined);
  }
}

it("property: whatever is done, and wherever the power goes, nothing is lost, spent twice or exposed unpaid", async () => {
  const numRuns = process.env.MARGINALIA_FULL ? 5000 : 500;
  await fc.assert(
    fc.asyncProperty(fc.array(session, { minLength: 1, maxLength: 6 }), async (sessions) => {
      const disk = new Disk();
      const witness = new Witness();
      for (const one of sessions) {
        await live(one, disk, witness);
        disk.restart(() => one.pages.next().value as boolean);
      }
      const last = await Ledger.open(header, disk.store());
      await witness.check(last);
      await last.close();
    }),
    { numRuns },
  );
}, 300_000);

it("every operation of a session is one after which the power may go", async () => {
  const script = async (disk: Disk, witness: Witness) => {
    const ledger = await Ledger.open(header, disk.store());
    for (let i = 0; i < 3; i++) await witness.charge(ledger, `k${i}`, new Uint8Array(200).fill(i), i !== 1);
    await ledger.close();
  };
  const whole = new Disk();
  await script(whole, new Witness());
  for (let stop = 0; stop <= whole.operations; stop++) {
    for (const survive of [true, false]) {
      const [disk, witness] = [new Disk(), new Witness()];
      disk.stopAfter(stop);
      await script(disk, witness).catch(() => undefined);
      disk.restart(() => survive);
      const ledger = await Ledger.open(header, disk.store());
      await witness.check(ledger);
      await witness.charge(ledger, "k9", [9], true);
      await ledger.close();
      const again = await Ledger.open(header, disk.store());
      await witness.check(again);
    }
  }
  expect(whole.operations).toBeGreaterThan(25);
});
