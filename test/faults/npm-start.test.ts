import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { beforeAll, expect, test, vi } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";
import { buildOnce } from "../support/build-once.ts";
import { onFileEnd } from "./harness/cleanup.ts";
import { createDataDir, findPostmasterPid } from "./harness/data-folders.ts";

/*
 * `npm start` as an operator runs it, with the embedded database: whichever process gets the signal, no process is
 * left.
 */

let dataDir: string;

beforeAll(async () => {
  await buildOnce();
  dataDir = await createDataDir();
});

interface Started {
  child: ChildProcess;
  /** The output so far. */
  output: () => string;
}

/** Starts a program in a process group of its own. */
function start(program: string, words: string[], settings: Record<string, string> = {}): Started {
  const env = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    PORT: "0",
    DATA_DIR: dataDir,
    DRAIN_SECONDS: "0",
  };
  const child = spawn(program, words, { cwd: projectFile("."), env: { ...env, ...settings }, detached: true });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  onFileEnd(async () => void signalled(-child.pid!, "SIGKILL"));
  return { child, output: () => output };
}

const ready = ({ output }: Started) =>
  vi.waitFor(() => expect(output()).toContain("Recoup is ready."), { timeout: 90_000, interval: 50 });

function signalled(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** Whether any process of the group is left, or the database's server. */
const isLeft = async ({ child }: Started) =>
  signalled(-child.pid!, 0) || (await findPostmasterPid(dataDir)) !== undefined;

test("SIGTERM to npm only, while the database starts, leaves no process", async () => {
  const npm = start("npm", ["start"]);
  await vi.waitFor(async () => expect(await findPostmasterPid(dataDir)).toBeDefined(), {
    timeout: 90_000,
    interval: 20,
  });
  npm.child.kill("SIGTERM");
  await expect.poll(() => isLeft(npm)).toBe(false);
}, 180_000);

test("SIGTERM to npm only leaves no process", async () => {
  const npm = start("npm", ["start"]);
  await ready(npm);
  npm.child.kill("SIGTERM");
  await expect.poll(() => isLeft(npm)).toBe(false);
}, 180_000);

test("Ctrl-C, which npm passes on to a gateway that has it already, leaves no process", async () => {
  const npm = start("npm", ["start"]);
  await ready(npm);
  signalled(-npm.child.pid!, "SIGINT");
  await expect.poll(() => isLeft(npm)).toBe(false);
  expect(npm.output().match(/"msg":"stopping"/g)).toHaveLength(1);
}, 180_000);

test("a shell that does not forward the signal leaves no process", async () => {
  const script = `"${process.execPath}" dist/src/main.js; true`;
  const shell = start("sh", ["-c", script], { npm_lifecycle_event: "start" });
  await ready(shell);
  shell.child.kill("SIGKILL");
  await once(shell.child, "exit");
  await expect.poll(() => isLeft(shell)).toBe(false);
}, 180_000);
