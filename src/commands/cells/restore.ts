import { createCellService } from "../../cells/cell-list.ts";
import { withCellLock } from "../../cells/cell-lock.ts";
import { restoreCell } from "../../cells/cell-restore.ts";
import { isSchemaName } from "../../database/schema-name.ts";
import { totalsOf } from "../../operations/backup/backup.format.ts";
import { readBackupFile } from "../../operations/backup/restore-backup.ts";
import { defineCommand, printOutput, toRecordOutput } from "../command.ts";
import { commandConnection, withHomeDatabase } from "../command-database.ts";
import { explainOutage, isReadable, restoreOptions } from "../restore.ts";

/** `recoup cells restore`. */
export const cellsRestoreCommand = defineCommand(
  {
    name: "restore",
    description:
      "Restores a backup of a cell whose place is lost into an empty database, or a schema of one, while other cells are served. Processes open it there within seconds. Until a day later, charges are searched at their gateways before they are made, so that nobody is charged twice",
  },
  {
    name: { type: "positional", required: false, valueHint: "name", description: "Name of the cell (required)" },
    file: {
      type: "positional",
      required: false,
      valueHint: "file",
      description: "File that recoup backup --cell wrote (required)",
    },
    to: { type: "string", valueHint: "url", description: "Address of the new database (required)" },
    schema: { type: "string", valueHint: "name", description: "Schema there. Defaults to that of the cell" },
    "discard-writes": {
      type: "boolean",
      description:
        "Restore although the cell answers. What was written since the backup is lost to its vendors; the old tables are put into the schema moved_cell_<number>",
    },
    ...restoreOptions,
  },
  async (args, errors) => {
    const name = errors.readText("NAME", args.name, "NAME");
    const path = errors.readPath("FILE", args.file);
    errors.check(args.file === undefined || (await isReadable(path)), "FILE cannot be read: is it there?");
    const url = errors.readDatabaseUrl("to", args.to);
    const { schema } = args;
    errors.check(schema === undefined || isSchemaName(schema), "--schema must be the name of a schema.");
    errors.throwIfAny();
    await withHomeDatabase((home, vault, config) =>
      withCellLock(home.source.url, name, async (lock) => {
        const service = createCellService(home.handle, vault);
        const cell = await service.require(name);
        const to = { url, schema: schema ?? cell.schema };
        const change = { service, cell, lock, connection: commandConnection(config) };
        const { header, rows } = await restoreCell(change, to, {
          read: () => readBackupFile(path),
          discardsWrites: args["discard-writes"] === true,
          hasKey: (keyId) => vault.hasKeyWithId(keyId),
          withoutSecrets: args["without-secrets"] === true,
        }).catch((error: unknown) => {
          throw explainOutage(error, "The database of --to, or the home database,");
        });
        const { lines, json } = toRecordOutput({
          ...{ number: cell.number, name, schema: to.schema ?? "public" },
          ...{ backupOf: header.createdAt, ...totalsOf(rows) },
        });
        const next = `next: Run recoup charges search --cell ${name}, which finds orders that their payers paid since the backup.`;
        printOutput(args.json, { json, lines: [...lines, next] });
      }),
    );
  },
);
