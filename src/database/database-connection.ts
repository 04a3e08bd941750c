import { embeddedKey } from "./embedded-key.ts";
import { startEmbedded } from "./embedded-database.ts";
import { migrate } from "./migrate.ts";

/** A database that has this version's tables. */
export interface Store {
  url: string;
  /** Keys that come with the database: an embedded one keeps one of its own. */
  secretsKeys: readonly Buffer[];
  /** Where the files of an embedded database lie; undefined of somebody else's server. */
  place: string | undefined;
  /** Lets go of an embedded server; a server of somebody else's is left alone. */
  release(): Promise<void>;
}

/** The database at the address, or without one the embedded database of the data directory, migrated. */
export async function openStore(databaseUrl: string | undefined, dataDir: string): Promise<Store> {
  const embedded = databaseUrl === undefined;
  const server = embedded
    ? await startEmbedded({ dataDir })
    : { url: databaseUrl, place: undefined, release: async () => undefined };
  try {
    await migrate(server.url);
    const secretsKeys = embedded ? [await embeddedKey(dataDir)] : [];
    return { url: server.url, secretsKeys, place: server.place, release: () => server.release() };
  } catch (error) {
    await server.release();
    throw error;
  }
}
