import { execFile, fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import postgres, { type Sql } from "postgres";
import ts from "typescript";
import { afterAll, afterEach, expect } from "vitest";
import type { EmbeddedServer } from "../../../src/database/embedded/embedded-database.ts";
import { projectFile } from "../../../src/kernel/project-files.ts";

/*
 * Processes are what the tests kill, so each gateway is one: a program that uses a server until it is asked to release
 * it.
 */

const HOLDER_PROGRAM = `
  import { startEmbeddedServer } from "./embedded-database.js";
  process.on("SIGINT", () => undefined);
  const { release, ...server } = await startEmbeddedServer({ dataDir: process.argv[2], durable: process.argv[3] === "durable" });
  process.once("message", async () => {
    await release();
    process.disconnect();
  });
  process.send(server);
`;

/** A process that uses the embedded server of a data directory. */
class ServerHolder {
  readonly ended: Promise<unknown[]>;
  /** The server's address, once it runs. */
  readonly server: Promise<Omit<EmbeddedServer, "release">>;

  constructor(readonly process: ChildProcess) {
    let complaint = "";
    process.stderr!.setEncoding("utf8").on("data", (text: string) => (complaint += text));
    this.ended = once(process, "close");
    this.server = Promise.race([
      once(process, "message").then(([server]) => server),
      this.ended.then(() => Promise.reject(new Error(complaint))),
    ]);
    this.server.catch(() => undefined);
  }

  /** Releases the server, after which the process has no reason to go on and ends by itself. */
  async releaseServer(): Promise<void> {
    this.process.send("let go");
    expect(await this.ended).toEqual([0, null]);
  }

  async kill(): Promise<void> {
    this.process.kill("SIGKILL");
    await this.ended;
  }
}

/**
 * The common fixture of the tests of the embedded server. Holder processes and leftover servers are killed after each
 * test, so call it at the top of a test file.
 */
export async function createHolderHarness() {
  const programs = await mkdtemp(join(tmpdir(), "recoup-holder-"));
  const folders = [programs];
  const holders: ServerHolder[] = [];
  await compileSourcesTo(programs);

  const newFolder = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), "recoup-embedded-"));
    folders.push(folder);
    // Open to the user that PostgreSQL runs as if the tests run as root; otherwise the data would be elsewhere.
    await chmod(folder, 0o755);
    return folder;
  };

  afterEach(async () => {
    await Promise.all(holders.splice(0).map((holder) => holder.kill()));
    for (const folder of folders) await killLeftover(folder).catch(() => undefined);
  });
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  });

  return {
    programs,
    folders,
    newFolder,
    /**
     * A data directory that several tests use one after the other, because creating a database takes longer than using
     * it.
     */
    used: await newFolder(),
    /** Starts a process that uses the server of a data directory. */
    open(dataDir: string, { program = join(programs, "holder.js"), durable = false } = {}): ServerHolder {
      const silent: ("pipe" | "ignore" | "ipc")[] = ["ignore", "ignore", "pipe", "ipc"];
      const args = [dataDir, ...(durable ? ["durable"] : [])];
      const holder = new ServerHolder(fork(program, args, { stdio: silent, execArgv: [], detached: true }));
      holders.push(holder);
      return holder;
    },
  };
}

/** Runs one query on a database. */
export async function queryOnce(url: string, query: (sql: Sql) => PromiseLike<unknown>): Promise<unknown> {
  const sql = postgres(url, { max: 1, connect_timeout: 2 });
  try {
    return await query(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

export const isAnswering = (url: string): Promise<boolean> =>
  queryOnce(url, (sql) => sql`select 1`).then(
    () => true,
    () => false,
  );

export const pidFileIn = (dataDir: string): string => join(dataDir, "postgres/data/postmaster.pid");

export async function readPostmaster(dataDir: string): Promise<{ pid: number; data: string }> {
  const [pid, data] = (await readFile(pidFileIn(dataDir), "utf8")).split("\n");
  return { pid: Number(pid), data: data! };
}

/**
 * Kills a server that a failed test has left; its record may be stale, and its process id may belong to another
 * process.
 */
async function killLeftover(dataDir: string): Promise<void> {
  const { pid, data } = await readPostmaster(dataDir);
  const { stdout } = await promisify(execFile)("ps", ["-o", "args=", "-p", String(pid)]);
  if (stdout.includes(data)) process.kill(pid, "SIGKILL");
}

/** Compiles the tested modules in their current state, beside the program that uses them. */
async function compileSourcesTo(programs: string): Promise<void> {
  const sources = projectFile("src/database/embedded");
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    rewriteRelativeImportExtensions: true,
  };
  for (const name of await readdir(sources)) {
    const { outputText } = ts.transpileModule(await readFile(join(sources, name), "utf8"), { compilerOptions });
    await writeFile(join(programs, name.replace(/ts$/, "js")), outputText);
  }
  await writeFile(join(programs, "holder.js"), HOLDER_PROGRAM);
  await writeFile(join(programs, "package.json"), '{ "type": "module" }');
  await symlink(projectFile("node_modules"), join(programs, "node_modules"));
}
