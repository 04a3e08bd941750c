import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { CoverOrderStatus, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import { connectionType, sortInputType, PeriodInput } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import {
  DateTimeScalar,
  DecimalScalar,
  LineScalar,
  PartnerIdScalar,
  PositiveIntScalar,
  TextScalar,
} from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { CoverPrice } from "./cover-price.type.ts";
import { FailureInput } from "../covers/cover.type.ts";

@ObjectType("CoverOrderItem", { description: "One line of a registered order.", simpleResolvers: true })
export class CoverOrderItem {
  @Field(() => Int, { description: "How many were ordered." })
  quantity!: number;

  @Field(() => CoverPrice, { description: "The price plan that was ordered." })
  price!: CoverPrice;
}

@ObjectType("CoverOrder", {
  description: "An order that was paid, or should have been, outside of Recoup.",
  implements: Node,
  simpleResolvers: true,
})
export class CoverOrder extends Node {
  @Field(() => CoverOrderStatus, { description: "Its state." })
  status!: CoverOrderStatus;

  @Field(() => DecimalScalar, { description: "What is to be paid, in the vendor's currency." })
  amount!: Amount;

  @Field(() => DecimalScalar, { description: "What was returned of it, in the vendor's currency." })
  amountReturned!: Amount;

  @Field(() => [CoverOrderItem], { description: "Its lines, in the order in which they were sent." })
  items!: CoverOrderItem[];

  @Field(() => String, { description: "The merchant's own unique id of the order." })
  partnerOrderId!: string;

  @Field(() => String, { nullable: true, description: "Id of the payment." })
  idKey!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was paid." })
  paymentDate!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was cancelled." })
  canceledDate!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: "What the merchant told of the payment, such as the card's issuer; card numbers are masked.",
  })
  paymentInfo!: string | null;

  @Field(() => PaymentGateway, { description: "The gateway that charged it." })
  paymentGateway!: PaymentGateway;

  @Field(() => PaymentMethod, { nullable: true, description: "How it is paid, where the merchant told it." })
  paymentMethod!: PaymentMethod | null;

  @Field(() => DateTimeScalar, { description: "When it was registered." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  modifiedAt!: Date;
}

@InputType({ description: "One line of an order to register." })
export class CoverOrderItemInput {
  @Field(() => PositiveIntScalar, { description: "How many are ordered." })
  quantity!: number;

  @Field(() => ID, { description: "The registered price plan." })
  priceId!: string;
}

@InputType({ description: "An order to register, under the merchant's own id." })
export class RegisterCoverOrderInput extends FailureInput {
  @Field(() => ID, { description: "The registered customer." })
  customerId!: string;

  @Field(() => DecimalScalar, {
    description: "What is to be paid, in the vendor's currency. It is taken as sent, not compared with the items.",
  })
  amount!: Amount;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "What was returned of it: 0 unless told, at most the amount.",
  })
  amountReturned?: Amount | null;

  @Field(() => [CoverOrderItemInput], {
    description: "Its lines: at least one. Where the order is replaced they are swapped whole.",
  })
  items!: CoverOrderItemInput[];

  @Field(() => PartnerIdScalar, { description: "The merchant's own unique id of the order." })
  partnerOrderId!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "When it was paid; without `paymentFailed` this makes the order PAID and ends its cover as recovered.",
  })
  paymentDate?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it was cancelled; this stops its cover." })
  canceledDate?: Date | null;

  @Field(() => LineScalar, { nullable: true, description: "Id of the payment." })
  idKey?: string | null;

  @Field(() => ID, { nullable: true, description: "The registered subscription that it belongs to." })
  subscriptionId?: string | null;

  @Field(() => TextScalar, {
    nullable: true,
    description: "Something to know the payment method by, such as the card's issuer.",
  })
  paymentInfo?: string | null;

  @Field(() => PaymentGateway, { nullable: true, description: "The gateway that charged it; UNKNOWN unless told." })
  paymentGateway?: PaymentGateway | null;

  @Field(() => PaymentMethod, {
    nullable: true,
    description: "How it is paid: a recovery policy may have other terms for it.",
  })
  paymentMethod?: PaymentMethod | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True reports that the payment failed: the order becomes PAYMENT_FAILURE and its recovery starts, or goes on.",
  })
  paymentFailed?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "When the partner id exists: true updates the order with the fields sent, false (the default) refuses with DUPLICATE_PARTNER_ID.",
  })
  replaceIfExists?: boolean | null;
}

@ObjectType({ description: "The order after its registration.", simpleResolvers: true })
export class RegisterCoverOrderPayload {
  @Field(() => CoverOrder, { description: "The order." })
  order!: CoverOrder;
}

@InputType({ description: "An order that was paid after all." })
export class ReportCoverOrderPaidInput {
  @Field(() => ID, { description: "The registered order." })
  orderId!: string;

  @Field(() => Boolean, {
    nullable: true,
    description: "True posts the event that its recovery succeeded; false unless told.",
  })
  notify?: boolean | null;
}

@ObjectType({ description: "The order after the payment.", simpleResolvers: true })
export class ReportCoverOrderPaidPayload {
  @Field(() => CoverOrder, { description: "The order." })
  order!: CoverOrder;
}

@InputType({ description: "An order that will not be paid any more." })
export class CancelCoverOrderInput {
  @Field(() => ID, { description: "The registered order." })
  orderId!: string;
}

@ObjectType({ description: "The order after its cancellation.", simpleResolvers: true })
export class CancelCoverOrderPayload {
  @Field(() => CoverOrder, { description: "The order." })
  order!: CoverOrder;
}

@InputType({ description: "A move of a paid order." })
export class SetCoverOrderStatusInput {
  @Field(() => ID, { description: "The registered order." })
  orderId!: string;

  @Field(() => CoverOrderStatus, { description: "The state to move to." })
  status!: CoverOrderStatus;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "How much was returned: for PARTIAL_REFUND only, where it is required.",
  })
  amountReturned?: Amount | null;
}

@ObjectType({ description: "The order after the move.", simpleResolvers: true })
export class SetCoverOrderStatusPayload {
  @Field(() => CoverOrder, { description: "The order." })
  order!: CoverOrder;
}

@InputType({ description: "Which orders are asked for; all conditions hold together." })
export class CoverOrderFilterInput {
  @Field(() => [CoverOrderStatus], { nullable: true, description: "Those in one of these states." })
  statuses?: CoverOrderStatus[] | null;

  @Field(() => ID, { nullable: true, description: "Those of this customer." })
  customerId?: string | null;

  @Field(() => ID, { nullable: true, description: "Those of this subscription." })
  subscriptionId?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those registered in this period." })
  createdAt?: PeriodInput | null;
}

export const CoverOrderSortInput = sortInputType("CoverOrder", { CREATED_AT: "When it was registered." });
export type CoverOrderSortInput = InstanceType<typeof CoverOrderSortInput>;

export const CoverOrderConnection = connectionType(() => CoverOrder, "CoverOrder");
