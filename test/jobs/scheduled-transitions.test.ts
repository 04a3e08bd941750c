import { describe, expect, test } from "vitest";
import { startTaskQueue, startWorker } from "../../src/worker-process.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { errorSummaries } from "../support/cover-mutations.ts";
import { startGateway } from "../support/test-gateway.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { DAY, HOUR } from "../support/test-clock.ts";
import { TestPayments } from "../support/test-payments.ts";
import { createWorker } from "../support/test-worker.ts";

const gateway = await startGateway({ now: "2026-03-01T09:30:00.000Z" });
const payments = await TestPayments.start(gateway);
const worker = createWorker(gateway);

const stockOf = async (orderId: number) => {
  const [row] = await queryRows<{ quantity: number }>(
    gateway,
    `select p.quantity from order_items i join products p on p.vendor_id = i.vendor_id and p.id = i.product_id where i.order_id = ${orderId}`,
  );
  return row!.quantity;
};

const later = (milliseconds: number): string => new Date(gateway.clock.now().getTime() + milliseconds).toISOString();

describe("an unpaid order", () => {
  const goods = { product: { type: "BOX", quantity: 1 } };
  const work = () => worker.runTask("orders.release-stock");

  test("returns its stock once after a day, and takes it again when it is paid later", async () => {
    const order = await payments.createOrder("5000", goods);
    gateway.clock.advance(DAY - 1);
    await work();
    expect(await stockOf(order.databaseId)).toBe(0);
    gateway.clock.advance(1);
    await work();
    await work();
    expect(await stockOf(order.databaseId)).toBe(1);
    await payments.payOrder(order.databaseId);
    expect(await stockOf(order.databaseId)).toBe(0);
    gateway.clock.advance(2 * DAY);
    await work();
    expect(await stockOf(order.databaseId)).toBe(0);
  });

  test("returns its stock at its own deadline, and not again when it is cancelled afterwards", async () => {
    const order = await payments.createOrder("5000", { ...goods, order: { purchaseDeadline: later(3 * DAY) } });
    gateway.clock.advance(2 * DAY);
    await work();
    expect(await stockOf(order.databaseId)).toBe(0);
    gateway.clock.advance(DAY);
    await work();
    expect(await stockOf(order.databaseId)).toBe(1);
    await payments.runMutation("cancelOrder", { orderId: String(order.databaseId) }, "order { databaseId }");
    expect(await stockOf(order.databaseId)).toBe(1);
  });

  test("cannot be paid late when there is no stock left", async () => {
    const order = await payments.createOrder("5000", goods);
    gateway.clock.advance(DAY);
    await work();
    await queryRows(
      gateway,
      `update products set quantity = 0 where id = (select product_id from order_items where order_id = ${order.databaseId})`,
    );
    expect(errorSummaries(await payments.sendPayOrder(order.databaseId))).toEqual(["OUT_OF_STOCK"]);
    expect(await payments.countApprovedCharges(order.idKey)).toBe(0);
  });
});

