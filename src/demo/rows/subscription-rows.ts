import { subscriptionItems, subscriptions, subscriptionUnits } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { firstOf } from "../../kernel/required-values.ts";
import { insertRowsAsJson, assignIds } from "./bulk-rows.ts";
import type { SubscriptionDraft } from "./subscription-draft.ts";

/**
 * Saves subscriptions with their items. Their customers and payment methods must have their ids already. Units refer to
 * orders, so {@link saveUnits} saves them later.
 */
export async function saveSubscriptions(
  handle: Handle,
  vendorId: number,
  drafts: readonly SubscriptionDraft[],
): Promise<void> {
  const items = drafts.flatMap((subscription) =>
    subscription.items.map((item, position) => ({ subscription, item, position })),
  );
  await assignIds(handle, subscriptions, drafts);
  await assignIds(
    handle,
    subscriptionItems,
    items.map(({ item }) => item),
  );
  await insertRowsAsJson(
    handle,
    subscriptions,
    drafts.map(({ id, code, customer, method, currency, schedule, items: ownItems, ...rest }) => {
      const { lastPaymentDate, pausedAt, canceledAt, leaseUntil, refundableAmount, createdAt, modifiedAt } = rest;
      return {
        ...{
          vendorId,
          id,
          code,
          customerId: customer.id,
          priceId: firstOf(ownItems).values.priceId,
          currency,
          ...schedule,
        },
        ...{ paymentMethodId: method?.id ?? null, lastPaymentDate, pausedAt, canceledAt, leaseUntil },
        ...{ refundableAmount, createdAt, modifiedAt },
        // The demo starts after its notices were sent: otherwise the first minute would send one for each charge that is near.
        noticedChargeAt: schedule.nextPaymentDate,
        noticedUsageChargeAt: schedule.nextPaymentDate,
        noticedTrialEnd: schedule.trialEndDate,
      };
    }),
  );
  await insertRowsAsJson(
    handle,
    subscriptionItems,
    items.map(({ subscription, item: { id, values, parent }, position }) => ({
      ...{ vendorId, id, subscriptionId: subscription.id, position, ...values, parentItemId: parent?.id ?? null },
    })),
  );
}

/** Saves used units and quotas. The orders must have their ids already. */
export async function saveUnits(handle: Handle, vendorId: number, drafts: readonly SubscriptionDraft[]): Promise<void> {
  const units = drafts
    .flatMap(({ items }) => items)
    .flatMap((item) => item.units.map((unit) => ({ id: 0, itemId: item.id, ...unit })));
  await assignIds(handle, subscriptionUnits, units);
  await insertRowsAsJson(
    handle,
    subscriptionUnits,
    units.map(({ order, ...unit }) => ({ vendorId, ...unit, orderId: order?.id ?? null, createdAt: unit.at })),
  );
}
