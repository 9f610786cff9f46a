import type { Command } from "../command.js";
import { check } from "./check.js";
import { inspect } from "./inspect.js";
import { measure } from "./measure.js";
import { schema } from "./schema.js";

/** All commands, in the order of their use. */
export const COMMANDS: readonly Command[] = [schema, check, measure, inspect];
