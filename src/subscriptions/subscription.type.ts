import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import {
  ClaimMethodType,
  OrderItemType,
  PricePlanType,
  ProductType,
  RecurringInterval,
  SubscriptionStatus,
} from "../../schema/vocabulary.ts";
import { Customer, StoredPaymentMethod } from "../customers/customer.type.ts";
import { connectionType, PeriodInput, sortInputType } from "../graphql/connection.ts";
import { Node } from "../graphql/node.ts";
import { DateTimeScalar, DecimalScalar, GraphQLBigInt, KeywordScalar } from "../graphql/scalars.ts";
import { PlanPresentation } from "../products/price-plans/price-parts.type.ts";
import { PricePlan } from "../products/price-plans/price-plan.type.ts";
import { Product } from "../products/product.type.ts";

@ObjectType({ description: "An option that the customer chose.", simpleResolvers: true })
export class SelectedOption {
  @Field(() => GraphQLBigInt, { description: "Number of the option: the id that REST uses." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the option." })
  name!: string;
}

@ObjectType({ description: "What a subscription charges each period.", simpleResolvers: true })
export class SubscriptionItem {
  @Field(() => GraphQLBigInt, { description: "Number of the item: the id that REST uses." })
  databaseId!: number;

  @Field(() => String, { description: 'Code of the item: "subscription_item_" and nine letters or digits.' })
  code!: string;

  @Field(() => OrderItemType, { description: "What kind of line it makes in each order." })
  type!: OrderItemType;

  @Field(() => Product, { description: "The product." })
  product!: Product;

  @Field(() => PricePlan, { description: "The price plan." })
  pricePlan!: PricePlan;

  @Field(() => PricePlan, {
    nullable: true,
    description: "The price plan from the next period on; null where it does not change.",
  })
  nextPricePlan!: PricePlan | null;

  @Field(() => String, { description: "Name of the product." })
  productName!: string;

  @Field(() => ProductType, { description: "Type of the product." })
  productType!: ProductType;

  @Field(() => String, { description: "Code of the product." })
  productCode!: string;

  @Field(() => String, { description: "Code of the price plan." })
  priceCode!: string;

  @Field(() => String, { description: "Name of the price plan." })
  planName!: string;

  @Field(() => PlanPresentation, { description: "How the price plan presents itself." })
  plan!: PlanPresentation;

  @Field(() => PricePlanType, { description: "How the plan is charged." })
  priceType!: PricePlanType;

  @Field(() => ClaimMethodType, { description: "Whether the plan is charged before or after its period." })
  claimMethodType!: ClaimMethodType;

  @Field(() => DecimalScalar, { description: "What one costs now, in the subscription's currency." })
  price!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currency!: string;

  @Field(() => Int, { description: "How many are charged each period." })
  quantity!: number;

  @Field(() => Int, { description: "The most that can be bought at once; 0 is no limit." })
  maximumPurchaseQuantity!: number;

  @Field(() => Boolean, { description: "Whether a customer can have only one live subscription of the product." })
  isOnetimePurchasable!: boolean;

  @Field(() => String, { description: "Address of the product's main image; empty where there is none." })
  featuredImageUrl!: string;

  @Field(() => Boolean, { description: "Whether the product has options to choose from." })
  hasOptions!: boolean;

  @Field(() => [Int], { description: "Numbers of the options that were chosen." })
  selectedProductOptionIds!: number[];

  @Field(() => [SelectedOption], { description: "The options that were chosen." })
  selectedOptions!: SelectedOption[];

  @Field(() => String, { description: "The chosen options in words; empty where there are none." })
  selectedProductOptionLabel!: string;

  @Field(() => DecimalScalar, { description: "What the chosen options add to the price of one." })
  selectedProductOptionPrice!: string;

  @Field(() => Boolean, { description: "Whether it was added after the subscription began." })
  isAdditional!: boolean;

  @Field(() => Boolean, { description: "Whether an added item stays at the next renewal." })
  keepWhenRenew!: boolean;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "Units in use now: of accounts how many there are, of usage what was used in the period under way. Null where none were recorded.",
  })
  usedUnits!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Units that may be used now, counted like those in use; null where nothing limits them.",
  })
  allowedUnits!: string | null;

  @Field(() => String, { nullable: true, description: "Code of the bundle's item that this is a member of." })
  parentSubscriptionItemCode!: string | null;
}

@ObjectType({ description: "How long a period lasts.", simpleResolvers: true })
export class SubscriptionPeriod {
  @Field(() => RecurringInterval, { description: "The unit." })
  interval!: RecurringInterval;

  @Field(() => Int, { description: "How many units." })
  intervalCount!: number;
}

