// The hot kernels are vector code. The module that ships has no names and wasm-opt inlines across them, so
// the kernels are looked at as the compiler made them; what ships is searched for instructions that it
// must not have.

import { join } from "node:path";
import { finish, need, output, scratchFolder } from "../lib/gate.mjs";
import { outputs } from "../lib/manifest.mjs";

/** Functions that must contain vector instructions, by module and the end of their path in Rust. */
const kernels = {
  simd: ["count::kernel::sum", "read::index::step"],
  "model-simd": [
    "support::rows::tilt",
    "support::index::Index::gather",
    "support::index::Index::scatter",
    "support::index::Index::scale_and_sum",
    "interior::cholesky::products",
    "interior::cholesky::take",
  ],
  graph: ["kernels::contract"],
};
// Arithmetic on lanes; loads, stores and constants do not count, for copies of any kind are made of them.
const vector = /\b[if](8x16|16x8|32x4|64x2)\.(?!splat|const|extract_lane|replace_lane)\w+/g;

/** Names and instructions of every function in the text form of a module. */
function functionsOf(text) {
  const found = [];
  for (const part of text.split(/^ \(func (?=[$"])/m).slice(1)) {
    const name = /^\$(?:"([^"]+)"|(\S+))/.exec(part);
    const plain = (name[1] ?? name[2]).replace(/\\([0-9a-f]{2})/g, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    // Without the hashes of crates and the brackets of types: <a[0f]::B>::c::<2> is a::B::c::2.
    found.push([plain.replace(/::h[0-9a-f]{16}$|\[[0-9a-f]+\]/g, "").replace(/[<>]/g, ""), part]);
  }
  return found;
}

function check(text, wanted) {
  const functions = functionsOf(text);
  const found = [];
  const shown = [];
  for (const kernel of wanted) {
    const bodies = functions.filter(([name]) => `::${name}:`.includes(`::${kernel}:`));
    const count = bodies.reduce((sum, [, body]) => sum + (body.match(vector) ?? []).length, 0);
    if (bodies.length === 0) {
      found.push(
        `${kernel} is not in the module; mark it #[inline(never)], or mend the list of kernels in scripts/gates/simd.mjs`,
      );
    } else if (count === 0) {
      found.push(`${kernel} has no vector arithmetic`);
    } else {
      shown.push(`${kernel}: ${count}`);
    }
  }
  return { found, shown };
}

/** Relaxed SIMD rounds as each machine likes; atomics exclude runtimes without shared memory. */
function foreign(text) {
  return [...new Set(text.match(/\b\w+\.(relaxed_\w+|atomic\.\w+)/g))].map(
    (name) => `the module contains ${name}`,
  );
}

const sample = ` (func $a::fast (result i32)\n  (v128.load) (i32x4.add)\n )\n (func $"<a[0b]::B>::slow::<2usize>"\n  (v128.load) (i32.add)\n )\n`;
const problems = [
  ["a::fast", 0],
  ["fast", 0],
  ["a::B::slow", 1],
  ["fas", 1],
]
  .filter(([wanted, count]) => check(sample, [wanted]).found.length !== count)
  .map(([wanted]) => `self-test: ${wanted} is misjudged`);
if (foreign("(f32x4.relaxed_madd) (i32.atomic.load) (i32x4.add)").length !== 2) {
  problems.push("self-test: a foreign instruction goes unnoticed");
}

need("node", "wasm");
const scratch = scratchFolder();
const vectorised = [];
for (const [module, wanted] of Object.entries(kernels)) {
  output("scripts/build-wasm", ["--names", "--only", module, "--out", scratch]);
  const textOf = (name) => output("wasm-dis", ["--all-features", join(scratch, module, name)]);
  const { found, shown } = check(textOf("named.wasm"), wanted);
  vectorised.push(...shown);
  problems.push(...found, ...foreign(textOf(`${outputs[module]}_bg.wasm`)));
}
finish(
  problems,
  "look at what the compiler made of the kernel; mend the loop or the list",
  vectorised.join("\n"),
);
