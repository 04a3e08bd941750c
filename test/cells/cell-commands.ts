import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Sql } from "postgres";
import { expect } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { commandsOn, recordOf, type Ended } from "../commands/command-line.ts";
import { createFolder } from "../faults/harness/data-folders.ts";
import { createDatabase, openSession } from "../faults/harness/fault-databases.ts";
import type { RawData } from "../support/raw-data.ts";
import { SECRETS_KEY } from "../support/test-gateway.ts";

/** For one command that copies a cell, or what it waits for, on a busy machine. */
export const LIMIT_MS = 120_000;

/** The home database of an installation, the commands for its cells, and a folder with their backups. */
export async function createCellCommands() {
  const folder = await createFolder();
  const settings = { DATABASE_URL: await createDatabase(), SECRETS_KEY: SECRETS_KEY.toString("base64") };
  const sessions = new Map<string, Sql>();
  /** The session of an address, which a condition that is waited for asks again and again. */
  const sessionOf = (url: string): Sql => {
    const session = sessions.get(url) ?? openSession(url, { max: 1 });
    sessions.set(url, session);
    return session;
  };
  const fileOf = (name: string) => join(folder, `${name}.backup`);
  const commands = commandsOn(settings, LIMIT_MS);
  const { cells } = commands;
  return {
    ...{ settings, commands, cells, fileOf, sessionOf },
    restore: (name: string, ...words: string[]) => cells("restore", name, fileOf(name), ...words),
    backUp: async (name: string) =>
      recordOf(await commands.recoup("backup", fileOf(name), "--cell", name, "--replace")),
    stateOf: async (name: string): Promise<RawData> => {
      const { cells: all } = JSON.parse((await cells("list", "--json")).out) as { cells: RawData[] };
      return all.find((cell) => cell.name === name)!;
    },
    /** Starts a command for cells, which can be killed. */
    start: (...words: string[]): { child: ChildProcess; exited: Promise<unknown[]> } => {
      const path = [projectFile("dist/src/commands/recoup.js"), "cells", ...words];
      const child = spawn(process.execPath, path, { env: { PATH: process.env["PATH"], ...settings }, stdio: "ignore" });
      return { child, exited: once(child, "exit") };
    },
  };
}

/** The sentence of a command that is refused. */
export async function refusalOf(ended: Promise<Ended>): Promise<string> {
  const { code, out, err } = await ended;
  expect([code, out]).toEqual([1, ""]);
  return err;
}
