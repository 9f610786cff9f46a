import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, expect } from "vitest";
import { bundle } from "./bundle.js";
import type * as Built from "./entry.js";

/** The engine of the tests, built once per test file, with every worker it starts on record. */

export type Link = Built.Link;
export type Platform = Built.Platform;
export type Engine = Built.Engine;

export const folder = resolve(`target/engine-test/${process.pid}-${process.env.VITEST_POOL_ID ?? 0}`);
export const dist = await bundle(folder, "node");
export const built = (await import(
  /* @vite-ignore */ pathToFileURL(`${dist}/index.js`).href
)) as typeof Built;

const engines = new Set<Engine>();

afterEach(async () => {
  await Promise.all([...engines].map((engine) => engine.close()));
  engines.clear();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** An engine, and the links to the workers that it has started so far. */
export function makeEngine(change: Partial<Platform> = {}): { engine: Engine; links: Link[] } {
  const links: Link[] = [];
  const { worker } = built.platform;
  const recorded: Platform = {
    ...built.platform,
    cores: () => 2,
    worker: (flavour) => {
      const link = worker?.(flavour) as Link;
      links.push(link);
      return link;
    },
    ...change,
  };
  const engine = new built.Engine(recorded);
  engines.add(engine);
  return { engine, links };
}

/** The code of the error that a promise is rejected with. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  const thrown = await promise.then(
    () => expect.fail("it was not rejected"),
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(built.MarginaliaError);
  return (thrown as Built.MarginaliaError).code;
}

export const MODES = [
  { mode: "threads", options: {} },
  { mode: "one worker", options: { threads: false } },
  { mode: "caller's thread", options: { worker: false } },
] as const;

export const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
