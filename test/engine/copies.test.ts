import { createRequire } from "node:module";
import { afterAll, expect, test } from "vitest";
import { MarginaliaError } from "../../ts/errors.js";
import type * as Built from "./entry.js";
import { built, dist } from "./harness.js";

const commonjs = createRequire(import.meta.url)(`${dist}/index.cjs`) as typeof Built;
const operation = (name: string) => name as "engine.memory";

afterAll(() => built.close());

test("the ESM and the CommonJS copy are two, and share one engine", async () => {
  expect(commonjs.call).not.toBe(built.call);
  await commonjs.init({ threads: false });
  await built.init({ threads: false });
  await expect(built.init({ threads: 2 })).rejects.toMatchObject({ code: "OPTION_INVALID" });
  const failure = await commonjs.call(operation("refuse"), undefined).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(built.MarginaliaError);
  expect(failure).toBeInstanceOf(commonjs.MarginaliaError);
  const busy = built.call(operation("busy"), { ms: 10_000 } as never);
  setTimeout(() => commonjs.close(), 30);
  await expect(busy).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
});

test("errors of any copy are known by their brand, and others are not", () => {
  const ours = new built.MarginaliaError("OPTION_INVALID", "no", { hint: "do this", cause: 1 });
  expect(ours).toBeInstanceOf(MarginaliaError);
  expect(ours).toBeInstanceOf(Error);
  expect(ours).toMatchObject({ name: "MarginaliaError", code: "OPTION_INVALID", hint: "do this", cause: 1 });
  expect("cause" in new MarginaliaError("ABORTED", "no")).toBe(false);
  for (const other of [new Error("x"), Object.assign(new Error("x"), { code: "ABORTED" }), null, "x", {}]) {
    expect(other instanceof MarginaliaError).toBe(false);
  }
});
