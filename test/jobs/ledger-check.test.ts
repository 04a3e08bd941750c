import { expect, test } from "vitest";
import { createServices } from "../../src/graphql/services.ts";
import { adminSession } from "../faults/harness/fault-databases.ts";
import { clusterUrl } from "../support/cluster-schemas.ts";
import { DAY, HOUR } from "../support/test-clock.ts";
import { startGateway } from "../support/test-gateway.ts";
import { TestPayments } from "../support/test-payments.ts";
import { createWorker } from "../support/test-worker.ts";

/* The daily check of the ledger finds what was written past the gateway, and says so to the operator. */

const gateway = await startGateway();
const payments = await TestPayments.start(gateway);
const worker = createWorker(gateway);
const orderIds: number[] = [];
for (let count = 0; count < 3; count++) {
  const { databaseId } = await payments.createOrder();
  await payments.payOrder(databaseId);
  orderIds.push(databaseId);
}

const ledgerChecks = () => createServices(gateway.database.handle, gateway.clock.now()).ledgerChecks;

/** Runs the task as the queue does. @returns the lines of the log about the ledger. */
async function runCheck(): Promise<Record<string, unknown>[]> {
  gateway.logLines.length = 0;
  await worker.runTask("payments.check-ledger");
  const lines = gateway.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return lines.filter(({ msg }) => String(msg).includes("ledger"));
}

/** Changes an entry by hand, as an administrator who gets past the triggers. */
async function changeSales(orderId: number, by: string): Promise<void> {
  const change = `update ledger_entries set amount = amount + ${by} where vendor_id = ${gateway.vendor.id} and order_id = ${orderId} and account = 'SALES'`;
  // A cluster has no triggers on tables.
  const statements =
    clusterUrl === undefined
      ? [
          "alter table ledger_entries disable trigger user",
          change,
          ...["append_only", "balance", "not_emptied"].map(
            (name) => `alter table ledger_entries enable always trigger ledger_entries_${name}`,
          ),
        ]
      : [change];
  await adminSession(gateway.databaseUrl).begin(async (session) => {
    for (const statement of statements) await session.unsafe(statement);
  });
}

test("a ledger that balances is checked once a day, without a line in the log", async () => {
  expect(await ledgerChecks().state()).toBeUndefined();
  expect(await runCheck()).toEqual([]);
  gateway.clock.advance(HOUR);
  expect(await ledgerChecks().state()).toEqual({ unbalancedPayments: 0, secondsSinceChecked: 3_600 });
  // The day's check is done: another run does not begin a second one.
  await runCheck();
  expect(await ledgerChecks().state()).toEqual({ unbalancedPayments: 0, secondsSinceChecked: 3_600 });
});

test("an entry that was changed by hand is found on the next day, logged and counted until it is put right", async () => {
  await changeSales(orderIds[1]!, "0.01");
  gateway.clock.advance(DAY);
  expect(await runCheck()).toEqual([
    expect.objectContaining({
      level: 50,
      ...{ vendorId: gateway.vendor.id, orderId: orderIds[1], currency: "KRW", sum: "0.01" },
      paymentId: expect.any(Number),
      msg: "the ledger's entries of a payment do not sum to zero",
    }),
  ]);
  expect(await ledgerChecks().state()).toEqual({ unbalancedPayments: 1, secondsSinceChecked: 0 });
  await changeSales(orderIds[1]!, "-0.01");
  gateway.clock.advance(DAY);
  // While the next check runs, what the last one found still holds.
  expect(await ledgerChecks().checkNext(2)).toMatchObject({ isDone: false });
  expect(await ledgerChecks().state()).toEqual({ unbalancedPayments: 1, secondsSinceChecked: 86_400 });
  expect(await runCheck()).toEqual([]);
  expect(await ledgerChecks().state()).toEqual({ unbalancedPayments: 0, secondsSinceChecked: 0 });
});

test("batches end between orders, and a check goes on where it stopped, also on the next day", async () => {
  await changeSales(orderIds[0]!, "5");
  await changeSales(orderIds[2]!, "-7");
  gateway.clock.advance(DAY);
  const found: unknown[] = [];
  for (let isDone = false; !isDone; gateway.clock.advance(DAY)) {
    const batch = await ledgerChecks().checkNext(1);
    found.push(batch.unbalanced.map(({ orderId, sum }) => [orderId, sum.toFixed()]));
    ({ isDone } = batch);
  }
  expect(found).toEqual([[[orderIds[0], "5"]], [], [[orderIds[2], "-7"]], []]);
  expect(await ledgerChecks().state()).toMatchObject({ unbalancedPayments: 2 });
});
