import { expect, test } from "vitest";
import { logMeasurement, roundCount, timeLimitMs } from "../faults/harness/fault-rounds.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { runMutation } from "../support/cover-mutations.ts";
import { TestCatalogue } from "../support/test-catalogue.ts";
import { startGateway } from "../support/test-gateway.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";
import { createDispatcher, deliverWebhooks, verifyWebhook, WebhookReceiver } from "../support/webhook-receiver.ts";

/*
 * A month of a merchant in a sandbox, whose clock is moved day by day: customers subscribe and renew each week, cards are
 * declined, recover or do not, orders are refunded, subscriptions are cancelled. A receiver verifies each webhook by the
 * library of the specification.
 */

const customers = roundCount(8, 80);
const DAYS = 31;

const gateway = await startGateway({ now: new Date().toISOString(), allowPrivateWebhooks: true });
const receiver = await WebhookReceiver.start();

function groupBy<Item>(items: readonly Item[], toKey: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(toKey(item), [...(groups.get(toKey(item)) ?? []), item]);
  return groups;
}

/** The cards of the first customers. Retries count for a card, so that no more than two share one that is declined. */
const cards = [
  testCards.approved,
  testCards.recoversOnThirdRetry,
  testCards.approved,
  testCards.neverAgain,
  testCards.approved,
  testCards.lostLater,
];

const cardOf = (customer: number): string =>
  customer < 2 * cards.length ? cards[customer % cards.length]! : testCards.approved;

test(
  `a receiver verifies every webhook of a month of ${customers} subscribers`,
  async () => {
    const vendor = await gateway.openVendor({ sandbox: true });
    const started = Date.now();
    const payments = await TestPayments.start(gateway, vendor);
    const { createWebhookEndpoint } = await gateway.queryData(
      "mutation ($url: String!) { createWebhookEndpoint(input: { url: $url }) { secret } }",
      { url: receiver.url },
      vendor,
    );
    const catalogue = new TestCatalogue(gateway, vendor);
    const { databaseId, code: productCode } = await catalogue.createProduct({ type: "SOFTWARE", name: "Journal" });
    const { code: priceCode } = await catalogue.createPlan(databaseId, {
      ...{ type: "FLAT", price: "9900", recurring: { interval: "WEEK" } },
    });
    const offer = { productCode, priceCode };
    const [worker, dispatcher] = [createWorker(gateway), createDispatcher(gateway)];

    const orders: number[] = [];
    const subscriptions: string[] = [];
    for (let customer = 0; customer < customers; customer++) {
      const customerId = String(await payments.createCustomer());
      const input = { customerId, items: [offer] };
      const { order } = await payments.runMutation("createOrder", input, "order { databaseId }");
      await payments.payOrder(order.databaseId, cardOf(customer));
      orders.push(order.databaseId);
      const made = await payments.readOrder(order.databaseId, "subscriptions { databaseId }");
      subscriptions.push(String(made.subscriptions[0]!.databaseId));
    }
    for (let day = 1; day <= DAYS; day++) {
      await runMutation(gateway, "advanceTestClock", { by: "P1D" }, undefined, vendor);
      await runUntilIdle(worker);
      if (day === 3 || day === 20)
        for (let index = day % 2; index < customers; index += 4)
          await payments.sendRawMutation("refundOrder", { orderId: String(orders[index]) }, "order { databaseId }");
      if (day === 16)
        for (let index = 2; index < customers; index += 6)
          await payments.sendRawMutation(
            "cancelSubscription",
            { subscriptionId: subscriptions[index] },
            "subscription { status }",
          );
      await deliverWebhooks(gateway, dispatcher);
    }

    const webhooks = receiver.take();
    for (const webhook of webhooks) verifyWebhook(createWebhookEndpoint.secret, webhook);
    const logged = await queryRows<{ id: string; subject: string }>(
      gateway,
      `select 'event_' || l.id as id, l.subject || ' ' || l.subject_id as subject from event_numbers n
        join event_log l on (l.vendor_id, l.id) = (n.vendor_id, n.event_id) where n.vendor_id = ${vendor.id} and l.notify order by n.number`,
    );
    // Each event once, as no attempt failed, and those of a subject in their order.
    expect(webhooks.map(({ message }) => message.id).toSorted()).toEqual(logged.map(({ id }) => id).toSorted());
    const subjectOf = new Map(logged.map(({ id, subject }) => [id, subject]));
    const bySubject = (ids: readonly string[]) => groupBy(ids, (id) => subjectOf.get(id) ?? "none");
    expect(bySubject(webhooks.map(({ message }) => message.id))).toEqual(bySubject(logged.map(({ id }) => id)));

    const types = groupBy(webhooks, ({ message }) => message.type);
    for (const type of [
      ...["order.created", "order.paid", "payment.succeeded", "subscription.activated", "subscription.renewed"],
      ...["payment.failed", "subscription.unpaid", "cover.started", "cover.attempt_failed", "cover.recovered"],
      ...["subscription.recovered", "refund.succeeded", "order.refunded", "subscription.canceled"],
    ])
      expect(types.get(type)?.length ?? 0, type).toBeGreaterThan(0);
    logMeasurement(
      `webhooks of a month: ${customers} subscribers, ${webhooks.length} webhooks of ${types.size} types verified, ${Date.now() - started} ms`,
    );
  },
  timeLimitMs(customers),
);
