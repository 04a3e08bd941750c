import { exec } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { withLock } from "../../src/database/embedded-file-lock.ts";
import { asset } from "../../src/kernel/project-files.ts";

/** Builds what processes of the tests run, once a test run: a program that is being written cannot be started. */
export async function build(): Promise<void> {
  const place = asset("node_modules/.cache");
  const done = join(place, "tests-build");
  // The files of one run share a parent process.
  const run = String(process.ppid);
  await mkdir(place, { recursive: true });
  await withLock(done, async () => {
    if ((await readFile(done, "utf8").catch(() => "")) === run) return;
    await promisify(exec)("npm run -s build", { cwd: asset(".") });
    await writeFile(done, run);
  });
}
