import fc from "fast-check";
import { uniqueName } from "../../support/fixtures/cover-fixture.ts";
import { everyMonth, TestCatalogue } from "../../support/test-catalogue.ts";
import type { RequestOptions, TestGateway } from "../../support/test-gateway.ts";
import { testCards, TestPayments } from "../../support/test-payments.ts";

/** What differs among the subscriptions of a random world. */
export interface RandomSubscription {
  kind: "PLAIN" | "COUNTED" | "SOLD_OUT" | "OTHER_PLAN" | "CANCELED_LATER" | "FREE" | "POSTPAID" | "NO_METHOD";
  price: number;
  quantity: number;
  card: "approved" | "recoversOnThirdRetry" | "neverAgain" | "lostLater";
  /** Whether it is of the customer of the one before. */
  sharesCustomer: boolean;
}

/** Subscriptions of a vendor; each card that is declined belongs to one of them, because decisions see all attempts on a card. */
export const randomWorlds: fc.Arbitrary<RandomSubscription[]> = fc
  .array(
    fc.record({
      kind: fc.oneof(
        { weight: 4, arbitrary: fc.constant("PLAIN" as const) },
        {
          weight: 5,
          arbitrary: fc.constantFrom(
            ...(["COUNTED", "SOLD_OUT", "OTHER_PLAN", "CANCELED_LATER", "FREE", "POSTPAID", "NO_METHOD"] as const),
          ),
        },
      ),
      price: fc.integer({ min: 1, max: 50_000 }),
      quantity: fc.integer({ min: 1, max: 3 }),
      card: fc.constantFrom(...(["approved", "recoversOnThirdRetry", "neverAgain", "lostLater"] as const)),
      sharesCustomer: fc.boolean(),
    }),
    { minLength: 6, maxLength: 10 },
  )
  .map((all) =>
    all.map((one, index) =>
      all.findIndex(({ card }) => card === one.card) === index ? one : { ...one, card: "approved" as const },
    ),
  );

const FLAT = { type: "FLAT", recurring: everyMonth };
const POSTPAID = {
  type: "USAGE_BASED",
  recurring: everyMonth,
  claim: { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" },
  additionalBilling: { type: "USAGE_BASED_WITH_RANGE", ranges: [{ price: "10" }] },
};
/** The pieces of a product that has so many: enough for two periods, or for the first one alone. */
const stockOf = ({ kind, quantity }: RandomSubscription): object =>
  kind === "COUNTED" ? { quantity: 2 * quantity } : kind === "SOLD_OUT" ? { quantity } : {};

/** Creates the subscriptions of a vendor. */
export async function createWorld(
  gateway: TestGateway,
  options: RequestOptions,
  all: readonly RandomSubscription[],
): Promise<void> {
  const payments = await TestPayments.start(gateway, options);
  const catalogue = new TestCatalogue(gateway, options);
  for (const one of all) {
    const { kind, price, quantity, card, sharesCustomer } = one;
    if (!sharesCustomer) payments.customerId = await payments.createCustomer();
    const product = await catalogue.createProduct({ type: "SOFTWARE", name: uniqueName("Journal"), ...stockOf(one) });
    const plan = await catalogue.createPlan(product.databaseId, {
      ...(kind === "POSTPAID" ? POSTPAID : FLAT),
      price: kind === "FREE" ? "0" : String(price),
    });
    const items = [{ productCode: product.code, priceCode: plan.code, quantity: kind === "POSTPAID" ? 1 : quantity }];
    const input = { customerId: String(payments.customerId), items };
    const { order } = await payments.runMutation("createOrder", input, "order { databaseId }");
    await payments.payOrder(order.databaseId, kind === "NO_METHOD" ? testCards.notStored : testCards[card]);
    await changeSubscription(payments, catalogue, kind, order.databaseId, product.databaseId);
  }
}

async function changeSubscription(
  payments: TestPayments,
  catalogue: TestCatalogue,
  kind: RandomSubscription["kind"],
  orderId: number,
  productId: number,
): Promise<void> {
  const { subscriptions } = await payments.readOrder(orderId, "subscriptions { databaseId items { code } }");
  const subscription = subscriptions[0]!;
  const subscriptionId = String(subscription.databaseId);
  if (kind === "CANCELED_LATER") {
    const at = new Date(payments.gateway.clock.now().getTime() + 75 * 86_400_000).toISOString();
    await payments.runMutation("cancelSubscription", { subscriptionId, when: "AT", at }, "subscription { status }");
  }
  if (kind !== "OTHER_PLAN") return;
  const { code: priceCode } = await catalogue.createPlan(productId, { ...FLAT, price: "3000" });
  const changes = [{ itemCode: subscription.items[0]!.code, priceCode }];
  await payments.runMutation(
    "changeSubscriptionPlan",
    { subscriptionId, changes, when: "PERIOD_END" },
    "subscription { status }",
  );
}
