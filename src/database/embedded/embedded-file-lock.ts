import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import lockfile from "proper-lockfile";

/** Whether something can be done. */
export const isFulfilled = (promise: Promise<unknown>): Promise<boolean> =>
  promise.then(
    () => true,
    () => false,
  );

/** Whether something is at a path. */
export const pathExists = (path: string): Promise<boolean> => isFulfilled(access(path));

/** The code of a system or PostgreSQL error. */
export const errorCodeOf = (error: unknown): string | undefined => (error as { code?: string } | undefined)?.code;

const MAX_LOCK_WAIT_MS = 5 * 60_000;

/** Runs work while no other process runs work under the same path's lock. */
export async function withFileLock<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  const unlock = await acquireFileLock(path);
  try {
    return await work();
  } finally {
    await unlock().catch(() => undefined);
  }
}

async function acquireFileLock(path: string): Promise<() => Promise<void>> {
  // A holder freshens its lock every second, however long its work takes; one left by a killed process goes stale.
  // A lock lost all the same, after a suspend say, is no reason to crash: PostgreSQL has an interlock of its own.
  const options = { realpath: false, stale: 5000, update: 1000, onCompromised: () => undefined };
  for (const deadline = Date.now() + MAX_LOCK_WAIT_MS; ;) {
    try {
      return await lockfile.lock(path, options);
    } catch (error) {
      if (errorCodeOf(error) !== "ELOCKED" || Date.now() > deadline) throw error;
      await sleep(20 + 20 * Math.random());
    }
  }
}

/** The numbers that a file system has for some files of a directory, which stay while the server writes to them. */
export async function readInodes(directory: string, names: readonly string[]): Promise<string> {
  const files = await Promise.all(names.map((name) => stat(join(directory, name), { bigint: true })));
  return files.map(({ ino }) => ino.toString(36)).join("-");
}
