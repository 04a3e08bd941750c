import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabaseSource, type DatabaseSource } from "../../src/database/database-connection.ts";
import { startEmbeddedServer } from "../../src/database/embedded/embedded-database.ts";

/** A database of a measurement. */
export interface BenchStore {
  store: DatabaseSource;
  /** The address of the same database for a superuser: the write-ahead log can be read by no one else. */
  superuserUrl: string;
  remove(): Promise<void>;
}

/**
 * A database for one measurement: an embedded server, empty and removed afterwards, or in a folder that is kept and reused.
 */
export async function openBenchStore(seededFolder?: string): Promise<BenchStore> {
  const folder = seededFolder ?? (await mkdtemp(join(tmpdir(), "recoup-bench-")));
  await chmod(folder, 0o755);
  const store = await openDatabaseSource(undefined, folder);
  const server = await startEmbeddedServer({ dataDir: folder });
  const superuserUrl = Object.assign(new URL(server.adminUrl), { pathname: new URL(store.url).pathname }).href;
  return {
    store,
    superuserUrl,
    remove: async () => {
      await server.release();
      await store.release();
      if (seededFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}
