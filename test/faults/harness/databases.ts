import { randomBytes } from "node:crypto";
import postgres, { type Sql } from "postgres";
import { inject } from "vitest";
import { finallyDo } from "./cleanup.ts";

/** A session of the checker's own, past the gateway. */
export function session(url: string, options: postgres.Options<Record<string, never>> = {}): Sql {
  const sql = postgres(url, { max: 4, onnotice: () => undefined, ...options });
  finallyDo(() => sql.end({ timeout: 1 }));
  return sql;
}

/** A session of the administrator's on a database of the test run's server. */
export function adminSession(url: string): Sql {
  const address = new URL(inject("adminUrl"));
  address.pathname = new URL(url).pathname;
  return session(address.href);
}

/** A database on the test run's server: with this version's tables, or empty. Gives its address. */
export async function makeDatabase({ empty = false } = {}): Promise<string> {
  const url = new URL(inject("templateUrl"));
  const template = empty ? "template0" : url.pathname.slice(1);
  const name = `recoup_faults_${randomBytes(6).toString("hex")}`;
  await asAdmin(`create database ${name} template ${template} owner "${url.username}"`);
  finallyDo(() => asAdmin(`drop database ${name} with (force)`));
  url.pathname = name;
  return url.href;
}

/** Runs one statement as the administrator. */
export async function asAdmin(statement: string): Promise<void> {
  const admin = postgres(inject("adminUrl"), { max: 1, onnotice: () => undefined });
  await admin.unsafe(statement).finally(() => admin.end());
}

/** An address with a setting that its sessions begin with: it wins over what the gateway asks for. */
export function withSetting(url: string, name: string, value: string): string {
  const address = new URL(url);
  address.searchParams.set(name, value);
  return address.href;
}
