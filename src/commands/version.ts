import { readFile } from "node:fs/promises";
import { projectFile } from "../kernel/project-files.ts";
import { defineCommand, printOutput, toRecordOutput } from "./command.ts";

/** `recoup version`, also `recoup --version`: what a report of an error needs. */
export const versionCommand = defineCommand(
  { name: "version", description: "Prints the version of Recoup, and that of Node which runs it" },
  { json: { type: "boolean", description: "Print one JSON object" } },
  async (args, errors) => {
    errors.throwIfAny();
    const { version } = JSON.parse(await readFile(projectFile("package.json"), "utf8")) as { version: string };
    printOutput(args.json, toRecordOutput({ recoup: version, node: process.versions.node }));
  },
);
