import { Field, ID, InputType, Int } from "type-graphql";
import { CancelMoment, PauseMoment, PlanChangeMoment, RecurringInterval } from "../../schema/vocabulary.ts";
import {
  DateTimeScalar,
  DecimalScalar,
  LineScalar,
  NonNegativeIntScalar,
  PositiveIntScalar,
  TextScalar,
} from "../graphql/scalars.ts";
import type { Amount } from "../kernel/amounts.ts";

const SUBSCRIPTION = { description: "Global id or number of the subscription." };
const REASON = { nullable: true, description: "Reason, for the timeline of the subscription." };
const ITEM = 'Code of the item: "subscription_item_" and nine letters or digits.';

@InputType({ description: "A subscription to pause." })
export class PauseSubscriptionInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => PauseMoment, { nullable: true, description: "Time at which the pause begins. Defaults to NOW." })
  when?: PauseMoment | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time at which the pause ends by itself. If absent, the pause ends only by activateSubscription.",
  })
  until?: Date | null;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "A subscription to activate." })
export class ActivateSubscriptionInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "A subscription to cancel." })
export class CancelSubscriptionInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => CancelMoment, { nullable: true, description: "Moment of the cancellation. Defaults to NOW." })
  when?: CancelMoment | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the cancellation if `when` is AT." })
  at?: Date | null;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "A new billing interval of a subscription." })
export class ChangeSubscriptionIntervalInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => RecurringInterval, { description: "Unit of time." })
  interval!: RecurringInterval;

  @Field(() => PositiveIntScalar, { nullable: true, description: "Number of units in an interval. Defaults to 1." })
  intervalCount?: number | null;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "A product to add to a subscription, with one of its price plans." })
export class AddSubscriptionItemInput {
  @Field(() => LineScalar, { description: "Code of the product." })
  productCode!: string;

  @Field(() => LineScalar, {
    description:
      "Code of a price plan with the interval and the claim method (prepaid or postpaid) of the subscription.",
  })
  priceCode!: string;

  @Field(() => PositiveIntScalar, { nullable: true, description: "Quantity. Defaults to 1." })
  quantity?: number | null;

  @Field(() => [Int], { nullable: true, description: "Ids of the chosen options: one of each group." }) optionIds?:
    number[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if the item stays at the next renewal. Defaults to true.",
  })
  keepWhenRenew?: boolean | null;
}

@InputType({ description: "A new quantity of an item." })
export class ChangeSubscriptionItemInput {
  @Field(() => LineScalar, { description: ITEM })
  itemCode!: string;

  @Field(() => PositiveIntScalar, { description: "Quantity from now on." })
  quantity!: number;
}

@InputType({ description: "Changes of a subscription's items. At least one item is required." })
export class ChangeSubscriptionItemsInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => [AddSubscriptionItemInput], { nullable: true, description: "Items to add." }) add?:
    AddSubscriptionItemInput[] | null;

  @Field(() => [ChangeSubscriptionItemInput], { nullable: true, description: "Items with a new quantity." }) change?:
    ChangeSubscriptionItemInput[] | null;

  @Field(() => [LineScalar], { nullable: true, description: "Codes of the items to remove." })
  remove?: string[] | null;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "Another price plan of the item's product." })
export class ChangeItemPlanInput {
  @Field(() => LineScalar, { description: ITEM })
  itemCode!: string;

  @Field(() => LineScalar, {
    description:
      "Code of the new plan. It must belong to the same product and have the interval and the claim method of the subscription. It must have the type of the item's plan; FLAT and VOLUME_BASED are interchangeable. The item's current plan withdraws a pending change.",
  })
  priceCode!: string;
}

@InputType({ description: "New price plans of a subscription's items." })
export class ChangeSubscriptionPlanInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => [ChangeItemPlanInput], {
    description: "Items and their new plans: at least one, each item once.",
  })
  changes!: ChangeItemPlanInput[];

  @Field(() => PlanChangeMoment, {
    nullable: true,
    description: "Time at which the new plans take effect. Defaults to NOW.",
  })
  when?: PlanChangeMoment | null;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "A new quota of a metered item." })
export class ChangeSubscriptionQuotaInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => LineScalar, { description: ITEM })
  itemCode!: string;

  @Field(() => PositiveIntScalar, { description: "Number of units that may be used from now on." })
  quota!: number;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "Used units of a metered item." })
export class RecordUsageInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => LineScalar, { description: ITEM })
  itemCode!: string;

  @Field(() => DecimalScalar, {
    description:
      "Number of additional used units. If the plan charges the last or the largest number, the current total.",
  })
  units!: Amount;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if the units are subtracted because too many were recorded. Defaults to false.",
  })
  subtract?: boolean | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the usage, within a period that is not charged yet. Defaults to now.",
  })
  at?: Date | null;

  @Field(() => TextScalar, { nullable: true, description: "Purpose of the usage." })
  note?: string | null;
}

@InputType({ description: "Number of units of an item in use, such as accounts." })
export class SetSubscriptionUnitsInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => LineScalar, { description: ITEM })
  itemCode!: string;

  @Field(() => NonNegativeIntScalar, { description: "Number of units from now on." })
  units!: number;

  @Field(() => TextScalar, { nullable: true, description: "Purpose of the units." })
  note?: string | null;
}

@InputType({ description: "A payment method for the payer to store." })
export class RequestPaymentMethodInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True charges renewals to the new method; false only stores it in addition to the others. Defaults to true.",
  })
  useForRenewals?: boolean | null;
}

@InputType({ description: "Other plans of a subscription, as changeSubscriptionPlan takes them." })
export class PreviewPlanChangeInput {
  @Field(() => [ChangeItemPlanInput], { description: "Items and their new plans." })
  changes!: ChangeItemPlanInput[];

  @Field(() => PlanChangeMoment, {
    nullable: true,
    description: "Time at which the new plans take effect. Defaults to NOW.",
  })
  when?: PlanChangeMoment | null;
}

@InputType({ description: "Other items of a subscription, as changeSubscriptionItems takes them." })
export class PreviewItemsChangeInput {
  @Field(() => [AddSubscriptionItemInput], { nullable: true, description: "Items to add." }) add?:
    AddSubscriptionItemInput[] | null;

  @Field(() => [ChangeSubscriptionItemInput], { nullable: true, description: "Items with another quantity." }) change?:
    ChangeSubscriptionItemInput[] | null;

  @Field(() => [LineScalar], { nullable: true, description: "Codes of the items to remove." })
  remove?: string[] | null;
}

@InputType({ description: "Another quota of an item, as changeSubscriptionQuota takes it." })
export class PreviewQuotaChangeInput {
  @Field(() => LineScalar, { description: ITEM })
  itemCode!: string;

  @Field(() => PositiveIntScalar, { description: "Number of units that may be used from then on." })
  quota!: number;
}

@InputType({ description: "Another interval of a subscription, as changeSubscriptionInterval takes it." })
export class PreviewIntervalChangeInput {
  @Field(() => RecurringInterval, { description: "Unit of the interval." })
  interval!: RecurringInterval;

  @Field(() => PositiveIntScalar, { nullable: true, description: "Number of units in an interval. Defaults to 1." })
  intervalCount?: number | null;
}

@InputType({ description: "A change of a subscription to preview: exactly one of plan, items, quota and interval." })
export class PreviewSubscriptionChangeInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => PreviewPlanChangeInput, { nullable: true, description: "A change of plans." })
  plan?: PreviewPlanChangeInput | null;

  @Field(() => PreviewItemsChangeInput, { nullable: true, description: "A change of items and quantities." })
  items?: PreviewItemsChangeInput | null;

  @Field(() => PreviewQuotaChangeInput, { nullable: true, description: "A change of the quota of a metered item." })
  quota?: PreviewQuotaChangeInput | null;

  @Field(() => PreviewIntervalChangeInput, { nullable: true, description: "A change of the interval." })
  interval?: PreviewIntervalChangeInput | null;
}
