import type { Command } from "../command.js";
import { check } from "./check.js";
import { demo } from "./demo.js";
import { evaluate } from "./evaluate.js";
import { inspect } from "./inspect.js";
import { measure } from "./measure.js";
import { plan } from "./plan.js";
import { query } from "./query.js";
import { rank } from "./rank.js";
import { run } from "./run.js";
import { sample } from "./sample.js";
import { schema } from "./schema.js";

/** All commands, in the order of their use. */
export const COMMANDS: readonly Command[] = [
  schema,
  check,
  plan,
  run,
  evaluate,
  query,
  sample,
  measure,
  rank,
  inspect,
  demo,
];
