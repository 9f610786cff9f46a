import { parentPort } from "node:worker_threads";
import { Host } from "../host.js";
import { operations } from "../operations.js";
import type { ToHost } from "../protocol.js";
import type { Glue } from "../raw.js";
import { immediate, timer } from "../stepper.js";

/** Serves the engine's protocol on the port of a Node worker. */
export function serve(glue: Glue): void {
  const port = parentPort;
  if (port === null) throw new Error("this file runs in a worker only");
  const pause = "Deno" in globalThis ? timer : immediate;
  const host = new Host(glue, operations, pause, (message, transfer) =>
    port.postMessage(message, transfer as never),
  );
  port.on("message", (message: ToHost) => host.receive(message));
}
