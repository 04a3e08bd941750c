import { createCellService } from "../../cells/cell-list.ts";
import { OperationError } from "../../operations/operation-error.ts";
import { defineCommand, printOutput, toRecordOutput } from "../command.ts";
import { withHomeDatabase } from "../command-database.ts";

/** `recoup cells drain`. */
export const cellsDrainCommand = defineCommand(
  {
    name: "drain",
    description:
      "Lets a cell take no new families. Those that it has stay and are served. --end lets it take new ones again",
  },
  {
    name: { type: "positional", required: false, valueHint: "name", description: "Name of the cell (required)" },
    end: { type: "boolean", description: "Let the cell take new families again" },
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async ({ name: nameOption, end, json }, errors) => {
    const name = errors.readText("NAME", nameOption, "NAME");
    errors.throwIfAny();
    await withHomeDatabase((home, vault) =>
      home.transaction(async (handle) => {
        const service = createCellService(handle, vault);
        const cell = await service.require(name);
        if (cell.state === "MOVING")
          throw new OperationError("CELL_NOT_OPEN", `The cell ${name} is being moved. Wait until that has ended.`);
        const state = end ? "OPEN" : "DRAINING";
        await service.setState(cell.number, state);
        printOutput(json, toRecordOutput({ number: cell.number, name, state }));
      }),
    );
  },
);
