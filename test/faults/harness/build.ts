import { exec } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { withLock } from "../../../src/database/embedded-files.ts";
import { asset } from "../../../src/kernel/assets.ts";

/** Builds what gateway processes run. One file at a time: a program that is being written cannot be started. */
export async function build(): Promise<void> {
  const place = asset("node_modules/.cache");
  await mkdir(place, { recursive: true });
  await withLock(`${place}/faults-build`, () => promisify(exec)("npm run -s build", { cwd: asset(".") }));
}
