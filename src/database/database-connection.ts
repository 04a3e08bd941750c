import { loadOrCreateEmbeddedKey } from "./embedded-key.ts";
import { startEmbeddedServer } from "./embedded-database.ts";
import { migrateDatabase } from "./migrate.ts";

/** A database that has this version's tables. */
export interface DatabaseSource {
  url: string;
  /** Keys that come with the database: an embedded one has its own. */
  secretsKeys: readonly Buffer[];
  /** The path of an embedded database's files; undefined for an external server. */
  identity: string | undefined;
  /** Releases an embedded server; an external server is left alone. */
  release(): Promise<void>;
}

/** The database at the address, or without one the embedded database of the data directory, migrated. */
export async function openDatabaseSource(databaseUrl: string | undefined, dataDir: string): Promise<DatabaseSource> {
  const isEmbedded = databaseUrl === undefined;
  const server = isEmbedded
    ? await startEmbeddedServer({ dataDir })
    : { url: databaseUrl, identity: undefined, release: async () => undefined };
  try {
    await migrateDatabase(server.url);
    const secretsKeys = isEmbedded ? [await loadOrCreateEmbeddedKey(dataDir)] : [];
    return { url: server.url, secretsKeys, identity: server.identity, release: () => server.release() };
  } catch (error) {
    await server.release();
    throw error;
  }
}
