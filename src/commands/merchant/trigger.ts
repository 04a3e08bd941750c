import { randomBytes } from "node:crypto";
import { systemClock } from "../../kernel/clock.ts";
import { defineCommand, printOutput, toRecordOutput } from "../command.ts";
import { apiOptions, readApiClient, type ApiClient } from "./api-client.ts";

const APPROVED_CARD = "4242424242424242";
const DECLINED_CARD = "4000000000000515";
const MONTH_MS = 30 * 86_400_000;

/** Ids of the records that a trigger created, by their names. */
type Created = Record<string, string | number>;

/** Runs a mutation, and returns its payload. */
const mutate = async (
  client: ApiClient,
  mutation: string,
  input: object,
  selection: string,
): Promise<Record<string, { databaseId: number; code: string }>> => {
  const type = `${mutation.slice(0, 1).toUpperCase()}${mutation.slice(1)}Input`;
  const data = await client.run<Record<string, Record<string, { databaseId: number; code: string }>>>(
    `mutation Trigger($input: ${type}!) { ${mutation}(input: $input) { ${selection} } }`,
    { input },
  );
  return data[mutation] ?? {};
};

const idOf = (record: { databaseId: number } | undefined): string => String(record?.databaseId ?? "");

const person = { name: "Trigger", email: "trigger@example.com", phone: "010-0000-0000" };

async function createCustomer(client: ApiClient): Promise<Created> {
  const { customer } = await mutate(client, "createCustomer", person, "customer { databaseId }");
  return { customerId: idOf(customer) };
}

/** An order of a new product, which is monthly if `plan` is FLAT. */
async function createOrder(client: ApiClient, plan: object = { type: "ONE_TIME" }): Promise<Created> {
  const { customerId } = await createCustomer(client);
  const { product } = await mutate(
    client,
    "createProduct",
    { type: "SOFTWARE", name: `Trigger ${newName()}` },
    "product { databaseId code }",
  );
  const { pricePlan } = await mutate(
    client,
    "createPricePlan",
    { productId: idOf(product), price: "18900", plan: { name: "Trigger" }, ...plan },
    "pricePlan { databaseId code }",
  );
  const items = [{ productCode: product?.code, priceCode: pricePlan?.code }];
  const { order } = await mutate(client, "createOrder", { customerId, items }, "order { databaseId }");
  return { customerId: customerId ?? "", orderId: idOf(order) };
}

async function payOrder(client: ApiClient, created: Created, number: string): Promise<Created> {
  const { payment } = await mutate(
    client,
    "payOrder",
    {
      orderId: created["orderId"],
      method: "CARD",
      card: { number, expiryMonth: 12, expiryYear: systemClock.now().getUTCFullYear() + 3 },
    },
    "payment { databaseId }",
  );
  return { ...created, paymentId: idOf(payment) };
}

/** A registered order whose payment has failed, with all that it refers to. */
async function startCover(client: ApiClient): Promise<Created> {
  const name = newName();
  const { customer } = await mutate(
    client,
    "registerCoverCustomer",
    { ...person, partnerCustomerId: name },
    "customer { databaseId }",
  );
  const { product } = await mutate(
    client,
    "registerCoverProduct",
    { name: "Trigger", partnerProductId: name },
    "product { databaseId }",
  );
  const { price } = await mutate(
    client,
    "registerCoverPrice",
    { name: "Monthly", partnerPriceId: name, price: "18900", productId: idOf(product) },
    "price { databaseId }",
  );
  const now = systemClock.now();
  const { subscription } = await mutate(
    client,
    "registerCoverSubscription",
    {
      ...{
        customerId: idOf(customer),
        partnerSubscriptionId: name,
        recurringInterval: "MONTH",
        recurringIntervalCount: 1,
      },
      ...{ currentPeriodStart: now, currentPeriodEnd: new Date(now.getTime() + MONTH_MS) },
    },
    "subscription { databaseId }",
  );
  const { order } = await mutate(
    client,
    "registerCoverOrder",
    {
      ...{ customerId: idOf(customer), subscriptionId: idOf(subscription), partnerOrderId: name, amount: "18900" },
      ...{ items: [{ priceId: idOf(price), quantity: 1 }], paymentFailed: true, errorCode: "51" },
    },
    "order { databaseId }",
  );
  return { coverOrderId: idOf(order), coverSubscriptionId: idOf(subscription) };
}

const newName = (): string => `trigger-${randomBytes(6).toString("hex")}`;

/** How each event is made to occur. */
const triggers: Record<string, (client: ApiClient) => Promise<Created>> = {
  "customer.created": createCustomer,
  "order.created": createOrder,
  "order.paid": async (client) => payOrder(client, await createOrder(client), APPROVED_CARD),
  "payment.failed": async (client) => payOrder(client, await createOrder(client), DECLINED_CARD),
  "subscription.activated": async (client) =>
    payOrder(client, await createOrder(client, { type: "FLAT", recurring: { interval: "MONTH" } }), APPROVED_CARD),
  "cover.started": startCover,
  "cover.recovered": async (client) => {
    const created = await startCover(client);
    await mutate(client, "reportCoverOrderPaid", { orderId: created["coverOrderId"] }, "order { status }");
    return created;
  },
};

/** `recoup trigger`. */
export const triggerCommand = defineCommand(
  {
    name: "trigger",
    description: `Makes an event occur in a sandbox by the operations that cause it, with records of its own: ${Object.keys(triggers).join(", ")}`,
  },
  {
    event: { type: "positional", required: false, description: "Name of the event (required)" },
    ...apiOptions,
    json: { type: "boolean", description: "Print one JSON object" },
  },
  async (args, errors) => {
    const trigger = Object.hasOwn(triggers, args.event ?? "") ? triggers[args.event ?? ""] : undefined;
    errors.check(trigger !== undefined, `The event must be one of: ${Object.keys(triggers).join(", ")}.`);
    const client = readApiClient(args, errors);
    errors.throwIfAny();
    const { vendor } = await client.run<{ vendor: { sandbox: boolean } }>("{ vendor { sandbox } }");
    errors.check(vendor.sandbox, "--token: events are triggered in a sandbox only, and this vendor is live.");
    errors.throwIfAny();
    printOutput(args.json, toRecordOutput({ event: args.event ?? "", ...(await trigger?.(client)) }));
  },
);
