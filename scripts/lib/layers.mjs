// The layers of the package, and the check that files keep to them.

import { posix } from "node:path";
import ts from "typescript";

/** Crates of this workspace that each crate may use. */
const crates = {
  tables: [],
  privacy: ["tables"],
  compute: ["tables"],
  graph: ["tables", "compute"],
  estimate: ["tables", "compute", "graph"],
  lp: ["tables"],
  binding: ["tables"],
  wasm: ["tables", "privacy", "binding"],
  "model-wasm": ["tables", "estimate", "binding"],
  "graph-wasm": ["tables", "estimate", "binding"],
  "lp-wasm": ["tables", "lp", "binding"],
};

/** Outside crates that only some crates may use: bindings at the edge, entropy where the noise is, solvers beside the core. */
const outside = [
  {
    name: /^(wasm[-_]bindgen|js[-_]sys|web[-_]sys)/,
    only: ["binding", "wasm", "model-wasm", "graph-wasm", "lp-wasm"],
  },
  { name: /^(clarabel|microlp)$/, only: ["lp"] },
  { name: /^(rand|getrandom|rand_.*|chacha.*|fastrand)$/, only: ["privacy", "estimate"] },
];

/** Folders of ts/ that each folder may import. A file directly in ts/ is an entry or shared by all. */
const folders = {
  engine: [],
  tables: ["engine"],
  privacy: ["engine", "tables"],
  estimate: ["engine", "tables"],
  mechanisms: ["engine", "tables", "privacy", "estimate"],
  evaluate: ["engine", "tables", "estimate"],
  cli: ["engine", "tables", "privacy", "estimate", "mechanisms", "evaluate"],
};

/** Folders whose own folders do not know each other, but for those that are there for all: kinds of models, ways to a model, mechanisms. */
const siblings = [
  { folder: "crates/estimate/src/models/", shared: ["check"] },
  { folder: "crates/estimate/src/estimators/", shared: ["interior", "strength"] },
  { folder: "ts/mechanisms/", shared: ["kit", "saved", "groups"] },
];

/**
 * One line per violation in `files`, a map from path to text. Tests inside a crate may use more
 * (dev-dependencies); what ships may not.
 */
export function violations(files) {
  const found = [];
  const shared = sharedFiles(files);
  for (const [path, text] of files) {
    const [top, layer] = path.split("/");
    if (top === "crates" && crates[layer] === undefined) {
      found.push(`${path}: the crate ${layer} has no layer yet`);
    } else if (path.endsWith("/Cargo.toml")) {
      found.push(...ofManifest(path, layer, text));
    } else if (path.endsWith(".rs")) {
      found.push(...ofRust(path, layer, text), ...ofSiblings(path, text, files), ...ofWeights(path, text));
    } else if (top === "ts") {
      found.push(...ofTypeScript(path, text, shared), ...ofSiblings(path, text, files));
    }
  }
  return found;
}

function refusedCrate(layer, name) {
  const own = /^marginalia[-_]([\w-]+)$/.exec(name);
  if (own) {
    return own[1] !== layer && !crates[layer].includes(own[1]);
  }
  return outside.some((rule) => rule.name.test(name) && !rule.only.includes(layer));
}

function ofManifest(path, layer, text) {
  const names = new Set();
  let section = "";
  for (const line of text.split("\n")) {
    const header = /^\s*\[([^\]]+)\]/.exec(line);
    section = header ? header[1].trim() : section;
    const dotted = header && /(?:^|\.)(?:build-)?dependencies\.([\w-]+)$/.exec(section);
    if (dotted && !section.includes("dev-dependencies")) {
      names.add(dotted[1]);
    }
    const entry = /(?:^|\.)(build-)?dependencies(\.|$)/.test(section) && /^\s*([\w-]+)/.exec(line);
    const renamed = /\bpackage\s*=\s*"([\w-]+)"/.exec(line);
    if (entry && !header) {
      names.add(renamed ? renamed[1] : entry[1]);
    }
  }
  return [...names]
    .filter((name) => refusedCrate(layer, name))
    .map((name) => `${path}: ${layer} may not depend on ${name}`);
}

