import { readdirSync, readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import { filesWithoutCell, foldersWithoutCell } from "./test/cells/cluster-exceptions.ts";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** A browser is nothing that comes with npm: `npm run browser` asks for one, and `npm test` does without. */
const withBrowser = process.env["BROWSER"] === "true";

/** `npm run test:citus` runs the tests with their databases on a cluster. */
const leftOutOnCluster =
  process.env["CITUS_URL"] === undefined
    ? []
    : [
        ...Object.keys(foldersWithoutCell).map((folder) => `test/${folder}/**`),
        ...Object.keys(filesWithoutCell).map((file) => `test/${file}`),
      ];

/** The long form of the tests runs only files that have one: the others would do what `npm test` does. */
const isLong = process.env["TEST_FORM"] === "long";
const TAKES_A_FORM = /(?:test-form|property-tests|fault-rounds|kill-rounds|fuzz)[.]ts"/;
const filesWithLongForm = (): string[] =>
  readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => `test/${name}`)
    .filter((path) => TAKES_A_FORM.test(readFileSync(path, "utf8")));

/** Files whose tests mostly wait: for processes that start and are killed, for timeouts, for silent clients. */
const WAITING = /[/]test[/]faults[/]/;

/** Files that compute for long. */
const LONG = /[/]test[/](?:hostile|jobs|commands)[/]|[/]subscription-model[.]|[/]engine-properties[.]/;

/**
 * Files that take long run first, so that at the end no worker waits for another; and files that wait run beside files
 * that compute, so that the processors are busy.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const waiting = sorted.filter(({ moduleId }) => WAITING.test(moduleId));
    const long = sorted.filter(({ moduleId }) => LONG.test(moduleId));
    const others = sorted.filter((file) => !waiting.includes(file) && !long.includes(file));
    const pairs = Array.from({ length: Math.max(waiting.length, long.length) }, (_, at) => [waiting[at], long[at]]);
    return [...pairs.flat().filter((file) => file !== undefined), ...others];
  }
}

export default defineConfig({
  // Two copies of graphql in one process refuse each other's types.
  resolve: { alias: [{ find: /^graphql$/, replacement: "graphql/index.js" }] },
  test: {
    include: isLong ? filesWithLongForm() : ["test/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...leftOutOnCluster, ...(withBrowser ? [] : ["test/browser/**"])],
    globalSetup: "test/support/global-setup.ts",
    setupFiles: "test/support/setup.ts",
    // A hang ends; that a machine is busy is no fault.
    testTimeout: isLong ? 600_000 : 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 45_000 } },
    // Three for the two processors of CI: some file always waits for a process, a timeout or the database.
    maxWorkers: 3,
    // Six clients of test/faults/slow-clients.test.ts wait at once; it cannot be set by a file.
    maxConcurrency: 6,
    // A worker imports the sources once for all of its files. Files share no state: each starts gateways of its own.
    isolate: false,
    sequence: { sequencer: LongFirst },
  },
});
