import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { PaymentMethod } from "../../schema/vocabulary.ts";
import { DecimalScalar, LineScalar, TextScalar } from "../graphql/scalars.ts";
import type { Amount } from "../kernel/amounts.ts";
import { Order } from "../orders/order.type.ts";
import { Payment } from "./payment.type.ts";

@InputType({ description: "A card. It is handed to the payment gateway and kept nowhere." })
export class CardInput {
  @Field(() => LineScalar, { description: "Its number: 12 to 19 digits; spaces and hyphens are ignored." })
  number!: string;

  @Field(() => Int, { description: "The month in which it expires: 1 to 12." })
  expiryMonth!: number;

  @Field(() => Int, { description: "The year in which it expires, four digits." })
  expiryYear!: number;
}

@InputType({ description: "How an order is paid." })
export class PayOrderInput {
  @Field(() => ID, { description: "Global id or number of the order." })
  orderId!: string;

  @Field(() => PaymentMethod, { nullable: true, description: "How it is paid; not needed with a stored method." })
  method?: PaymentMethod | null;

  @Field(() => ID, { nullable: true, description: "Number of a method that the customer stored: it is charged." })
  storedMethodId?: string | null;

  @Field(() => CardInput, { nullable: true, description: "The card, where one is charged that is not stored." })
  card?: CardInput | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Whether the method is stored, to be charged again. The first order of a subscription stores it anyway.",
  })
  storeMethod?: boolean | null;
}

@ObjectType({ description: "What became of a payment.", simpleResolvers: true })
export class PayOrderPayload {
  @Field(() => Order, { description: "The order." })
  order!: Order;

  @Field(() => Payment, { description: "The attempt. A decline is one that FAILED." })
  payment!: Payment;
}

@InputType({ description: "A line to give money back for." })
export class RefundItemInput {
  @Field(() => ID, { description: "Global id or number of the line." })
  itemId!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "How much; all that is left unless told, with its discount and its tax.",
  })
  amount?: Amount | null;
}

@InputType({ description: "Money to give back of an order: of some lines, an amount, or all that is left." })
export class RefundOrderInput {
  @Field(() => ID, { description: "Global id or number of the order." })
  orderId!: string;

  @Field(() => [RefundItemInput], { nullable: true, description: "The lines; all unless told." })
  items?: RefundItemInput[] | null;

  @Field(() => DecimalScalar, { nullable: true, description: "How much, spread over the lines; not with `items`." })
  amount?: Amount | null;

  @Field(() => TextScalar, { nullable: true, description: "Why, for the histories of the lines." })
  reason?: string | null;
}

@ObjectType({ description: "An order after money was given back.", simpleResolvers: true })
export class RefundOrderPayload {
  @Field(() => Order, { description: "The order. A refund that its gateway has not answered is seen at its payments." })
  order!: Order;
}

@InputType({ description: "An order whose deposit arrived." })
export class ConfirmDepositInput {
  @Field(() => ID, { description: "Global id or number of the order." })
  orderId!: string;
}
