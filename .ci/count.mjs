/*
 * Names what failed and says `N passed, N failed` of all runs of the tests: node .ci/count.mjs <folder of reports> <runs>
 * <failed phases>, both lists parted by blanks. Each run has left a report in the folder, or it counts as failed. What is
 * named stands at the end, where it is found even if only the end of the output is kept.
 */
import { readFileSync } from "node:fs";

const MESSAGE_LENGTH = 1_500;
const END_LENGTH = 4_000;

const [folder, runs, failedPhases] = process.argv.slice(2);
const words = (list) => list.split(" ").filter((word) => word !== "");
const failedRuns = new Map(words(failedPhases).map((phase) => [phase, 0]));
let [passed, skipped] = [0, 0];
const tell = (run, what, message = "") =>
  process.stdout.write(`\n--- failed in ${run}: ${what}\n${message.slice(0, MESSAGE_LENGTH)}\n`);

/** The end of what a run printed, where an error between tests is told. */
const tellEnd = (run) =>
  process.stdout.write(`\n--- end of ${run}\n${readFileSync(`${folder}/${run}.log`, "utf8").slice(-END_LENGTH)}\n`);

for (const run of words(runs)) {
  try {
    const report = JSON.parse(readFileSync(`${folder}/${run}.json`, "utf8"));
    // A file that fails before its first test counts as one failure.
    const broken = report.testResults.filter(
      ({ status, assertionResults }) =>
        status === "failed" && assertionResults.every((test) => test.status !== "failed"),
    );
    for (const { name, message } of broken) tell(run, `${name} before its first test`, message);
    for (const { name, assertionResults } of report.testResults) {
      const failures = assertionResults.filter(({ status }) => status === "failed");
      for (const { fullName, failureMessages } of failures)
        tell(run, `${name} ${fullName}`, failureMessages.join("\n"));
    }
    passed += report.numPassedTests;
    skipped += report.numPendingTests + report.numTodoTests;
    const failed = report.numFailedTests + broken.length;
    if (failed > 0) failedRuns.set(run, failed);
    else if (failedRuns.has(run)) tellEnd(run);
  } catch (error) {
    process.stdout.write(`${run} left no report that can be read: ${error.message}\n`);
    failedRuns.set(run, 0);
  }
}
// What fails without a test to blame counts as one failure: a check, a server that does not start, an error between tests.
const failed = [...failedRuns.values()].reduce((sum, count) => sum + Math.max(count, 1), 0);
process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`);
process.exitCode = failed > 0 ? 1 : 0;
