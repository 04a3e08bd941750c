import { readCellUse, type CellUse } from "../../cells/cell-use.ts";
import { listCells } from "../../cells/cell-list.ts";
import { HOME_CELL_NAME, type Cell } from "../../cells/cell.ts";
import type { Handle } from "../../database/client.ts";
import { HOME_CELL } from "../../kernel/cell-numbers.ts";
import { defineCommand, printOutput, toTableLines } from "../command.ts";
import { openCellForCommand, withHomeDatabase } from "../command-database.ts";

/** An address without its password. */
function withoutPassword(address: string | null): string | null {
  if (address === null) return null;
  const url = new URL(address);
  url.password = "";
  return url.href;
}

const describeUse = async (handle: Handle): Promise<(CellUse & { up: boolean }) | { up: false }> =>
  readCellUse(handle).then(
    (use) => ({ up: true, ...use }),
    () => ({ up: false }),
  );

const homeRow = {
  ...{ number: HOME_CELL, name: HOME_CELL_NAME, state: "OPEN", url: null, schema: null, replicaUrl: null },
};

/** `recoup cells list`. */
export const cellsListCommand = defineCommand(
  {
    name: "list",
    description:
      "Lists the cells with their state, whether each answers, its families and vendors, and its size in bytes",
  },
  { json: { type: "boolean", description: "Print one JSON object" } },
  async ({ json }, errors) => {
    errors.throwIfAny();
    await withHomeDatabase(async (home, vault, config) => {
      const describe = async (cell: Cell) => {
        const { number, name, state, url, schema, replicaUrl } = cell;
        const shown = {
          number,
          name,
          state,
          url: withoutPassword(url),
          schema,
          replicaUrl: withoutPassword(replicaUrl),
        };
        const database = await openCellForCommand(cell, config).catch(() => undefined);
        if (!database) return { ...shown, up: false };
        try {
          return { ...shown, ...(await describeUse(database.handle)) };
        } finally {
          await database.close();
        }
      };
      const cells = [
        { ...homeRow, ...(await describeUse(home.handle)) },
        ...(await Promise.all((await listCells(home.handle, vault)).map(describe))),
      ];
      const headings = ["number", "name", "state", "up", "families", "vendors", "bytes", "url", "schema", "replicaUrl"];
      const rows = cells.map((cell) =>
        headings.map((heading) => (cell as Record<string, string | number | boolean | null>)[heading] ?? null),
      );
      printOutput(json, { lines: toTableLines(headings, rows), json: { cells } });
    });
  },
);
