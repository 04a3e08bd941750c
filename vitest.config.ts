import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A browser is nothing that comes with npm: `npm run browser` asks for one, and `npm test` does without. */
const withBrowser = process.env["BROWSER"] === "true";

/** Files that take long run first, so that at the end no worker waits for another. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => /[/]test[/](?:faults|hostile|jobs)[/]/.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  // Two copies of graphql in one process refuse each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(withBrowser ? [] : ["test/browser/**"])],
    globalSetup: "test/support/global-setup.ts",
    setupFiles: "test/support/setup.ts",
    // A hang ends; that a machine is busy is no fault.
    testTimeout: process.env["TEST_FORM"] === "long" ? 600_000 : 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
    maxWorkers: 2,
    // A worker imports the sources once for all of its files. Files share no state: each starts gateways of its own.
    isolate: false,
    sequence: { sequencer: LongFirst },
  },
});
