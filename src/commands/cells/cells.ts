import type { CommandGroup } from "../command.ts";
import { cellsAddCommand } from "./add.ts";
import { cellsDrainCommand } from "./drain.ts";
import { cellsListCommand } from "./list.ts";
import { cellsMoveCommand } from "./move.ts";

/** `recoup cells`: the databases and schemas that families of vendors are in. */
export const cellsCommands: CommandGroup = {
  meta: { name: "cells", description: "Adds, lists, drains and moves the databases that families of vendors are in." },
  subCommands: { add: cellsAddCommand, list: cellsListCommand, drain: cellsDrainCommand, move: cellsMoveCommand },
};