@ObjectType("Subscription", {
  description: "What renews by itself: born by a customer's first payment of a plan with a cycle.",
  implements: Node,
  simpleResolvers: true,
})
export class Subscription extends Node {
  @Field(() => String, { description: 'Code of the subscription: "subscription_" and nine letters or digits.' })
  code!: string;

  @Field(() => SubscriptionStatus, { description: "Whether it renews, and if not, why." })
  status!: SubscriptionStatus;

  @Field(() => Customer, { description: "Who subscribed." })
  customer!: Customer;

  @Field(() => PricePlan, { description: "The plan of its first item." })
  price!: PricePlan;

  @Field(() => [SubscriptionItem], { description: "What it charges each period, in order." })
  items!: SubscriptionItem[];

  @Field(() => String, { description: "ISO 4217 code of the currency that it is charged in." })
  currency!: string;

  @Field(() => RecurringInterval, { description: "Unit of its period." })
  interval!: RecurringInterval;

  @Field(() => Int, { description: "How many units a period has." })
  intervalCount!: number;

  @Field(() => SubscriptionPeriod, { description: "How long its period is." })
  period!: SubscriptionPeriod;

  @Field(() => ClaimMethodType, { description: "Whether it is charged before or after each period." })
  claimMethodType!: ClaimMethodType;

  @Field(() => StoredPaymentMethod, { nullable: true, description: "What it is charged to; null until one is stored." })
  paymentMethod!: StoredPaymentMethod | null;

  @Field(() => DateTimeScalar, { description: "When it began." })
  startDate!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was last paid." })
  lastPaymentDate!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it will be charged next; null when it will not." })
  nextPaymentDate!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "When its term is over, or when it ended; null while it has no term. A cancellation to come is in cancelAt.",
  })
  endDate!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When its trial ends; null where it has none." })
  trialEndDate!: Date | null;

  @Field(() => DateTimeScalar, { description: "When the period under way began." })
  currentPeriodStart!: Date;

  @Field(() => DateTimeScalar, { description: "When the period under way ends." })
  currentPeriodEnd!: Date;

  @Field(() => SubscriptionPeriod, {
    nullable: true,
    description: "How long its periods will be after the one under way; null where that does not change.",
  })
  nextPeriod!: SubscriptionPeriod | null;

  @Field(() => Int, {
    description:
      "How many periods were charged. It starts at 1 where it is charged before each period, at 0 where it is charged afterwards or begins with a trial.",
  })
  renewalCount!: number;

  @Field(() => Int, { nullable: true, description: "After how many charged periods it ends; null is never." })
  expiryRecurringCount!: number | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it will be paused; null unless that is planned." })
  pauseAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When its pause ends by itself; null where it does not.",
  })
  resumeAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it will be cancelled; null unless that is planned.",
  })
  cancelAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Since when it is paused; null while it is not." })
  pausedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was cancelled; null where it was not." })
  canceledAt!: Date | null;

  @Field(() => DecimalScalar, {
    description: "What cuts and removals of items left of paid time, in its currency. It is noted, not given back.",
  })
  refundableAmount!: string;

  @Field(() => DateTimeScalar, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  modifiedAt!: Date;
}

@InputType({ description: "Which subscriptions are asked for; all conditions hold together." })
export class SubscriptionFilterInput {
  @Field(() => SubscriptionStatus, { nullable: true, description: "Those with this status." })
  status?: SubscriptionStatus | null;

  @Field(() => [SubscriptionStatus], {
    nullable: true,
    description: "Those with one of these statuses. An empty list finds none.",
  })
  statuses?: SubscriptionStatus[] | null;

  @Field(() => ID, { nullable: true, description: "Those of this customer: global id or number." })
  customerId?: string | null;

  @Field(() => KeywordScalar, {
    nullable: true,
    description:
      "Those where this text stands in the customer's name or e-mail address or in a product's name, in any case; or is the code.",
  })
  keyword?: string | null;

  @Field(() => ID, { nullable: true, description: "Those that charge this product now: global id or number." })
  productId?: string | null;

  @Field(() => ID, { nullable: true, description: "Those that charge by this price plan now: global id or number." })
  pricePlanId?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those whose next charge is in this period." })
  nextPaymentDate?: PeriodInput | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those created in this period." })
  createdAt?: PeriodInput | null;
}

export const SubscriptionSortInput = sortInputType("Subscription", {
  CREATED_AT: "When it was created.",
  NEXT_PAYMENT_DATE: "When it will be charged next; those that will not count as earliest.",
});
export type SubscriptionSortInput = InstanceType<typeof SubscriptionSortInput>;

export const SubscriptionConnection = connectionType(() => Subscription, "Subscription");
