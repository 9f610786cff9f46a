import type { JsonSchema } from "../option.js";
import { COMMON, type Command } from "./command.js";

/** The JSON Schema of configurations, made of the options of all commands. `cli.schema.json` is what it prints. */
export function configSchema(commands: readonly Command[]): JsonSchema {
  const { config: _, help: __, ...common } = COMMON;
  const properties: Record<string, JsonSchema> = { $schema: { type: "string" } };
  for (const { name, options } of [...commands, { name: "every command", options: common }]) {
    for (const [key, { schema, help }] of Object.entries(options)) {
      const described = { ...schema, description: schema.description ?? help, $comment: name };
      const before = properties[key]?.$comment;
      properties[key] = before ? { ...described, $comment: `${before}, ${name}` } : described;
    }
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "marginalia/cli.schema.json",
    title: "A configuration of the command marginalia",
    description:
      "Options of its commands, by their names in the API. `$comment` says which commands take one; others pass it over.",
    type: "object",
    additionalProperties: false,
    properties,
  };
}
