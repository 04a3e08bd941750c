import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { ADMIN, ensureCluster, locateCluster, ROLE, urlOf, type Cluster } from "./embedded-cluster.ts";
import { inodesOf, succeeds, withLock } from "./embedded-file-lock.ts";
import { attach, ensureDatabase, ensureRunning, stop } from "./embedded-server.ts";

/** A database server that comes with the gateway and that all gateways on one data directory share. */
export interface EmbeddedServer {
  /** Connection URL of the ordinary role on the `recoup` database. */
  url: string;
  /** Superuser URL: only for tests that clone databases and for shutdown. */
  adminUrl: string;
  port: number;
  /** Where its files lie: a copy of them lies elsewhere, also under the same name. */
  place: string;
  /** Lets go of the server; the last gateway to let go stops it. */
  release(): Promise<void>;
}

/**
 * Starts the server of a data directory, making it at the first time, or joins the one that runs.
 * Without `durable` it is quicker and loses data when the machine stops: for tests.
 */
export async function startEmbedded(options: { dataDir: string; durable?: boolean }): Promise<EmbeddedServer> {
  const cluster = await locateCluster(options.dataDir, options.durable ?? true);
  const hold = new Hold(cluster);
  try {
    const port = await withLock(cluster.home, async () => {
      await ensureCluster(cluster);
      return hold.take();
    });
    const [url, adminUrl, place] = await Promise.all([
      urlOf(cluster, port, ROLE),
      urlOf(cluster, port, ADMIN),
      inodesOf(cluster.data, ["", "PG_VERSION", "global", "base"]),
    ]);
    return { url, adminUrl, port, place, release: () => hold.release() };
  } catch (error) {
    await hold.release().catch(() => undefined);
    throw error;
  }
}

/** Advisory locks belong to a database, and in the administrator's nobody else takes any. */
const HOLDERS = 1;

/**
 * Keeps the server up for one gateway: a session that shares an advisory lock with the other gateways' sessions.
 * However a gateway ends, its session ends with it, so the count of holders is never wrong for long.
 */
class Hold {
  readonly #cluster: Cluster;
  #sql: Sql | undefined;
  #released: Promise<void> | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Starts the server if need be and holds it. To be called under the start lock. */
  async take(): Promise<number> {
    const { sql, port } = await ensureRunning(this.#cluster, (closed) => this.#lost(closed));
    try {
      await ensureDatabase(this.#cluster, sql);
      await sql`select pg_advisory_lock_shared(${HOLDERS})`;
    } catch (error) {
      await sql.end({ timeout: 0 });
      throw error;
    }
    this.#sql = sql;
    return port;
  }

  /** Gives the hold up, once. */
  release(): Promise<void> {
    this.#released ??= withLock(this.#cluster.home, () => this.#stopIfLast()).finally(() => this.#leave());
    return this.#released;
  }

  async #stopIfLast(): Promise<void> {
    await this.#leave();
    const session = await attach(this.#cluster);
    if (!session) return;
    const asked = session.sql<[{ alone: boolean }]>`select pg_try_advisory_lock(${HOLDERS}) as alone`;
    const [row] = await asked.finally(() => session.sql.end({ timeout: 1 }));
    // Nobody comes to hold it in between, because that too takes the start lock.
    if (row.alone) await stop(this.#cluster);
  }

  async #leave(): Promise<void> {
    const sql = this.#sql;
    this.#sql = undefined;
    // Said aloud, because the server notices the end of a session only a moment later, and the next in line looks now.
    if (!sql) return;
    await sql`select pg_advisory_unlock_shared(${HOLDERS})`.catch(() => undefined);
    await sql.end({ timeout: 1 });
  }

  #lost(closed: Sql): void {
    if (closed !== this.#sql) return;
    this.#sql = undefined;
    void this.#retake();
  }

  /** After a crash of the server: whoever comes first starts it again, and everybody holds it again. */
  async #retake(): Promise<void> {
    while (!this.#released) {
      const taking = withLock(this.#cluster.home, async () => this.#released ?? (await this.take()));
      if (await succeeds(taking)) return;
      await sleep(1000, undefined, { ref: false });
    }
  }
}
