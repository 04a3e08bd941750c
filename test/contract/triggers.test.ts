import { expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { startGateway } from "../support/test-gateway.ts";

/* Tables of vendors have no triggers, so that they can live on an engine that distributes rows. */

const LEDGER_TRIGGERS = ["ledger_entries_append_only", "ledger_entries_balance", "ledger_entries_not_emptied"];

test("no table or view has a trigger but the ledger", async () => {
  const gateway = await startGateway();
  const triggers = await queryRows<{ owner: string; name: string }>(
    gateway,
    `select tgrelid::regclass::text as owner, tgname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
      where relnamespace = 'public'::regnamespace and not tgisinternal order by 2`,
  );
  const ofLedger = triggers.filter(({ owner }) => owner === "ledger_entries").map(({ name }) => name);
  expect(ofLedger).toEqual(LEDGER_TRIGGERS);
  const others = triggers.filter(({ owner }) => owner !== "ledger_entries");
  expect(
    others.map(
      ({ owner, name }) =>
        `${owner} has the trigger ${name}. Drop it in a migration, and let the repository of ${owner} write the same in the statement or transaction that changes the rows, as order-totals.repository.ts does.`,
    ),
  ).toEqual([]);
});
