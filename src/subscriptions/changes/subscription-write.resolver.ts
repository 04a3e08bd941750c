import type { GraphQLResolveInfo } from "graphql";
import { Arg, Ctx, ID, Info, Mutation, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf } from "../../graphql/record-ids.ts";
import { selectionOf } from "../../graphql/selection.ts";
import { invalidField, invariant } from "../../kernel/refusals.ts";
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
  SetUnitsInput,
} from "../subscription-input.type.ts";
import type { PreviewedChange } from "./change-preview.service.ts";
import {
  ActivateSubscriptionPayload,
  ChangeSubscriptionPayload,
  RequestPaymentMethodPayload,
  SettleSubscriptionPayload,
  StopSubscriptionPayload,
  SubscriptionChangePreview,
  SubscriptionCharge,
} from "./subscription-write.type.ts";

/** A merchant's token acts for its managers. */
const actor = "MANAGER";

const subscriptionIdOf = (id: string) => databaseIdOf("Subscription", id, "subscriptionId");

/** The subscription of a payload, as it is selected. */
const toPayload = ({ read, loaders }: GatewayContext, info: GraphQLResolveInfo, id: number) => ({
  subscription: loaders.findProjected(read.subscriptions.list, id, selectionOf(info, ["subscription"])),
});

/** The payload of a change that was charged, as it is selected. */
const toChargedPayload = (
  context: GatewayContext,
  info: GraphQLResolveInfo,
  id: number,
  { orderId, paymentId, noPaymentReason }: ChargedChange,
) => {
  const { read, loaders } = context;
  return {
    ...toPayload(context, info, id),
    order: orderId === null ? null : loaders.findProjected(read.orders.list, orderId, selectionOf(info, ["order"])),
    payment:
      paymentId === null ? null : loaders.findProjected(read.payments.list, paymentId, selectionOf(info, ["payment"])),
    noPaymentReason,
  };
};

function chargedChangesOf({ chargedChanges }: GatewayContext) {
  invariant(chargedChanges, "a request that moves money is no transaction as a whole");
  return chargedChanges;
}

/** A change to preview as the services take it. @throws a Refusal INVALID_ARGUMENT unless it is exactly one. */
function toPreviewedChange({
  plan,
  items,
  quota,
  interval,
}: Omit<PreviewSubscriptionChangeInput, "subscriptionId">): PreviewedChange {
  const given = [plan, items, quota, interval].filter((change) => change != null);
  if (given.length !== 1)
    throw invalidField("plan", "or items, quota or interval must be given, exactly one of the four.");
  return {
    ...(plan && { plans: { ...plan, when: plan.when ?? "NOW", actor } }),
    ...(items && { items: { ...items, actor } }),
    ...(quota && { quota: { ...quota, actor } }),
    ...(interval && { interval: { ...interval, intervalCount: interval.intervalCount ?? 1, actor } }),
  };
}

/** What a merchant does to subscriptions. They are born by payments, and renew by themselves. */
@Resolver()
export class SubscriptionWriteResolver {
  @Query(() => SubscriptionCharge, {
    nullable: true,
    description:
      "What a subscription will be charged next, line by line; null where nothing will be. What is metered is reckoned by what is known now. Refused with SUBSCRIPTION_NOT_FOUND.",
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
      "What a change of a subscription's plans, items, quota or interval would cost now and at the next renewal. Nothing is changed; the change itself costs the same if it is made at the same second. Refused as the change would be.",
  })
  previewSubscriptionChange(
    @Arg("input", () => PreviewSubscriptionChangeInput, { description: "The subscription and the change." })
    { subscriptionId, ...change }: PreviewSubscriptionChangeInput,
    @Ctx() { vendor, dryRun }: GatewayContext,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    return dryRun(({ changePreviews }) => changePreviews.previewChange(vendor.id, id, toPreviewedChange(change)));
  }

