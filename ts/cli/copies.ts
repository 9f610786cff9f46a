import { basename, dirname, extname, join } from "node:path";
import { invalid } from "../options.js";

/** A file of records, and the seed that they are made from. */
export interface Copy {
  readonly place: string;
  readonly seed: string;
}

/** Where records go: one file, or numbered ones, each from a seed of its own that ends in its number. */
export function copiesOf(out: string, copies: number | undefined, seed: string): Copy[] {
  if (copies === undefined) return [{ place: out, seed }];
  if (out === "-") throw invalid("several copies need files: give --out FILE");
  const name = basename(out);
  const zip = /\.gz$/i.exec(name)?.[0] ?? "";
  const plain = name.slice(0, name.length - zip.length);
  const ending = extname(plain);
  const stem = join(dirname(out), plain.slice(0, plain.length - ending.length));
  const width = `${copies}`.length;
  return Array.from({ length: copies }, (_, i) => ({
    place: `${stem}-${`${i + 1}`.padStart(width, "0")}${ending}${zip}`,
    seed: `${seed}-${i + 1}`,
  }));
}
