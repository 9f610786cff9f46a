import { invalid } from "../options.js";
import { placeIn } from "./provenance.js";

/** Something that is read, and what errors call it: nothing that is made is written over it. */
export interface Input {
  readonly source: unknown;
  readonly what: string;
}

/** What is in use now, whoever writes. */
const used = new Set<readonly Input[]>();
/** What something was made of, also once that is closed. */
const made = new WeakMap<object, readonly Input[]>();

/** Guards inputs as long as they are in use: until what this returns is called. `of` is known by them ever after. */
export function guard(inputs: readonly Input[], of: object): () => void {
  made.set(of, inputs);
  used.add(inputs);
  return () => used.delete(inputs);
}

/** Refuses to write over what is in use, or what something was made of. Streams are not asked where they lead. */
export async function refuseOver(target: unknown, from?: object): Promise<void> {
  if (typeof target !== "string" && !(target instanceof URL)) return;
  for (const { source, what } of [...used, (from && made.get(from)) ?? []].flat()) {
    const place = placeIn(source);
    if (place === undefined) continue;
    const { sameFile } = await import("./same.js");
    if (await sameFile(target, place)) throw invalid(`it would be written over ${what}: give another path`);
  }
}
