// A Worker, bundled by wrangler as it is deployed, in workerd by way of miniflare and of a plain configuration.

import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./lib/expected.mjs";
import { library, program, script } from "./lib/install.mjs";
import { during, run } from "./lib/run.mjs";

const DATE = "2026-04-01";
const capabilities = { runtime: "workerd", threads: 1, worker: false, reason: /no workers/ };
const workerd = () => program("@cloudflare", /^workerd-/, "bin/workerd");

/** What `wrangler deploy` would upload. */
async function bundled(own) {
  const args = ["deploy", "--dry-run", "--outdir", "out", "--config", "wrangler.toml"];
  await run(process.execPath, [script("wrangler"), ...args], own);
  return readdirSync(join(own.cwd, "out")).filter((name) => name.endsWith(".wasm"));
}

const configuration = (modules) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "worker.js", esModule = embed "worker.js"),
${modules.map((name) => `      (name = "./${name}", wasm = embed "${name}"),`).join("\n")}
    ],
    compatibilityDate = "${DATE}"))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]);
`;

/** What the Worker counts. */
async function counts(fetch) {
  const csv = "age,sex\n3,F\n80,\n30,M\n3,F\n";
  const counted = await (await fetch("/count", { method: "POST", body: csv })).json();
  const wanted = { rows: 4, counts: [2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1] };
  if (JSON.stringify(counted) !== JSON.stringify(wanted))
    throw new Error(`it counts ${JSON.stringify(counted)}`);
}

/** Answers of the Worker by path, from `fetch(path, init)`. */
async function exercise(fetch) {
  await counts(fetch);
  check(await (await fetch("/")).text(), capabilities);
}

/** An abort is felt while a count of seconds runs, and requests that count at once do not wait for each other. */
async function aborts(fetch) {
  const json = async (path) => {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const [whole, aborted] = await Promise.all([json("/long"), json("/aborted")]);
  if (aborted.code !== "ABORTED" || aborted.since > 100) {
    throw new Error(`an abort ends in ${aborted.code} after ${aborted.since} ms`);
  }
  if (whole.cells !== 4_845) throw new Error(`the request beside it has ${whole.cells} cliques`);
}

async function inMiniflare(own, use) {
  const modules = (await bundled(own)).map((path) => ({ type: "CompiledWasm", path }));
  const { Miniflare } = await library("miniflare");
  const out = join(own.cwd, "out");
  const miniflare = new Miniflare({
    rootPath: out,
    modulesRoot: out,
    modules: [{ type: "ESModule", path: "worker.js" }, ...modules],
    compatibilityDate: DATE,
  });
  try {
    await use((path, init) => miniflare.dispatchFetch(`http://localhost${path}`, init));
  } finally {
    await miniflare.dispose();
  }
}

async function inWorkerd(own, use, listed = () => true) {
  writeFileSync(join(own.cwd, "out/config.capnp"), configuration((await bundled(own)).filter(listed)));
  const args = ["serve", "out/config.capnp", "--control-fd=1"];
  const address = /"port":\d+/;
  await during(workerd(), args, { ...own, address }, (found) => {
    const port = found.slice('"port":'.length);
    return use((path, init) => fetch(`http://127.0.0.1:${port}${path}`, init));
  });
}

const both = async (fetch) => {
  await exercise(fetch);
  await aborts(fetch);
};

export const edge = [
  { name: "wrangler's bundle in miniflare", files: "workerd", run: (own) => inMiniflare(own, both) },
  { name: "wrangler's bundle in workerd", files: "workerd", run: (own) => inWorkerd(own, both) },
  {
    name: "workerd, one line for the core alone, to count",
    files: "workerd",
    run: (own) => inWorkerd(own, counts, (name) => /-marginalia_bg\.wasm$/.test(name)),
  },
];
