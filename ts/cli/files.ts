import { access, constants, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { MarginaliaError } from "../errors.js";
import { type OpenSchema, openSchema, schemaFromJson } from "../index.js";
import type { Option } from "../option.js";
import { invalid, isObject } from "../options.js";
import { ledgerFiles } from "../privacy/ledger/file.js";
import { hasOpen } from "../tables/open.js";
import { sameFile as same } from "../tables/same.js";
import type { Schema, SchemaJson } from "../tables/schema.js";
import { readAll } from "./input.js";

/** A schema: the path of a file, or in a configuration also the schema itself. */
export const schemaOption: Option<string | SchemaJson> = {
  help: "the schema, as `marginalia schema` drafts one",
  shown: "FILE",
  schema: {
    description: "A path, or the schema itself as schema.json describes it.",
    type: ["string", "object"],
  },
  parse: (text) => text,
  check: (value, name) => {
    if (isObject(value) || (typeof value === "string" && value !== "")) return value as string | SchemaJson;
    throw invalid(`\`${name}\` is the path of a schema, or a schema`);
  },
};

/** The schema of a path, or as it is given. */
export async function schemaOf(
  value: string | SchemaJson | undefined,
  stdin: AsyncIterable<Uint8Array>,
): Promise<Schema> {
  if (value === undefined) {
    throw invalid(
      "a schema is missing: --schema FILE. `marginalia schema PUBLIC > schema.json` drafts one from a public file, for " +
        "you to read and edit, --from one of another schema, --columns one of names alone; it is never made of private rows",
    );
  }
  return schemaFromJson(await schemaText(value, stdin));
}

/** The same where some of its bounds may be to be found. */
export async function anySchemaOf(
  value: string | SchemaJson | undefined,
  stdin: AsyncIterable<Uint8Array>,
): Promise<Schema | OpenSchema> {
  if (value === undefined) return schemaOf(value, stdin);
  const text = await schemaText(value, stdin);
  let json: unknown = text;
  try {
    if (typeof text === "string") json = JSON.parse(text);
  } catch {
    // Said by whoever reads it as a schema.
  }
  return hasOpen(json) ? openSchema(json) : schemaFromJson(text);
}

/** Whether a schema has bounds that are to be found. */
export const isOpenSchema = (schema: Schema | OpenSchema): schema is OpenSchema => "closed" in schema;

async function schemaText(
  value: string | SchemaJson,
  stdin: AsyncIterable<Uint8Array>,
): Promise<string | SchemaJson> {
  if (typeof value !== "string") return value;
  return new TextDecoder().decode(await readAll(value, stdin, "schema"));
}

/** The path of what may also stand in the configuration itself, or have one there. */
export function pathOf(value: unknown): string | undefined {
  const path = isObject(value) ? (value as { path?: unknown }).path : value;
  return typeof path === "string" ? path : undefined;
}

/** What must be given. */
export function needed<T>(value: T | undefined, written: string): T {
  if (value !== undefined) return value;
  throw invalid(`${written} is missing`);
}

/** Fails before an account is begun where a file cannot be read later. URLs and streams are not asked. */
export async function readable(place: string): Promise<void> {
  if (place === "-" || /^[a-z][a-z+.-]+:/i.test(place)) return;
  try {
    await access(place, constants.R_OK);
  } catch (cause) {
    throw failed("read", cause);
  }
}

/** Fails where a file cannot be written later. */
async function writable(place: string): Promise<void> {
  if (place === "-") return;
  try {
    const before = await stat(place).catch(() => undefined);
    if (before?.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    await access(before && !before.isFile() ? place : dirname(place), constants.W_OK);
  } catch (cause) {
    throw failed("written", cause);
  }
}

function failed(what: string, cause: unknown): MarginaliaError {
  const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
  return new MarginaliaError("SOURCE_FAILED", `the file cannot be ${what} (${code}): check the path`, {
    cause,
  });
}

/** What commands read, by the option that says where it is. */
const READ: Readonly<Record<string, string>> = {
  config: "the configuration",
  public: "the public file",
  private: "the private file",
  synthetic: "the synthetic file",
  schema: "the schema",
  planned: "the plan",
  release: "the release",
  released: "the report of the release",
  dictionary: "the dictionary",
  from: "what the schema is made of",
  columns: "the private file",
};

/** All that a command reads, and the files of its account. */
function inputsOf(values: Readonly<Record<string, unknown>>): (readonly [what: string, place: string])[] {
  const read = Object.entries(READ).map(([name, what]) => [what, pathOf(values[name]) ?? "-"] as const);
  const [path, own] = [pathOf(values.ledger), Object(values.ledger) as { counter?: unknown }];
  const counter = pathOf(values.counter) ?? pathOf(own.counter);
  if (path === undefined) return read;
  const account = ledgerFiles({ path, ...(counter !== undefined && { counter }) });
  return [...read, ...account.map(({ source, what }) => [what, `${source}`] as const)];
}

/**
 * Refuses before any work what could not be written later, and what would be written over something that is read, over the
 * account, or over another result.
 */
export async function checkPlaces(
  values: Readonly<Record<string, unknown>>,
  written: readonly (readonly [option: string, place: string | undefined])[],
): Promise<void> {
  const read = inputsOf(values);
  const taken: (readonly [option: string, place: string])[] = [];
  for (const [option, place] of written) {
    if (place === undefined) continue;
    if (place === "-" && option !== "--out") throw invalid(`${option} needs a file`);
    const over = await sameAs(place, read);
    if (over !== undefined) throw invalid(`${option} would overwrite ${over}: give another file`);
    const other = await sameAs(place, taken);
    if (other !== undefined) throw invalid(`${option} and ${other} are one file: give another`);
    await writable(place);
    taken.push([option, place]);
  }
}

/** What of these is the same file. */
async function sameAs(
  place: string,
  others: readonly (readonly [what: string, place: string])[],
): Promise<string | undefined> {
  for (const [what, other] of others) if (await sameFile(place, other)) return what;
  return undefined;
}

/** Whether two paths are one file, also by links, and where it does not exist yet. No stream is a file. */
export async function sameFile(one: string, other: string): Promise<boolean> {
  return one !== "-" && other !== "-" && (await same(one, other));
}
