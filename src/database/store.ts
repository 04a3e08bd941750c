import { startEmbedded } from "./embedded.ts";
import { migrate } from "./migrate.ts";

/** A database that has this version's tables. */
export interface Store {
  url: string;
  /** Lets go of an embedded server; a server of somebody else's is left alone. */
  release(): Promise<void>;
}

/** The database at the address, or without one the embedded database of the data directory, migrated. */
export async function openStore(databaseUrl: string | undefined, dataDir: string): Promise<Store> {
  const store =
    databaseUrl === undefined ? await startEmbedded({ dataDir }) : { url: databaseUrl, release: async () => undefined };
  try {
    await migrate(store.url);
    return store;
  } catch (error) {
    await store.release();
    throw error;
  }
}
