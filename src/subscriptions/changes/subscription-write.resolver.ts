import { Arg, Ctx, ID, Mutation, Query, Resolver } from "type-graphql";
import type { GatewayContext, PaymentContext } from "../../graphql/context.ts";
import { databaseIdOf } from "../../graphql/record-ids.ts";
import { recordOf } from "../../graphql/execution/record-payload.ts";
import { PaymentCtx } from "../../graphql/payment-context.ts";
import { invalidField } from "../../kernel/refusals.ts";
import type { ChargedChange } from "../../renewals/charged-change.service.ts";
import {
  ActivateSubscriptionInput,
  CancelSubscriptionInput,
  ChangeSubscriptionIntervalInput,
  ChangeSubscriptionItemsInput,
  ChangeSubscriptionPlanInput,
  ChangeSubscriptionQuotaInput,
  PauseSubscriptionInput,
  PreviewSubscriptionChangeInput,
  RecordUsageInput,
  RequestPaymentMethodInput,
  SetSubscriptionUnitsInput,
} from "../subscription-input.type.ts";
import type { PreviewedChange } from "./change-preview.service.ts";
import {
  ActivateSubscriptionPayload,
  ChangeSubscriptionIntervalPayload,
  RecordUsagePayload,
  SetSubscriptionUnitsPayload,
  RequestPaymentMethodPayload,
  ChangeSubscriptionItemsPayload,
  ChangeSubscriptionQuotaPayload,
  ChangeSubscriptionPlanPayload,
  CancelSubscriptionPayload,
  PauseSubscriptionPayload,
  SubscriptionChangePreview,
  SubscriptionCharge,
} from "./subscription-write.type.ts";

/** A merchant's token acts for its managers. */
const actor = "MANAGER";

const subscriptionIdOf = (id: string) => databaseIdOf("Subscription", id, "subscriptionId");

/** The payload with a subscription. */
const toPayload = ({ read }: GatewayContext, id: number) => ({
  subscription: recordOf(read.subscriptions.list, id),
});

/** The payload of a change that was charged. */
const toChargedPayload = (
  context: GatewayContext,
  id: number,
  { orderId, paymentId, noPaymentReason }: ChargedChange,
) => ({
  ...toPayload(context, id),
  order: orderId === null ? null : recordOf(context.read.orders.list, orderId),
  payment: paymentId === null ? null : recordOf(context.read.payments.list, paymentId),
  noPaymentReason,
});

/** A change to preview as the services take it. @throws a Refusal INVALID_ARGUMENT unless it is exactly one. */
function toPreviewedChange({
  plan,
  items,
  quota,
  interval,
}: Omit<PreviewSubscriptionChangeInput, "subscriptionId">): PreviewedChange {
  const given = [plan, items, quota, interval].filter((change) => change != null);
  if (given.length !== 1)
    throw invalidField("plan", "is required, or items, quota or interval: send exactly one of the four.");
  return {
    ...(plan && { plans: { ...plan, when: plan.when ?? "NOW", actor } }),
    ...(items && { items: { ...items, actor } }),
    ...(quota && { quota: { ...quota, actor } }),
    ...(interval && { interval: { ...interval, intervalCount: interval.intervalCount ?? 1, actor } }),
  };
}

/** A merchant's mutations on subscriptions. Payments activate subscriptions, and workers renew them. */
@Resolver()
export class SubscriptionWriteResolver {
  @Query(() => SubscriptionCharge, {
    nullable: true,
    description:
      "Returns the next charge of a subscription, line by line. Null if there is none. Metered items are priced by the usage that is known now. Refused with SUBSCRIPTION_NOT_FOUND.",
  })
  previewSubscriptionCharge(
    @Arg("subscriptionId", () => ID, { description: "Global id or number of the subscription." }) id: string,
    @Ctx() { vendor, dryRun }: GatewayContext,
  ) {
    return dryRun(({ subscriptionPreviews }) =>
      subscriptionPreviews.previewNextCharge(vendor.id, subscriptionIdOf(id)),
    );
  }

  @Query(() => SubscriptionChangePreview, {
    description:
      "Returns the cost of a change of a subscription's plans, items, quota or interval, now and at the next renewal. Nothing is changed. The change itself costs the same if it is made in the same second. Refused with the same codes as the change.",
  })
  previewSubscriptionChange(
    @Arg("input", () => PreviewSubscriptionChangeInput, { description: "The subscription and the change." })
    { subscriptionId, ...change }: PreviewSubscriptionChangeInput,
    @Ctx() { vendor, dryRun }: GatewayContext,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    return dryRun(({ changePreviews }) => changePreviews.previewChange(vendor.id, id, toPreviewedChange(change)));
  }