  @Mutation(() => StopSubscriptionPayload, {
    description:
      "Pauses a subscription, now or when its period ends; nothing is charged until it is activated, except what a postpaid one used until now, which is charged in this call. Only one that is ACTIVE can be paused. Refused with SUBSCRIPTION_NOT_FOUND, ILLEGAL_TRANSITION.",
  })
  async pauseSubscription(
    @Arg("input", () => PauseSubscriptionInput, { description: "Which one, and when." }) input: PauseSubscriptionInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { subscriptionId, when, ...rest } = input;
    const id = subscriptionIdOf(subscriptionId);
    const changed = await chargedChangesOf(context).changeAndCharge(id, async ({ subscriptionStop }) => ({
      order: await subscriptionStop.pause(context.vendor.id, id, { ...rest, when: when ?? "NOW", actor }),
    }));
    return toChargedPayload(context, info, id, changed);
  }

  @Mutation(() => ActivateSubscriptionPayload, {
    description:
      "Ends a pause, or withdraws a pause or a cancellation that is still to come. After a pause that outlasted its period, a new one begins now; prepaid it is charged in this call, like any renewal. Refused with SUBSCRIPTION_NOT_FOUND, ILLEGAL_TRANSITION.",
  })
  async activateSubscription(
    @Arg("input", () => ActivateSubscriptionInput, { description: "Which one, and why." })
    { subscriptionId, reason }: ActivateSubscriptionInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    return toChargedPayload(context, info, id, await chargedChangesOf(context).activateAndCharge(id, reason ?? null));
  }

  @Mutation(() => StopSubscriptionPayload, {
    description:
      "Cancels a subscription: now, when its period ends, or at a time. It is for good once it has happened, and gives nothing back. What a postpaid one used until now is charged in this call. Refused with SUBSCRIPTION_NOT_FOUND, ILLEGAL_TRANSITION.",
  })
  async cancelSubscription(
    @Arg("input", () => CancelSubscriptionInput, { description: "Which one, and when." })
    input: CancelSubscriptionInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const { subscriptionId, when, ...rest } = input;
    const id = subscriptionIdOf(subscriptionId);
    const changed = await chargedChangesOf(context).changeAndCharge(id, async ({ subscriptionStop }) => ({
      order: await subscriptionStop.cancel(context.vendor.id, id, { ...rest, when: when ?? "NOW", actor }),
    }));
    return toChargedPayload(context, info, id, changed);
  }

  @Mutation(() => ChangeSubscriptionPayload, {
    description:
      "Changes how often a subscription is charged, from the end of the period under way on; each product goes by its plan of that interval, which replaces a change of plans to come. The interval that it has withdraws the change. Refused with SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING.",
  })
  async changeSubscriptionInterval(
    @Arg("input", () => ChangeSubscriptionIntervalInput, { description: "Which one, and how often." })
    input: ChangeSubscriptionIntervalInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
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
    return toPayload(context, info, id);
  }

  @Mutation(() => SettleSubscriptionPayload, {
    description:
      "Adds items to a subscription, removes some, or changes their quantities. Where it is charged before each period, what is added is charged in this call for the part of the period that is left, and joins when that is paid; what is taken away is noted as refundable. Where it is charged afterwards, each item is charged for its time. Refused with SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, PAYMENT_IN_PROGRESS while an earlier change of an item is about to be charged, PRODUCT_NOT_FOUND, PRICE_NOT_FOUND, PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD, QUANTITY_LIMIT, QUANTITY_NOT_PRICED, ALREADY_SUBSCRIBED or OUT_OF_STOCK.",
  })
  async changeSubscriptionItems(
    @Arg("input", () => ChangeSubscriptionItemsInput, { description: "Which one, and what changes." })
    { subscriptionId, ...changes }: ChangeSubscriptionItemsInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    const changed = await chargedChangesOf(context).changeAndCharge(id, ({ subscriptionItemChanges }) =>
      subscriptionItemChanges.changeItems(context.vendor.id, id, { ...changes, actor }),
    );
    return { ...toChargedPayload(context, info, id, changed), refundableAmount: changed.refundable };
  }

