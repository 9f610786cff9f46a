import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const slow = ["test/browser/**", "test/packaging/**", "test/stability/**"];

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
    projects: [
      {
        resolve,
        test: {
          server,
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...slow, "**/node_modules/**"],
          testTimeout: 30_000,
        },
      },
      {
        // Needs writers that the gate installs.
        resolve,
        test: {
          server,
          name: "stability",
          include: ["test/stability/**/*.test.ts"],
          testTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        // Driven from Node; needs Chromium, so `npm test` leaves it to the gate.
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
