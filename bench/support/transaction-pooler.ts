import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PROGRAM = process.env["PGBOUNCER"] ?? "/usr/sbin/pgbouncer";
const MAX_START_ATTEMPTS = 50;

/** A pooler before a database, which hands out connections by transaction. */
export interface TransactionPooler {
  /** How a gateway connects through it. */
  environment: { DATABASE_URL: string; DATABASE_POOLER: string };
  stop(): Promise<void>;
}

/**
 * Starts pgbouncer before a database; undefined where it is not installed. `PGBOUNCER` names another one than Debian's. From version
 * 1.21 on it keeps prepared statements.
 */
export async function startTransactionPooler(databaseUrl: string): Promise<TransactionPooler | undefined> {
  if (!existsSync(PROGRAM)) return undefined;
  const { hostname, port, username, password } = new URL(databaseUrl);
  const prepares = keepsPreparedStatements();
  const folder = await mkdtemp(join(tmpdir(), "recoup-pooler-"));
  const ownPort = await findFreePort();
  const settings = join(folder, "pgbouncer.ini");
  await writeFile(join(folder, "users.txt"), `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${port}${prepares ? " connect_query='set plan_cache_mode = force_generic_plan'" : ""}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, "users.txt")}
pool_mode = transaction
default_pool_size = 10
${prepares ? "max_prepared_statements = 500" : ""}
`,
  );
  await chmod(folder, 0o755);
  // It does not run as root.
  const account = process.getuid?.() === 0 ? { uid: Number(execFileSync("id", ["-u", "nobody"])) } : {};
  const pooler = spawn(PROGRAM, ["-q", settings], { stdio: ["ignore", "ignore", "inherit"], ...account });
  const exited = new Promise((resolve) => pooler.once("exit", resolve));
  process.once("exit", () => pooler.kill());
  await waitForPort(ownPort);
  return {
    environment: {
      DATABASE_URL: Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(ownPort) }).href,
      DATABASE_POOLER: prepares ? "transaction-prepared" : "transaction",
    },
    stop: async () => {
      pooler.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function keepsPreparedStatements(): boolean {
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/.exec(execFileSync(PROGRAM, ["-V"], { encoding: "utf8" })) ?? [];
  return Number(major) > 1 || Number(minor) >= 21;
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function waitForPort(port: number): Promise<void> {
  for (let attempt = 1; !(await listensAt(port)); attempt++) {
    if (attempt === MAX_START_ATTEMPTS) throw new Error(`pgbouncer does not listen at port ${port}.`);
    await sleep(100);
  }
}

const listensAt = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.end());
  });
