import { required } from "../../../kernel/required-values.ts";
import type { Created, PayloadRecord, Trigger, TriggerContext } from "./trigger-context.ts";
import {
  cards,
  createCustomer,
  createOrder,
  createPlan,
  createProduct,
  idOf,
  payOrder,
  replacePaymentMethod,
  subscribe,
} from "./trigger-records.ts";

const DAY_MS = 86_400_000;

const paidOrder = async (context: TriggerContext): Promise<Created> => payOrder(context, await createOrder(context));

async function refundOrder(context: TriggerContext): Promise<Created> {
  const created = await paidOrder(context);
  await context.mutate(
    "refundOrder",
    "RefundOrderInput",
    { orderId: created["orderId"], reason: "Trigger" },
    "order { databaseId }",
  );
  return created;
}

async function cancelOrder(context: TriggerContext): Promise<Created> {
  const created = await createOrder(context);
  await context.mutate("cancelOrder", "CancelOrderInput", { orderId: created["orderId"] }, "order { databaseId }");
  return created;
}

/** Begins the delivery of goods. */
async function changeOrder(context: TriggerContext): Promise<Created> {
  const created = await payOrder(context, await createOrder(context, { type: "ONE_TIME" }, { type: "BOX" }));
  const { order } = await context.query<{ order: { items: PayloadRecord[] } }>(
    "query ($id: ID!) { order(id: $id) { items { databaseId } } }",
    { id: created["orderId"] },
  );
  // The first line is the product; a charge for the delivery follows it.
  const input = { itemIds: order.items.slice(0, 1).map(idOf), trigger: "PREPARE_DELIVERY" };
  await context.mutate("moveOrderItems", "MoveOrderItemsInput", input, "items { status }");
  return created;
}

async function createInvoice(context: TriggerContext, input: object): Promise<Created> {
  const { customerId } = await createCustomer(context);
  const { invoice } = await context.mutate<{ invoice: PayloadRecord & { order: PayloadRecord | null } }>(
    "createInvoice",
    "CreateInvoiceInput",
    { customerId, items: [{ productName: "Trigger", price: "18900" }], publishMethods: ["EMAIL"], ...input },
    "invoice { databaseId order { databaseId } }",
  );
  return {
    customerId: required(customerId, "customerId"),
    invoiceId: idOf(invoice),
    ...(invoice.order && { orderId: idOf(invoice.order) }),
  };
}

async function reportUndelivered(context: TriggerContext): Promise<Created> {
  const created = await createInvoice(context, {});
  const { invoiceId } = created;
  const isSent = async () => {
    const { invoice } = await context.query<{ invoice: { status: string } }>(
      "query ($id: ID!) { invoice(id: $id) { status } }",
      { id: invoiceId },
    );
    return invoice.status === "SENT";
  };
  await context.waitFor(isSent, 10_000);
  const input = { invoiceId, reason: "Trigger" };
  await context.mutate("reportInvoiceUndelivered", "ReportInvoiceUndeliveredInput", input, "invoice { databaseId }");
  return created;
}

async function eraseCustomer(context: TriggerContext): Promise<Created> {
  const { customerId = "" } = await createCustomer(context);
  const { customer } = await context.query<{ customer: PayloadRecord }>(
    "query ($id: ID!) { customer(id: $id) { databaseId code } }",
    { id: customerId },
  );
  const input = { customerId, confirmCode: customer.code };
  await context.mutate("eraseCustomer", "EraseCustomerInput", input, "customer { databaseId }");
  return { customerId };
}

async function updateCustomer(context: TriggerContext): Promise<Created> {
  const { customerId = "" } = await createCustomer(context);
  const input = { id: customerId, name: "Trigger again" };
  await context.mutate("updateCustomer", "UpdateCustomerInput", input, "customer { databaseId }");
  return { customerId };
}

async function createPricePlan(context: TriggerContext): Promise<Created> {
  const { databaseId: productId } = await createProduct(context);
  const plan = await createPlan(context, String(productId), { type: "ONE_TIME" });
  return { productId, pricePlanId: idOf(plan) };
}

async function updateProduct(context: TriggerContext): Promise<Created> {
  const { databaseId } = await createProduct(context);
  const input = { id: String(databaseId), subTitle: "Trigger" };
  await context.mutate("updateProduct", "UpdateProductInput", input, "product { databaseId }");
  return { productId: databaseId };
}

async function updatePricePlan(context: TriggerContext): Promise<Created> {
  const created = await createPricePlan(context);
  const input = { id: created["pricePlanId"], price: "19900" };
  await context.mutate("updatePricePlan", "UpdatePricePlanInput", input, "pricePlan { databaseId }");
  return created;
}

/** Orders, their payments, invoices and products. */
export const orderTriggers: Readonly<Record<string, Trigger>> = {
  "order.created": { act: (context) => createOrder(context) },
  "order.paid": { act: paidOrder },
  "order.payment_failed": { act: async (context) => payOrder(context, await createOrder(context), cards.declined) },
  "order.canceled": { act: cancelOrder },
  "order.changed": { act: changeOrder },
  "order.refunded": { act: refundOrder },

  "payment.started": { act: paidOrder },
  "payment.succeeded": { act: paidOrder },
  "payment.failed": { act: async (context) => payOrder(context, await createOrder(context), cards.declined) },
  "payment.unknown": { act: async (context) => payOrder(context, await createOrder(context), cards.unanswered) },
  "refund.started": { act: refundOrder },
  "refund.succeeded": { act: refundOrder },

  "invoice.created": { act: (context) => createInvoice(context, { temporary: true }) },
  "invoice.scheduled": {
    act: (context) =>
      createInvoice(context, {
        publishType: "RESERVATION",
        reservationAt: new Date(context.now.getTime() + 30 * DAY_MS),
      }),
  },
  "invoice.sent": { act: (context) => createInvoice(context, {}) },
  "invoice.send_failed": { act: reportUndelivered },
  "invoice.paid": { act: async (context) => payOrder(context, await createInvoice(context, {})) },
  "invoice.overdue": {
    advancesClock: true,
    act: async (context) => {
      const purchaseDeadline = new Date(context.now.getTime() + DAY_MS);
      const created = await createInvoice(context, { purchaseDeadline });
      await context.advanceClock("P2D");
      return created;
    },
  },
  "message.sent": { act: (context) => createInvoice(context, {}) },

  "customer.created": { act: createCustomer },
  "customer.updated": { act: updateCustomer },
  "customer.erased": { act: eraseCustomer },
  "payment_method.added": { act: (context) => subscribe(context) },
  "payment_method.updated": { act: async (context) => replacePaymentMethod(context, await subscribe(context)) },
  "payment_method.expiring": { act: (context) => subscribe(context, { expiresThisMonth: true }) },

  "product.created": { act: async (context) => ({ productId: idOf(await createProduct(context)) }) },
  "product.updated": { act: updateProduct },
  "price_plan.created": { act: createPricePlan },
  "price_plan.updated": { act: updatePricePlan },
};
