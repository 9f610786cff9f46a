import graph from "glue:graph";
import simd from "glue:model-simd";
import core from "glue:simd";
import { Host } from "./host.js";
import { operations } from "./operations.js";
import type { FromHost, Link } from "./protocol.js";
import type { Pause } from "./stepper.js";

/**
 * An engine in the caller's own thread, for runtimes and pages without workers. Messages cross in microtasks,
 * in order, as between threads; values are not copied, which is why operations must leave arguments alone.
 */
export function inlineLink(pause: Pause, inTurn = true): Link {
  const post = (message: FromHost) => queueMicrotask(() => link.onMessage(message));
  const glue = { core, model: { simd }, graph: { simd: graph } };
  const host = new Host(glue, operations, pause, post, inTurn);
  const link: Link = {
    post: (message) => queueMicrotask(() => host.receive(message)),
    onMessage: () => {},
    onLost: () => {},
    hold: () => {},
    end: async () => {
      host.end();
      link.onMessage = () => {};
    },
  };
  return link;
}
