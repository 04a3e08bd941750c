#!/usr/bin/env node
import { runProgram } from "./command.ts";
import { importCommand } from "./recoup-import.ts";

/* `recoup`: the command line of an installation. */
await runProgram({
  meta: { name: "recoup", description: "Operates an installation of Recoup." },
  subCommands: { import: importCommand },
});
