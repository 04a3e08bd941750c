import { randomBytes } from "node:crypto";
import { required } from "../../../kernel/required-values.ts";
import type { Created, PayloadRecord, TriggerContext } from "./trigger-context.ts";

/* The records that triggers act on. Each trigger creates its own. */

/** Test cards of the simulated gateway. */
export const cards = {
  approved: "4242424242424242",
  declined: "4000000000000515",
  /** The gateway charges it, fails, and cannot be asked about this charge for a while. */
  unanswered: "4000000000050049",
  /** Approved at first, and declined at each renewal. */
  declinedLater: "4000000000070518",
};

const MONTH_MS = 30 * 86_400_000;
const person = { name: "Trigger", email: "trigger@example.com", phone: "010-0000-0000" };

/** Every month. */
export const monthly = { type: "FLAT", recurring: { interval: "MONTH" } };

export const newName = (): string => `trigger-${randomBytes(6).toString("hex")}`;

export const idOf = (record: { databaseId: number } | undefined): string =>
  String(required(record, "the record").databaseId);

export async function createCustomer(context: TriggerContext): Promise<Created> {
  const { customer } = await context.mutate("createCustomer", "CreateCustomerInput", person, "customer { databaseId }");
  return { customerId: idOf(customer) };
}

export async function createProduct(context: TriggerContext, product: object = {}): Promise<PayloadRecord> {
  const input = { type: "SOFTWARE", name: `Trigger ${newName()}`, ...product };
  const created = await context.mutate("createProduct", "CreateProductInput", input, "product { databaseId code }");
  return required(created["product"], "product");
}

export async function createPlan(context: TriggerContext, productId: string, plan: object): Promise<PayloadRecord> {
  const input = { productId, price: "18900", plan: { name: "Trigger" }, ...plan };
  const created = await context.mutate(
    "createPricePlan",
    "CreatePricePlanInput",
    input,
    "pricePlan { databaseId code }",
  );
  return required(created["pricePlan"], "pricePlan");
}

/** An order of a new customer, of a new product with a new plan. */
export async function createOrder(
  context: TriggerContext,
  plan: object = { type: "ONE_TIME" },
  product: object = {},
): Promise<Created> {
  const { customerId } = await createCustomer(context);
  const { databaseId: productId, code: productCode } = await createProduct(context, product);
  const { code: priceCode } = await createPlan(context, String(productId), plan);
  const { order } = await context.mutate(
    "createOrder",
    "CreateOrderInput",
    { customerId, items: [{ productCode, priceCode }] },
    "order { databaseId }",
  );
  return { customerId: required(customerId, "customerId"), orderId: idOf(order) };
}

/** Pays an order of the records. The card is valid for three more years, unless it expires in this month. */
export async function payOrder(
  context: TriggerContext,
  created: Created,
  number: string = cards.approved,
  expiresThisMonth = false,
): Promise<Created> {
  const year = context.now.getUTCFullYear();
  const expiry = expiresThisMonth
    ? { expiryMonth: context.now.getUTCMonth() + 1, expiryYear: year }
    : { expiryMonth: 12, expiryYear: year + 3 };
  const { payment } = await context.mutate(
    "payOrder",
    "PayOrderInput",
    { orderId: created["orderId"], method: "CARD", card: { number, ...expiry } },
    "payment { databaseId }",
  );
  return { ...created, paymentId: idOf(payment) };
}

/** A subscription of a new customer that has begun. */
export async function subscribe(
  context: TriggerContext,
  {
    plan = monthly,
    product = {},
    card = cards.approved,
    expiresThisMonth = false,
  }: { plan?: object; product?: object; card?: string; expiresThisMonth?: boolean } = {},
): Promise<Created> {
  const created = await payOrder(context, await createOrder(context, plan, product), card, expiresThisMonth);
  const { order } = await context.query<{ order: { subscriptions: PayloadRecord[] } }>(
    "query ($id: ID!) { order(id: $id) { subscriptions { databaseId } } }",
    { id: created["orderId"] },
  );
  return { ...created, subscriptionId: idOf(order.subscriptions[0]) };
}

/** Stores another card for a subscription of the records. */
export async function replacePaymentMethod(context: TriggerContext, created: Created): Promise<Created> {
  const { order } = await context.mutate(
    "requestPaymentMethod",
    "RequestPaymentMethodInput",
    { subscriptionId: created["subscriptionId"] },
    "order { databaseId }",
  );
  return payOrder(context, { ...created, orderId: idOf(order) });
}

/** An order of a subscription, both charged elsewhere, with all that they refer to. Its payment failed by default. */
export async function registerCoverOrder(context: TriggerContext, failure: object = failed): Promise<Created> {
  const name = newName();
  const { customer } = await context.mutate(
    "registerCoverCustomer",
    "RegisterCoverCustomerInput",
    { ...person, partnerCustomerId: name },
    "customer { databaseId }",
  );
  const { product } = await context.mutate(
    "registerCoverProduct",
    "RegisterCoverProductInput",
    { name: "Trigger", partnerProductId: name },
    "product { databaseId }",
  );
  const { price } = await context.mutate(
    "registerCoverPrice",
    "RegisterCoverPriceInput",
    { name: "Monthly", partnerPriceId: name, price: "18900", productId: idOf(product) },
    "price { databaseId }",
  );
  const period = {
    currentPeriodStart: context.now,
    currentPeriodEnd: new Date(context.now.getTime() + MONTH_MS),
    recurringInterval: "MONTH",
    recurringIntervalCount: 1,
  };
  const { subscription } = await context.mutate(
    "registerCoverSubscription",
    "RegisterCoverSubscriptionInput",
    { customerId: idOf(customer), partnerSubscriptionId: name, ...period },
    "subscription { databaseId }",
  );
  const { order } = await context.mutate(
    "registerCoverOrder",
    "RegisterCoverOrderInput",
    {
      ...{ customerId: idOf(customer), subscriptionId: idOf(subscription), partnerOrderId: name, amount: "18900" },
      ...{ items: [{ priceId: idOf(price), quantity: 1 }], ...failure },
    },
    "order { databaseId }",
  );
  return { coverOrderId: idOf(order), coverSubscriptionId: idOf(subscription) };
}

const failed = { paymentFailed: true, errorCode: "51" };
