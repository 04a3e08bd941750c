import { expect, test } from "vitest";
import { migrateDatabase } from "../../src/database/migrations/migrate.ts";
import { journalOfSchema, migrateSchema } from "../../src/database/migrations/migrate-schema.ts";
import { createDatabase, openSession } from "./harness/fault-databases.ts";

/* A migration's file that was changed after it was applied, as the journal's hash tells. */

const TAG = "0077_partition_webhook_attempts";

/** Gives one migration of a journal another hash. @returns what puts the right one back. */
async function changeHash(url: string, journal: string): Promise<() => Promise<unknown>> {
  const sql = openSession(url);
  const [row] = await sql.unsafe<{ at: string; hash: string }[]>(
    `select created_at as at, hash from ${journal} order by created_at offset 77 limit 1`,
  );
  const setHash = (hash: string) =>
    sql.unsafe(`update ${journal} set hash = $1 where created_at = $2`, [hash, row!.at]);
  await setHash("0".repeat(64));
  return () => setHash(row!.hash);
}

test("the home database is not migrated when a migration was changed after it was applied", async () => {
  const url = await createDatabase();
  const undo = await changeHash(url, "drizzle.__drizzle_migrations");
  await expect(migrateDatabase(url)).rejects.toThrow(`The migration ${TAG} was changed after it was applied here`);
  await undo();
  await migrateDatabase(url);
});

test("a cell is not opened when a migration was changed after it was applied", async () => {
  const url = await createDatabase({ empty: true });
  await migrateSchema(url, "east");
  const undo = await changeHash(url, journalOfSchema("east"));
  await expect(migrateSchema(url, "east")).rejects.toThrow(
    `The migration ${TAG} was changed after it was applied here`,
  );
  await undo();
  await migrateSchema(url, "east");
});
