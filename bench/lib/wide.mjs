// Tables of very many attributes, of 2 to 10 values each: half of a row is noise, the rest follows its neighbour or a class of the row.

import { writeFileSync } from "node:fs";
import { random } from "./stats.mjs";

/** Writes a table; `skew` moves what is noise towards the first values. */
export function writeWide(path, { rows, attributes, seed, skew }) {
  const next = random(seed);
  const sizes = Array.from({ length: attributes }, (_, i) => 2 + ((7 * i) % 9));
  const lines = [sizes.map((_, i) => `a${i}`).join(",")];
  for (let row = 0; row < rows; row++) {
    const group = next();
    let before = 0;
    const codes = sizes.map((size) => {
      const which = next();
      if (which < 0.5) before = Math.floor(next() ** (1 + skew) * size);
      else if (which < 0.8) before %= size;
      else before = Math.min(size - 1, Math.floor(group * size));
      return `v${before}`;
    });
    lines.push(codes.join(","));
  }
  writeFileSync(path, `${lines.join("\n")}\n`);
}
