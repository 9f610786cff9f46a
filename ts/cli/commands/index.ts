import type { Command } from "../command.js";
import { check } from "./check.js";
import { demo } from "./demo.js";
import { evaluate } from "./evaluate.js";
import { inspect } from "./inspect.js";
import { measure } from "./measure.js";
import { plan } from "./plan.js";
import { run } from "./run.js";
import { schema } from "./schema.js";

/** All commands, in the order of their use. */
export const COMMANDS: readonly Command[] = [schema, check, plan, run, evaluate, measure, inspect, demo];
