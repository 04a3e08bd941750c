import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import {
  ADMIN_ROLE,
  ensureCluster,
  locateCluster,
  GATEWAY_ROLE,
  roleDatabaseUrl,
  type Cluster,
} from "./embedded-cluster.ts";
import { readInodes, isFulfilled, withFileLock } from "./embedded-file-lock.ts";
import { attachToServer, ensureDatabase, ensureServerRunning, stopServer } from "./embedded-server.ts";

/** A database server that comes with the gateway and that all gateways on one data directory share. */
export interface EmbeddedServer {
  /** Connection URL of the ordinary role on the `recoup` database. */
  url: string;
  /** Superuser URL: only for tests that clone databases and for shutdown. */
  adminUrl: string;
  port: number;
  /** The path of its files: a copy has another path, even under the same name. */
  identity: string;
  /** The folder of its files. */
  folder: string;
  /** Ends the use of the server; the last gateway to do so stops it. */
  release(): Promise<void>;
}

/**
 * Starts the server of a data directory, making it at the first time, or joins the one that runs.
 * Without `durable` it is quicker and loses data when the machine stops: for tests.
 */
export async function startEmbeddedServer(options: { dataDir: string; durable?: boolean }): Promise<EmbeddedServer> {
  const cluster = await locateCluster(options.dataDir, options.durable ?? true);
  const usage = new ServerUsage(cluster);
  try {
    const port = await withFileLock(cluster.home, async () => {
      await ensureCluster(cluster);
      return usage.acquire();
    });
    const [url, adminUrl, place] = await Promise.all([
      roleDatabaseUrl(cluster, port, GATEWAY_ROLE),
      roleDatabaseUrl(cluster, port, ADMIN_ROLE),
      readInodes(cluster.data, ["", "PG_VERSION", "global", "base"]),
    ]);
    return { url, adminUrl, port, identity: place, folder: cluster.home, release: () => usage.release() };
  } catch (error) {
    await usage.release().catch(() => undefined);
    throw error;
  }
}

/** Advisory locks belong to a database, and no other locks are taken in the administrator's. */
const USAGE_LOCK_ID = 1;

/**
 * Keeps the server up for one gateway: a session that shares an advisory lock with the other gateways' sessions.
 * However a gateway ends, its session ends with it, so the count of holders is never wrong for long.
 */
class ServerUsage {
  readonly #cluster: Cluster;
  #sql: Sql | undefined;
  #released: Promise<void> | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Starts the server if necessary and registers its use. The caller has taken the start lock. */
  async acquire(): Promise<number> {
    const { sql, port } = await ensureServerRunning(this.#cluster, (closed) => this.#lost(closed));
    try {
      await ensureDatabase(this.#cluster, sql);
      await sql`select pg_advisory_lock_shared(${USAGE_LOCK_ID})`;
    } catch (error) {
      await sql.end({ timeout: 0 });
      throw error;
    }
    this.#sql = sql;
    return port;
  }

  /** Ends the use of the server, once. */
  release(): Promise<void> {
    this.#released ??= withFileLock(this.#cluster.home, () => this.#stopIfLast()).finally(() => this.#leave());
    return this.#released;
  }

  async #stopIfLast(): Promise<void> {
    await this.#leave();
    const session = await attachToServer(this.#cluster);
    if (!session) return;
    const asked = session.sql<[{ alone: boolean }]>`select pg_try_advisory_lock(${USAGE_LOCK_ID}) as alone`;
    const [row] = await asked.finally(() => session.sql.end({ timeout: 1 }));
    // No process can register its use in between, because that requires the start lock too.
    if (row.alone) await stopServer(this.#cluster);
  }

  async #leave(): Promise<void> {
    const sql = this.#sql;
    this.#sql = undefined;
    // Said aloud, because the server notices the end of a session only a moment later, and the next in line looks now.
    if (!sql) return;
    await sql`select pg_advisory_unlock_shared(${USAGE_LOCK_ID})`.catch(() => undefined);
    await sql.end({ timeout: 1 });
  }

  #lost(closed: Sql): void {
    if (closed !== this.#sql) return;
    this.#sql = undefined;
    void this.#retake();
  }

  /** After a crash of the server: the first process restarts it, and all register their use again. */
  async #retake(): Promise<void> {
    while (!this.#released) {
      const taking = withFileLock(this.#cluster.home, async () => this.#released ?? (await this.acquire()));
      if (await isFulfilled(taking)) return;
      await sleep(1000, undefined, { ref: false });
    }
  }
}
