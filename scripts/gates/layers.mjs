// Which crate and which folder may know which: arrows point down only, over the noise nothing flows back.
// The rules are lib/layers.mjs; they are first shown to catch planted violations, then applied to the tree.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { committedFiles, finish, need } from "../lib/gate.mjs";
import { root } from "../lib/manifest.mjs";

need("node");
const { violations } = await import("../lib/layers.mjs");

// Each is one file that must be refused, and words that the message must contain.
const planted = [
  ["crates/tables/Cargo.toml", "[dependencies]\nmarginalia-privacy.workspace = true\n", "marginalia-privacy"],
  ["crates/tables/src/a.rs", "use marginalia_estimate::Model;\n", "marginalia_estimate"],
  ["crates/tables/Cargo.toml", '[dependencies]\nrand = "0.9"\n', "rand"],
  [
    "crates/estimate/Cargo.toml",
    '[dependencies]\nx = { package = "marginalia-privacy" }\n',
    "marginalia-privacy",
  ],
  ["crates/estimate/src/deep/a.rs", "fn f() { ::marginalia_privacy::open(); }\n", "marginalia_privacy"],
  ["crates/privacy/Cargo.toml", "[dependencies.wasm-bindgen]\nworkspace = true\n", "wasm-bindgen"],
  ["crates/privacy/src/a.rs", "use wasm_bindgen::prelude::*;\n", "wasm_bindgen"],
  ["crates/lp/Cargo.toml", "[dependencies]\nmarginalia-estimate.workspace = true\n", "marginalia-estimate"],
  ["crates/wasm/Cargo.toml", "[dependencies]\nmarginalia-lp.workspace = true\n", "marginalia-lp"],
  ["crates/wasm/Cargo.toml", "[dependencies]\nmarginalia-estimate.workspace = true\n", "marginalia-estimate"],
  ["crates/binding/src/a.rs", "use marginalia_privacy::sealed::Sealed;\n", "marginalia_privacy"],
  ["crates/model-wasm/src/a.rs", "use marginalia_privacy::sealed::Sealed;\n", "marginalia_privacy"],
  ["crates/estimate/Cargo.toml", '[dependencies]\nclarabel = "0.11"\n', "clarabel"],
  ["crates/tables/Cargo.toml", "[dependencies]\nmarginalia-lp-wasm.workspace = true\n", "marginalia-lp-wasm"],
  ["crates/estimate/src/models/a/f.rs", "use crate::models::b::Rows;\n", "models/b"],
  ["crates/estimate/src/models/a/f.rs", "use crate::models::{a::Own, b};\n", "models/b"],
  ["crates/estimate/src/models/a/deep/f.rs", "fn f() { super::super::super::b::rows(); }\n", "models/b"],
  ["crates/estimate/src/estimators/a/f.rs", "use crate::estimators::b::solve;\n", "estimators/b"],
  ["ts/mechanisms/a/plan.ts", 'import { Plan } from "../b/plan.js";\n', "ts/mechanisms/b"],
  ["crates/estimate/src/records/a.rs", "fn f(row_weights: &[f64]) {}\n", "row_weights"],
  ["crates/estimate/src/hierarchy/a.rs", "/// The row weights of a group.\n", "row weights"],
  ["crates/novel/Cargo.toml", "[dependencies]\n", "novel"],
  ["ts/tables/a.ts", 'import init from "../../pkg/simd/marginalia.js";\n', "pkg/"],
  ["ts/tables/a.ts", 'import create from "glue:simd";\n', "pkg/"],
  ["ts/tables/a.ts", 'const at = new URL("../../pkg/simd/marginalia_bg.wasm", import.meta.url);\n', "pkg/"],
  ["ts/tables/a.ts", 'export * from "../estimate/model.js";\n', "estimate"],
  ["ts/estimate/a.ts", 'import type { Seal } from "../privacy/seal.js";\n', "privacy"],
  ["ts/mechanisms/a.ts", 'const { score } = await import("../evaluate/score.js");\n', "evaluate"],
  ["ts/mechanisms/a.ts", 'import { score } from "marginalia/evaluate";\n', "by its own name"],
  ["ts/engine/a.ts", 'import { Table } from "../tables/table.js";\n', "tables"],
  ["ts/engine/a.ts", 'import { Table } from "../index.js";\n', "index.ts"],
  ["ts/novel/a.ts", "export const a = 1;\n", "novel"],
];
const innocent = new Map([
  ["crates/tables/Cargo.toml", '[dependencies]\nlibm = "0.2"\n[dev-dependencies]\nrand = "0.9"\n'],
  ["crates/tables/src/lib.rs", "//! Unlike marginalia_privacy, this knows no noise.\npub mod a;\n"],
  ["crates/estimate/src/models/support/a.rs", "/// A row weight.\nuse crate::estimators::Status;\n"],
  ["crates/estimate/src/estimators/b/mod.rs", "use crate::estimators::{Estimate, interior};\n"],
  ["crates/estimate/src/estimators/interior/mod.rs", "pub fn fit() {}\n"],
  ["ts/mechanisms/b/plan.ts", 'import { Plan as Any } from "../kit/plan.js";\n'],
  ["ts/mechanisms/kit/plan.ts", "export class Plan {}\n"],
  ["crates/estimate/src/models/b/mod.rs", "pub struct Rows;\n"],
  ["crates/estimate/src/models/mod.rs", "pub mod a;\nuse self::b::Rows;\nuse crate::models::b::Rows;\n"],
  [
    "crates/estimate/src/models/a/f.rs",
    "// crate::models::b\nuse super::b::Part;\nuse crate::models::{Model, a};\n",
  ],
  ["crates/privacy/Cargo.toml", "[dependencies]\nmarginalia-tables.workspace = true\n"],
  [
    "crates/wasm/Cargo.toml",
    "[dependencies]\nmarginalia-tables.workspace = true\nwasm-bindgen.workspace = true\n",
  ],
  [
    "ts/index.ts",
    'export { schema } from "./tables/schema.js";\nexport { MarginaliaError } from "./error.js";\n',
  ],
  ["ts/error.ts", "export class MarginaliaError extends Error {}\n"],
  [
    "ts/engine/raw.ts",
    'import init from "../../pkg/simd/marginalia.js";\nimport { MarginaliaError } from "../error.js";\n',
  ],
  ["ts/tables/schema.ts", '// import "../privacy/seal.js"\nimport { call } from "../engine/raw.js";\n'],
  [
    "ts/cli/main.ts",
    'import { report } from "../evaluate/report.js";\nimport { schema } from "../index.js";\n',
  ],
]);

const problems = [];
for (const [path, text, word] of planted) {
  const found = violations(new Map([...innocent, [path, text]]));
  if (!found.some((line) => line.startsWith(path) && line.includes(word))) {
    problems.push(`self-test: ${JSON.stringify(text)} in ${path} went unnoticed`);
  }
}
problems.push(...violations(innocent).map((line) => `self-test: an innocent file is refused: ${line}`));

const tree = committedFiles().filter((path) => /^(crates\/.*(\.rs|Cargo\.toml)|ts\/.*\.[cm]?ts)$/.test(path));
problems.push(...violations(new Map(tree.map((path) => [path, readFileSync(join(root, path), "utf8")]))));
finish(
  problems,
  "move the code to the layer that may know both, or argue the arrow in scripts/lib/layers.mjs",
  `${tree.length} files keep to their layers; ${planted.length} planted violations are caught`,
);
