import { listCells } from "../../cells/cell-list.ts";
import { migrateCells, readCellStatus } from "../../cells/cell-migrations.ts";
import { HOME_CELL_NAME, type Cell } from "../../cells/cell.ts";
import { OperationError } from "../../operations/operation-error.ts";
import { defineCommand, printOutput, toTableLines } from "../command.ts";
import { migrationOptions, withHomeDatabase, withUnmigratedHome } from "../command-database.ts";

/** `recoup cells migrate`. */
export const cellsMigrateCommand = defineCommand(
  {
    name: "migrate",
    description:
      "Migrates the home database, then each cell, to this version, while processes of the version before serve them. A call that was stopped is continued by the next one. --status only shows what is missing",
  },
  {
    name: {
      type: "positional",
      required: false,
      valueHint: "name",
      description: "Only this cell, after the home database",
    },
    status: { type: "boolean", description: "Change nothing; show what is missing, and how far it has come" },
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async ({ name, status, json }, errors) => {
    errors.throwIfAny();
    const select = (cells: readonly Cell[]) => {
      const selected = cells.filter((cell) => name === undefined || cell.name === name);
      if (name !== undefined && name !== HOME_CELL_NAME && selected.length === 0)
        throw new OperationError("CELL_NOT_FOUND", "There is no cell with this name; recoup cells list shows all.");
      return selected;
    };
    if (status) return printStatus(json, select);
    await withHomeDatabase(async (home, vault, config) => {
      const results = await migrateCells(select(await listCells(home.handle, vault)), migrationOptions(config));
      const cells = [{ name: HOME_CELL_NAME, fault: null }, ...results];
      const rows = cells.map((cell) => [cell.name, cell.fault === null ? "up to date" : `failed: ${cell.fault}`]);
      printOutput(json, { lines: toTableLines(["name", "state"], rows), json: { cells } });
      const failed = results.filter(({ fault }) => fault !== null);
      if (failed.length > 0)
        throw new OperationError(
          "CELL_NOT_OPEN",
          `${failed.length} of ${cells.length} could not be migrated. Call the command again: it continues with what is missing.`,
        );
    });
  },
);

/** Shows how far each database is behind this version, without migrating the home database first. */
async function printStatus(
  json: boolean | undefined,
  select: (cells: readonly Cell[]) => readonly Cell[],
): Promise<void> {
  await withUnmigratedHome(async ({ home, url, vault }) => {
    const homeStatus = await readCellStatus(null, url);
    // Before it has the table of cells there are none.
    const hasCells = homeStatus !== null && !homeStatus.pending.includes("0076_register_cells");
    const cells = select(hasCells ? await listCells(home.handle, vault) : []);
    const statuses = [
      { name: HOME_CELL_NAME, status: homeStatus },
      ...(await Promise.all(cells.map(async (cell) => ({ name: cell.name, status: await readCellStatus(cell, url) })))),
    ];
    const rows = statuses.map(({ name, status }) => [
      ...[name, status ? "up" : "down", status?.applied ?? null, status?.pending.length ?? null],
      ...[status?.pending[0] ?? null, status?.batchRows ?? null],
      status?.indexShare == null ? null : `${Math.round(status.indexShare * 100)} %`,
    ]);
    const headings = ["name", "state", "applied", "pending", "next", "batchRows", "indexBuilt"];
    const shown = statuses.map(({ name, status }) => ({ name, up: status !== null, ...status }));
    printOutput(json, { lines: toTableLines(headings, rows), json: { cells: shown } });
  });
}