const codeOf = (text) => text.replace(/\/\/.*$/gm, "").replace(/\/\*[\s\S]*?\*\//g, "");

/** Paths that Rust code names, from the root of its crate: `a::{b, c::d}` is two, and `super` is what it stands for. */
function modules(path, text) {
  let code = codeOf(text);
  for (let before = ""; before !== code; ) {
    before = code;
    code = code.replace(/([\w:]+)::\{([^{}]*)\}/g, (_, head, items) =>
      items
        .split(",")
        .map((item) => `${head}::${item.trim()}`)
        .join(", "),
    );
  }
  const own = path
    .replace(/^.*?\/src\//, "")
    .replace(/(\/mod)?\.rs$/, "")
    .split("/");
  return Array.from(code.matchAll(/\b(crate|(?:super::)*super)::([\w:]+)/g), ([, head, rest]) => {
    const up = head === "crate" ? own.length : head.split("::").length;
    return [...own.slice(0, Math.max(0, own.length - up)), ...rest.split("::")];
  });
}

/** The folder with siblings that a file lies in: its place, its own name, and the names of all. */
function neighbourhood(path, files) {
  const place = siblings.find(({ folder }) => path.startsWith(folder));
  const nameOf = (one) => (one.startsWith(place.folder) ? one.slice(place.folder.length).split("/") : []);
  const [own, ...rest] = place ? nameOf(path) : [];
  if (rest.length === 0) {
    return undefined;
  }
  const folders = [...files.keys()].map(nameOf).filter((parts) => parts.length > 1);
  return { ...place, own, all: new Set(folders.map(([name]) => name)) };
}

function ofSiblings(path, text, files) {
  const place = neighbourhood(path, files);
  if (place === undefined) {
    return [];
  }
  const parent = place.folder.replace(/^crates\/.*?\/src\//, "").replace(/\/$/, "");
  const named = path.endsWith(".rs")
    ? modules(path, text).map((parts) => parts.join("/"))
    : specifiers(text).map((to) => resolved(path, to));
  const others = named
    .filter((name) => name.startsWith(`${parent}/`))
    .map((name) => name.slice(parent.length + 1).split("/")[0])
    .filter((other) => place.all.has(other) && other !== place.own && !place.shared.includes(other));
  return [...new Set(others)].map(
    (other) => `${path}: ${parent}/${place.own} may not know ${parent}/${other}`,
  );
}

const support = "crates/estimate/src/models/support/";

/** Only models on rows have weights of them; whoever else speaks of these knows what kind a model is. */
function ofWeights(path, text) {
  const row = /\brow[ _-]?weights?\b/i.exec(text);
  const mine = path.startsWith("crates/estimate/src/") && !path.startsWith(support);
  return row && mine ? [`${path}: says "${row[0]}", which only ${support} has`] : [];
}

function ofRust(path, layer, text) {
  if (!path.includes("/src/")) {
    return [];
  }
  const code = codeOf(text);
  const names = new Set(
    Array.from(code.matchAll(/\b(marginalia_\w+|wasm_bindgen\w*|js_sys|web_sys)\b/g), (m) => m[1]),
  );
  return [...names]
    .filter((name) => refusedCrate(layer, name))
    .map((name) => `${path}: ${layer} may not use ${name}`);
}

/** What a TypeScript file imports: statements, dynamic imports, types, and files named relative to it. */
function specifiers(text) {
  const imports = ts.preProcessFile(text, true, true).importedFiles.map((entry) => entry.fileName);
  const urls = Array.from(
    text.matchAll(/new URL\(\s*["'`]([^"'`]+)["'`]\s*,\s*import\.meta\.url/g),
    (m) => m[1],
  );
  return [...imports, ...urls];
}

function resolved(path, specifier) {
  return specifier.startsWith(".") ? posix.join(posix.dirname(path), specifier) : specifier;
}

/** Files directly in ts/ that reach no folder, by their path without extension. */
function sharedFiles(files) {
  const shared = new Map();
  for (const [path, text] of files) {
    if (/^ts\/[^/]+$/.test(path)) {
      const inside = specifiers(text).filter((to) => to.startsWith("."));
      shared.set(
        withoutExtension(path),
        inside.map((to) => withoutExtension(resolved(path, to))),
      );
    }
  }
  for (let before = -1; before !== shared.size; ) {
    before = shared.size;
    for (const [path, imports] of shared) {
      if (!imports.every((to) => shared.has(to))) {
        shared.delete(path);
      }
    }
  }
  return shared;
}

function withoutExtension(path) {
  return path.replace(/\.[cm]?[jt]s$/, "");
}

function ofTypeScript(path, text, shared) {
  const parts = path.split("/");
  const layer = parts.length > 2 ? parts[1] : undefined;
  if (layer !== undefined && folders[layer] === undefined) {
    return [`${path}: the folder ts/${layer} has no layer yet`];
  }
  return specifiers(text).flatMap((specifier) => {
    const reason = refusedImport(layer, resolved(path, specifier), shared);
    return reason === undefined ? [] : [`${path}: imports ${specifier}; ${reason}`];
  });
}

function refusedImport(layer, to, shared) {
  // In source a file is named as the bundle in dist/ will find it, so only the end of the path counts.
  if (/(^|\/)pkg\/|^glue:/.test(to)) {
    return layer === "engine" ? undefined : "only ts/engine may import pkg/";
  }
  if (/^marginalia(\/|$)/.test(to)) {
    return "the package may not import itself by its own name";
  }
  const target = /^ts\/([^/]+)\//.exec(to)?.[1];
  if (layer === undefined || layer === "cli" || target === layer) {
    return undefined;
  }
  if (target !== undefined) {
    return folders[layer].includes(target) ? undefined : `ts/${layer} may not know ts/${target}`;
  }
  if (to.startsWith("ts/") && !shared.has(withoutExtension(to))) {
    return `${to.slice(3).replace(/\.js$/, ".ts")} imports folders, so no folder may import it`;
  }
  return undefined;
}
