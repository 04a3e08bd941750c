import { addCell } from "../../cells/cell-addition.ts";
import { createCellService } from "../../cells/cell-list.ts";
import { HOME_CELL_NAME } from "../../cells/cell.ts";
import { isSchemaName } from "../../database/schema-name.ts";
import { defineCommand, printOutput, toRecordOutput } from "../command.ts";
import { commandConnection, withHomeDatabase } from "../command-database.ts";

/** `recoup cells add`. */
export const cellsAddCommand = defineCommand(
  {
    name: "add",
    description:
      "Makes a database, or a schema of one, a cell for further families of vendors, and migrates it. It must be empty. With the address of a superuser, an ordinary role is made, which Recoup then uses",
  },
  {
    name: { type: "positional", required: false, valueHint: "name", description: "Name of the cell (required)" },
    url: { type: "string", valueHint: "url", description: "Address of the database (required)" },
    schema: {
      type: "string",
      valueHint: "name",
      description: "Schema that is the cell; it is created if it is missing. Defaults to public. Required on Citus",
    },
    "replica-url": { type: "string", valueHint: "url", description: "Address of a read replica. Defaults to none" },
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async (args, errors) => {
    const name = errors.readText("NAME", args.name, "NAME");
    errors.check(
      args.name === undefined || (/^[a-z][a-z0-9-]{0,31}$/.test(name) && name !== HOME_CELL_NAME),
      "NAME must be 1 to 32 lower-case letters, digits and hyphens, begin with a letter, and not be home.",
    );
    const url = errors.readDatabaseUrl("url", args.url);
    const replicaUrl =
      args["replica-url"] === undefined ? null : errors.readDatabaseUrl("replica-url", args["replica-url"]);
    const schema = args.schema ?? null;
    errors.check(
      schema === null || isSchemaName(schema),
      "--schema must be 1 to 63 lower-case letters, digits and underscores, begin with a letter, and be no schema of PostgreSQL or Recoup.",
    );
    errors.throwIfAny();
    await withHomeDatabase(async (home, vault, config) => {
      const place = { url, schema, replicaUrl };
      const cell = await addCell(createCellService(home.handle, vault), name, place, commandConnection(config));
      const { number, state } = cell;
      printOutput(args.json, toRecordOutput({ number, name, schema: cell.schema ?? "public", state }));
    });
  },
);
