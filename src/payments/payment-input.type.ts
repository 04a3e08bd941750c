import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { PaymentMethod } from "../../schema/vocabulary.ts";
import { DecimalScalar, LineScalar, TextScalar } from "../graphql/scalars.ts";
import type { Amount } from "../kernel/amounts.ts";
import { Order } from "../orders/order.type.ts";
import { Payment } from "./payment.type.ts";

@InputType({ description: "A card. It is sent to the payment gateway and never stored." })
export class CardInput {
  @Field(() => LineScalar, { description: "Card number: 12 to 19 digits. Spaces and hyphens are ignored." })
  number!: string;

  @Field(() => Int, { description: "Month in which the card expires: 1 to 12." })
  expiryMonth!: number;

  @Field(() => Int, { description: "Year in which the card expires, with four digits." })
  expiryYear!: number;
}

@InputType({ description: "The payment of an order." })
export class PayOrderInput {
  @Field(() => ID, { description: "Global id or number of the order." })
  orderId!: string;

  @Field(() => PaymentMethod, { nullable: true, description: "Payment method. Not required with a stored method." })
  method?: PaymentMethod | null;

  @Field(() => ID, { nullable: true, description: "Number of the customer's stored method to charge." })
  storedMethodId?: string | null;

  @Field(() => CardInput, { nullable: true, description: "Card to charge, if it is not stored." })
  card?: CardInput | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True stores the method for later charges. The first order of a subscription always stores it.",
  })
  storeMethod?: boolean | null;
}

@ObjectType({ description: "Result of a payment.", simpleResolvers: true })
export class PayOrderPayload {
  @Field(() => Order, { description: "The order." })
  order!: Order;

  @Field(() => Payment, { description: "The payment attempt. A declined attempt is FAILED." })
  payment!: Payment;
}

@ObjectType({ description: "The order and its payment after a deposit was confirmed.", simpleResolvers: true })
export class ConfirmDepositPayload extends PayOrderPayload {}

@InputType({ description: "An order line to refund." })
export class RefundItemInput {
  @Field(() => ID, { description: "Global id or number of the line." })
  itemId!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Amount to refund. Defaults to the rest of the line, with its discount and its tax.",
  })
  amount?: Amount | null;
}

@InputType({ description: "A refund of an order: of some lines, of an amount, or of everything that is left." })
export class RefundOrderInput {
  @Field(() => ID, { description: "Global id or number of the order." })
  orderId!: string;

  @Field(() => [RefundItemInput], { nullable: true, description: "Lines to refund. Defaults to all lines." }) items?:
    RefundItemInput[] | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Amount to refund, spread over the lines. Cannot be used together with `items`.",
  })
  amount?: Amount | null;

  @Field(() => TextScalar, { nullable: true, description: "Reason, for the histories of the lines." }) reason?:
    string | null;
}

@ObjectType({ description: "An order after a refund.", simpleResolvers: true })
export class RefundOrderPayload {
  @Field(() => Order, { description: "The order. A refund whose outcome is unknown is listed in its payments." })
  order!: Order;
}

@InputType({ description: "An order whose deposit has arrived." })
export class ConfirmDepositInput {
  @Field(() => ID, { description: "Global id or number of the order." })
  orderId!: string;
}
