import type { CommandGroup } from "../command.ts";
import { cellsAddCommand } from "./add.ts";
import { cellsDrainCommand } from "./drain.ts";
import { cellsListCommand } from "./list.ts";
import { cellsMigrateCommand } from "./migrate.ts";
import { cellsMoveCommand } from "./move.ts";
import { cellsRestoreCommand } from "./restore.ts";

/** `recoup cells`: the databases and schemas that families of vendors are in. */
export const cellsCommands: CommandGroup = {
  meta: {
    name: "cells",
    description: "Adds, lists, migrates, drains, moves and restores the databases that families of vendors are in.",
  },
  subCommands: {
    ...{ add: cellsAddCommand, list: cellsListCommand, migrate: cellsMigrateCommand },
    ...{ drain: cellsDrainCommand, move: cellsMoveCommand, restore: cellsRestoreCommand },
  },
};
