import { Field, Int, ObjectType } from "type-graphql";
import {
  Actor,
  HistoryCategory,
  OrderItemStatus,
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

@ObjectType({ description: "What happened to a line of an order.", simpleResolvers: true })
export class OrderItemHistory {
  @Field(() => GraphQLBigInt, { description: "Number of the entry." })
  databaseId!: number;

  @Field(() => Actor, { description: "Who did it." })
  actor!: Actor;

  @Field(() => HistoryCategory, { description: "Under which heading it belongs." })
  category!: HistoryCategory;

  @Field(() => OrderItemStatus, { description: "The status that the line came to." })
  status!: OrderItemStatus;

  @Field(() => String, { nullable: true, description: "Why, in the words of who did it." })
  reason!: string | null;

  @Field(() => DateTimeScalar, { description: "When it happened." })
  createdAt!: Date;
}

@ObjectType({ description: "How long a trial lasts.", simpleResolvers: true })
export class DemoCycle {
  @Field(() => Int, { description: "How many units." })
  num!: number;

  @Field(() => RecurringInterval, { description: "The unit." })
  type!: RecurringInterval;
}

@ObjectType({ description: "A change of the number of units, and the days it counted for.", simpleResolvers: true })
export class UnitChange {
  @Field(() => Int, { description: "How many units were added; below zero for those taken away." })
  changedCount!: number;

  @Field(() => Int, { description: "For how many days of the period the change counted." })
  days!: number;
}

@ObjectType("OrderItem", {
  description: "A line of an order. The lines add up to the order; a discount is below zero.",
  implements: Node,
  simpleResolvers: true,
})
export class OrderItem extends Node {
  @Field(() => String, { description: 'Code of the line: "order_item_" and nine letters or digits.' })
  code!: string;

  @Field(() => OrderItemType, { description: "What kind of line it is." })
  type!: OrderItemType;

  @Field(() => OrderItemStatus, { description: "Where the line stands between order and completion." })
  status!: OrderItemStatus;

  @Field(() => DecimalScalar, { description: "What the line adds to the order, in its currency." })
  amount!: string;

  @Field(() => DecimalScalar, { description: "What was paid of it." })
  paidAmount!: string;

  @Field(() => DecimalScalar, { description: "What was given back of it." })
  returnedAmount!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currency!: string;

  @Field(() => Int, { description: "How many are ordered." })
  quantity!: number;

  @Field(() => Int, { nullable: true, description: "The least the payer may choose." })
  minimumQuantity!: number | null;

  @Field(() => Int, { nullable: true, description: "The most the payer may choose; null where the quantity is fixed." })
  maximumQuantity!: number | null;

  @Field(() => DecimalScalar, { description: "What one costs in the order's currency, options included." })
  unitPrice!: string;

  @Field(() => PricePlan, { nullable: true, description: "The price plan; null for lines that are no product." })
  price!: PricePlan | null;

  @Field(() => PricePlanType, { nullable: true, description: "How the plan is charged; null without a plan." })
  priceType!: PricePlanType | null;

  @Field(() => Product, { nullable: true, description: "The product; null for lines that are none." })
  product!: Product | null;

  @Field(() => String, { description: "Address of the product's main image at the time; empty where there is none." })
  featuredImageUrl!: string;

  @Field(() => String, { description: "The chosen options in words; empty where there are none." })
  selectedProductOptionLabel!: string;

  @Field(() => [Int], { description: "Numbers of the chosen options." })
  selectedProductOptionIds!: number[];

  @Field(() => ProductType, {
    description:
      "Type of the product when it was ordered; of a line that is no product, that of the one it belongs to.",
  })
  orderedProductType!: ProductType;

  @Field(() => String, { description: "Name of the product when it was ordered; of a fee its own name." })
  orderedProductName!: string;

  @Field(() => String, { description: "Name of the plan when it was ordered; empty for lines without one." })
  orderedPlanName!: string;

  @Field(() => PlanPresentation, {
    nullable: true,
    description: "How its price plan presents itself now; null for lines without a plan.",
  })
  plan!: PlanPresentation | null;

  @Field(() => String, { nullable: true, description: "Which discount it is; null for other lines." })
  discountName!: string | null;

  @Field(() => GraphQLBigInt, { nullable: true, description: "Number of the line that this one reduces or taxes." })
  relatedOrderItemId!: number | null;

  @Field(() => GraphQLBigInt, { nullable: true, description: "Number of the subscription's item that it charges." })
  relatedSubscriptionItemId!: number | null;

  @Field(() => SetupOptionType, { nullable: true, description: "Whether a fee is charged once or each period." })
  priceSetupType!: SetupOptionType | null;

  @Field(() => DemoCycle, { nullable: true, description: "The trial that the line begins with; null without one." })
  demoCycle!: DemoCycle | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Units that were used; null for plans that meter none." })
  usedCount!: string | null;

  @Field(() => String, { nullable: true, description: "The ranges that were applied to the used units, in words." })
  usageFormula!: string | null;

  @Field(() => String, { nullable: true, description: "Code under which the courier knows the parcel." })
  deliveryCode!: string | null;

  @Field(() => [OrderItemHistory], {
    nullable: true,
    description: "What happened to it, in order; null on a fresh one.",
  })
  histories!: OrderItemHistory[] | null;

  @Field(() => [OrderItemHistory], {
    nullable: true,
    description: "The moves of its cancellation, exchange or return, in order; null where there was none.",
  })
  claimHistories!: OrderItemHistory[] | null;

  @Field(() => String, { nullable: true, description: "Code of the bundle's line that this is a member of." })
  parentOrderItemCode!: string | null;

  @Field(() => [UnitChange], { nullable: true, description: "Changes of the number of units within the period." })
  unitChangeHistory!: UnitChange[] | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Units that were charged; null for plans without units." })
  unitCount!: string | null;

  @Field(() => Int, {
    nullable: true,
    description:
      "Number of accounts at the end of the charged period; null for plans that are not charged by accounts.",
  })
  unitsAtPeriodEnd!: number | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was cancelled." })
  canceledDateTime!: Date | null;

  @Field(() => DateTimeScalar, { description: "When it was made." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  modifiedAt!: Date;
}
