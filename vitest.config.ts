import { defineConfig } from "vitest/config";

export default defineConfig({
  // Two copies of graphql in one process refuse each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/support/database.ts",
    setupFiles: "test/support/setup.ts",
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
