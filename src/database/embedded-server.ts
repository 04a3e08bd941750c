import { once } from "node:events";
import { open, readFile, rm, stat } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { run } from "./embedded-binaries.ts";
import { ADMIN, passwordOf, ROLE, urlOf, type Cluster } from "./embedded-cluster.ts";
import { codeOf } from "./embedded-file-lock.ts";

/** An administrator's session on a running server. */
export interface Session {
  sql: Sql;
  port: number;
}

/** Crash recovery after much writing takes its time, and cutting it short only makes it begin again. */
const RECOVERY_S = 300;
const ATTEMPTS = 40;

const UNSAFE_BUT_QUICK = "-F -c synchronous_commit=off -c full_page_writes=off";

/** A session on the cluster's server, which is started unless it runs. To be called under the start lock. */
export async function ensureRunning(cluster: Cluster, onclose: (sql: Sql) => void): Promise<Session> {
  for (let attempt = 1; ; attempt++) {
    const session = await attach(cluster, onclose);
    if (session) return session;
    const failure = await boot(cluster);
    if (!failure) continue;
    if (attempt === ATTEMPTS || !(await mend(cluster, failure, attempt))) throw failure;
    await sleep(250);
  }
}

/** A session on the cluster's server if that runs. `onclose` hears when the session ends, for whatever reason. */
export async function attach(cluster: Cluster, onclose?: (sql: Sql) => void): Promise<Session | undefined> {
  const port = await recordedPort(cluster);
  if (!port) return undefined;
  const url = await urlOf(cluster, port, ADMIN);
  for (const deadline = Date.now() + RECOVERY_S * 1000; ; await sleep(25)) {
    const sql: Sql = postgres(url, { ...LASTING, onclose: () => onclose?.(sql) });
    const answer = await serves(sql, cluster).catch((error: unknown) => codeOf(error));
    if (answer === true) return { sql, port };
    await sql.end({ timeout: 0 });
    // While it starts up, recovers or shuts down the server says 57P03, and soon it answers or is gone.
    if (answer !== "57P03" || Date.now() > deadline) return undefined;
  }
}

const recordOf = (cluster: Cluster): string => join(cluster.data, "postmaster.pid");

const recordedPort = async (cluster: Cluster): Promise<number> =>
  Number((await readFile(recordOf(cluster), "utf8").catch(() => "")).split("\n")[3]);

/** By default postgres.js ends a session after some time, and with it the advisory lock that the session holds. */
const LASTING = {
  ...({ max: 1, idle_timeout: 0, max_lifetime: 0, connect_timeout: 5, ssl: false, fetch_types: false } as const),
  onnotice: () => undefined,
};

/** A stale record may name a port where another server listens by now, even one of a copy with the same password. */
async function serves(sql: Sql, cluster: Cluster): Promise<boolean> {
  const [row] = await sql<[{ path: string }]>`select current_setting('data_directory') as path`;
  const [theirs, ours] = await Promise.all([stat(row.path), stat(cluster.data)]);
  return theirs.ino === ours.ino && theirs.dev === ours.dev;
}

/** Starts the server in a session of its own, where Ctrl-C in our terminal does not reach it. */
async function boot(cluster: Cluster): Promise<Error | undefined> {
  const { data, home, account, binaries, durable } = cluster;
  const log = await open(cluster.log, "a+", 0o600);
  const { size } = await log.stat();
  const options = `-p ${await pickPort(data)} ${durable ? "" : UNSAFE_BUT_QUICK}`;
  const args = ["start", "--wait", "--silent", `--timeout=${RECOVERY_S}`, "--pgdata", data, "--options", options];
  try {
    // The log is opened by us, so that it can lie where the account cannot go.
    await run(binaries.pgCtl, args, { account, cwd: home, output: log.fd, detached: true });
    return undefined;
  } catch (cause) {
    const said = (await readFile(cluster.log)).subarray(size).toString().trimEnd().split("\n").slice(-15);
    return new Error(
      `PostgreSQL does not start: ${(cause as Error).message} ${cluster.log} ends with:\n${said.join("\n")}`,
      { cause },
    );
  } finally {
    await log.close();
  }
}

/** The port of last time if it is free: a gateway that outlives the server has no other way to find it again. */
async function pickPort(data: string): Promise<number> {
  const command = await readFile(join(data, "postmaster.opts"), "utf8").catch(() => "");
  const last = Number(/"-p" "(\d+)"/.exec(command)?.[1] ?? 0);
  return (await freePort(last)) ?? (await freePort(0)) ?? 0;
}

async function freePort(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
    return (server.address() as AddressInfo).port;
  } catch {
    return undefined;
  } finally {
    server.close();
  }
}

/** Does something about a failed start, if something can be done, and tells whether to try again. */
async function mend(cluster: Cluster, { message }: Error, attempt: number): Promise<boolean> {
  // Someone took the port between our choosing it and the server's; or backends of a killed postmaster are leaving.
  if (/could not create any TCP\/IP sockets|pre-existing shared memory block/.test(message)) return true;
  if (!/postmaster\.pid" (already exists|is empty)|invalid data in PID file/.test(message)) return false;
  // The number of a killed postmaster is that of an unrelated process now, or of its own remains that nobody buries;
  // both are usual in containers. One that merely begins gets another moment to listen.
  const port = await recordedPort(cluster);
  const silent = !port || (await freePort(port)) !== undefined;
  if (silent && attempt > 1) await rm(recordOf(cluster), { force: true });
  return silent;
}

/** Stops the server in good order; transactions still open are rolled back. */
export async function stop({ binaries, data, home, account }: Cluster): Promise<void> {
  const args = ["stop", "--wait", "--silent", "--mode=fast", `--timeout=${RECOVERY_S}`, "--pgdata", data];
  await run(binaries.pgCtl, args, { account, cwd: home, detached: true });
}

/** Makes what is missing of the ordinary role and its database. */
export async function ensureDatabase(cluster: Cluster, sql: Sql): Promise<void> {
  const [found] = await sql<[{ role: boolean; database: boolean }]>`
    select exists (select from pg_roles where rolname = ${ROLE}) as role,
      exists (select from pg_database where datname = ${ROLE}) as database`;
  if (!found.role) await sql.unsafe(`create role ${ROLE} login password '${await passwordOf(cluster, ROLE)}'`);
  if (!found.database) await sql.unsafe(`create database ${ROLE} owner ${ROLE}`);
}