  @Mutation(() => PauseSubscriptionPayload, {
    description:
      "Pauses a subscription, now or at the end of its period. Nothing is charged until it is activated; the usage so far of a postpaid subscription is charged in this call. Only an ACTIVE subscription can be paused. Refused with SUBSCRIPTION_NOT_FOUND or ILLEGAL_TRANSITION.",
  })
  async pauseSubscription(
    @Arg("input", () => PauseSubscriptionInput, { description: "The subscription and the time." })
    input: PauseSubscriptionInput,
    @PaymentCtx() context: PaymentContext,
  ) {
    const { subscriptionId, when, ...rest } = input;
    const id = subscriptionIdOf(subscriptionId);
    const changed = await context.chargedChanges.changeAndCharge(id, async ({ subscriptionStop }) => ({
      order: await subscriptionStop.pause(context.vendor.id, id, { ...rest, when: when ?? "NOW", actor }),
    }));
    return toChargedPayload(context, id, changed);
  }

  @Mutation(() => ActivateSubscriptionPayload, {
    description:
      "Ends a pause, or withdraws a pending pause or cancellation. After a pause that is longer than its period, a new period begins now; if it is prepaid, it is charged in this call like any renewal. Refused with SUBSCRIPTION_NOT_FOUND or ILLEGAL_TRANSITION.",
  })
  async activateSubscription(
    @Arg("input", () => ActivateSubscriptionInput, { description: "The subscription and the reason." })
    { subscriptionId, reason }: ActivateSubscriptionInput,
    @PaymentCtx() context: PaymentContext,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    return toChargedPayload(context, id, await context.chargedChanges.activateAndCharge(id, reason ?? null));
  }

  @Mutation(() => CancelSubscriptionPayload, {
    description:
      "Cancels a subscription: now, at the end of its period, or at a given time. A cancellation that took effect is final and refunds nothing. The usage so far of a postpaid subscription is charged in this call. Refused with SUBSCRIPTION_NOT_FOUND or ILLEGAL_TRANSITION.",
  })
  async cancelSubscription(
    @Arg("input", () => CancelSubscriptionInput, { description: "The subscription and the time." })
    input: CancelSubscriptionInput,
    @PaymentCtx() context: PaymentContext,
  ) {
    const { subscriptionId, when, ...rest } = input;
    const id = subscriptionIdOf(subscriptionId);
    const changed = await context.chargedChanges.changeAndCharge(id, async ({ subscriptionStop }) => ({
      order: await subscriptionStop.cancel(context.vendor.id, id, { ...rest, when: when ?? "NOW", actor }),
    }));
    return toChargedPayload(context, id, changed);
  }

  @Mutation(() => ChangeSubscriptionIntervalPayload, {
    description:
      "Changes the billing interval of a subscription from the end of the current period. Each product changes to its plan with that interval, which replaces a pending change of plans. Sending the current interval withdraws the change. Refused with SUBSCRIPTION_NOT_FOUND or SUBSCRIPTION_NOT_RUNNING.",
  })
  async changeSubscriptionInterval(
    @Arg("input", () => ChangeSubscriptionIntervalInput, { description: "The subscription and the interval." })
    input: ChangeSubscriptionIntervalInput,
    @Ctx() context: GatewayContext,
  ) {
    const { subscriptionId, intervalCount, ...rest } = input;
    const id = subscriptionIdOf(subscriptionId);
    await context.write(({ subscriptionIntervals }) =>
      subscriptionIntervals.changeInterval(context.vendor.id, id, {
        ...rest,
        intervalCount: intervalCount ?? 1,
        actor,
      }),
    );
    return toPayload(context, id);
  }

  @Mutation(() => ChangeSubscriptionItemsPayload, {
    description:
      "Adds items to a subscription, removes items, or changes their quantities. If the subscription is prepaid, added items are charged in this call for the rest of the period and join when that is paid; the unused value of removed items is recorded as refundable. If it is postpaid, each item is charged for its time. Refused with SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, PAYMENT_IN_PROGRESS while an earlier change of an item waits for its charge, PRODUCT_NOT_FOUND, PRICE_NOT_FOUND, PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD, QUANTITY_LIMIT, QUANTITY_NOT_PRICED, ALREADY_SUBSCRIBED or OUT_OF_STOCK.",
  })
  async changeSubscriptionItems(
    @Arg("input", () => ChangeSubscriptionItemsInput, { description: "The subscription and the changes of its items." })
    { subscriptionId, ...changes }: ChangeSubscriptionItemsInput,
    @PaymentCtx() context: PaymentContext,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    const changed = await context.chargedChanges.changeAndCharge(id, ({ subscriptionItemChanges }) =>
      subscriptionItemChanges.changeItems(context.vendor.id, id, { ...changes, actor }),
    );
    return { ...toChargedPayload(context, id, changed), refundableAmount: changed.refundable };
  }

