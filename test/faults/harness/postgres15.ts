import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chown, mkdir } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import { unprivilegedAccount } from "../../../src/database/embedded/embedded-binaries.ts";
import { onFileEnd } from "./cleanup.ts";
import { createFolder } from "./data-folders.ts";

export const PROGRAMS_FOLDER = "/usr/lib/postgresql/15/bin";

/** Whether this machine has a PostgreSQL 15 to run a server with. */
export const hasPostgres15 = existsSync(join(PROGRAMS_FOLDER, "initdb"));

/** A PostgreSQL 15 server of the test's own, as an operator runs one next to the gateway. */
export class Postgres15 {
  static async start(): Promise<Postgres15> {
    const folder = await createFolder();
    const account = await unprivilegedAccount();
    const data = join(folder, "data");
    await mkdir(data, { mode: 0o700 });
    if (account) await chown(data, account.uid, account.gid);
    const how = ["--auth=trust", "--username=recoup", "--encoding=UTF8", "--locale=C", "--no-sync"];
    await promisify(execFile)(join(PROGRAMS_FOLDER, "initdb"), ["--pgdata", data, ...how], { ...account, cwd: data });
    const server = new Postgres15(data, await findFreePort(), account);
    onFileEnd(() => server.runPgCtl("stop", "--mode=immediate"));
    await server.runPgCtl("start");
    return server;
  }

  private constructor(
    private readonly data: string,
    private readonly port: number,
    private readonly account: { uid: number; gid: number } | undefined,
  ) {}

  get url(): string {
    return `postgres://recoup@127.0.0.1:${this.port}/postgres`;
  }

  /** Stops the server, gracefully or not, and starts it again. */
  restart(mode: "fast" | "immediate"): Promise<void> {
    return this.runPgCtl("restart", `--mode=${mode}`);
  }

  /** No pipes: the server would leave them open for as long as it runs. */
  private async runPgCtl(verb: string, ...more: string[]): Promise<void> {
    // No test simulates a power failure: what a killed process has written survives in the system's cache, so that
    // waiting for the disk proves nothing.
    const options = `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
    const words = [
      verb,
      "--wait",
      "--pgdata",
      this.data,
      "--log",
      join(this.data, "log"),
      "--options",
      options,
      ...more,
    ];
    const child = spawn(join(PROGRAMS_FOLDER, "pg_ctl"), words, { ...this.account, cwd: this.data, stdio: "ignore" });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`pg_ctl ${verb} ended with ${String(code)}.`);
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