  @Mutation(() => SettleSubscriptionPayload, {
    description:
      "Changes items of a subscription to other price plans of their products, now or at the end of the current period. NOW and prepaid, a dearer plan is charged in this call for the rest of the period and takes effect when that is paid; a cheaper one takes effect at once, and the difference is noted as refundable. NOW and postpaid, each plan is charged for its time at the end of the period. Set-up fees that are charged once are not charged for a change. Refused with SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, PAYMENT_IN_PROGRESS while an earlier change of an item is about to be charged, PRICE_NOT_FOUND for a plan of another product, INVALID_ARGUMENT for one of another type or cycle, NO_EXCHANGE_RATE, QUANTITY_LIMIT or QUANTITY_NOT_PRICED.",
  })
  async changeSubscriptionPlan(
    @Arg("input", () => ChangeSubscriptionPlanInput, { description: "The subscription, and the plans of its items." })
    { subscriptionId, when, ...changes }: ChangeSubscriptionPlanInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    const changed = await chargedChangesOf(context).changeAndCharge(id, ({ subscriptionPlanChanges }) =>
      subscriptionPlanChanges.changePlans(context.vendor.id, id, { ...changes, when: when ?? "NOW", actor }),
    );
    return { ...toChargedPayload(context, info, id, changed), refundableAmount: changed.refundable };
  }

  @Mutation(() => SettleSubscriptionPayload, {
    description:
      "Changes how many units of a metered item may be used. Where they are paid before each period, a raise is charged in this call for the part of the period that is left and holds when that is paid; a cut is noted as refundable. Refused with SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, PAYMENT_IN_PROGRESS while an earlier change is about to be charged, QUANTITY_LIMIT, and with QUOTA_EXCEEDED where more is used already.",
  })
  async changeSubscriptionQuota(
    @Arg("input", () => ChangeSubscriptionQuotaInput, { description: "Of which item, and how many." })
    { subscriptionId, ...change }: ChangeSubscriptionQuotaInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    const changed = await chargedChangesOf(context).changeAndCharge(id, ({ subscriptionItemChanges }) =>
      subscriptionItemChanges.changeQuota(context.vendor.id, id, { ...change, actor }),
    );
    return { ...toChargedPayload(context, info, id, changed), refundableAmount: changed.refundable };
  }

  @Mutation(() => ChangeSubscriptionPayload, {
    description:
      "Records units that were used of a metered item. An Idempotency-Key keeps a repeated request from counting twice. Refused with SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, UNITS_BELOW_ZERO, and with QUOTA_EXCEEDED where more would be used than allowed.",
  })
  async recordUsage(
    @Arg("input", () => RecordUsageInput, { description: "Of which item, and how many." })
    { subscriptionId, units, takeBack, ...usage }: RecordUsageInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    const change = takeBack ? units.neg() : units;
    await context.write(({ subscriptionUnits }) =>
      subscriptionUnits.recordUsage(context.vendor.id, id, { ...usage, change, actor }),
    );
    return toPayload(context, info, id);
  }

  @Mutation(() => ChangeSubscriptionPayload, {
    description:
      "Says how many units of an item are in use from now on, such as accounts. Refused with SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, and with QUOTA_EXCEEDED where there are more than allowed.",
  })
  async setUnits(
    @Arg("input", () => SetUnitsInput, { description: "Of which item, and how many." })
    { subscriptionId, ...units }: SetUnitsInput,
    @Ctx() context: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    await context.write(({ subscriptionUnits }) =>
      subscriptionUnits.setUnits(context.vendor.id, id, { ...units, actor }),
    );
    return toPayload(context, info, id);
  }

  @Mutation(() => RequestPaymentMethodPayload, {
    description:
      "Makes an order without an amount by whose payment link the payer stores a payment method for a subscription. Refused with SUBSCRIPTION_NOT_FOUND, and with SUBSCRIPTION_NOT_RUNNING for one that is over.",
  })
  async requestPaymentMethod(
    @Arg("input", () => RequestPaymentMethodInput, { description: "For which subscription." })
    { subscriptionId, use }: RequestPaymentMethodInput,
    @Ctx() { vendor, write, read, loaders }: GatewayContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const id = subscriptionIdOf(subscriptionId);
    const type = (use ?? true) ? "PAYMENT_METHOD" : "ADD_PAYMENT_METHOD";
    const order = await write(({ prorationOrders }) =>
      prorationOrders.createPaymentMethodOrder(vendor.id, id, type, { actor }),
    );
    return { order: loaders.findProjected(read.orders.list, order.id, selectionOf(info, ["order"])) };
  }
}
