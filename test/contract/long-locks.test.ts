import { expect, test } from "vitest";
import {
  LAST_JOINT_MIGRATION,
  readMigrations,
  toStatementsOfTransaction,
} from "../../src/database/migrations/migration-files.ts";
import { findLongLocks, findLongLocksIn } from "./long-locks.ts";

/* Migrations run while the version before serves: none may keep a request waiting for a second. */

const tags = readMigrations().map(({ tag }) => tag);

test("new migrations have no statement that locks for long", () => {
  const first = tags.indexOf(LAST_JOINT_MIGRATION) + 1;
  expect(first, `${LAST_JOINT_MIGRATION} is in the journal`).toBeGreaterThan(0);
  expect(
    findLongLocks(readMigrations().slice(first)),
    "CONTRIBUTING.md (Write a migration) and decision 104 say how to write it.",
  ).toEqual([]);
});

const OUTSIDE = "-- recoup: outside of a transaction\n";
const batched = (statement: string) => `-- recoup: in batches of "orders"\n${statement}`;

test.each([
  ['CREATE INDEX "orders_note" ON "orders" USING btree ("note")', /CREATE INDEX CONCURRENTLY/],
  ['CREATE UNIQUE INDEX "orders_note" ON "orders" USING btree ("note")', /CREATE INDEX CONCURRENTLY/],
  ['CREATE INDEX CONCURRENTLY "orders_note" ON "orders" ("note")', /cannot be in a transaction/],
  [`${OUTSIDE}CREATE INDEX CONCURRENTLY IF NOT EXISTS "orders_note" ON "orders" ("note")`, /not valid/],
  [`${OUTSIDE}REINDEX INDEX CONCURRENTLY "orders_note"`, /The migrator resumes/],
  [`${OUTSIDE}DROP INDEX CONCURRENTLY "orders_note"`, /IF EXISTS/],
  ['ALTER TABLE "orders" ADD CONSTRAINT "orders_sum" CHECK ("amount" > 0)', /NOT VALID/],
  ['ALTER TABLE "orders" ADD CHECK ("amount" > 0)', /NOT VALID/],
  ['ALTER TABLE "orders" ADD CONSTRAINT "f" FOREIGN KEY ("a") REFERENCES "public"."customers"("id")', /NOT VALID/],
  ['ALTER TABLE "orders" ADD COLUMN "a" bigint REFERENCES "customers"("id")', /ADD COLUMN reads all rows/],
  ['ALTER TABLE "orders" ADD COLUMN "a" bigint CHECK ("a" > 0)', /ADD COLUMN reads all rows/],
  ['ALTER TABLE "orders" ADD CONSTRAINT "orders_note" UNIQUE("note")', /USING INDEX/],
  ['ALTER TABLE "orders" ADD PRIMARY KEY ("vendor_id", "id")', /USING INDEX/],
  ['ALTER TABLE "orders" ADD COLUMN "a" bigint UNIQUE', /USING INDEX/],
  ['ALTER TABLE "orders" ADD CONSTRAINT "e" EXCLUDE USING gist ("a" with =)', /USING INDEX/],
  ['ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_sum"', /a migration of its own/],
  ['ALTER TABLE "orders" ALTER COLUMN "note" SET NOT NULL', /IS NOT NULL\) NOT VALID/],
  ['ALTER TABLE "orders" ADD COLUMN "note" text NOT NULL', /constant default/],
  ['ALTER TABLE "orders" ADD COLUMN "uuid" uuid DEFAULT gen_random_uuid() NOT NULL', /rewrites the table/],
  ['ALTER TABLE "orders" ADD COLUMN "at" timestamp (3) with time zone DEFAULT clock_timestamp()', /rewrites the table/],
  ['ALTER TABLE "orders" ADD COLUMN "n" bigserial', /generated, or counts/],
  ['ALTER TABLE "orders" ADD COLUMN "sum" numeric GENERATED ALWAYS AS ("amount" * 2) STORED', /generated, or counts/],
  ['ALTER TABLE "orders" ALTER COLUMN "amount" SET DATA TYPE bigint', /new column/],
  ['ALTER TABLE "orders" ALTER COLUMN "amount" TYPE text', /new column/],
  ['ALTER TABLE "orders" RENAME COLUMN "amount" TO "sum"', /old name/],
  ['ALTER TABLE "orders" RENAME TO "purchases"', /old name/],
  [`UPDATE "orders" SET "note" = ''`, /in batches of/],
  ['DELETE FROM "orders" WHERE "note" IS NULL', /in batches of/],
  ['WITH o AS (SELECT 1) UPDATE "orders" SET "note" = \'\'', /in batches of/],
  ['INSERT INTO "notes" SELECT "id", "note" FROM "orders"', /in batches of/],
  [batched(`UPDATE "orders" SET "note" = ''`), /contains {batch}/],
  [batched('DELETE FROM "orders" WHERE {batch};\nDELETE FROM "notes" WHERE {batch}'), /has one statement/],
  ['CLUSTER "orders" USING "orders_pk"', /keeps readers or writers out/],
  ["VACUUM FULL", /keeps readers or writers out/],
  ['VACUUM (FULL) "orders"', /keeps readers or writers out/],
  ['REINDEX TABLE "orders"', /keeps readers or writers out/],
  ['TRUNCATE TABLE "orders"', /keeps readers or writers out/],
  ['LOCK TABLE "orders" IN ACCESS EXCLUSIVE MODE', /keeps readers or writers out/],
  ['ALTER TABLE "orders" SET UNLOGGED', /rewrites or reads whole tables/],
  ['ALTER TABLE "log" ATTACH PARTITION "orders" DEFAULT', /rewrites or reads whole tables/],
  ["DO $$ BEGIN UPDATE orders SET note = ''; END $$", /Write its statements plainly/],
])("the rules refuse %s", (migration, advice) => {
  expect(findLongLocksIn(migration)).toMatch(advice);
});

