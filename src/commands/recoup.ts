#!/usr/bin/env node
import { backupCommand } from "./backup.ts";
import { runProgram } from "./command.ts";
import { importCommand } from "./recoup-import.ts";
import { moveCommand, restoreCommand } from "./restore.ts";

/* `recoup`: the command line of an installation. */
await runProgram({
  meta: { name: "recoup", description: "Operates an installation of Recoup." },
  subCommands: { import: importCommand, backup: backupCommand, restore: restoreCommand, move: moveCommand },
});
