import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import postgres from "postgres";
import { migrateSchema } from "../../src/database/migrations/migrate-schema.ts";
import { projectFile } from "../../src/kernel/project-files.ts";

/*
 * Databases of tests as schemas of a Citus cluster (docs/decisions/0039-which-tests-run-where.md). To migrate a schema there takes longer than
 * most files, so schemas are kept, emptied and used again, also by later runs of the same migrations. One run at a time uses a database.
 */

/** The address of a superuser of a Citus cluster, if the tests run there. */
export const clusterUrl = process.env["CITUS_URL"];

/** A schema that one test uses. */
interface ClusterSchema {
  /** The address of the ordinary role that owns it. */
  url: string;
  schema: string;
  giveBack(): Promise<void>;
}

/** A role of the database's own: Citus passes a role on to its nodes in the database in which it is made. */
const ROLE = `recoup_suite_of_${clusterUrl === undefined ? "none" : new URL(clusterUrl).pathname.slice(1)}`;
const LIST = "public.recoup_schemas_of_tests";

/** Makes the role and the list of schemas, of which none is in use yet. */
export const prepareCluster = (cluster: string): Promise<void> =>
  withSession(cluster, async (session) => {
    const [role] = await session`select from pg_roles where rolname = ${ROLE}`;
    if (!role) await session.unsafe(`create role ${ROLE} login`);
    const database = decodeURIComponent(new URL(cluster).pathname.slice(1));
    await session.unsafe(`grant connect, create, temporary on database "${database}" to ${ROLE}`);
    await session.unsafe(`grant usage on schema public to ${ROLE}`);
    await session.unsafe(
      `create table if not exists ${LIST} (name text primary key, migrations text not null, tables text not null, is_free boolean not null)`,
    );
    // A run that was killed has given nothing back.
    for (const { name, tables } of await session.unsafe<{ name: string; tables: string }[]>(`select * from ${LIST}`)) {
      const isWhole = tables === (await describeTables(session, name));
      await session`update ${session(LIST)} set is_free = ${isWhole} where name = ${name}`;
    }
  });

/** Takes a schema that is free, or makes one; it has this version's tables, without rows. */
export async function takeClusterSchema(cluster: string): Promise<ClusterSchema> {
  const url = Object.assign(new URL(cluster), { username: ROLE, password: "" }).href;
  const schema = (await takeFree(cluster)) ?? (await make(cluster, url));
  return {
    ...{ url, schema },
    giveBack: () =>
      withSession(cluster, async (session) => {
        await session`select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = ${ROLE}
          and wait_event_type = 'Client' and state like 'idle in transaction%' and query like ${`%${schema}%`}`;
        // A test may have renamed tables or added constraints: then nobody uses the schema again.
        await session`update ${session(LIST)} set is_free = true where name = ${schema} and tables = ${await describeTables(session, schema)}`;
      }),
  };
}

const takeFree = (cluster: string): Promise<string | undefined> =>
  withSession(cluster, async (session) => {
    const [free] = await session<{ name: string }[]>`update ${session(LIST)} set is_free = false where name = (
      select name from ${session(LIST)} where is_free and migrations = ${migrationsOfThisVersion()} limit 1 for update skip locked)
      returning name`;
    if (free) await emptyTables(session, free.name);
    return free?.name;
  });

async function make(cluster: string, url: string): Promise<string> {
  const schema = `suite_${process.pid}_${Date.now().toString(36)}`;
  await migrateSchema(url, schema);
  await withSession(cluster, async (session) => {
    // As `cells add` does.
    await session.unsafe(`revoke update, delete, truncate on "${schema}".ledger_entries from ${ROLE}`);
    await session`insert into ${session(LIST)}
      values (${schema}, ${migrationsOfThisVersion()}, ${await describeTables(session, schema)}, false)`;
  });
  return schema;
}

/** A fingerprint of the tables of a schema, their columns and their constraints; partitions are made and dropped as time goes on. */
async function describeTables(session: postgres.Sql, schema: string): Promise<string> {
  const [row] = await session<{ tables: string }[]>`
    select md5(string_agg(line, ',' order by line)) as tables from (
      select relname || '.' || attname as line from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = ${schema}::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0 and not attisdropped
      union all select conrelid::regclass::text || '.' || conname from pg_constraint join pg_class on pg_class.oid = conrelid
      where relnamespace = ${schema}::regnamespace and not relispartition) lines`;
  return row?.tables ?? "";
}

async function emptyTables(session: postgres.Sql, schema: string): Promise<void> {
  const tables = await session<{ name: string }[]>`select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname = ${schema} and tablename <> '__drizzle_migrations'`;
  await session.unsafe(`truncate ${tables.map(({ name }) => name).join(", ")} restart identity`);
}

const migrationsOfThisVersion = (): string =>
  createHash("sha256")
    .update(readFileSync(projectFile("schema/migrations/meta/_journal.json")))
    .digest("hex")
    .slice(0, 16);

async function withSession<Result>(url: string, work: (session: postgres.Sql) => Promise<Result>): Promise<Result> {
  const session = postgres(url, { max: 1, onnotice: () => undefined, fetch_types: false, prepare: false });
  try {
    return await work(session);
  } finally {
    await session.end({ timeout: 5 });
  }
}