test.each([
  'ALTER TABLE "orders" ADD COLUMN "note" text',
  'ALTER TABLE "orders" ADD COLUMN "at" timestamp (3) with time zone DEFAULT now() NOT NULL',
  `ALTER TABLE "orders" ADD COLUMN "rate" numeric(21, 6) DEFAULT '0' NOT NULL`,
  'ALTER TABLE "orders" DROP COLUMN "note"',
  `ALTER TABLE "orders" ADD CONSTRAINT "orders_word" CHECK ("word" in ('update', 'lock')) NOT VALID`,
  `${OUTSIDE}ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_word"`,
  `${OUTSIDE}CREATE UNIQUE INDEX CONCURRENTLY "orders_note" ON "orders" USING btree ("note");\nDROP INDEX CONCURRENTLY IF EXISTS "orders_old"`,
  'ALTER TABLE "orders" ADD CONSTRAINT "orders_note" UNIQUE USING INDEX "orders_note"',
  'CREATE TABLE "notes" ("id" bigint PRIMARY KEY, "note" text);\nCREATE INDEX "notes_note" ON "notes" ("note")',
  'CREATE TABLE "notes" ("id" bigint);\n-- update it\nALTER TABLE "notes" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "public"."orders"("id")',
  `INSERT INTO "notes" VALUES (1, 'select * from orders')`,
  batched(`UPDATE "orders" SET "note" = '' WHERE {batch} AND "note" IS NULL`),
])("the rules accept %s", (migration) => {
  expect(findLongLocksIn(migration)).toBe("");
});

test("the rules accept SET NOT NULL after the check against null was validated, and not before", () => {
  const add = 'ALTER TABLE "orders" ADD CONSTRAINT "orders_note_set" CHECK ("note" IS NOT NULL) NOT VALID';
  const validate = `${OUTSIDE}ALTER TABLE "orders" VALIDATE CONSTRAINT "orders_note_set"`;
  const set = 'ALTER TABLE "orders" ALTER COLUMN "note" SET NOT NULL';
  expect(findLongLocksIn(add, validate, set)).toBe("");
  expect(findLongLocksIn(add, set)).toMatch(/IS NOT NULL\) NOT VALID/);
  expect(findLongLocksIn(add, validate, set.replace('"note"', '"code"'))).toMatch(/IS NOT NULL\) NOT VALID/);
});

test.each([
  ["0073_name_sessions_of_authors", ""],
  ["0021_order_items_finish_in_time", "in batches of"],
  ["0039_one_event_log", "Write its statements plainly"],
  ["0077_partition_webhook_attempts", "keeps readers or writers out"],
])("the rules judge %s, which was written before them", (tag, sentence) => {
  const found = findLongLocks(readMigrations().filter((migration) => migration.tag === tag)).join("\n");
  if (sentence === "") expect(found).toBe("");
  else expect(found).toContain(sentence);
});

test("a new database gets the statements of all kinds in one transaction", () => {
  const statements = (text: string) =>
    toStatementsOfTransaction({ ...readMigrations()[0]!, statements: text.split(";") });
  expect(
    statements(
      'create unique index concurrently "a" on "b" ("c");-- by batches\nupdate "b" set "c" = 1 where {batch} and "c" is null;drop index concurrently if exists "a"',
    ),
  ).toEqual([
    'create unique index "a" on "b" ("c")',
    'update "b" set "c" = 1 where true and "c" is null',
    'drop index if exists "a"',
  ]);
});
