import { type Condition, type LoadedGroupedRelease, type LoadedRelease, load } from "../index.js";
import { fromText, type Option, type Options, text, type Values } from "../option.js";
import { invalid, isObject } from "../options.js";
import type { Console } from "./console.js";
import { needed } from "./files.js";
import { sourceOf } from "./input.js";

const where: Option<Condition> = {
  help:
    "only records that meet this: names with values as the schema labels them, such as sex=F;age=25..44|45..64, or JSON as " +
    "the API takes it",
  shown: "NAME=VALUE|VALUE;NAME=VALUE",
  schema: { description: 'A condition such as { sex: "F", age: { from: 25, to: 64 } }.', type: "object" },
  parse: (text, name) =>
    where.check(text.trimStart().startsWith("{") ? fromText(text, name) : pairs(text), name),
  check(value, name) {
    if (isObject(value)) return value as Condition;
    throw invalid(`\`${name}\` is a condition such as sex=F;age=25..44, or an object`);
  },
};

function pairs(text: string): Condition | undefined {
  const parts = text.split(";").map((one) => /^([^=]+)=(.*)$/s.exec(one.trim()));
  if (!parts.every((one) => one !== null)) return undefined;
  return Object.fromEntries(parts.map(([, name = "", values = ""]) => [name.trim(), values.split("|")]));
}

/** A saved release, and which of its records are meant. */
export const SAVED = {
  release: text("RELEASE", "a release that `run --save` wrote; - is standard input"),
  where,
} as const satisfies Options;

/** The release that was saved, of groups or without. */
export async function savedOf(
  { release }: Values<typeof SAVED>,
  io: Console,
): Promise<LoadedRelease | LoadedGroupedRelease> {
  const place = needed(release, "the saved release");
  const onProgress = io.progress("loading the release");
  const loaded = await load(sourceOf(place, io.stdin), { groups: "either", signal: io.signal, onProgress });
  io.clear();
  return loaded;
}
