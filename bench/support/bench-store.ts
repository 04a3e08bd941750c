import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabaseSource, type DatabaseSource } from "../../src/database/database-connection.ts";

/** A database of a measurement. */
export interface BenchStore {
  store: DatabaseSource;
  remove(): Promise<void>;
}

/**
 * A database for one measurement: an embedded server, empty and removed afterwards, or in a folder that is kept and reused.
 */
export async function openBenchStore(seededFolder?: string): Promise<BenchStore> {
  const folder = seededFolder ?? (await mkdtemp(join(tmpdir(), "recoup-bench-")));
  await chmod(folder, 0o755);
  const store = await openDatabaseSource(undefined, folder);
  return {
    store,
    remove: async () => {
      await store.release();
      if (seededFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
