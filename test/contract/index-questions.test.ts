import { readFileSync } from "node:fs";
import postgres from "postgres";
import { afterAll, expect, inject, test } from "vitest";
import { projectFile } from "../../src/kernel/project-files.ts";

/* Each index of what a renewal writes most of has its question in schema/README.md; keys that PostgreSQL named find a row by its id. */

const TABLES = [
  ...["orders", "order_items", "order_states", "order_logs", "order_item_histories", "subscriptions"],
  ...["payments", "ledger_entries", "event_log", "event_numbers", "unnumbered_events", "event_sequences"],
];

const session = postgres(inject("templateUrl"), { max: 1, onnotice: () => undefined });
afterAll(() => session.end());

test("each index of orders, subscriptions, payments and events has its question in schema/README.md, and none else is there", async () => {
  const rows = await session<{ name: string }[]>`
    select indexrelid::regclass::text as name from pg_index join pg_class t on t.oid = indrelid
    where t.relnamespace = 'public'::regnamespace and t.relname = any(${TABLES})
      and indexrelid::regclass::text not like '%_pkey' order by 1`;
  const named = readFileSync(projectFile("schema/README.md"), "utf8").matchAll(
    /^\| `((?:orders?|subscriptions|payments|ledger|events?|unnumbered)_\w+)` +\|/gm,
  );
  expect(Array.from(named, ([, name]) => name).toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
});
