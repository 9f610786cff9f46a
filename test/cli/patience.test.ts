import { setTimeout as pause } from "node:timers/promises";
import { Rational } from "marginalia";
import { expect, it } from "vitest";
import { patient } from "../../ts/cli/patience.js";

type Sealed = Parameters<typeof patient>[0];

/** An account of which so much is spent, and whose entries have these states, at a cost of one each. */
function account(spent: bigint, ...states: string[]) {
  const entries = states.map((state) => ({ state, cost: "1" }));
  return {
    sealed: { spent: Rational.of(spent), ledger: { entries: () => entries } } as unknown as Sealed,
    entries,
  };
}

function stopped(sealed: Sealed) {
  const stop = new AbortController();
  const said: string[] = [];
  const signal = patient(sealed, { signal: stop.signal, note: (text) => said.push(text) });
  stop.abort(new Error("SIGINT"));
  return { signal, said };
}

it("stops at once where nothing that was paid is on its way", () => {
  for (const states of [[], ["released"], ["released", "lost"]]) {
    const { signal, said } = stopped(account(BigInt(states.length), ...states).sealed);
    expect([signal.aborted, said]).toEqual([true, []]);
    expect(`${signal.reason}`).toContain("SIGINT");
  }
});

it.each([
  ["is in the account", ["released", "under way"]],
  ["was charged and is about to be written there", ["released"]],
] as const)("waits for an answer whose charge %s", async (_, states) => {
  const { sealed, entries } = account(2n, ...states);
  const { signal, said } = stopped(sealed);
  expect(said.length).toBe(1);
  await pause(120);
  expect(signal.aborted).toBe(false);
  entries.splice(1, 1, { state: "released", cost: "1" });
  await pause(120);
  expect(signal.aborted).toBe(true);
});

it("takes a stop that came before", () => {
  const stop = new AbortController();
  stop.abort();
  expect(patient(account(0n).sealed, { signal: stop.signal, note: () => undefined }).aborted).toBe(true);
});
