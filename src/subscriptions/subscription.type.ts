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
  @Field(() => GraphQLBigInt, { description: "Number of the option. REST uses it as the id." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the option." })
  name!: string;
}

@ObjectType({ description: "An item of a subscription, which is charged in each period.", simpleResolvers: true })
export class SubscriptionItem {
  @Field(() => GraphQLBigInt, { description: "Number of the item. REST uses it as the id." })
  databaseId!: number;

  @Field(() => String, { description: 'Code of the item: "subscription_item_" and nine letters or digits.' })
  code!: string;

  @Field(() => OrderItemType, { description: "Type of the line that the item has in each order." })
  type!: OrderItemType;

  @Field(() => Product, { description: "The product." })
  product!: Product;

  @Field(() => PricePlan, { description: "The price plan." })
  pricePlan!: PricePlan;

  @Field(() => PricePlan, {
    nullable: true,
    description: "Price plan from the next period on. Null if the plan does not change.",
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

  @Field(() => PlanPresentation, { description: "Presentation of the price plan." })
  plan!: PlanPresentation;

  @Field(() => PricePlanType, { description: "Formula by which the plan computes its charge." })
  priceType!: PricePlanType;

  @Field(() => ClaimMethodType, { description: "Claim method of the plan: before or after its period." })
  claimMethodType!: ClaimMethodType;

  @Field(() => DecimalScalar, { description: "Current price of one unit, in the subscription's currency." })
  price!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currency!: string;

  @Field(() => Int, { description: "Quantity that is charged in each period." })
  quantity!: number;

  @Field(() => Int, { description: "Largest quantity in one order. 0 for no limit." })
  maximumPurchaseQuantity!: number;

  @Field(() => Boolean, { description: "True if a customer can have only one subscription of the product." })
  isOnetimePurchasable!: boolean;

  @Field(() => String, { description: "Address of the product's main image. An empty string if there is none." })
  featuredImageUrl!: string;

  @Field(() => Boolean, { description: "True if the product has options." })
  hasOptions!: boolean;

  @Field(() => [Int], { description: "Ids of the chosen options." })
  selectedProductOptionIds!: number[];

  @Field(() => [SelectedOption], { description: "Chosen options." })
  selectedOptions!: SelectedOption[];

  @Field(() => String, { description: "Names of the chosen options. An empty string if there are none." })
  selectedProductOptionLabel!: string;

  @Field(() => DecimalScalar, { description: "Amount that the chosen options add to the price of one unit." })
  selectedProductOptionPrice!: string;

  @Field(() => Boolean, { description: "True if the item was added after the activation of the subscription." })
  isAdditional!: boolean;

  @Field(() => Boolean, { description: "True if an added item stays at the next renewal." })
  keepWhenRenew!: boolean;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      "Units in use now: the number of accounts, or the usage in the current period. Null if none were recorded.",
  })
  usedUnits!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Units that may be used now, counted like the units in use. Null if there is no limit.",
  })
  allowedUnits!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Code of the bundle's item that this item is a member of. Null without a bundle.",
  })
  parentSubscriptionItemCode!: string | null;
}

@ObjectType({ description: "Length of a billing period.", simpleResolvers: true })
export class SubscriptionPeriod {
  @Field(() => RecurringInterval, { description: "Unit of time." })
  interval!: RecurringInterval;

  @Field(() => Int, { description: "Number of units." })
  intervalCount!: number;
}

@ObjectType("Subscription", {
  description:
    "A subscription, which renews automatically. It is activated by the customer's first payment of a plan with a billing cycle.",
  implements: Node,
  simpleResolvers: true,
})
export class Subscription extends Node {
  @Field(() => String, { description: 'Code of the subscription: "subscription_" and nine letters or digits.' })
  code!: string;

  @Field(() => SubscriptionStatus, {
    description: "State of the subscription. It determines whether the subscription renews.",
  })
  status!: SubscriptionStatus;

  @Field(() => Customer, { description: "Customer of the subscription." })
  customer!: Customer;

  @Field(() => PricePlan, { description: "Price plan of the first item." })
  price!: PricePlan;

  @Field(() => [SubscriptionItem], { description: "Items that are charged in each period, in order." })
  items!: SubscriptionItem[];

  @Field(() => String, { description: "ISO 4217 code of the currency in which the subscription is charged." })
  currency!: string;