describe("an invoice", () => {
  const invoice = async (input: object) =>
    (
      await payments.runMutation(
        "createInvoice",
        {
          customerId: String(payments.customerId),
          items: [{ productName: "Design", price: "30000" }],
          publishMethods: ["EMAIL"],
          ...input,
        },
        "invoice { databaseId status order { databaseId } }",
      )
    ).invoice;
  const read = async (id: number) =>
    (
      await gateway.queryData("query ($id: ID!) { invoice(id: $id) { status order { databaseId } } }", {
        id: String(id),
      })
    ).invoice;

  test("is OVER_DUE after its deadline, and PAID when it is paid late", async () => {
    const { databaseId, order } = await invoice({ purchaseDeadline: later(DAY) });
    await worker.runTask("invoices.pass-deadline");
    expect((await read(databaseId))!.status).toBe("SENT");
    gateway.clock.advance(DAY);
    await worker.runTask("invoices.pass-deadline");
    expect((await read(databaseId))!.status).toBe("OVER_DUE");
    await payments.payOrder(order!.databaseId);
    expect((await read(databaseId))!.status).toBe("PAID");
  });

  test("is sent at its scheduled time", async () => {
    const { databaseId, status } = await invoice({ publishType: "RESERVATION", reservationAt: later(HOUR) });
    expect(status).toBe("RESERVATION");
    await worker.runTask("invoices.send-reserved");
    expect((await read(databaseId))!.status).toBe("RESERVATION");
    gateway.clock.advance(HOUR);
    await worker.runTask("invoices.send-reserved");
    expect(await read(databaseId)).toMatchObject({ status: "SENT", order: { databaseId: expect.any(Number) } });
  });

  test("becomes SEND_FAIL with the reason when no channel delivers it, and its order can still be paid", async () => {
    const report = (id: number) =>
      payments.sendMutation(
        "reportInvoiceUndelivered",
        { invoiceId: String(id), reason: "The mailbox is full." },
        "invoice { status }",
      );
    const { databaseId, order } = await invoice({});
    expect((await report(databaseId)).data!.reportInvoiceUndelivered.invoice).toEqual({ status: "SEND_FAIL" });
    const events = await queryRows(
      gateway,
      `select trigger, actor, reason, order_id::int as "orderId" from event_log
        where subject = 'INVOICE' and subject_id = ${databaseId} order by id`,
    );
    expect(events).toEqual([
      { trigger: "sendInvoice", actor: "MANAGER", reason: null, orderId: order!.databaseId },
      { trigger: "failSending", actor: "MANAGER", reason: "The mailbox is full.", orderId: order!.databaseId },
    ]);
    expect(errorSummaries(await report(databaseId))).toEqual(["ILLEGAL_TRANSITION"]);
    expect(errorSummaries(await report(999_999))).toEqual(["INVOICE_NOT_FOUND"]);
    await payments.payOrder(order!.databaseId);
    expect((await read(databaseId))!.status).toBe("PAID");
    expect(errorSummaries(await report(databaseId))).toEqual(["ILLEGAL_TRANSITION"]);
  });

  test("becomes SEND_FAIL when its order cannot be created, and does not delay other invoices", async () => {
    const codes = await queryRows<{ productCode: string; priceCode: string; id: string }>(
      gateway,
      `select p.code as "productCode", q.code as "priceCode", p.id from products p join price_plans q on q.product_id = p.id and q.vendor_id = p.vendor_id
        where p.type = 'SOFTWARE' or p.type = 'BOX' order by p.id desc limit 1`,
    );
    const { id, ...line } = codes[0]!;
    const reserved = { publishType: "RESERVATION", reservationAt: later(HOUR) };
    const broken = await invoice({ ...reserved, items: [line] });
    const whole = await invoice(reserved);
    await queryRows(gateway, `update products set status = 'UNSOLD' where id = ${id}`);
    gateway.clock.advance(HOUR);
    await worker.runTask("invoices.send-reserved");
    expect((await read(broken.databaseId))!.status).toBe("SEND_FAIL");
    expect((await read(whole.databaseId))!.status).toBe("SENT");
  });
});

describe("a customer without activity for a year", () => {
  const statusOf = async (id: number) =>
    (await gateway.queryData("query ($id: ID!) { customer(id: $id) { status } }", { id: String(id) })).customer!.status;

  test("is DORMANT until the next order when the vendor's settings enable it", async () => {
    const customer = await payments.createCustomer();
    gateway.clock.advance(366 * DAY);
    await worker.runTask("customers.fall-asleep");
    expect(await statusOf(customer)).toBe("NORMAL");
    await gateway.queryData(
      "mutation { updateVendorSettings(input: { useDormantCustomer: true }) { vendor { uuid } } }",
    );
    await worker.runTask("customers.fall-asleep");
    expect(await statusOf(customer)).toBe("DORMANT");
    await payments.createOrder("1000", { order: { customerId: String(customer) } });
    expect(await statusOf(customer)).toBe("NORMAL");
  });
});

test("workers start at once, take their tasks from one queue, and stop gracefully", async () => {
  const logger = gateway.gateway.server.log;
  const start = async () => {
    const running = await startWorker({
      contexts: gateway.gateway.contexts,
      database: gateway.database,
      clock: systemClock,
      logger,
      messages: {},
    });
    const queue = await startTaskQueue({ url: gateway.databaseUrl, workers: () => [running], logger });
    return { stop: () => Promise.all([running.stop(), queue.stop()]) };
  };
  const workers = await Promise.all(Array.from({ length: 6 }, start));
  const scheduled = await queryRows<{ name: string }>(gateway, "select name from pgboss.schedule order by name");
  expect(scheduled.map(({ name }) => name)).toEqual([
    "customers.fall-asleep",
    "events.make-partitions",
    "invoices.pass-deadline",
    "invoices.send-reserved",
    "messages.delete-expired",
    "messages.release-due",
    "notices.queue-charges",
    "notices.queue-dormancies",
    "notices.queue-trial-ends",
    "notices.queue-usage-charges",
    "orders.fold-counts",
    "orders.release-stock",
    "payments.announce-expiring-methods",
    "payments.check-ledger",
    "payments.detach-methods",
    "people.delete-sessions",
    "people.mail-password-links",
    "recovery.announce-retries",
    "recovery.pool-countries",
    "recovery.request-training",
    "recovery.test-models",
    "recovery.train-model",
    "requests.delete-expired",
    "webhooks.delete-endpoints",
    "webhooks.delete-expired",
    "webhooks.partition-attempts",
  ]);
  await Promise.all(workers.map((worker) => worker.stop()));
});
