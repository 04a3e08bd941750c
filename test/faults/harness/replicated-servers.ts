import { spawn } from "node:child_process";
import { once } from "node:events";
import { chown, cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import {
  findBinaries,
  unprivilegedAccount,
  type SystemAccount,
} from "../../../src/database/embedded/embedded-binaries.ts";
import { onFileEnd } from "./cleanup.ts";
import { openSession } from "./fault-databases.ts";
import { createFolder } from "./data-folders.ts";
import { hasPostgres15, PROGRAMS_FOLDER } from "./postgres15.ts";

/* In a test run on a server of PostgreSQL 15, these are of that version too; otherwise of the embedded one. */

async function findPrograms(account: SystemAccount | undefined): Promise<string> {
  if (process.env["TEST_DATABASE_URL"] !== undefined && hasPostgres15) return PROGRAMS_FOLDER;
  return dirname((await findBinaries(account)).pgCtl);
}

/** A primary, and a standby that streams from it. */
export class ReplicatedServers {
  /** Starts both. The standby begins with a copy of the primary's files. */
  static async start(): Promise<ReplicatedServers> {
    const account = await unprivilegedAccount();
    const programs = await findPrograms(account);
    const folder = await createFolder();
    if (account) await chown(folder, account.uid, account.gid);
    const primary = new ReplicatedServer(programs, join(folder, "primary"), await findFreePort(), account);
    const replica = new ReplicatedServer(programs, join(folder, "replica"), await findFreePort(), account);
    onFileEnd(() => Promise.all([replica.stop("immediate"), primary.stop("immediate")]));
    await mkdir(primary.data, { mode: 0o700 });
    if (account) await chown(primary.data, account.uid, account.gid);
    const how = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync"];
    await primary.run("initdb", ["--pgdata", primary.data, ...how]);
    await cp(primary.data, replica.data, { recursive: true });
    const upstream = `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres'\n`;
    const settings = "max_standby_streaming_delay = 0\nhot_standby_feedback = on\n";
    await writeFile(join(replica.data, "postgresql.auto.conf"), upstream + settings);
    await writeFile(join(replica.data, "standby.signal"), "");
    if (account) await replica.giveTo(account);
    await primary.start();
    await replica.start();
    // As everywhere, the gateway's role is no superuser.
    const admin = openSession(primary.adminUrl);
    await admin`create role recoup login`;
    await admin`create database shop owner recoup`;
    return new ReplicatedServers(primary, replica);
  }

  private constructor(
    readonly primary: ReplicatedServer,
    readonly replica: ReplicatedServer,
  ) {}
}

/** One of the two servers. */
export class ReplicatedServer {
  constructor(
    private readonly programs: string,
    readonly data: string,
    readonly port: number,
    private readonly account: SystemAccount | undefined,
  ) {}

  get url(): string {
    return this.urlAt(this.port);
  }

  /** The address behind another port of this machine. */
  urlAt = (port: number): string => `postgres://recoup@127.0.0.1:${port}/shop`;

  /** The address for its superuser. */
  get adminUrl(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    const settings = `-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c wal_keep_size=512MB -c shared_buffers=64MB`;
    const words = ["start", "--wait", "--pgdata", this.data, "--log", join(this.data, "log")];
    await this.run("pg_ctl", [...words, "--options", `-p ${this.port} ${settings}`]);
  }

  async stop(mode: "fast" | "immediate"): Promise<void> {
    if ((await this.findPid()) !== undefined)
      await this.run("pg_ctl", ["stop", "--pgdata", this.data, `--mode=${mode}`]);
  }

  /** Makes a standby a server of its own. */
  promote = () => this.run("pg_ctl", ["promote", "--wait", "--pgdata", this.data]);

  /** `kill -9` of all its processes at once, as when the machine dies. */
  async kill(): Promise<void> {
    const pid = await this.findPid();
    if (pid === undefined) throw new Error("There is no server to kill.");
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
    for (const one of [pid, ...children.split(" ").filter(Boolean).map(Number)]) process.kill(one, "SIGKILL");
    await rm(join(this.data, "postmaster.pid"), { force: true });
  }

  /** Gives the data to the user that the server runs as. */
  giveTo({ uid, gid }: SystemAccount): Promise<void> {
    return runToEnd("chown", ["-R", `${uid}:${gid}`, this.data], undefined, "/");
  }

  run(program: string, words: string[]): Promise<void> {
    return runToEnd(join(this.programs, program), words, this.account, dirname(this.data));
  }

  private async findPid(): Promise<number | undefined> {
    const record = await readFile(join(this.data, "postmaster.pid"), "utf8").catch(() => "");
    return Number(record.split("\n")[0]) || undefined;
  }
}

/** No pipes: a server would leave them open for as long as it runs. */
async function runToEnd(file: string, words: string[], account: SystemAccount | undefined, cwd: string): Promise<void> {
  const child = spawn(file, words, { ...account, cwd, stdio: "ignore" });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`${file} ${words.join(" ")} ended with ${String(code)}.`);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
