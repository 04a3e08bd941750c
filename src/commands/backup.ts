import { stat } from "node:fs/promises";
import { createCellService } from "../cells/cell-list.ts";
import { systemClock } from "../kernel/clock.ts";
import { totalsOf } from "../operations/backup/backup.format.ts";
import { writeBackupFile } from "../operations/backup/write-backup.ts";
import { OperationError } from "../operations/operation-error.ts";
import { InvalidArgumentsError } from "./argument-errors.ts";
import { withUnmigratedHome } from "./command-database.ts";
import { defineCommand, printOutput, toRecordOutput } from "./command.ts";
import { explainOutage } from "./restore.ts";

/** `recoup backup`: writes the home database, or a cell, to a file, while gateways and workers go on. */
export const backupCommand = defineCommand(
  {
    name: "backup",
    description:
      "Writes the home database, or a cell, to a file, as of one instant, while gateways and workers go on. The file has personal data; secrets in it stay encrypted with the key of this installation, which is not in it",
  },
  {
    file: { type: "positional", required: false, description: "File to write, such as recoup.backup (required)" },
    cell: { type: "string", valueHint: "name", description: "Cell to write. Defaults to the home database" },
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
    await withUnmigratedHome(async ({ home, url, vault }) => {
      const keyId = vault.currentKeyId ?? null;
      const cell = args.cell === undefined ? undefined : await createCellService(home.handle, vault).require(args.cell);
      const source = cell ? { url: cell.url, cell: { number: cell.number, schema: cell.schema ?? "public" } } : { url };
      const rows = await writeBackupFile(
        { ...source, keyId, createdAt: systemClock.now() },
        path,
        args.replace === true,
      ).catch((error: unknown) => {
        throw explainFileError(cell ? explainOutage(error, `The cell ${cell.name}`) : error, path);
      });
      const { size: bytes } = await stat(path);
      const written = { file: path, ...(cell && { cell: cell.name }), ...totalsOf(rows) };
      printOutput(args.json, toRecordOutput({ ...written, bytes, secretsKey: keyId }));
    });
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
