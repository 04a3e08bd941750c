import { loadOrCreateEmbeddedKey } from "./embedded/embedded-key.ts";
import { startEmbeddedServer } from "./embedded/embedded-database.ts";
import { migrateDatabase } from "./migrations/migrate.ts";
import type { MigrationOptions } from "./migrations/migration-place.ts";

/** A database that can be connected to. */
export interface DatabaseSource {
  url: string;
  /** Keys that come with the database: an embedded one has its own. */
  secretsKeys: readonly Buffer[];
  /** The path of an embedded database's files; undefined for an external server. */
  identity: string | undefined;
  /** The folder of an embedded database's files; undefined for an external server. */
  folder: string | undefined;
  /** Releases an embedded server; an external server is left alone. */
  release(): Promise<void>;
}

/** The database at the address, or without one the embedded database of the data directory, migrated. */
export async function openDatabaseSource(
  databaseUrl: string | undefined,
  dataDir: string,
  options?: MigrationOptions,
): Promise<DatabaseSource> {
  const source = await openUnmigratedSource(databaseUrl, dataDir);
  try {
    await migrateDatabase(source.url, options);
    return source;
  } catch (error) {
    await source.release();
    throw error;
  }
}

/** The same database with the tables that it has: gateways of another version may be using it. */
export async function openUnmigratedSource(databaseUrl: string | undefined, dataDir: string): Promise<DatabaseSource> {
  if (databaseUrl !== undefined)
    return {
      url: databaseUrl,
      secretsKeys: [],
      identity: undefined,
      folder: undefined,
      release: async () => undefined,
    };
  const server = await startEmbeddedServer({ dataDir });
  try {
    const secretsKeys = [await loadOrCreateEmbeddedKey(dataDir)];
    const { url, identity, folder } = server;
    return { url, secretsKeys, identity, folder, release: () => server.release() };
  } catch (error) {
    await server.release();
    throw error;
  }
}
