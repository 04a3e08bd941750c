import { readConfig, type Config } from "../config.ts";
import { openDatabase, type Database, type Handle } from "../database/client.ts";
import { openDatabaseSource } from "../database/database-connection.ts";
import { createServices } from "../graphql/services.ts";
import { systemClock } from "../kernel/clock.ts";
import { SecretVault } from "../kernel/secret-vault.ts";
import { CoverRepository } from "../recovery/covers/cover.repository.ts";
import { RecoveryModelRepository } from "../recovery/models/recovery-model.repository.ts";
import { RecoveryPoolingRepository } from "../recovery/pooling/recovery-pooling.repository.ts";
import { ApiKeyRepository } from "../vendors/keys/api-key.repository.ts";
import { operatorCaller } from "../vendors/people/caller.ts";
import { PersonRepository } from "../vendors/people/person.repository.ts";
import { VendorRepository } from "../vendors/vendor.repository.ts";
import { printOutput, type CommandOutput } from "./command.ts";

/** The services for a command's queries (`read`) and changes (`write`), in one transaction and at one instant. */
export type CommandServices = ReturnType<typeof createCommandServices>;

function createCommandServices(handle: Handle, now: Date, vault: SecretVault) {
  const read = {
    vendors: new VendorRepository(handle),
    keys: new ApiKeyRepository(handle),
    people: new PersonRepository(handle),
    covers: new CoverRepository(handle),
    recoveryModels: new RecoveryModelRepository(handle),
    recoveryPoolings: new RecoveryPoolingRepository(handle),
  };
  return { read, write: createServices(handle, now, { vault, author: operatorCaller.author }), now };
}

/** Runs work in one transaction on the configured database, prints its output, and releases the database. */
export const runInTransaction = (
  json: boolean | undefined,
  work: (tools: CommandServices) => Promise<CommandOutput>,
): Promise<void> =>
  withDatabase(json, (database, vault) =>
    database.transaction((handle) => work(createCommandServices(handle, systemClock.now(), vault))),
  );

/** Runs work on the configured database, prints its output, and releases the database. */
export async function withDatabase(
  json: boolean | undefined,
  work: (database: Database, vault: SecretVault, config: Config) => Promise<CommandOutput>,
): Promise<void> {
  const config = readConfig(process.env);
  const store = await openDatabaseSource(config.databaseUrl, config.dataDir);
  try {
    const database = openDatabase({
      url: store.url,
      identity: store.identity,
      poolSize: 1,
      prepare: !config.transactionPooler,
    });
    try {
      const vault = new SecretVault([...config.secretsKeys, ...store.secretsKeys]);
      const output = await work(database, vault, config);
      // Printed before closing: a stored token must be shown even if closing fails.
      printOutput(json, output);
    } finally {
      await database.close();
    }
  } finally {
    await store.release();
  }
}
