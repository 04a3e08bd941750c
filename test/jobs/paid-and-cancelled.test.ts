import { expect, test } from "vitest";
import { queryRows } from "../hostile/query-rows.ts";
import { startGateway } from "../support/test-gateway.ts";
import { TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/* A payer pays while the merchant cancels: in either order no money stays with a cancelled order. */

const gateway = await startGateway({ now: "2026-01-31T03:00:00.000Z" });
const payments = await TestPayments.start(gateway);
const worker = createWorker(gateway);

/** The amount that the gateway has charged for an order and not refunded, by its own books. */
const kept = async (idKey: string) =>
  (
    await queryRows<{ kept: string }>(
      gateway,
      `select coalesce(sum(c.amount - coalesce((select sum(r.amount) from simulated_refunds r
          where r.vendor_id = c.vendor_id and r.charge_reference = c.reference), 0)), 0)::text as kept
        from simulated_charges c where c.order_reference = '${idKey}' and c.status = 'APPROVED'`,
    )
  ).map((row) => Number(row.kept));

test("orders that are paid and cancelled concurrently either cost the payer nothing or remain paid", async () => {
  const orders = await Promise.all(Array.from({ length: 8 }, () => payments.createOrder("18900")));
  const outcomes = await Promise.all(
    orders.map(async ({ databaseId }) => {
      const cancel = () =>
        payments.sendMutation("cancelOrder", { orderId: String(databaseId) }, "order { databaseId }");
      const [paid, canceled] = await Promise.all([payments.sendPayOrder(databaseId), cancel()]);
      return { isPaid: !paid.errors, isCanceled: !canceled.errors };
    }),
  );
  gateway.clock.advance(86_400_000);
  await runUntilIdle(worker);
  for (const [index, { databaseId, idKey }] of orders.entries()) {
    const { items, paidAmount, returnedAmount } = await payments.readOrder(
      databaseId,
      "items { status } paidAmount returnedAmount",
    );
    const stands = items[0]!.status === "PAID";
    expect(await kept(idKey)).toEqual([stands ? 18_900 : 0]);
    expect(Number(paidAmount) - Number(returnedAmount)).toBe(stands ? 18_900 : 0);
    expect(Object.values(await payments.ledgerOf(databaseId)).reduce((sum, amount) => sum + amount, 0)).toBe(0);
    expect(outcomes[index]!.isPaid || outcomes[index]!.isCanceled).toBe(true);
  }
});
