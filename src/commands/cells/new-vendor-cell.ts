import { readCellUse, selectRoomiest } from "../../cells/cell-use.ts";
import { HOME_CELL_NAME, type Cell } from "../../cells/cell.ts";
import { listCells } from "../../cells/cell-list.ts";
import type { Database } from "../../database/client.ts";
import { cellOfVendorUuid, HOME_CELL } from "../../kernel/cell-numbers.ts";
import { InvalidArgumentsError } from "../argument-errors.ts";
import { printOutput, type CommandOutput } from "../command.ts";
import {
  openCellForCommand,
  runCommandTransaction,
  withHomeDatabase,
  type CommandServices,
} from "../command-database.ts";

interface NewVendorPlace {
  /** The parent, in whose cell a child is. */
  parentUuid: string | undefined;
  /** The cell that the caller chose. */
  cellName: string | undefined;
}

type NamedCell = Pick<Cell, "number" | "name">;

const HOME: NamedCell = { number: HOME_CELL, name: HOME_CELL_NAME };

/** Runs the creation of a vendor in one transaction on the cell that is right for it. */
export const runForNewVendor = (
  json: boolean | undefined,
  place: NewVendorPlace,
  work: (services: CommandServices, cell: NamedCell) => Promise<CommandOutput>,
): Promise<void> =>
  withHomeDatabase(
    async (home, vault, config) => {
      const cells = await listCells(home.handle, vault);
      const open = (cell: Cell) => openCellForCommand(cell, config);
      const cell = await selectCell(home, cells, place, open);
      const database = cell ? await open(cell) : home;
      try {
        printOutput(json, await runCommandTransaction(database, vault, (services) => work(services, cell ?? HOME)));
      } finally {
        if (database !== home) await database.close();
      }
    },
    { createsDatabase: true },
  );

/** The cell for a new vendor; undefined for the home database. */
async function selectCell(
  home: Database,
  cells: readonly Cell[],
  { parentUuid, cellName }: NewVendorPlace,
  open: (cell: Cell) => Promise<Database>,
): Promise<Cell | undefined> {
  if (parentUuid !== undefined) return cells.find(({ number }) => number === cellOfVendorUuid(parentUuid));
  if (cellName === HOME_CELL_NAME) return undefined;
  if (cellName !== undefined) return requireOpenCell(cells, cellName);
  const openCells = cells.filter(({ state }) => state === "OPEN");
  const uses = await Promise.all(
    openCells.map(async (cell) => {
      // A cell that is down gets no family.
      const database = await open(cell).catch(() => undefined);
      if (!database) return [];
      try {
        return [{ cell, use: await readCellUse(database.handle) }];
      } finally {
        await database.close();
      }
    }),
  );
  const atHome = { cell: undefined, use: await readCellUse(home.handle) };
  return selectRoomiest<{ cell: Cell | undefined; use: typeof atHome.use }>([atHome, ...uses.flat()]).cell;
}

function requireOpenCell(cells: readonly Cell[], cellName: string): Cell {
  const cell = cells.find(({ name }) => name === cellName);
  if (!cell) throw new InvalidArgumentsError(["--cell: there is no cell with this name; recoup cells list shows all."]);
  if (cell.state !== "OPEN")
    throw new InvalidArgumentsError(["--cell: the cell takes no new families; recoup cells list shows the states."]);
  return cell;
}
