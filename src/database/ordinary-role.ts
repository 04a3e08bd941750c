import { createHash, randomBytes } from "node:crypto";
import type postgres from "postgres";

interface RoleOptions {
  /** The address of a superuser. */
  url: string;
  /** The schema that the role will own. */
  schema: string;
  /** A number that no other cell of the installation has. */
  number: number;
  isCitus: boolean;
}

const PASSWORD_BYTES = 24;
/** PostgreSQL cuts longer names, at whose end are the parts that differ. */
const MAX_SCHEMA_LENGTH = 40;

/**
 * Makes a role that owns a schema and nothing else, so that a fault of the gateway is not one of a superuser. On Citus it is made on all
 * nodes. It has a password if the superuser's address has one: otherwise the server trusts its callers. A role that an addition which was
 * interrupted has left, or a database of the same name which was dropped, is used again. @returns the role's address.
 */
export async function makeOrdinaryRole(session: postgres.Sql, options: RoleOptions): Promise<string> {
  const { url, schema, number, isCitus } = options;
  const address = new URL(url);
  const database = decodeURIComponent(address.pathname.slice(1));
  const name = nameRole(database, schema, number);
  const password = address.password === "" ? null : randomBytes(PASSWORD_BYTES).toString("base64url");
  const login = `login nosuperuser nocreatedb nocreaterole${password === null ? "" : ` password '${password}'`}`;
  const [present] = await session`select from pg_roles where rolname = ${name}`;
  await session.unsafe(`${present ? "alter" : "create"} role "${name}" ${login}`);
  if (isCitus) await makeSchema(session, schema, name);
  // A transaction pooler takes no search path from its callers.
  await session.unsafe(`alter role "${name}" set search_path = "${schema}", public`);
  await session.unsafe(`grant connect, create, temporary on database "${database.replaceAll('"', '""')}" to "${name}"`);
  // The schema may be there, and belong to the role of an attempt that was killed.
  for (const { present } of await session<{ present: string }[]>`
    select nspname as present from pg_namespace where nspname in ('public', ${schema})`)
    await session.unsafe(`grant usage, create on schema "${present}" to "${name}"`);
  for (const extension of ["pg_trgm", "btree_gin"])
    await session.unsafe(`create extension if not exists ${extension} schema public`);
  address.username = name;
  address.password = password ?? "";
  return address.href;
}

/** Roles are shared by all databases of a server, so that another one's cell of the same schema and number has another role. */
function nameRole(database: string, schema: string, number: number): string {
  const place = schema === "public" ? "cell" : schema.slice(0, MAX_SCHEMA_LENGTH);
  return `recoup_${place}_${number}_${createHash("sha256").update(database).digest("hex").slice(0, 8)}`;
}

/**
 * Makes the schema for its role. With it Citus learns of a role that is there from another database, which it takes from nobody but a
 * superuser: a migrator that made the schema as the role itself would be refused.
 */
async function makeSchema(session: postgres.Sql, schema: string, role: string): Promise<void> {
  await session.begin(async (transaction) => {
    await transaction.unsafe("set local citus.enable_schema_based_sharding = on");
    await transaction.unsafe(`create schema if not exists "${schema}" authorization "${role}"`);
  });
}
