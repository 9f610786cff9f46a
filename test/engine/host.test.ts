import { expect, test } from "vitest";
import { Host } from "../../ts/engine/host.js";
import type { FromHost } from "../../ts/engine/protocol.js";
import type { CreateRaw } from "../../ts/engine/raw.js";
import { immediate } from "../../ts/engine/stepper.js";

const start = { module: {} as WebAssembly.Module, memoryLimit: 1 };

/** A host over bindings that do what the test says. */
function makeHost(raw: Record<string, () => unknown>) {
  const posted: FromHost[] = [];
  const create = (() => ({ initSync: () => {}, setMemoryLimit: () => {}, ...raw })) as unknown as CreateRaw;
  const operations = { echo: (_: unknown, args: unknown) => args } as never;
  return { posted, host: new Host(create, operations, immediate, (message) => void posted.push(message)) };
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
  const create = (() => ({ initSync: () => {}, setMemoryLimit: () => {} })) as unknown as CreateRaw;
  const operations = {
    open: (ctx: { keep(o: object): number }) => ({ kept: ctx.keep({ free }), value: 0 }),
  } as never;
  const host = new Host(create, operations, immediate, (message) => void posted.push(message));
  host.receive({ type: "start", ...start });
  host.receive({ type: "call", id: 1, name: "open", args: undefined, on: [] });
  await immediate();
  host.receive({ type: "release", object: 1 });
  host.receive({ type: "call", id: 2, name: "open", args: undefined, on: [] });
  await immediate();
  expect(posted.map(({ type }) => type)).toEqual(["ready", "result", "lost"]);
});
