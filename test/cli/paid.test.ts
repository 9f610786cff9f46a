import { MarginaliaError, Rational, type Sealed } from "marginalia";
import { expect, it } from "vitest";
import { paying } from "../../ts/cli/paid.js";

type Entry = Parameters<Parameters<typeof paying>[0]["isOwn"]>[0];

/** What fails with this, on an account with charges of these states and of a cost of 1/2 each; the first was there before. */
async function failing(
  thrown: unknown,
  states: readonly string[],
  aborted = false,
): Promise<MarginaliaError> {
  const entries = states.map((state, id) => ({ id, state, cost: "1/2" }) as unknown as Entry);
  const ledger = { entries: () => entries, toJSON: () => ({ currency: "rho" }) };
  const parts = { ledger: { path: "a.json" }, price: Rational.of("1"), isOwn: () => true };
  const sealed = { ledger, earlier: 1 } as unknown as Sealed;
  const signal = aborted ? AbortSignal.abort() : new AbortController().signal;
  return paying({ ...parts, sealed, signal }, () => Promise.reject(thrown)).then(
    () => expect.fail("it failed"),
    (error) => error,
  );
}

const full = new MarginaliaError("SOURCE_FAILED", "the disk is full", { hint: "make room" });

it("says of a stop what is paid, in which account, and how it goes on", async () => {
  const said = async (...states: string[]) => (await failing(new Error("SIGINT"), states, true)).message;
  expect(await said()).toBe("the command was stopped: it paid nothing");
  const half = "the command was stopped: ρ 0.5 is paid, in the account a.json; the same command";
  expect(await said("released")).toBe(`${half} goes on from there, and does not pay that again`);
  const whole = half.replace("0.5", "1");
  expect(await said("released", "released")).toBe(`${whole} finishes it for nothing`);
  expect(await said("lost", "lost")).toBe(
    "the command was stopped: ρ 0.5 is paid for answers that nobody saw and stays spent, in the account a.json",
  );
});

it("says the same as a hint of what fails after paying, and nothing of what fails before", async () => {
  const { code, message, hint } = await failing(full, ["released", "released"]);
  expect([code, message]).toEqual(["SOURCE_FAILED", "the disk is full"]);
  expect(hint).toBe(
    "make room; ρ 1 is paid, in the account a.json; the same command finishes it for nothing",
  );
  expect(await failing(full, [])).toBe(full);
  const defect = new TypeError("x");
  expect(await failing(defect, ["released"])).toBe(defect);
});
