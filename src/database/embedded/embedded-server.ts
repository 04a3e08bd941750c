import { once } from "node:events";
import { open, readFile, rm, stat } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { runPostgresProgram } from "./embedded-binaries.ts";
import { ADMIN_ROLE, readRolePassword, GATEWAY_ROLE, roleDatabaseUrl, type Cluster } from "./embedded-cluster.ts";
import { errorCodeOf } from "./embedded-file-lock.ts";

/** An administrator's session on a running server. */
export interface AdminSession {
  sql: Sql;
  port: number;
}

/** Crash recovery after much writing takes its time, and cutting it short only makes it begin again. */
const RECOVERY_TIMEOUT_S = 300;
const MAX_START_ATTEMPTS = 40;

const UNSAFE_FAST_OPTIONS = "-F -c synchronous_commit=off -c full_page_writes=off";

/** A session on the cluster's server, which is started unless it runs. To be called under the start lock. */
export async function ensureServerRunning(cluster: Cluster, onclose: (sql: Sql) => void): Promise<AdminSession> {
  for (let attempt = 1; ; attempt++) {
    const session = await attachToServer(cluster, onclose);
    if (session) return session;
    const failure = await startServer(cluster);
    if (!failure) continue;
    if (attempt === MAX_START_ATTEMPTS || !(await repairFailedStart(cluster, failure, attempt))) throw failure;
    await sleep(250);
  }
}

/** A session on the cluster's server, if that runs. `onclose` is called when the session ends for any reason. */
export async function attachToServer(
  cluster: Cluster,
  onclose?: (sql: Sql) => void,
): Promise<AdminSession | undefined> {
  const port = await readRecordedPort(cluster);
  if (!port) return undefined;
  const url = await roleDatabaseUrl(cluster, port, ADMIN_ROLE);
  for (const deadline = Date.now() + RECOVERY_TIMEOUT_S * 1000; ; await sleep(25)) {
    const sql: Sql = postgres(url, { ...LONG_LIVED_SESSION, onclose: () => onclose?.(sql) });
    const result = await isServerOfCluster(sql, cluster).catch((error: unknown) => errorCodeOf(error));
    if (result === true) return { sql, port };
    await sql.end({ timeout: 0 });
    // While it starts up, recovers or shuts down the server says 57P03, and soon it answers or is gone.
    if (result !== "57P03" || Date.now() > deadline) return undefined;
  }
}

const pidFileOf = (cluster: Cluster): string => join(cluster.data, "postmaster.pid");

const readRecordedPort = async (cluster: Cluster): Promise<number> =>
  Number((await readFile(pidFileOf(cluster), "utf8").catch(() => "")).split("\n")[3]);

/** By default postgres.js ends a session after some time, and with it the session's advisory lock. */
const LONG_LIVED_SESSION = {
  ...({ max: 1, idle_timeout: 0, max_lifetime: 0, connect_timeout: 5, ssl: false, fetch_types: false } as const),
  onnotice: () => undefined,
};

/** A stale record may name a port where another server listens by now, even one of a copy with the same password. */
async function isServerOfCluster(sql: Sql, cluster: Cluster): Promise<boolean> {
  const [row] = await sql<[{ path: string }]>`select current_setting('data_directory') as path`;
  const [theirs, ours] = await Promise.all([stat(row.path), stat(cluster.data)]);
  return theirs.ino === ours.ino && theirs.dev === ours.dev;
}

/** Starts the server in a session of its own, where Ctrl-C in our terminal does not reach it. */
async function startServer(cluster: Cluster): Promise<Error | undefined> {
  const { data, home, account, binaries, durable } = cluster;
  const log = await open(cluster.log, "a+", 0o600);
  const { size } = await log.stat();
  const options = `-p ${await pickPort(data)} ${durable ? "" : UNSAFE_FAST_OPTIONS}`;
  const args = [
    "start",
    "--wait",
    "--silent",
    `--timeout=${RECOVERY_TIMEOUT_S}`,
    "--pgdata",
    data,
    "--options",
    options,
  ];
  try {
    // The log is opened by us, so that it can lie where the account cannot go.
    await runPostgresProgram(binaries.pgCtl, args, { account, cwd: home, output: log.fd, detached: true });
    return undefined;
  } catch (cause) {
    const logTail = (await readFile(cluster.log)).subarray(size).toString().trimEnd().split("\n").slice(-15);
    return new Error(
      `PostgreSQL does not start: ${(cause as Error).message} ${cluster.log} ends with:\n${logTail.join("\n")}`,
      { cause },
    );
  } finally {
    await log.close();
  }
}

/** The previous port if it is free: a gateway that outlives the server has no other way to find it again. */
async function pickPort(data: string): Promise<number> {
  const command = await readFile(join(data, "postmaster.opts"), "utf8").catch(() => "");
  const last = Number(/"-p" "(\d+)"/.exec(command)?.[1] ?? 0);
  return (await findFreePort(last)) ?? (await findFreePort(0)) ?? 0;
}

async function findFreePort(port: number): Promise<number | undefined> {
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

/** Repairs the cause of a failed start if possible, and returns whether to retry. */
async function repairFailedStart(cluster: Cluster, { message }: Error, attempt: number): Promise<boolean> {
  // Someone took the port between our choosing it and the server's; or backends of a killed postmaster are leaving.
  if (/could not create any TCP\/IP sockets|pre-existing shared memory block/.test(message)) return true;
  if (!/postmaster\.pid" (already exists|is empty)|invalid data in PID file/.test(message)) return false;
  // The process number of a killed postmaster may belong to an unrelated process or to its own zombie; both are usual
  // in containers. A starting postmaster gets another moment to listen.
  const port = await readRecordedPort(cluster);
  const isPortUnused = !port || (await findFreePort(port)) !== undefined;
  if (isPortUnused && attempt > 1) await rm(pidFileOf(cluster), { force: true });
  return isPortUnused;
}

/** Stops the server in good order; transactions still open are rolled back. */
export async function stopServer({ binaries, data, home, account }: Cluster): Promise<void> {
  const args = ["stop", "--wait", "--silent", "--mode=fast", `--timeout=${RECOVERY_TIMEOUT_S}`, "--pgdata", data];
  await runPostgresProgram(binaries.pgCtl, args, { account, cwd: home, detached: true });
}

/** Makes what is missing of the ordinary role and its database. */
export async function ensureDatabase(cluster: Cluster, sql: Sql): Promise<void> {
  const [found] = await sql<[{ role: boolean; database: boolean }]>`
    select exists (select from pg_roles where rolname = ${GATEWAY_ROLE}) as role,
      exists (select from pg_database where datname = ${GATEWAY_ROLE}) as database`;
  if (!found.role)
    await sql.unsafe(`create role ${GATEWAY_ROLE} login password '${await readRolePassword(cluster, GATEWAY_ROLE)}'`);
  if (!found.database) await sql.unsafe(`create database ${GATEWAY_ROLE} owner ${GATEWAY_ROLE}`);
}
