import { expect, test } from "vitest";
import { type Context, Host } from "../../ts/engine/host.js";
import type { FromHost } from "../../ts/engine/protocol.js";
import type { CreateRaw, Glue } from "../../ts/engine/raw.js";
import { immediate } from "../../ts/engine/stepper.js";

const start = { name: "1", module: {} as WebAssembly.Module, memoryLimit: 1 };

/** Bindings of a core, and of modules with models that are not there. */
const glueOf = (core: CreateRaw): Glue => ({ core, model: { simd: none }, graph: { simd: none } });
const none = (): never => {
  throw new Error("nothing asks for it");
};

/** A host over bindings that do what the test says. */
function makeHost(raw: Record<string, () => unknown>) {
  const posted: FromHost[] = [];
  const create = (() => ({
    initSync: () => {},
    setMemoryLimit: () => {},
    nameInstance: () => {},
    ...raw,
  })) as unknown as CreateRaw;
  const operations = { echo: (_: unknown, args: unknown) => args } as never;
  return {
    posted,
    host: new Host(glueOf(create), operations, immediate, (message) => void posted.push(message)),
  };
}

test("a trap in a thread of the pool ends its worker, because the engine would wait for it for ever", () => {
  const poolWork = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  const { host, posted } = makeHost({ poolWork });
  expect(() => host.receive({ type: "join", ...start })).toThrow("unreachable");
  expect(posted).toEqual([{ type: "ready" }]);
});

test("a module that cannot be instantiated is said so, in each role", () => {
  const initSync = () => {
    throw new WebAssembly.LinkError("no memory");
  };
  for (const type of ["start", "join"] as const) {
    const { host, posted } = makeHost({ initSync });
    host.receive({ type, ...start });
    expect(posted).toEqual([{ type: "failed", message: "no memory" }]);
  }
});

test("an object whose release traps ends the engine", async () => {
  const free = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  const posted: FromHost[] = [];
  const create = (() => ({
    initSync: () => {},
    setMemoryLimit: () => {},
    nameInstance: () => {},
  })) as unknown as CreateRaw;
  const operations = {
    open: (ctx: { keep(o: object): number }) => ({ kept: ctx.keep({ free }), value: 0 }),
  } as never;
  const host = new Host(glueOf(create), operations, immediate, (message) => void posted.push(message));
  host.receive({ type: "start", ...start });
  host.receive({ type: "call", id: 1, name: "open", args: undefined, on: [] });
  await immediate();
  host.receive({ type: "release", object: 1 });
  host.receive({ type: "call", id: 2, name: "open", args: undefined, on: [] });
  await immediate();
  expect(posted.map(({ type }) => type)).toEqual(["ready", "result", "lost"]);
});

/** A host whose calls do not wait for each other, and an object that two of them are on. */
function makeEdge() {
  const posted: FromHost[] = [];
  const freed: string[] = [];
  const steps: (() => void)[] = [];
  const pause = () => new Promise<void>((resume) => void steps.push(resume));
  const create = (() => ({
    initSync: () => {},
    setMemoryLimit: () => {},
    nameInstance: () => {},
  })) as unknown as CreateRaw;
  const job = (end: number) => {
    let at = 0;
    return { step: () => ++at > end, done: () => at, total: () => end };
  };
  const operations = {
    open: (ctx: Context) => ({ kept: ctx.keep({ free: () => void freed.push("object") }), value: 0 }),
    steps: async (ctx: Context, end: number) => {
      await ctx.run(job(end));
      return ctx.on() !== undefined;
    },
  } as never;
  const host = new Host(glueOf(create), operations, pause, (message) => void posted.push(message), false);
  host.receive({ type: "start", ...start });
  host.receive({ type: "call", id: 1, name: "open", args: undefined, on: [] });
  return { host, posted, freed, steps };
}

const results = (posted: readonly FromHost[]) =>
  posted.flatMap((message) => (message.type === "result" || message.type === "error" ? [message.id] : []));

test("at the edge a call that is never resumed holds no other up", async () => {
  const { host, posted, steps } = makeEdge();
  host.receive({ type: "call", id: 2, name: "steps", args: 1, on: [1] });
  host.receive({ type: "call", id: 3, name: "steps", args: 1, on: [1] });
  await immediate();
  expect([results(posted), steps.length]).toEqual([[1], 2]);
  steps[1]?.();
  await immediate();
  expect(results(posted)).toEqual([1, 3]);
});

test("at the edge an object that is released outlives the calls on it, and each is aborted by itself", async () => {
  const { host, posted, freed, steps } = makeEdge();
  host.receive({ type: "call", id: 2, name: "steps", args: 1, on: [1] });
  host.receive({ type: "call", id: 3, name: "steps", args: 1, on: [1] });
  host.receive({ type: "release", object: 1 });
  host.receive({ type: "abort", id: 3 });
  await immediate();
  expect(freed).toEqual([]);
  steps[1]?.();
  await immediate();
  expect([posted.at(-1), freed]).toEqual([
    { type: "error", id: 3, error: expect.objectContaining({ code: "ABORTED" }) },
    [],
  ]);
  steps[0]?.();
  await immediate();
  expect([posted.at(-1), freed]).toEqual([{ type: "result", id: 2, value: true }, ["object"]]);
});
