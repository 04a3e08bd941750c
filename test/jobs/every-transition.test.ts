import { afterAll, expect, test, vi } from "vitest";
import { customerStates } from "../../src/customers/customer.states.ts";
import { invoiceStates } from "../../src/invoices/invoice.states.ts";
import { StateTable } from "../../src/kernel/state-table.ts";
import { orderItemStates } from "../../src/orders/order.states.ts";
import { productStates } from "../../src/products/product.states.ts";
import { createChild } from "../support/family.ts";
import { startGateway } from "../support/gateway.ts";
import { Shelf } from "../support/shelf.ts";
import { DAY, HOUR } from "../support/test-clock.ts";
import { cards, Till } from "../support/till.ts";
import { workerOf, workOff } from "../support/worker.ts";

/*
 * Each row of each table of states is made to happen from outside: by a mutation, by a payment, by a deposit, by time. A row
 * that nothing of these leads along fails here by its name.
 */

const seen = new Set<string>();
const move = StateTable.prototype.move;
vi.spyOn(StateTable.prototype, "move").mockImplementation(function (this: StateTable<string, string>, state, trigger) {
  const to = move.call(this, state, trigger);
  seen.add(`${this.machine.noun}: ${state} ${trigger} ${to}`);
  return to;
});
afterAll(() => vi.restoreAllMocks());

const gateway = await startGateway();
const till = await Till.open(gateway);
const shelf = new Shelf(gateway);
const worker = workerOf(gateway);

/** The rows of a table that lead to another state. */
function rowsOf<S extends string, T extends string>({ machine: { noun, moves } }: StateTable<S, T>): string[] {
  const rows = Object.entries<Partial<Record<T, S>>>(moves).flatMap(([from, triggers]) =>
    Object.entries(triggers).map(([trigger, to]) => ({ from, trigger, to })),
  );
  return rows
    .filter(({ from, to }) => from !== to)
    .map(({ from, trigger, to }) => `${noun}: ${from} ${trigger} ${String(to)}`);
}

/** A paid or unpaid order of one product, whose only line is led on. */
class Line {
  private constructor(
    readonly orderId: number,
    readonly itemId: number,
  ) {}

  static async of(type: "BOX" | "SOFTWARE"): Promise<Line> {
    const order = await till.order("5000", { product: { type } });
    return new Line(order.databaseId, order.items[0].databaseId);
  }

  async lead(trigger: string): Promise<void> {
    const orderId = String(this.orderId);
    const age = /^age (\d+)$/.exec(trigger);
    if (age) {
      gateway.clock.advance(Number(age[1]) * HOUR);
      return workOff(worker);
    }
    switch (trigger) {
      case "payOrder":
        return till.paid(this.orderId);
      case "deposit": {
        const { payment } = await till.read(this.orderId, "payment { gatewayReference }");
        const url = `/simulated-gateway/charges/${payment.gatewayReference}/approve`;
        expect((await gateway.gateway.server.inject({ method: "POST", url })).statusCode).toBe(200);
        return;
      }
      case "failPayment":
        return till.paid(this.orderId, cards.insufficientFunds);
      case "awaitDeposit":
        return till.paid(this.orderId, { method: "VBANK" });
      case "cancelOrder":
        return till.done("cancelOrder", { orderId }, "order { databaseId }");
      case "refundOrderItems":
        return till.done("refundOrder", { orderId }, "order { databaseId }");
      case "refundOrderItemsInPart":
        return till.done(
          "refundOrder",
          { orderId, items: [{ itemId: String(this.itemId), amount: "1" }] },
          "order { databaseId }",
        );
      default:
        return till.done(
          "moveOrderItems",
          { itemIds: [String(this.itemId)], trigger: trigger.replaceAll(/[A-Z]/g, (one) => `_${one}`).toUpperCase() },
          "items { status }",
        );
    }
  }
}

const delivered = "payOrder prepareDelivery sendDelivery completeDelivery";
const returned = `${delivered} requestReturn approveReturn sendCollection completeCollection`;
const exchanged = `${delivered} requestExchange approveExchange sendCollection completeCollection`;

