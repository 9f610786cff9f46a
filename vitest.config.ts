import { defineConfig } from "vitest/config";

const slow = ["test/browser/**", "test/packaging/**"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [...slow, "**/node_modules/**"],
          testTimeout: 30_000,
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
