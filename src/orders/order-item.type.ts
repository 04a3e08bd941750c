import { Field, Int, ObjectType } from "type-graphql";
import {
  Actor,
  HistoryCategory,
  type OrderItemStatus,
  OrderItemStatusByName,
  OrderItemType,
  PricePlanType,
  ProductType,
  RecurringInterval,
  SetupOptionType,
} from "../../schema/vocabulary.ts";
import { Node } from "../graphql/node.ts";
import { DateTimeScalar, DecimalScalar, GraphQLBigInt } from "../graphql/scalars.ts";
import { PlanPresentation } from "../products/price-plans/price-parts.type.ts";
import { PricePlan } from "../products/price-plans/price-plan.type.ts";
import { Product } from "../products/product.type.ts";

@ObjectType({ description: "An entry in the history of an order line.", simpleResolvers: true })
export class OrderItemHistory {
  @Field(() => GraphQLBigInt, { description: "Number of the entry." })
  databaseId!: number;

  @Field(() => Actor, { description: "Actor of the event." })
  actor!: Actor;

  @Field(() => HistoryCategory, { description: "Subject of the entry." })
  category!: HistoryCategory;

  @Field(() => OrderItemStatusByName, { description: "State of the line after the event." })
  status!: OrderItemStatus;

  @Field(() => String, { nullable: true, description: "Reason, as the actor gave it. Null if none was given." })
  reason!: string | null;

  @Field(() => DateTimeScalar, { description: "Time of the event." })
  createdAt!: Date;
}

@ObjectType({ description: "Duration of a trial.", simpleResolvers: true })
export class DemoCycle {
  @Field(() => Int, { description: "Number of units." })
  num!: number;

  @Field(() => RecurringInterval, { description: "Unit of time." })
  type!: RecurringInterval;
}

@ObjectType({
  description: "A change of the number of units, and the days for which it counted.",
  simpleResolvers: true,
})
export class UnitChange {
  @Field(() => Int, { description: "Number of units added. Negative if units were removed." })
  changedCount!: number;

  @Field(() => Int, { description: "Number of days of the period for which the change counted." })
  days!: number;
}

@ObjectType("OrderItem", {
  description:
    "A line of an order. The amounts of the lines add up to the amount of the order; a discount is negative.",
  implements: Node,
  simpleResolvers: true,
})
export class OrderItem extends Node {
  @Field(() => String, { description: 'Code of the line: "order_item_" and nine letters or digits.' })
  code!: string;

  @Field(() => OrderItemType, { description: "Purpose of the line." })
  type!: OrderItemType;

  @Field(() => OrderItemStatusByName, { description: "State of the line, from order to completion." })
  status!: OrderItemStatus;

  @Field(() => DecimalScalar, { description: "Amount that the line adds to the order, in the order's currency." })
  amount!: string;

  @Field(() => DecimalScalar, { description: "Amount that was paid for the line, in the order's currency." })
  paidAmount!: string;

  @Field(() => DecimalScalar, { description: "Amount that was refunded, in the order's currency." })
  returnedAmount!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currency!: string;

  @Field(() => Int, { description: "Ordered quantity." })
  quantity!: number;

  @Field(() => Int, {
    nullable: true,
    description: "Smallest quantity that the payer can choose. Null for lines that are not a product.",
  })
  minimumQuantity!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: "Largest quantity that the payer can choose. Null if the quantity is fixed.",
  })
  maximumQuantity!: number | null;

  @Field(() => DecimalScalar, { description: "Price of one unit including options, in the order's currency." })
  unitPrice!: string;

  @Field(() => PricePlan, { nullable: true, description: "Price plan of the line. Null if the line is not a product." })
  price!: PricePlan | null;

  @Field(() => PricePlanType, { nullable: true, description: "Type of the price plan. Null without a plan." })
  priceType!: PricePlanType | null;

  @Field(() => Product, { nullable: true, description: "Product of the line. Null if the line is not a product." })
  product!: Product | null;

  @Field(() => String, {
    description: "Address of the product's main image at the time of the order. An empty string if there was none.",
  })
  featuredImageUrl!: string;

  @Field(() => String, { description: "Names of the chosen options. An empty string if there are none." })
  selectedProductOptionLabel!: string;

  @Field(() => [Int], { description: "Ids of the chosen options." })
  selectedProductOptionIds!: number[];

  @Field(() => ProductType, {
    description:
      "Type of the product at the time of the order. A line that is not a product has the type of the product it belongs to.",
  })
  orderedProductType!: ProductType;

  @Field(() => String, { description: "Name of the product at the time of the order. For a fee, the name of the fee." })
  orderedProductName!: string;

  @Field(() => String, {
    description: "Name of the price plan at the time of the order. An empty string without a plan.",
  })
  orderedPlanName!: string;

  @Field(() => PlanPresentation, {
    nullable: true,
    description: "Current presentation of the price plan. Null without a plan.",
  })
  plan!: PlanPresentation | null;

  @Field(() => String, { nullable: true, description: "Name of the discount. Null for other lines." }) discountName!:
    string | null;

  @Field(() => GraphQLBigInt, {
    nullable: true,
    description: "Number of the line that this line reduces or taxes. Null for other lines.",
  })
  relatedOrderItemId!: number | null;

  @Field(() => GraphQLBigInt, {
    nullable: true,
    description: "Number of the subscription's item that the line charges. Null without one.",
  })
  relatedSubscriptionItemId!: number | null;

  @Field(() => SetupOptionType, {
    nullable: true,
    description: "Frequency of a fee: once or in each period. Null for other lines.",
  })
  priceSetupType!: SetupOptionType | null;

  @Field(() => DemoCycle, {
    nullable: true,
    description: "Trial at the beginning of the subscription. Null without a trial.",
  })
  demoCycle!: DemoCycle | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Number of used units. Null if the plan does not meter units.",
  })
  usedCount!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Price ranges that were applied to the used units, as text. Null without usage.",
  })
  usageFormula!: string | null;

  @Field(() => String, { nullable: true, description: "Tracking code of the courier. Null if there is none." })
  deliveryCode!: string | null;

  @Field(() => [OrderItemHistory], {
    nullable: true,
    description: "History of the line, oldest first. Null if there is no entry yet.",
  })
  histories!: OrderItemHistory[] | null;

  @Field(() => [OrderItemHistory], {
    nullable: true,
    description: "History of the cancellation, exchange or return of the line, oldest first. Null if there was none.",
  })
  claimHistories!: OrderItemHistory[] | null;

  @Field(() => String, {
    nullable: true,
    description: "Code of the bundle's line that this line is a member of. Null without a bundle.",
  })
  parentOrderItemCode!: string | null;

  @Field(() => [UnitChange], {
    nullable: true,
    description: "Changes of the number of units within the period. Null if the plan has no units.",
  })
  unitChangeHistory!: UnitChange[] | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Number of charged units. Null if the plan has no units.",
  })
  unitCount!: string | null;

  @Field(() => Int, {
    nullable: true,
    description: "Number of accounts at the end of the charged period. Null if the plan is not charged by accounts.",
  })
  unitsAtPeriodEnd!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the cancellation. Null if it was not cancelled.",
  })
  canceledAt!: Date | null;

  @Field(() => DateTimeScalar, { description: "Time of the creation." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}