/** Ways of goods; together they go along every row. "age 24" lets hours pass and the worker look. */
const ways = [
  "cancelOrder",
  "awaitDeposit deposit",
  "awaitDeposit failPayment awaitDeposit",
  "awaitDeposit cancelOrder",
  "failPayment payOrder",
  "failPayment cancelOrder",
  "payOrder requestCancellation withdrawCancellation requestCancellation denyCancellation refundOrderItems",
  "payOrder requestCancellation acceptCancellation refundOrderItemsInPart refundOrderItems",
  "payOrder requestCancellation acceptCancellation refundOrderItems",
  "payOrder prepareDelivery refundOrderItemsInPart",
  "payOrder prepareDelivery suspendDelivery cancelDelivery",
  "payOrder prepareDelivery confirmReceipt",
  "payOrder prepareDelivery sendDelivery confirmReceipt",
  `${delivered} age 24 age 144 age 552`,
  `${delivered} age 24 requestReturn`,
  `${delivered} age 24 requestExchange`,
  `${delivered} age 168 requestReturn rejectReturn age 552`,
  `${delivered} requestReturn rejectReturn age 24`,
  `${delivered} age 24 requestReturn rejectReturn age 144`,
  `${delivered} requestExchange rejectExchange age 24`,
  `${delivered} age 24 requestExchange rejectExchange age 144`,
  `${delivered} requestExchange age 168 rejectExchange age 552`,
  ...[0, 24, 168, 720].flatMap((age) => [
    `${delivered} requestReturn age ${age} withdrawReturn`,
    `${delivered} requestExchange age ${age} withdrawExchange`,
  ]),
  `${delivered} requestReturn approveReturn rejectReturn`,
  `${delivered} requestReturn approveReturn sendCollection rejectReturn`,
  `${returned} rejectReturn prepareDelivery sendDelivery completeDelivery`,
  `${returned} postponeReturn rejectReturn`,
  `${returned} postponeReturn acceptReturn refundOrderItems`,
  `${returned} acceptReturn refundOrderItemsInPart refundOrderItems`,
  `${delivered} requestExchange approveExchange rejectExchange`,
  `${delivered} requestExchange approveExchange sendCollection rejectExchange`,
  `${exchanged} rejectExchange prepareDelivery sendDelivery completeDelivery`,
  `${exchanged} postponeExchange rejectExchange`,
  `${exchanged} postponeExchange acceptExchange`,
  `${exchanged} acceptExchange sendDelivery completeDelivery age 24`,
];

/** The steps of a way; "age" takes the number after it. */
const stepsOf = (way: string): string[] =>
  way
    .replaceAll(/age (\d+)/g, "age-$1")
    .split(" ")
    .map((step) => step.replace("-", " "));

const unseen = (table: Parameters<typeof rowsOf>[0]) => rowsOf(table).filter((row) => !seen.has(row));

test("every transition of an order item can be made", { timeout: 300_000 }, async () => {
  for (const way of ways) {
    const line = await Line.of("BOX");
    for (const step of stepsOf(way)) await line.lead(step);
  }
  const service = await Line.of("SOFTWARE");
  for (const step of stepsOf("payOrder requestCancellation denyCancellation requestCancellation"))
    await service.lead(step);
  expect(unseen(orderItemStates as never)).toEqual([]);
});

test("every transition of an invoice can be made", async () => {
  const at = (milliseconds: number) => new Date(gateway.clock.now().getTime() + milliseconds).toISOString();
  const invoice = async (input: object) =>
    (
      await till.done(
        "createInvoice",
        {
          customerId: String(till.customerId),
          items: [{ productName: "Design", price: "30000" }],
          publishMethods: ["EMAIL"],
          ...input,
        },
        "invoice { databaseId order { databaseId } }",
      )
    ).invoice;
  const send = ({ databaseId }: { databaseId: number }) =>
    gateway.data(
      "mutation ($input: InvoiceInput!) { sendInvoice(input: $input) { invoice { status order { databaseId } } } }",
      { input: { invoiceId: String(databaseId) } },
    );
  const later = { publishType: "RESERVATION", reservationAt: at(HOUR) };
  await send(await invoice({ temporary: true }));
  const reserved = await invoice({ temporary: true, ...later });
  expect((await send(reserved)).sendInvoice.invoice).toEqual({ status: "RESERVATION", order: null });
  await send(reserved);
  await till.paid((await invoice({})).order.databaseId);
  const overdue = await invoice({ purchaseDeadline: at(DAY) });
  gateway.clock.advance(DAY);
  await worker.perform("invoices.pass-deadline");
  await till.paid(overdue.order.databaseId);
  // What cannot be sent is looked at in time.test.ts.
  expect(unseen(invoiceStates as never).filter((row) => !/SEND_FAIL|failSending/.test(row))).toEqual([]);
});

test("every transition of a product can be made", async () => {
  const { databaseId: id, code: productCode } = await shelf.product({ quantity: 1 });
  const { code: priceCode } = await shelf.plan(id);
  const items = [{ productCode, priceCode }];
  await till.done("createOrder", { customerId: String(till.customerId), items }, "order { databaseId }");
  await shelf.changed(id, { quantity: 3 });
  for (const status of ["UNSOLD", "SALE"]) await shelf.changed(id, { status });
  const childs = new Shelf(gateway, { token: (await createChild(gateway)).token });
  const draft = await childs.product({ type: "DRAFT", draftOf: "BOX" });
  await childs.plan(draft.databaseId);
  const productId = String(draft.databaseId);
  await childs.done("submitProduct", { productId }, "product { id }");
  await shelf.done("rejectProduct", { productId, reason: "No picture." }, "__typename");
  await childs.done("submitProduct", { productId }, "product { id }");
  await shelf.done("approveProduct", { productId }, "product { id }");
  expect(unseen(productStates as never)).toEqual([]);
});

test("every transition of a customer can be made", async () => {
  await shelf.done("updateVendorSettings", { useDormantCustomer: true }, "vendor { id }");
  till.customerId = await till.customer();
  gateway.clock.advance(366 * DAY);
  await worker.perform("customers.fall-asleep");
  await till.order();
  const query = "query ($id: ID!) { customer(id: $id) { status } }";
  // An order wakes its customer by one statement.
  expect((await gateway.data(query, { id: String(till.customerId) })).customer.status).toBe("NORMAL");
  expect(unseen(customerStates as never)).toEqual(["customer: DORMANT wakeCustomer NORMAL"]);
});
