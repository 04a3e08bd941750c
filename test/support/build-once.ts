import { exec } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { withFileLock } from "../../src/database/embedded-file-lock.ts";
import { projectFile } from "../../src/kernel/project-files.ts";

/** Builds what processes of the tests run, once a test run: a program that is being written cannot be started. */
export async function buildOnce(): Promise<void> {
  const cacheFolder = projectFile("node_modules/.cache");
  const markerFile = join(cacheFolder, "tests-build");
  // The files of one run share a parent process.
  const run = String(process.ppid);
  await mkdir(cacheFolder, { recursive: true });
  await withFileLock(markerFile, async () => {
    if ((await readFile(markerFile, "utf8").catch(() => "")) === run) return;
    await promisify(exec)("npm run -s build", { cwd: projectFile(".") });
    await writeFile(markerFile, run);
  });
}
