import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import type { Pooler } from "../../src/database/client.ts";
import { startEmbeddedServer } from "../../src/database/embedded/embedded-database.ts";
import { migrateDatabase } from "../../src/database/migrations/migrate.ts";
import { clusterUrl, prepareCluster } from "./cluster-schemas.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** An address whose role may create databases. */
    adminUrl: string;
    /** The address of the migrated template, as the role that gateways use. */
    templateUrl: string;
    /** Host and port of a transaction pooler in front of the same server, if gateways connect through one. */
    pooler: string | undefined;
    /** Whether that pooler keeps prepared statements. */
    poolerKind: Exclude<Pooler, "NONE">;
  }
}

const TEMPLATE_DATABASE = "recoup_template";

/**
 * One database server per run: the embedded one in a folder of its own, or the server at TEST_DATABASE_URL. Faults are
 * made by the administrator at TEST_ADMIN_URL, a superuser; the gateways' role is not one. One template is migrated,
 * and every gateway of every test gets a copy of it. TEST_POOLER names the host and port of a transaction pooler in
 * front of that server: gateways connect through it then. With CITUS_URL their databases are schemas of that cluster instead.
 */
export default async function setUp({ provide }: TestProject): Promise<() => Promise<void>> {
  const external = process.env["TEST_DATABASE_URL"];
  const folder = await mkdtemp(join(tmpdir(), "recoup-test-"));
  // Open to the user that PostgreSQL runs as if the tests run as root: the data stays in the folder and is deleted with
  // it.
  await chmod(folder, 0o755);
  const embedded = external === undefined ? await startEmbeddedServer({ dataDir: folder, durable: false }) : undefined;
  const adminUrl = embedded?.adminUrl ?? process.env["TEST_ADMIN_URL"] ?? external!;
  const url = new URL(embedded?.url ?? external!);
  url.pathname = TEMPLATE_DATABASE;
  const admin = postgres(adminUrl, { max: 1, onnotice: () => undefined });
  for (const name of [TEMPLATE_DATABASE, `${TEMPLATE_DATABASE}_demo`])
    await admin.unsafe(`drop database if exists ${name}`);
  await admin.unsafe(`create database ${TEMPLATE_DATABASE} owner "${url.username}"`);
  await admin.end();
  await migrateDatabase(url.href);
  if (clusterUrl !== undefined) await prepareCluster(clusterUrl);
  provide("adminUrl", adminUrl);
  provide("templateUrl", url.href);
  provide("pooler", process.env["TEST_POOLER"]);
  provide("poolerKind", process.env["TEST_POOLER_PREPARES"] === "true" ? "TRANSACTION_PREPARED" : "TRANSACTION");
  return async () => {
    await embedded?.release();
    await rm(folder, { recursive: true, force: true });
  };
}
