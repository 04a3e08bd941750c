import { randomBytes } from "node:crypto";
import postgres, { type Sql } from "postgres";
import { inject } from "vitest";
import { openDatabase } from "../../../src/database/client.ts";
import { seedDemo } from "../../../src/demo/demo-data.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { required } from "../../../src/kernel/required-values.ts";
import { SecretVault } from "../../../src/kernel/secrets/secret-vault.ts";
import { clusterUrl } from "../../support/cluster-schemas.ts";
import { onFileEnd } from "./cleanup.ts";
import { TOKEN } from "./gateway-process.ts";

/** Advisory locks of the administrator's database: gateways use 1 there. */
const DEMO_TEMPLATE_LOCK = 2;

/** A session of the checker's own, which does not go through the gateway. */
export function openSession(url: string, options: postgres.Options<Record<string, never>> = {}): Sql {
  const sql = postgres(url, { max: 4, onnotice: () => undefined, ...options });
  onFileEnd(() => sql.end({ timeout: 1 }));
  return sql;
}

/** The administrator's address of a database of the test run's server, or of a test's schema on a cluster. */
function adminAddress(url: string): string {
  const [place, isOnCluster] = [new URL(url), new URL(url).searchParams.has("search_path")];
  const address = new URL(isOnCluster ? required(clusterUrl, "CITUS_URL") : inject("adminUrl"));
  [address.pathname, address.search] = [place.pathname, place.search];
  return address.href;
}

/** An administrator's session on a database of the test run's server. */
export function adminSession(url: string): Sql {
  return openSession(adminAddress(url));
}

/**
 * Creates a database on the test run's server: with this version's tables and the demo vendor, or empty. Returns its
 * address.
 */
export async function createDatabase({ empty = false } = {}): Promise<string> {
  const url = new URL(inject("templateUrl"));
  const template = empty ? "template0" : await makeDemoTemplate();
  const name = `recoup_faults_${randomBytes(6).toString("hex")}`;
  await runAdminStatement(`create database ${name} template ${template} owner "${url.username}"`);
  onFileEnd(() => runAdminStatement(`drop database if exists ${name} with (force)`));
  url.pathname = name;
  return url.href;
}

/**
 * Seeds the demo vendor into a template, once per test run: a gateway that finds it there starts in 2 s, and one that
 * has to seed it in 6 s. Returns the template's name.
 */
async function makeDemoTemplate(): Promise<string> {
  const url = new URL(inject("templateUrl"));
  const [migrated, name] = [url.pathname.slice(1), `${url.pathname.slice(1)}_demo`];
  const admin = postgres(inject("adminUrl"), { max: 1, onnotice: () => undefined });
  try {
    await admin`select pg_advisory_lock(${DEMO_TEMPLATE_LOCK})`;
    const [found] = await admin`select from pg_database where datname = ${name}`;
    if (found) return name;
    await admin.unsafe(`drop database if exists ${name}_new`);
    await admin.unsafe(`create database ${name}_new template ${migrated} owner "${url.username}"`);
    url.pathname = `${name}_new`;
    const database = openDatabase({ url: url.href, poolSize: 1 });
    // A database on a server has no key file.
    await seedDemo(database, { clock: systemClock, token: TOKEN, vault: new SecretVault([]) }).finally(() =>
      database.close(),
    );
    await admin.unsafe(`alter database ${name}_new rename to ${name}`);
    return name;
  } finally {
    await admin.end();
  }
}

/** Runs one statement as the administrator. */
export async function runAdminStatement(statement: string): Promise<void> {
  const admin = postgres(inject("adminUrl"), { max: 1, onnotice: () => undefined });
  await admin.unsafe(statement).finally(() => admin.end());
}

/** An address with a setting for the start of its sessions, which overrides the gateway's own setting. */
export function withSetting(url: string, name: string, value: string): string {
  const address = new URL(url);
  address.searchParams.set(name, value);
  return address.href;
}
