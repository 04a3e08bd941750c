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
const REASON = { nullable: true, description: "Why, for its timeline." };
const ITEM = 'Code of the item: "subscription_item_" and nine letters or digits.';

@InputType({ description: "A subscription to pause." })
export class PauseSubscriptionInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => PauseMoment, { nullable: true, description: "When the pause begins; now unless told." })
  when?: PauseMoment | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it ends by itself; until it is ended unless told.",
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

  @Field(() => CancelMoment, { nullable: true, description: "When it is cancelled; now unless told." })
  when?: CancelMoment | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "The time, where `when` is AT." })
  at?: Date | null;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "How often a subscription is to be charged." })
export class ChangeSubscriptionIntervalInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => RecurringInterval, { description: "The unit." })
  interval!: RecurringInterval;

  @Field(() => PositiveIntScalar, { nullable: true, description: "How many units; one unless told." })
  intervalCount?: number | null;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "A product that joins a subscription, with one of its plans." })
export class AddSubscriptionItemInput {
  @Field(() => LineScalar, { description: "Code of the product." })
  productCode!: string;

  @Field(() => LineScalar, {
    description:
      "Code of the price plan: one that is charged in the subscription's interval, before or after it as it is.",
  })
  priceCode!: string;

  @Field(() => PositiveIntScalar, { nullable: true, description: "How many; one unless told." })
  quantity?: number | null;

  @Field(() => [Int], { nullable: true, description: "Numbers of the chosen options, one of each group." })
  optionIds?: number[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether it stays at the next renewal; it does unless told.",
  })
  keepWhenRenew?: boolean | null;
}

@InputType({ description: "Another quantity of an item." })
export class ChangeSubscriptionItemInput {
  @Field(() => LineScalar, { description: ITEM })
  itemCode!: string;

  @Field(() => PositiveIntScalar, { description: "How many from now on." })
  quantity!: number;
}

@InputType({ description: "What changes of a subscription: at least one item." })
export class ChangeSubscriptionItemsInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => [AddSubscriptionItemInput], { nullable: true, description: "What is added." })
  add?: AddSubscriptionItemInput[] | null;

  @Field(() => [ChangeSubscriptionItemInput], { nullable: true, description: "Of what there is another quantity." })
  change?: ChangeSubscriptionItemInput[] | null;

  @Field(() => [LineScalar], { nullable: true, description: "Codes of the items that are removed." })
  remove?: string[] | null;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "Another price plan of an item's product." })
export class ChangeItemPlanInput {
  @Field(() => LineScalar, { description: ITEM })
  itemCode!: string;

  @Field(() => LineScalar, {
    description:
      "Code of the plan: of the same product, of the same type (FLAT and VOLUME_BASED go for each other), charged in the subscription's interval, before or after it as the subscription is. The plan that the item has withdraws a change that is to come.",
  })
  priceCode!: string;
}

@InputType({ description: "Other price plans of a subscription's items." })
export class ChangeSubscriptionPlanInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => [ChangeItemPlanInput], {
    description: "Which items change to which plans: at least one, each item once.",
  })
  changes!: ChangeItemPlanInput[];

  @Field(() => PlanChangeMoment, { nullable: true, description: "When the new plans take effect. Defaults to NOW." })
  when?: PlanChangeMoment | null;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "How many units of a metered item may be used." })
export class ChangeSubscriptionQuotaInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => LineScalar, { description: ITEM })
  itemCode!: string;

  @Field(() => PositiveIntScalar, { description: "How many units from now on." })
  quota!: number;

  @Field(() => TextScalar, REASON)
  reason?: string | null;
}

@InputType({ description: "Units that were used of a metered item." })
export class RecordUsageInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => LineScalar, { description: ITEM })
  itemCode!: string;

  @Field(() => DecimalScalar, {
    description: "How many more were used; where the plan charges the last or the largest number, how many there are.",
  })
  units!: Amount;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether the units are taken back, because too many were recorded; they are not unless told.",
  })
  takeBack?: boolean | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When they were used, in a period that is not charged yet; now unless told.",
  })
  at?: Date | null;

  @Field(() => TextScalar, { nullable: true, description: "What they were used for." })
  note?: string | null;
}

@InputType({ description: "How many units of an item are in use, such as accounts." })
export class SetUnitsInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => LineScalar, { description: ITEM })
  itemCode!: string;

  @Field(() => NonNegativeIntScalar, { description: "How many from now on." })
  units!: number;

  @Field(() => TextScalar, { nullable: true, description: "What they are used for." })
  note?: string | null;
}

@InputType({ description: "A payment method that the payer is to store." })
export class RequestPaymentMethodInput {
  @Field(() => ID, SUBSCRIPTION)
  subscriptionId!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether the subscription is charged to it from then on; else it is stored besides the others. It is unless told.",
  })
  use?: boolean | null;
}

@InputType({ description: "Other plans of a subscription, as changeSubscriptionPlan takes them." })
export class PreviewPlanChangeInput {
  @Field(() => [ChangeItemPlanInput], { description: "Which items change to which plans." })
  changes!: ChangeItemPlanInput[];

  @Field(() => PlanChangeMoment, { nullable: true, description: "When the new plans take effect. Defaults to NOW." })
  when?: PlanChangeMoment | null;
}

@InputType({ description: "Other items of a subscription, as changeSubscriptionItems takes them." })
export class PreviewItemsChangeInput {
  @Field(() => [AddSubscriptionItemInput], { nullable: true, description: "Items to add." })
  add?: AddSubscriptionItemInput[] | null;

  @Field(() => [ChangeSubscriptionItemInput], { nullable: true, description: "Items with another quantity." })
  change?: ChangeSubscriptionItemInput[] | null;

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

  @Field(() => PositiveIntScalar, { nullable: true, description: "Number of units of a period. Defaults to 1." })
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
