import { close, init, memoryStore, pure, type Sealed, type Store, workload } from "marginalia";
import { afterEach, describe, expect, it } from "vitest";
import { people, sealing } from "./support.js";

/**
 * Between a charge and its values: whatever stops a call there, the charge is in the ledger, nobody sees a value that the
 * ledger does not have, and who asks again gets what it has for nothing, or pays for another draw.
 */

/** A ledger in memory that takes its time, and tells how many writes were made of it. */
function watched(onWrite: (writes: number) => void) {
  const inner = memoryStore();
  let writes = 0;
  const create: Store["create"] = async (first) => {
    const medium = await inner.create(first);
    const write = medium.write.bind(medium);
    medium.write = async (at, bytes) => {
      await new Promise((done) => setTimeout(done, 5));
      await write(at, bytes);
      writes += 1;
      onWrite(writes);
    };
    return medium;
  };
  return { store: { ...inner, create }, inner, written: () => writes };
}

const cells = workload(people, [["age", "sex"]]);
type Call = (sealed: Sealed<typeof people>, signal?: AbortSignal) => Promise<unknown>;
const calls: Record<string, Call> = {
  measurement: (sealed, signal) =>
    sealed.measure([{ clique: ["age"], spend: "1/4" }], signal ? { signal } : {}),
  selection: (sealed, signal) => {
    const asked = { workload: cells, answers: new Float64Array(cells.cells), candidates: "cells" } as const;
    return sealed.select({ ...asked, spend: "1/4", ...(signal && { signal }) });
  },
};

/** What a call is refused with, or what it shows. */
const outcome = (call: Promise<unknown>) =>
  call.then(
    (shown) => ({ shown: JSON.stringify(shown), code: undefined, message: "" }),
    ({ code, message }: { code?: string; message: string }) => ({ shown: undefined, code, message }),
  );

/** Opens the account again, and asks again. */
async function again(ledger: Store, call: Call) {
  const sealed = await sealing(new Blob(["age,sex\n", "1,F\n2,M\n"]), { ledger, budget: pure(1) });
  const before = sealed.ledger.entries().map(({ state }) => state);
  const shown = JSON.stringify(await call(sealed));
  return { before, shown, spent: `${sealed.spent}` };
}

describe.each(Object.entries(calls))("a %s that is aborted", (_, call) => {
  // A record is a line, and then its end: the charge is two writes, its values are two more.
  const moments = [
    ["charge is written", 1],
    ["charge is whole", 2],
    ["values are written", 3],
    ["values are whole", 4],
  ] as const;

  it.each(moments)("when its %s stays paid, and shows what the account has, or nothing", async (_, at) => {
    const controller = new AbortController();
    const { store, inner, written } = watched((writes) => {
      if (writes === at) controller.abort();
    });
    const sealed = await sealing(new Blob(["age,sex\n", "1,F\n2,M\n".repeat(1000)]), { ledger: store });
    const { shown, code, message } = await outcome(call(sealed, controller.signal));
    if (shown === undefined) {
      expect(code).toBe("ABORTED");
      expect(message).toContain("0.25 stays spent");
    } else expect(written()).toBe(4);
    await sealed.close();
    const found = await again(inner, call);
    // Once the values are drawn nothing is gained by giving them up.
    const kept = at > 2;
    expect(shown !== undefined).toBe(kept);
    expect(found.before).toEqual([kept ? "released" : "lost"]);
    expect(found.spent).toBe(kept ? "1/4" : "1/2");
    if (kept) expect(found.shown).toBe(shown);
  });
});

describe("where memory ends between a charge and its values", () => {
  afterEach(async () => {
    await close();
    await init({});
  });

  it.each(Object.entries(calls))(
    "a %s is paid and shows nothing, and is paid again where there is room",
    async (_, call) => {
      const block = new Blob(["1,F\n2,M\n".repeat(10_000)]);
      const ends: (string | undefined)[] = [];
      // From tables that fit to those that do not.
      for (let blocks = 4; blocks <= 14; blocks++) {
        await close();
        await init({ memoryLimit: 2 ** 24 });
        const ledger = memoryStore();
        const table = new Blob(["age,sex\n", ...new Array<Blob>(blocks).fill(block)]);
        const sealed = await sealing(table, { ledger });
        const { shown, code, message } = await outcome(call(sealed));
        ends.push(code);
        if (shown === undefined) expect(message).toContain("0.25 stays spent");
        await sealed.close();
        await close();
        await init({});
        const found = await again(ledger, call);
        expect(found.before).toEqual([shown === undefined ? "lost" : "released"]);
        expect(found.spent).toBe(shown === undefined ? "1/2" : "1/4");
        if (shown !== undefined) expect(found.shown).toBe(shown);
      }
      expect(new Set(ends)).toEqual(new Set([undefined, "OUT_OF_MEMORY"]));
    },
    120_000,
  );
});
