import { Host } from "../host.js";
import { operations } from "../operations.js";
import type { ToHost } from "../protocol.js";
import type { Glue } from "../raw.js";
import { channel } from "../stepper.js";

/** Serves the engine's protocol in a module worker of a browser. */
export function serve(glue: Glue): void {
  const host = new Host(glue, operations, channel, (message, transfer) =>
    postMessage(message, { transfer: transfer ?? [] }),
  );
  addEventListener("message", (event: MessageEvent<ToHost>) => host.receive(event.data));
}