  @Mutation(() => ChangeSubscriptionPlanPayload, {
    description:
      "Changes items of a subscription to other price plans of their products, now or at the end of the current period. With NOW and prepaid, a more expensive plan is charged in this call for the rest of the period and takes effect when that is paid; a cheaper plan takes effect at once, and the difference is recorded as refundable. With NOW and postpaid, each plan is charged for its time at the end of the period. Set-up fees that are charged once are not charged for a change. Refused with SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, PAYMENT_IN_PROGRESS while an earlier change of an item waits for its charge, PRICE_NOT_FOUND for a plan of another product, INVALID_ARGUMENT for a plan of another type or cycle, NO_EXCHANGE_RATE, QUANTITY_LIMIT or QUANTITY_NOT_PRICED.",
  })
  async changeSubscriptionPlan(
    @Arg("input", () => ChangeSubscriptionPlanInput, {
      description: "The subscription and the new plans of its items.",
    })
    { subscriptionId, when, ...changes }: ChangeSubscriptionPlanInput,
    @PaymentCtx() context: PaymentContext,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    const changed = await context.chargedChanges.changeAndCharge(id, ({ subscriptionPlanChanges }) =>
      subscriptionPlanChanges.changePlans(context.vendor.id, id, { ...changes, when: when ?? "NOW", actor }),
    );
    return { ...toChargedPayload(context, id, changed), refundableAmount: changed.refundable };
  }

  @Mutation(() => ChangeSubscriptionQuotaPayload, {
    description:
      "Changes the quota of a metered item: the number of units that may be used. If the units are prepaid, a raise is charged in this call for the rest of the period and takes effect when that is paid; the value of a cut is recorded as refundable. Refused with SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, PAYMENT_IN_PROGRESS while an earlier change waits for its charge, QUANTITY_LIMIT, and with QUOTA_EXCEEDED if more units are used already.",
  })
  async changeSubscriptionQuota(
    @Arg("input", () => ChangeSubscriptionQuotaInput, { description: "The item and the number of units." })
    { subscriptionId, ...change }: ChangeSubscriptionQuotaInput,
    @PaymentCtx() context: PaymentContext,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    const changed = await context.chargedChanges.changeAndCharge(id, ({ subscriptionItemChanges }) =>
      subscriptionItemChanges.changeQuota(context.vendor.id, id, { ...change, actor }),
    );
    return { ...toChargedPayload(context, id, changed), refundableAmount: changed.refundable };
  }

  @Mutation(() => RecordUsagePayload, {
    description:
      "Records used units of a metered item. Send an Idempotency-Key so that a repeated request counts once. Refused with SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, UNITS_BELOW_ZERO, and with QUOTA_EXCEEDED if the usage would exceed the quota.",
  })
  async recordUsage(
    @Arg("input", () => RecordUsageInput, { description: "The item and the number of units." })
    { subscriptionId, units, subtract, ...usage }: RecordUsageInput,
    @Ctx() context: GatewayContext,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    const change = subtract ? units.neg() : units;
    await context.write(({ subscriptionUnits }) =>
      subscriptionUnits.recordUsage(context.vendor.id, id, { ...usage, change, actor }),
    );
    return toPayload(context, id);
  }

  @Mutation(() => SetSubscriptionUnitsPayload, {
    description:
      "Sets the number of units of an item that are in use from now on, such as accounts. Refused with SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, and with QUOTA_EXCEEDED if the number exceeds the quota.",
  })
  async setSubscriptionUnits(
    @Arg("input", () => SetSubscriptionUnitsInput, { description: "The item and the number of units." })
    { subscriptionId, ...units }: SetSubscriptionUnitsInput,
    @Ctx() context: GatewayContext,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    await context.write(({ subscriptionUnits }) =>
      subscriptionUnits.setUnits(context.vendor.id, id, { ...units, actor }),
    );
    return toPayload(context, id);
  }

  @Mutation(() => RequestPaymentMethodPayload, {
    description:
      "Creates an order with the amount 0 whose payment link lets the payer store a payment method for a subscription. Refused with SUBSCRIPTION_NOT_FOUND, and with SUBSCRIPTION_NOT_RUNNING for an ended subscription.",
  })
  async requestPaymentMethod(
    @Arg("input", () => RequestPaymentMethodInput, { description: "The subscription." })
    { subscriptionId, useForRenewals }: RequestPaymentMethodInput,
    @Ctx() { vendor, write, read }: GatewayContext,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    const type = (useForRenewals ?? true) ? "PAYMENT_METHOD" : "ADD_PAYMENT_METHOD";
    const order = await write(({ prorationOrders }) =>
      prorationOrders.createPaymentMethodOrder(vendor.id, id, type, { actor }),
    );
    return { order: recordOf(read.orders.list, order.id) };
  }
}
