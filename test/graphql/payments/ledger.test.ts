import postgres from "postgres";
import { describe, expect, inject, test } from "vitest";
import { migrateDatabase } from "../../../src/database/migrations/migrate.ts";
import { startGateway } from "../../support/test-gateway.ts";
import { TestPayments } from "../../support/test-payments.ts";

/* F11: the database enforces that the ledger is zero-sum and append-only, whatever role connects. */

const gateway = await startGateway();
const payments = await TestPayments.start(gateway);
const order = await payments.createOrder();
await payments.payOrder(order.databaseId);
const intact = { CLEARING: 18_900, SALES: -18_900 };

/**
 * Runs statements as the role of the application, in one transaction. @returns the constraint or the code of the
 * refusal.
 */
async function attack(text: string, url = gateway.databaseUrl): Promise<string> {
  const session = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await session.begin((transaction) => transaction.unsafe(text));
    return "done";
  } catch (error) {
    const { constraint_name, code } = error as { constraint_name?: string; code: string };
    return constraint_name ?? code;
  } finally {
    await session.end();
  }
}

const copied = (account: string, amount: string, currency = "currency") =>
  `insert into ledger_entries (vendor_id, order_id, payment_id, refund_id, account, amount, currency, created_at)
    select vendor_id, order_id, payment_id, null, '${account}', ${amount}, ${currency}, now() from ledger_entries limit 1`;

const CAPTURED_ALREADY = "ledger_entries_captured_once";
const RETURNED_ALREADY = "ledger_entries_returned_once";
const DENIED = "42501";

describe("the application's role", () => {
  test.each([
    ["changes an entry", "update ledger_entries set amount = 0", "ledger_entries_append_only"],
    [
      "moves an entry to another order",
      "update ledger_entries set order_id = order_id + 1",
      "ledger_entries_append_only",
    ],
    ["deletes the entries", "delete from ledger_entries", "ledger_entries_append_only"],
    ["truncates the ledger", "truncate ledger_entries", "ledger_entries_append_only"],
    ["truncates it with the orders", "truncate orders cascade", "ledger_entries_append_only"],
    [
      "changes by a merge",
      "merge into ledger_entries l using ledger_entries m on l.id = m.id and l.vendor_id = m.vendor_id when matched then delete",
      "ledger_entries_append_only",
    ],
    ["adds one side only", copied("REFUNDS", "1"), "ledger_entries_balance"],
    ["defers the check", `set constraints all deferred; ${copied("REFUNDS", "1")}`, "ledger_entries_balance"],
    ["records a capture twice", copied("SALES", "-1"), CAPTURED_ALREADY],
    ["acts as a replica", `set session_replication_role = replica; ${copied("REFUNDS", "1")}`, DENIED],
  ])("is refused when it %s", async (_what, text, refusal) => {
    expect(await attack(text)).toBe(refusal);
    expect(await payments.ledgerOf(order.databaseId)).toEqual(intact);
  });

  test("is refused when it records a refund twice", async () => {
    const { databaseId } = await payments.createOrder();
    await payments.payOrder(databaseId);
    await payments.sendMutation("refundOrder", { orderId: String(databaseId) }, "order { id }");
    const entries = await payments.ledgerOf(databaseId);
    expect(entries).toMatchObject({ REFUNDS: 18_900 });
    const again = `insert into ledger_entries (vendor_id, order_id, payment_id, refund_id, account, amount, currency, created_at)
      select vendor_id, order_id, payment_id, refund_id, account, amount, currency, now() from ledger_entries
      where order_id = ${databaseId} and refund_id is not null`;
    expect(await attack(again)).toBe(RETURNED_ALREADY);
    expect(await payments.ledgerOf(databaseId)).toEqual(entries);
  });

  test("is refused when two currencies balance each other", async () => {
    const other = await payments.createOrder();
    const { payment } = await payments.payOrder(other.databaseId, { method: "BANK" });
    const entry = (account: string, amount: number, currency: string) =>
      `insert into ledger_entries (vendor_id, order_id, payment_id, account, amount, currency, created_at)
        values (${gateway.vendor.id}, ${other.databaseId}, ${payment.databaseId}, '${account}', ${amount}, '${currency}', now())`;
    expect(await attack(`${entry("CLEARING", 5, "KRW")}; ${entry("SALES", -5, "USD")}`)).toBe("ledger_entries_balance");
    expect(await payments.ledgerOf(other.databaseId)).toEqual({});
  });
});

test("a superuser who acts as a replica is refused too", async () => {
  const admin = new URL(inject("adminUrl"));
  admin.pathname = new URL(gateway.databaseUrl).pathname;
  const text = "set session_replication_role = replica; delete from ledger_entries";
  expect(await attack(text, admin.href)).toBe("ledger_entries_append_only");
  expect(await payments.ledgerOf(order.databaseId)).toEqual(intact);
});

test("a role that may only read and insert cannot disable the triggers, and an owner who does is detected at the next start", async () => {
  const admin = new URL(inject("adminUrl"));
  admin.pathname = new URL(gateway.databaseUrl).pathname;
  const role = `reader_of_${admin.pathname.slice(1)}`;
  const disable = "alter table ledger_entries disable trigger all";
  const asReader = `set role ${role}; ${disable}`;
  expect(await attack(`create role ${role}; grant select, insert on ledger_entries to ${role}`, admin.href)).toBe(
    "done",
  );
  expect(await attack(asReader, admin.href)).toBe(DENIED);
  expect(await attack(`drop owned by ${role}; drop role ${role}`, admin.href)).toBe("done");
  await migrateDatabase(gateway.databaseUrl);
  const user = "alter table ledger_entries disable trigger user";
  expect(await attack(user)).toBe("done");
  await expect(migrateDatabase(gateway.databaseUrl)).rejects.toThrow(
    /The ledger is not protected.*ledger_entries_append_only/,
  );
  expect(await attack("alter table ledger_entries enable trigger user")).toBe("done");
  await migrateDatabase(gateway.databaseUrl);
});