  @Field(() => RecurringInterval, { description: "Unit of the billing period." })
  interval!: RecurringInterval;

  @Field(() => Int, { description: "Number of units in a period." })
  intervalCount!: number;

  @Field(() => SubscriptionPeriod, { description: "Length of the billing period." })
  period!: SubscriptionPeriod;

  @Field(() => ClaimMethodType, { description: "Claim method: before or after each period." })
  claimMethodType!: ClaimMethodType;

  @Field(() => StoredPaymentMethod, {
    nullable: true,
    description: "Stored payment method that is charged. Null until one is stored.",
  })
  paymentMethod!: StoredPaymentMethod | null;

  @Field(() => DateTimeScalar, { description: "Time of the start." })
  startDate!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the last payment. Null before the first payment.",
  })
  lastPaymentDate!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the next charge. Null if there is none." })
  nextPaymentDate!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "End of the term, or time of the end. Null if the subscription has no term. A pending cancellation is in `cancelAt`.",
  })
  endDate!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "End of the trial. Null without a trial." })
  trialEndDate!: Date | null;

  @Field(() => DateTimeScalar, { description: "Start of the current period." })
  currentPeriodStart!: Date;

  @Field(() => DateTimeScalar, { description: "End of the current period." })
  currentPeriodEnd!: Date;

  @Field(() => SubscriptionPeriod, {
    nullable: true,
    description: "Length of the periods after the current one. Null if it does not change.",
  })
  nextPeriod!: SubscriptionPeriod | null;

  @Field(() => Int, {
    description:
      "Number of charged periods. It starts at 1 for a prepaid subscription, and at 0 for a postpaid one or with a trial.",
  })
  renewalCount!: number;

  @Field(() => Int, {
    nullable: true,
    description: "Number of charged periods after which the subscription ends. Null for no limit.",
  })
  expiryRecurringCount!: number | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of a scheduled pause. Null if none is scheduled." })
  pauseAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time at which the pause ends by itself. Null if it has no end.",
  })
  resumeAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of a scheduled cancellation. Null if none is scheduled.",
  })
  cancelAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Start of the current pause. Null while the subscription is not paused.",
  })
  pausedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the cancellation. Null if it was not cancelled.",
  })
  canceledAt!: Date | null;

  @Field(() => DecimalScalar, {
    description:
      "Value of paid time that removed items and smaller quantities left unused, in the subscription's currency. It is recorded and not refunded.",
  })
  refundableAmount!: string;

  @Field(() => DateTimeScalar, { description: "Time of the creation." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}

@InputType({ description: "Filter of subscriptions. All conditions must hold." })
export class SubscriptionFilterInput {
  @Field(() => SubscriptionStatus, { nullable: true, description: "Returns only records with this status." })
  status?: SubscriptionStatus | null;

  @Field(() => [SubscriptionStatus], {
    nullable: true,
    description: "Returns only subscriptions with one of these states. An empty list returns nothing.",
  })
  statuses?: SubscriptionStatus[] | null;

  @Field(() => ID, { nullable: true, description: "Returns only records of this customer: global id or number." })
  customerId?: string | null;

  @Field(() => KeywordScalar, {
    nullable: true,
    description:
      "Returns only subscriptions that match this text. The customer's name or e-mail address or a product's name must contain it, compared without case, or the code must equal it.",
  })
  keyword?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: "Returns only subscriptions that currently charge this product: global id or number.",
  })
  productId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: "Returns only subscriptions that currently use this price plan: global id or number.",
  })
  pricePlanId?: string | null;

  @Field(() => PeriodInput, {
    nullable: true,
    description: "Returns only subscriptions whose next charge is in this period.",
  })
  nextPaymentDate?: PeriodInput | null;

  @Field(() => PeriodInput, { nullable: true, description: "Returns only records that were created in this period." })
  createdAt?: PeriodInput | null;
}

export const SubscriptionSortInput = sortInputType("Subscription", {
  CREATED_AT: "By the time of the creation.",
  NEXT_PAYMENT_DATE: "By the time of the next charge. Subscriptions without one count as earliest.",
});
export type SubscriptionSortInput = InstanceType<typeof SubscriptionSortInput>;

export const SubscriptionConnection = connectionType(() => Subscription, "Subscription");
