import { randomBytes } from "node:crypto";
import type postgres from "postgres";

interface RoleOptions {
  /** The address of a superuser. */
  url: string;
  /** The schema that the role will own. */
  schema: string;
  /** A number that no other role has. */
  number: number;
}

const PASSWORD_BYTES = 24;

/**
 * Makes a role that owns a schema and nothing else, so that a fault of the gateway is not one of a superuser. On Citus it is made on all
 * nodes. It has a password if the superuser's address has one: otherwise the server trusts its callers. @returns the role's address.
 */
export async function makeOrdinaryRole(session: postgres.Sql, { url, schema, number }: RoleOptions): Promise<string> {
  const address = new URL(url);
  const name = `recoup_${schema === "public" ? "cell" : schema}_${number}`.slice(0, 63);
  const password = address.password === "" ? null : randomBytes(PASSWORD_BYTES).toString("base64url");
  const login = `login nosuperuser nocreatedb nocreaterole${password === null ? "" : ` password '${password}'`}`;
  const [present] = await session`select from pg_roles where rolname = ${name}`;
  await session.unsafe(`${present ? "alter" : "create"} role "${name}" ${login}`);
  const database = decodeURIComponent(address.pathname.slice(1));
  await session.unsafe(`grant connect, create, temporary on database "${database.replaceAll('"', '""')}" to "${name}"`);
  await session.unsafe(`grant usage, create on schema public to "${name}"`);
  for (const extension of ["pg_trgm", "btree_gin"])
    await session.unsafe(`create extension if not exists ${extension} schema public`);
  address.username = name;
  address.password = password ?? "";
  return address.href;
}
