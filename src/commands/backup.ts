import { stat } from "node:fs/promises";
import { readConfig } from "../config.ts";
import { systemClock } from "../kernel/clock.ts";
import { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { writeBackupFile } from "../operations/backup/write-backup.ts";
import { OperationError } from "../operations/operation-error.ts";
import { InvalidArgumentsError } from "./argument-errors.ts";
import { openExistingSource } from "./command-database.ts";
import { defineCommand, printOutput, toRecordOutput } from "./command.ts";

/** `recoup backup`: writes the database to a file, while gateways and workers go on. */
export const backupCommand = defineCommand(
  {
    name: "backup",
    description:
      "Writes the whole database to a file, as of one instant, while gateways and workers go on. The file has personal data; secrets in it stay encrypted with the key of this installation, which is not in it",
  },
  {
    file: { type: "positional", required: false, description: "File to write, such as recoup.backup (required)" },
    replace: { type: "boolean", description: "Replace the file if it exists, once the new one is whole" },
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async (args, errors) => {
    const path = errors.readPath("FILE", args.file);
    const isFolder = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    errors.check(args.file === undefined || !isFolder, "FILE is a folder. Add the name of a file in it.");
    errors.throwIfAny();
    const config = readConfig(process.env);
    const store = await openExistingSource(config);
    try {
      const vault = new SecretVault([...config.secretsKeys, ...store.secretsKeys]);
      const keyId = vault.currentKeyId ?? null;
      const rows = await writeBackupFile(
        { url: store.url, keyId, createdAt: systemClock.now() },
        path,
        args.replace === true,
      ).catch((error: unknown) => {
        throw explainFileError(error, path);
      });
      const { size } = await stat(path);
      const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
      printOutput(
        args.json,
        toRecordOutput({ file: path, tables: Object.keys(rows).length, rows: total, bytes: size, secretsKey: keyId }),
      );
    } finally {
      await store.release();
    }
  },
);

const UNWRITABLE: readonly string[] = ["ENOENT", "ENOTDIR", "EACCES", "EPERM", "EROFS"];

function explainFileError(error: unknown, path: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EEXIST")
    return new OperationError("BACKUP_EXISTS", `${path} exists already. Choose another name, or add --replace.`, error);
  if (code !== undefined && UNWRITABLE.includes(code))
    return new InvalidArgumentsError([`FILE: ${path} cannot be written (${code}). Is its folder there?`]);
  return error;
}
