import { defineConfig } from "vitest/config";

/** Tests in a real browser: `vitest run --config test/browser/vitest.config.ts`. */
export default defineConfig({
  test: { name: "browser", include: ["test/browser/**/*.test.ts"], testTimeout: 30_000, hookTimeout: 60_000 },
});
