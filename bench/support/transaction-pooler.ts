import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const PROGRAM = "/usr/sbin/pgbouncer";
const MAX_START_ATTEMPTS = 50;

/** A pooler before a database, which hands out connections by transaction. */
export interface TransactionPooler {
  url: string;
  stop(): Promise<void>;
}

/** Starts pgbouncer before a database; undefined where Debian's package is not installed. */
export async function startTransactionPooler(databaseUrl: string): Promise<TransactionPooler | undefined> {
  if (!existsSync(PROGRAM)) return undefined;
  const { hostname, port, username, password } = new URL(databaseUrl);
  const folder = await mkdtemp(join(tmpdir(), "recoup-pooler-"));
  const ownPort = await findFreePort();
  const settings = join(folder, "pgbouncer.ini");
  await writeFile(join(folder, "users.txt"), `"${username}" "${decodeURIComponent(password)}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, "users.txt")}
pool_mode = transaction
default_pool_size = 10
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
    url: Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(ownPort) }).href,
    stop: async () => {
      pooler.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
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
