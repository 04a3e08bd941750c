/* What a test file starts is ended after its tests, in reverse order, whether they passed or not. */

const cleanups: (() => Promise<unknown>)[] = [];

/** Registers a task to run after the tests of the file. */
export const onFileEnd = (end: () => Promise<unknown>): void => void cleanups.push(end);

/** Ends what the tests of a file started. test/support/setup.ts, which runs for each file, calls it after them. */
export async function cleanUp(): Promise<void> {
  const failures: unknown[] = [];
  for (const end of cleanups.splice(0).reverse()) await end().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, `Not cleaned up: ${failures.map(String).join("; ")}`);
}
