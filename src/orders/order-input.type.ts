import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import { OrderItemTrigger, PaymentGateway, PaymentMethod } from "../../schema/vocabulary.ts";
import {
  CurrencyScalar,
  DateTimeScalar,
  GraphQLUUID,
  LineScalar,
  NonNegativeIntScalar,
  PositiveIntScalar,
  RegionCodeScalar,
  TextScalar,
} from "../graphql/scalars.ts";
import { OrderItem } from "./order-item.type.ts";
import { Order } from "./order.type.ts";

@InputType({ description: "A product to order, with one of its price plans." })
export class OrderItemInput {
  @Field(() => LineScalar, { description: "Code of the product." })
  productCode!: string;

  @Field(() => LineScalar, { description: "Code of the price plan." })
  priceCode!: string;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description: "Quantity of the item. Defaults to 1; 0 also means 1.",
  })
  quantity?: number | null;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description: "Quantity of the item under its REST name. Refused if it differs from `quantity`.",
    deprecationReason: "Use quantity.",
  })
  minimumQuantity?: number | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Largest quantity that the payer can choose. If absent, the payer cannot change the quantity.",
  })
  maximumQuantity?: number | null;

  @Field(() => [Int], { nullable: true, description: "Ids of the chosen options: one of each option group." })
  optionIds?: number[] | null;

  @Field(() => CurrencyScalar, {
    nullable: true,
    description:
      "Currency of the item. It must be the currency of the order, and it sets that currency if the order names none.",
  })
  currency?: string | null;
}

@InputType({
  description:
    "An order to create. At least one of customerId, customerCode and customerUuid is required; several must identify the same customer.",
})
export class CreateOrderInput {
  @Field(() => ID, { nullable: true, description: "Global id or number of the customer." })
  customerId?: string | null;

  @Field(() => LineScalar, { nullable: true, description: "Code of the customer." })
  customerCode?: string | null;

  @Field(() => GraphQLUUID, { nullable: true, description: "Unique id of the customer." })
  customerUuid?: string | null;

  @Field(() => [OrderItemInput], { description: "Items of the order: 1 to 500." })
  items!: OrderItemInput[];

  @Field(() => CurrencyScalar, {
    nullable: true,
    description:
      "Currency of the order. Defaults to the currency of its items, else to the vendor's base currency; in REST to KRW.",
  })
  currency?: string | null;

  @Field(() => RegionCodeScalar, {
    nullable: true,
    description: "Sales region of the order. Defaults to the vendor's country.",
  })
  region?: RegionCode | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Deadline for the payment. Defaults to no deadline.",
  })
  purchaseDeadline?: Date | null;

  @Field(() => PaymentGateway, {
    nullable: true,
    description: "Gateway through which the order must be paid. Defaults to any gateway.",
  })
  paymentGateway?: PaymentGateway | null;

  @Field(() => [PaymentMethod], {
    nullable: true,
    description: "Payment methods that the order accepts. Defaults to all methods.",
  })
  allowedPaymentMethods?: PaymentMethod[] | null;
}

@ObjectType({ description: "The order after its creation.", simpleResolvers: true })
export class CreateOrderPayload {
  @Field(() => Order, { description: "The created order. Nothing is charged yet." })
  order!: Order;
}

@InputType({ description: "An order to cancel." })
export class CancelOrderInput {
  @Field(() => ID, { description: "Global id or number of the order." })
  orderId!: string;

  @Field(() => TextScalar, { nullable: true, description: "Reason, for the history of the order." })
  reason?: string | null;
}

@ObjectType({ description: "The order after its cancellation.", simpleResolvers: true })
export class CancelOrderPayload {
  @Field(() => Order, { description: "The order." })
  order!: Order;
}

@InputType({ description: "Order lines to change by one transition. All of them change, or none." })
export class MoveOrderItemsInput {
  @Field(() => [ID], { description: "Global ids or numbers of the lines. 1 to 100." })
  itemIds!: string[];

  @Field(() => OrderItemTrigger, { description: "The transition. The state of each line must allow it." })
  trigger!: OrderItemTrigger;

  @Field(() => TextScalar, { nullable: true, description: "Reason, for the histories of the lines." })
  reason?: string | null;
}

@ObjectType({ description: "Order lines after their transition.", simpleResolvers: true })
export class MoveOrderItemsPayload {
  @Field(() => [OrderItem], { description: "The lines, in the order of the input." })
  items!: OrderItem[];
}
