import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** What `npm test` leaves to a gate of its own: what takes long by its nature, or needs what a clone lacks. */
const gates = {
  /** Programs that are killed by the hundred. */
  kill: ["test/**/*kill.test.ts", "test/cli/stages.test.ts"],
  /** Laws and claims that are counted over many draws. */
  statistics: [
    "test/statistical/**/*.test.ts",
    "test/mechanisms/audit/{audit,forecast,noise}.test.ts",
    "test/privacy/select/law.test.ts",
    "test/bench/release.test.ts",
    "test/cli/other-files.test.ts",
  ],
  /** How soon calls end, how much memory they take, and what measures it: one after another, beside nothing else. */
  timing: [
    "test/api/{abort,foretold,limit,memory}.test.ts",
    "test/bench/{memory,run}.test.ts",
    "test/engine/abort.test.ts",
  ],
  /** What every writer writes; some of them the gate installs. */
  stability: ["test/stability/**/*.test.ts", "test/privacy/stability/*.test.ts"],
  /** Files that are changed at random by the hundred, and schemas and cliques that are drawn by the thousand. */
  hostile: ["test/mechanisms/{hostile,schemas}.test.ts", "test/estimate/graphical-fuzz.test.ts"],
  /** Driven from Node; needs Chromium. */
  browser: ["test/browser/**/*.test.ts"],
};

/** Tests of the public API run what users run: the bundles, by the name of the package. */
const bundle = (name: string) => fileURLToPath(new URL(`dist/${name}.js`, import.meta.url));
const resolve = {
  alias: [
    { find: /^marginalia$/, replacement: bundle("index") },
    ...["check", "evaluate", "report"].map((name) => ({
      find: new RegExp(`^marginalia/${name}$`),
      replacement: bundle(name),
    })),
  ],
};
const server = { deps: { external: [/\/dist\//] } };

export default defineConfig({
  test: {
    // Tests of files wait for the disk and for programs, so that all cores are for them.
    maxWorkers: "100%",
    projects: [
      {
        resolve,
        test: {
          server,
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...Object.values(gates).flat(), "test/packaging/**", "**/node_modules/**"],
          globalSetup: ["test/cli/bundle.ts"],
          setupFiles: ["test/quick.ts"],
          testTimeout: 60_000,
        },
      },
      {
        resolve,
        test: { server, name: "kill", include: gates.kill, testTimeout: 60_000 },
      },
      {
        resolve,
        test: { server, name: "hostile", include: gates.hostile, testTimeout: 60_000 },
      },
      {
        resolve,
        test: { server, name: "statistics", include: gates.statistics, testTimeout: 60_000 },
      },
      {
        resolve,
        test: {
          server,
          name: "timing",
          include: gates.timing,
          testTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        resolve,
        test: {
          server,
          name: "stability",
          include: gates.stability,
          testTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: "browser",
          include: gates.browser,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
