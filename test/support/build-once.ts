import { exec } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { withFileLock } from "../../src/database/embedded/embedded-file-lock.ts";
import { projectFile } from "../../src/kernel/project-files.ts";

/** Builds the programs that tests run, once per test run: a program cannot be started while it is being written. */
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
