import { access, constants } from "node:fs/promises";
import { readConfig, type Config } from "../config.ts";
import { openUnmigratedSource } from "../database/database-connection.ts";
import { isDatabaseOutage } from "../database/database-errors.ts";
import { systemClock } from "../kernel/clock.ts";
import { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { totalsOf } from "../operations/backup/backup.format.ts";
import { checkBackup } from "../operations/backup/load-backup.ts";
import { readBackupFile, restoreBackup, type RestoreSummary } from "../operations/backup/restore-backup.ts";
import { streamBackup } from "../operations/backup/write-backup.ts";
import { openExistingSource } from "./command-database.ts";
import { defineCommand, printOutput, toRecordOutput, UnreachableError, type CommandOutput } from "./command.ts";

/** The options of all restores. */
export const restoreOptions = {
  "without-secrets": {
    type: "boolean",
    description: "Accept that stored secrets cannot be decrypted, because their key is lost",
  },
  json: { type: "boolean", description: "Print one JSON object" },
} as const;

const replace = {
  type: "boolean",
  description: "Delete everything in the database first, if it is not empty",
} as const;

/** Whether a file is there and may be read. */
export const isReadable = (path: string): Promise<boolean> =>
  access(path, constants.R_OK).then(
    () => true,
    () => false,
  );

/** `recoup restore`: loads a backup into an empty database. */
export const restoreCommand = defineCommand(
  {
    name: "restore",
    description:
      "Restores a backup into the database of the settings or of --to, which must be empty and not in use. Any version of PostgreSQL will do. Until a day later, charges are searched at their gateways before they are made, so that nobody is charged twice",
  },
  {
    file: { type: "positional", required: false, description: "File that recoup backup wrote (required)" },
    to: { type: "string", valueHint: "url", description: "Database to restore into. Defaults to that of the settings" },
    ...{ replace, ...restoreOptions },
  },
  async (args, errors) => {
    const path = errors.readPath("FILE", args.file);
    errors.check(args.file === undefined || (await isReadable(path)), "FILE cannot be read: is it there?");
    const to = args.to === undefined ? undefined : errors.readDatabaseUrl("to", args.to);
    errors.throwIfAny();
    const config = readConfig(process.env);
    await checkBackup(readBackupFile(path));
    const store = await openUnmigratedSource(to ?? config.databaseUrl, config.dataDir);
    try {
      const vault = new SecretVault([...config.secretsKeys, ...store.secretsKeys]);
      const restored = await restoreBackup(readBackupFile(path), store.url, {
        replace: args.replace === true,
        hasKey: (keyId) => vault.hasKeyWithId(keyId),
        withoutSecrets: args["without-secrets"] === true,
      }).catch((error: unknown) => {
        throw to === undefined ? error : explainOutage(error, "The database of --to");
      });
      printOutput(args.json, toRestoreOutput(restored));
    } finally {
      await store.release();
    }
  },
);

/** `recoup move`: brings the database of the settings to another server. */
export const moveCommand = defineCommand(
  {
    name: "move",
    description:
      "Copies the database of the settings, such as the embedded one, to an empty database on a server. Stop gateways and workers first, and start them with the new DATABASE_URL afterwards. The old database stays as it is",
  },
  {
    to: { type: "string", valueHint: "url", description: "Database to copy to (required)" },
    ...{ replace, json: restoreOptions.json },
  },
  async (args, errors) => {
    const to = errors.readDatabaseUrl("to", args.to);
    errors.throwIfAny();
    const config = readConfig(process.env);
    const store = await openExistingSource(config);
    try {
      const keyId = new SecretVault([...config.secretsKeys, ...store.secretsKeys]).currentKeyId ?? null;
      const source = { url: store.url, keyId, createdAt: systemClock.now() };
      const restored = await restoreBackup(streamBackup(source), to, {
        replace: args.replace === true,
        hasKey: () => true,
        withoutSecrets: false,
      }).catch((error: unknown) => {
        throw explainOutage(error, "The database of --to, or that of the settings,");
      });
      const output = toRestoreOutput(restored);
      printOutput(args.json, { ...output, lines: [...output.lines, ...nextSettings(config)] });
    } finally {
      await store.release();
    }
  },
);

/** Names the database of an option that cannot be reached. */
export function explainOutage(error: unknown, database: string): unknown {
  if (!isDatabaseOutage(error)) return error;
  const { code = "no code" } = error as NodeJS.ErrnoException;
  return new UnreachableError(
    `${database} cannot be reached (${code}). Check the address, and whether the server runs.`,
    {
      cause: error,
    },
  );
}

const toRestoreOutput = ({ header, rows }: RestoreSummary): CommandOutput =>
  toRecordOutput({ backupOf: header.createdAt, postgres: header.postgres, ...totalsOf(rows) });

const nextSettings = ({ databaseUrl, secretsKeys, dataDir }: Config): string[] => {
  const key =
    secretsKeys.length === 0 && databaseUrl === undefined ? ` and SECRETS_KEY="$(cat ${dataDir}/secrets.key)"` : "";
  return [`next: Start Recoup with DATABASE_URL set to the new database${key}.`];
};
