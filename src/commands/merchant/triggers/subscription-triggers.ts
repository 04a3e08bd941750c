import type { Created, PayloadRecord, Trigger, TriggerContext } from "./trigger-context.ts";
import {
  cards,
  idOf,
  monthly,
  payOrder,
  registerCoverOrder,
  replacePaymentMethod,
  subscribe,
} from "./trigger-records.ts";

/** A mutation about a new subscription. */
const change =
  (mutation: string, inputType: string, input: object = {}) =>
  async (context: TriggerContext): Promise<Created> => {
    const created = await subscribe(context);
    const completeInput = { subscriptionId: created["subscriptionId"], ...input };
    await context.mutate(mutation, inputType, completeInput, "subscription { status }");
    return created;
  };

const pause = change("pauseSubscription", "PauseSubscriptionInput", { when: "NOW" });

async function resume(context: TriggerContext): Promise<Created> {
  const created = await pause(context);
  const input = { subscriptionId: created["subscriptionId"] };
  await context.mutate("activateSubscription", "ActivateSubscriptionInput", input, "subscription { status }");
  return created;
}

async function recordUsage(context: TriggerContext): Promise<Created> {
  const plan = { ...monthly, type: "USAGE_BASED", claim: { methodType: "POST", whenToClaimType: "FIRST_PAYMENT" } };
  const created = await subscribe(context, { plan });
  const { subscriptionId } = created;
  const { subscription } = await context.query<{ subscription: { items: { code: string }[] } }>(
    "query ($id: ID!) { subscription(id: $id) { items { code } } }",
    { id: subscriptionId },
  );
  const input = { subscriptionId, itemCode: subscription.items[0]?.code, units: "10" };
  await context.mutate("recordUsage", "RecordUsageInput", input, "subscription { status }");
  return created;
}

/** Advances the clock to the next renewal of a new subscription. */
const renew =
  (how: Parameters<typeof subscribe>[1] = {}) =>
  async (context: TriggerContext): Promise<Created> => {
    const created = await subscribe(context, how);
    await context.advanceClock("P31D");
    return created;
  };

const failRenewal = renew({ card: cards.declinedLater });

/** Lets a renewal fail, and waits for it. @returns the records, with the order of the renewal. */
async function failRenewalOrder(context: TriggerContext): Promise<Created> {
  const { subscriptionId = "", customerId = "" } = await failRenewal(context);
  let orders: PayloadRecord[] = [];
  await context.waitFor(async () => {
    const { subscription } = await context.query<{
      subscription: { status: string; latestOrders: PayloadRecord[] };
    }>("query ($id: ID!) { subscription(id: $id) { status latestOrders { databaseId } } }", { id: subscriptionId });
    orders = subscription.latestOrders;
    return subscription.status === "UNPAID";
  }, 20_000);
  return { customerId, subscriptionId, orderId: idOf(orders[0]) };
}

const recover = async (context: TriggerContext): Promise<Created> => payOrder(context, await failRenewalOrder(context));

/** Replaces the card of a renewal that failed, with which the retry is made sooner. */
const retryWithNewCard = async (context: TriggerContext): Promise<Created> =>
  replacePaymentMethod(context, await failRenewalOrder(context));

/** Subscriptions that Recoup charges. */
export const subscriptionTriggers: Readonly<Record<string, Trigger>> = {
  "subscription.created": { act: (context) => registerCoverOrder(context) },
  "subscription.activated": { act: (context) => subscribe(context) },
  "subscription.renewal_started": { advancesClock: true, act: renew() },
  "subscription.renewal_deferred": {
    advancesClock: true,
    // The first order takes the only piece in stock.
    act: renew({ product: { type: "BOX", quantity: 1 } }),
  },
  "subscription.renewed": { advancesClock: true, act: renew() },
  "subscription.unpaid": { advancesClock: true, act: failRenewal },
  "subscription.recovered": { advancesClock: true, act: recover },
  "cover.retry_scheduled": { advancesClock: true, act: retryWithNewCard },
  "subscription.changed": {
    act: change("cancelSubscription", "CancelSubscriptionInput", { when: "PERIOD_END" }),
  },
  "subscription.usage_recorded": { act: recordUsage },
  "subscription.paused": { act: pause },
  "subscription.resumed": { act: resume },
  "subscription.canceled": { act: change("cancelSubscription", "CancelSubscriptionInput", { when: "NOW" }) },
  "subscription.expired": { advancesClock: true, act: renew({ plan: { ...monthly, expiryRecurringCount: 1 } }) },
};
