import { createCellService } from "../../cells/cell-list.ts";
import { withCellLock } from "../../cells/cell-lock.ts";
import { moveCell } from "../../cells/cell-move.ts";
import { moveToNode } from "../../cells/citus-move.ts";
import { isSchemaName } from "../../database/schema-name.ts";
import { totalsOf } from "../../operations/backup/backup.format.ts";
import { defineCommand, printOutput, toRecordOutput } from "../command.ts";
import { commandConnection, withHomeDatabase } from "../command-database.ts";

/** `recoup cells move`. */
export const cellsMoveCommand = defineCommand(
  {
    name: "move",
    description:
      "Moves a cell. With --to-node, Citus moves its schema to another of its nodes, while the cell is served. With --to, its rows are copied to an empty schema of another server: until that has ended, the cell takes no writes",
  },
  {
    name: { type: "positional", required: false, valueHint: "name", description: "Name of the cell (required)" },
    "to-node": { type: "string", valueHint: "host:port", description: "Node of the same Citus cluster" },
    "as-url": {
      type: "string",
      valueHint: "url",
      description: "Address of a superuser of the Citus cluster, who may move schemas. Defaults to the cell's address",
    },
    to: { type: "string", valueHint: "url", description: "Address of another database" },
    schema: { type: "string", valueHint: "name", description: "Schema there. Defaults to that of the cell" },
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async (args, errors) => {
    const name = errors.readText("NAME", args.name, "NAME");
    const { "to-node": node, to, schema } = args;
    errors.check((node === undefined) !== (to === undefined), "One of --to-node and --to is needed.");
    errors.check(
      node === undefined || /^\S+:\d{1,5}$/.test(node),
      "--to-node must be a host and a port: 10.0.0.7:5432.",
    );
    errors.check(schema === undefined || isSchemaName(schema), "--schema must be the name of a schema.");
    const url = to === undefined ? undefined : errors.readDatabaseUrl("to", to);
    const superuserUrl = args["as-url"] === undefined ? undefined : errors.readDatabaseUrl("as-url", args["as-url"]);
    errors.throwIfAny();
    await withHomeDatabase((home, vault, config) =>
      withCellLock(home.source.url, name, async (lock) => {
        const service = createCellService(home.handle, vault);
        const cell = await service.require(name);
        if (url !== undefined) {
          const change = { service, cell, lock, connection: commandConnection(config) };
          const { rows, milliseconds } = await moveCell(change, { url, schema: schema ?? cell.schema });
          printOutput(args.json, toRecordOutput({ number: cell.number, name, ...totalsOf(rows), milliseconds }));
          return;
        }
        const moved = await moveToNode(superuserUrl ?? cell.url, cell.schema ?? "public", node ?? "");
        printOutput(args.json, toRecordOutput({ number: cell.number, name, ...moved }));
      }),
    );
  },
);
