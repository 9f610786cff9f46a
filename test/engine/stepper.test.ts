import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { channel, immediate, nextWork, runJob, timer } from "../../ts/engine/stepper.js";

/** Runs a job of so many units on a clock of our own; answers with the work of each step and the progress. */
async function simulate(total: number, unitsPerMs: number, tick: number) {
  let time = 0;
  let done = 0;
  const works: number[] = [];
  const progress: { done: number; at: number }[] = [];
  const job = {
    step: (work: number) => {
      works.push(work);
      const part = Math.min(work, total - done);
      done += part;
      time += part / unitsPerMs;
      return done === total;
    },
    done: () => done,
    total: () => total,
  };
  await runJob(job, {
    check: () => {},
    progress: (done) => void progress.push({ done, at: time }),
    pause: async () => {},
    now: () => (tick === Number.POSITIVE_INFINITY ? 0 : Math.floor(time / tick) * tick),
  });
  return { works, progress, time };
}

describe("steps", () => {
  test.each([1e3, 1e5, 1e6, 1e8])("come to take 10 to 20 ms at %d units a millisecond", async (speed) => {
    const { works } = await simulate(speed * 2000, speed, 0.001);
    const late = works.slice(12, -1).map((work) => work / speed);
    expect(late.length).toBeGreaterThan(20);
    for (const ms of late) expect(ms).toSatisfy((value: number) => value >= 10 && value <= 20);
  });

  test("stay at a safe amount where the clock stands still", async () => {
    const { works, progress } = await simulate(1e9, 1e5, Number.POSITIVE_INFINITY);
    expect(Math.max(...works)).toBe(2 ** 21);
    expect(progress.at(-1)?.done).toBe(1e9);
  });

  test("stay below 60 ms on a clock that ticks every 1 ms", async () => {
    const { works } = await simulate(1e5 * 3000, 1e5, 1);
    expect(Math.max(...works) / 1e5).toBeLessThan(60);
  });

  test("progress is told at most ten times a second and always at the end", async () => {
    const { progress, time } = await simulate(1e5 * 3000, 1e5, 0.001);
    expect(progress.length).toBeLessThanOrEqual(time / 100 + 2);
    expect(progress.length).toBeGreaterThan(20);
    expect(progress.at(-1)?.done).toBe(1e5 * 3000);
  });

  test("whatever was measured, the next work is a whole number within bounds", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 256, max: 2 ** 31 }),
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (work, ms) => {
          const next = nextWork(work, ms);
          expect(Number.isInteger(next)).toBe(true);
          expect(next).toBeGreaterThanOrEqual(256);
          expect(next).toBeLessThanOrEqual(2 ** 31);
        },
      ),
    );
  });
});

test.each([{ channel }, { immediate }, { timer }])("a pause lets messages through: %o", async (named) => {
  const pause = Object.values(named)[0] ?? expect.fail();
  const { port1, port2 } = new MessageChannel();
  let heard = false;
  port1.onmessage = () => {
    heard = true;
  };
  port2.postMessage(1);
  for (let turn = 0; turn < 50 && !heard; turn++) await pause();
  port1.close();
  expect(heard).toBe(true);
});
