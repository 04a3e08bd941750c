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

@InputType({ description: "A product to order, with one of its plans." })
export class OrderItemInput {
  @Field(() => LineScalar, { description: "Code of the product." })
  productCode!: string;

  @Field(() => LineScalar, { description: "Code of the price plan." })
  priceCode!: string;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description: "Quantity of the item. Defaults to 1, also where it is 0.",
  })
  quantity?: number | null;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description: "Quantity of the item under the name that it has in REST. Refused where it differs from quantity.",
    deprecationReason: "Use quantity.",
  })
  minimumQuantity?: number | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Largest quantity that the payer may choose. The quantity cannot be changed where it is absent.",
  })
  maximumQuantity?: number | null;

  @Field(() => [Int], { nullable: true, description: "Ids of the chosen options, one of each option group." })
  optionIds?: number[] | null;

  @Field(() => CurrencyScalar, {
    nullable: true,
    description:
      "Currency of the item. It must be the currency of the order, and it sets that currency where the order names none.",
  })
  currency?: string | null;
}

@InputType({
  description:
    "An order to make. At least one of customerId, customerCode and customerUuid names the customer; several must name the same one.",
})
export class CreateOrderInput {
  @Field(() => ID, { nullable: true, description: "Global id or number of the customer." })
  customerId?: string | null;

  @Field(() => LineScalar, { nullable: true, description: "Code of the customer." })
  customerCode?: string | null;

  @Field(() => GraphQLUUID, { nullable: true, description: "Unique id of the customer." })
  customerUuid?: string | null;

  @Field(() => [OrderItemInput], { description: "What is ordered: 1 to 500 items." })
  items!: OrderItemInput[];

  @Field(() => CurrencyScalar, {
    nullable: true,
    description:
      "Currency of the order. Defaults to that of its items, else to the vendor's base currency; in REST to KRW.",
  })
  currency?: string | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Where it is sold; the vendor's country unless told." })
  region?: RegionCode | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Until when it can be paid; without an end unless told.",
  })
  purchaseDeadline?: Date | null;

  @Field(() => PaymentGateway, {
    nullable: true,
    description: "The only gateway it can be paid through; any unless told.",
  })
  paymentGateway?: PaymentGateway | null;

  @Field(() => [PaymentMethod], {
    nullable: true,
    description: "The only ways in which it can be paid; any unless told.",
  })
  allowedPaymentMethods?: PaymentMethod[] | null;
}

@ObjectType({ description: "The order after it was made.", simpleResolvers: true })
export class CreateOrderPayload {
  @Field(() => Order, { description: "The order. Nothing is charged yet." })
  order!: Order;
}

@InputType({ description: "An order to cancel." })
export class CancelOrderInput {
  @Field(() => ID, { description: "Global id or number of the order." })
  orderId!: string;

  @Field(() => TextScalar, { nullable: true, description: "Why, for its history." })
  reason?: string | null;
}

@ObjectType({ description: "The order after it was cancelled.", simpleResolvers: true })
export class CancelOrderPayload {
  @Field(() => Order, { description: "The order." })
  order!: Order;
}

@InputType({ description: "Lines of orders to move. All of them move, or none." })
export class MoveOrderItemsInput {
  @Field(() => [ID], { description: "Global ids or numbers of the lines: 1 to 100." })
  itemIds!: string[];

  @Field(() => OrderItemTrigger, { description: "The move. The state of each line must allow it." })
  trigger!: OrderItemTrigger;

  @Field(() => TextScalar, { nullable: true, description: "Why, for their histories." })
  reason?: string | null;
}

@ObjectType({ description: "Lines of orders after they moved.", simpleResolvers: true })
export class MoveOrderItemsPayload {
  @Field(() => [OrderItem], { description: "The lines, in the order in which they were named." })
  items!: OrderItem[];
}
