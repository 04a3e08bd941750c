#!/usr/bin/env node
import { runProgram } from "./command.ts";
import { program } from "./program.ts";

/* `recoup`: the command line of an installation. */
await runProgram(program);
