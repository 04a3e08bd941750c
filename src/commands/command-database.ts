import { resolve } from "node:path";
import { openCellDatabase } from "../cells/cell-database.ts";
import { listCells } from "../cells/cell-list.ts";
import { HOME_CELL_NAME, type Cell } from "../cells/cell.ts";
import { ConfigError, readConfig, type Config } from "../config.ts";
import { openDatabase, type Database, type Handle } from "../database/client.ts";
import { openDatabaseSource, openUnmigratedSource, type DatabaseSource } from "../database/database-connection.ts";
import { hasCluster } from "../database/embedded/embedded-cluster.ts";
import type { MigrationOptions } from "../database/migrations/migration-place.ts";
import { createServices } from "../graphql/services.ts";
import { cellOfVendorUuid, HOME_CELL } from "../kernel/cell-numbers.ts";
import { systemClock } from "../kernel/clock.ts";
import { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { CoverRepository } from "../recovery/covers/cover.repository.ts";
import { RecoveryModelRepository } from "../recovery/models/recovery-model.repository.ts";
import { RecoveryPoolingRepository } from "../recovery/pooling/recovery-pooling.repository.ts";
import { ApiKeyRepository } from "../vendors/keys/api-key.repository.ts";
import { operatorCaller } from "../vendors/people/caller.ts";
import { PersonRepository } from "../vendors/people/person.repository.ts";
import { VendorRepository } from "../vendors/vendor.repository.ts";
import { InvalidArgumentsError } from "./argument-errors.ts";
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

/** The database of a command: the cell of a vendor, or that of a name. Defaults to the home database. */
export interface CommandPlace {
  vendorUuid?: string | undefined;
  cell?: string | undefined;
}

/** Runs work in one transaction, prints its output, and releases the database. */
export const runInTransaction = (
  json: boolean | undefined,
  work: (tools: CommandServices) => Promise<CommandOutput>,
  place?: CommandPlace,
): Promise<void> => withDatabase(json, (database, vault) => runCommandTransaction(database, vault, work), place);

/** Runs work on the services of a command in one transaction. */
export const runCommandTransaction = <T>(
  database: Database,
  vault: SecretVault,
  work: (tools: CommandServices) => Promise<T>,
): Promise<T> => database.transaction((handle) => work(createCommandServices(handle, systemClock.now(), vault)));

/** Runs work on a database, prints its output, and releases the database. */
export const withDatabase = (
  json: boolean | undefined,
  work: (database: Database, vault: SecretVault, config: Config) => Promise<CommandOutput>,
  place: CommandPlace = {},
): Promise<void> =>
  withHomeDatabase(async (home, vault, config) => {
    const cell = await findCell(home, vault, place);
    const database = cell ? await openCellForCommand(cell, config) : home;
    try {
      const output = await work(database, vault, config);
      // Printed before closing: a stored token must be shown even if closing fails.
      printOutput(json, output);
    } finally {
      if (database !== home) await database.close();
    }
  });

/**
 * The embedded database of the settings, which must be there: a command that is called without the settings of the installation
 * would find nothing to do in a new one, and say that it is done. A server's database is left to its address.
 */
export async function openExistingSource(config: Config): Promise<DatabaseSource> {
  await requireInstallation(config);
  return openUnmigratedSource(config.databaseUrl, config.dataDir);
}

async function requireInstallation({ databaseUrl, dataDir }: Config): Promise<void> {
  if (databaseUrl === undefined && !(await hasCluster(dataDir)))
    throw new ConfigError([
      `There is no database in ${resolve(dataDir)}. Set DATABASE_URL or DATA_DIR as for the gateway; recoup start creates a new database.`,
    ]);
}

/** Runs work on the home database and releases it. Only `createsDatabase` allows that the embedded one is created. */
export async function withHomeDatabase(
  work: (home: Database, vault: SecretVault, config: Config) => Promise<void>,
  { createsDatabase = false } = {},
): Promise<void> {
  const config = readConfig(process.env);
  if (!createsDatabase) await requireInstallation(config);
  const store = await openDatabaseSource(config.databaseUrl, config.dataDir, migrationOptions(config));
  try {
    const home = openDatabase({ url: store.url, identity: store.identity, ...commandConnection(config) });
    try {
      await work(home, new SecretVault([...config.secretsKeys, ...store.secretsKeys]), config);
    } finally {
      await home.close();
    }
  } finally {
    await store.release();
  }
}

/** The home database with the tables that it has, and its address. */
export interface UnmigratedHome {
  home: Database;
  url: string;
  vault: SecretVault;
}

/** Runs work on the home database without migrating it first: gateways of another version may be using it. */
export async function withUnmigratedHome(work: (tools: UnmigratedHome) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const store = await openExistingSource(config);
  const { url, identity } = store;
  const home = openDatabase({ url, identity, ...commandConnection(config) });
  try {
    await work({ home, url, vault: new SecretVault([...config.secretsKeys, ...store.secretsKeys]) });
  } finally {
    await home.close();
    await store.release();
  }
}

/** How a command migrates what it opens: it says so beside its output. */
export const migrationOptions = ({ pooler }: Config): MigrationOptions => ({
  isPooled: pooler !== "NONE",
  report: (sentence) => void process.stderr.write(`${sentence}\n`),
});

/** A command does one thing after the other. */
export const commandConnection = ({ pooler }: Config) => ({ poolSize: 1, pooler });

/** Opens the database of a cell for a command. */
export const openCellForCommand = (cell: Cell, config: Config): Promise<Database> =>
  openCellDatabase(cell, commandConnection(config));

async function findCell(home: Database, vault: SecretVault, place: CommandPlace): Promise<Cell | undefined> {
  const number = place.vendorUuid === undefined ? HOME_CELL : cellOfVendorUuid(place.vendorUuid);
  if (place.cell === undefined && number === HOME_CELL) return undefined;
  if (place.cell === HOME_CELL_NAME) return undefined;
  const cells = await listCells(home.handle, vault);
  if (place.cell === undefined) return cells.find((cell) => cell.number === number);
  const cell = cells.find(({ name }) => name === place.cell);
  if (!cell) throw new InvalidArgumentsError(["--cell: there is no cell with this name."]);
  return cell;
}
