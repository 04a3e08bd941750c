import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { inject } from "vitest";
import type { DatabaseSource } from "../../src/database/client.ts";
import { clusterUrl, takeClusterSchema } from "./cluster-schemas.ts";

/** The database of a test's gateway. */
export interface TestDatabase {
  /** The address for sessions of the test's own. */
  url: string;
  /** How the gateway connects. */
  source: Pick<DatabaseSource, "url" | "pooler" | "schema" | "isDistributed">;
  drop(): Promise<unknown>;
}

/**
 * Makes a database: a copy of the migrated template, or of another test's database as it is now. In a run on a cluster it is a schema
 * there, and copies cannot be made.
 */
export const createTestDatabase = (copyOf?: string): Promise<TestDatabase> =>
  clusterUrl === undefined ? copyDatabase(copyOf ?? inject("templateUrl")) : takeSchema(clusterUrl, copyOf);

async function copyDatabase(original: string): Promise<TestDatabase> {
  const name = `recoup_${randomBytes(6).toString("hex")}`;
  const url = new URL(inject("templateUrl"));
  const template = new URL(original).pathname.slice(1);
  await runAsAdmin(async (admin) => {
    // A database can be copied only without connections; its gateway reconnects by itself.
    if (template !== url.pathname.slice(1))
      await admin`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${template}`;
    await admin.unsafe(`create database ${name} template ${template} owner "${url.username}"`);
  });
  url.pathname = name;
  const pooler = inject("pooler");
  return {
    url: url.href,
    source:
      pooler === undefined
        ? { url: url.href }
        : { url: Object.assign(new URL(url), { host: pooler }).href, pooler: inject("poolerKind") },
    drop: () => runAsAdmin((admin) => admin.unsafe(`drop database ${name} with (force)`)),
  };
}

async function takeSchema(cluster: string, copyOf: string | undefined): Promise<TestDatabase> {
  if (copyOf !== undefined) throw new Error("On a cluster a test's database cannot be copied.");
  const { url, schema, giveBack } = await takeClusterSchema(cluster);
  const own = new URL(url);
  own.searchParams.set("search_path", `"${schema}", public`);
  return { url: own.href, source: { url, schema, isDistributed: true }, drop: giveBack };
}

async function runAsAdmin(work: (admin: postgres.Sql) => Promise<unknown>): Promise<void> {
  const admin = postgres(inject("adminUrl"), { max: 1, onnotice: () => undefined });
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
