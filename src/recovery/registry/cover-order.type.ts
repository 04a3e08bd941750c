import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { CoverOrderStatus, Initiator, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
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
  @Field(() => Int, { description: "Ordered quantity." })
  quantity!: number;

  @Field(() => CoverPrice, { description: "Ordered price plan." })
  price!: CoverPrice;
}

@ObjectType("CoverOrder", {
  description: "An order that is charged outside of Recoup and registered by the merchant.",
  implements: Node,
  simpleResolvers: true,
})
export class CoverOrder extends Node {
  @Field(() => CoverOrderStatus, { description: "Current state of the record." })
  status!: CoverOrderStatus;

  @Field(() => DecimalScalar, { description: "Amount to pay, in the vendor's currency." })
  amount!: Amount;

  @Field(() => DecimalScalar, { description: "Amount that was returned, in the vendor's currency." })
  amountReturned!: Amount;

  @Field(() => [CoverOrderItem], { description: "Lines of the order, in the order in which they were sent." })
  items!: CoverOrderItem[];

  @Field(() => String, { description: "The merchant's own unique id of the order." })
  partnerOrderId!: string;

  @Field(() => String, { nullable: true, description: "Id of the payment. Null if the merchant did not send it." })
  idKey!: string | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the payment. Null while unpaid." })
  paymentDate!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the cancellation. Null if it was not cancelled.",
  })
  canceledAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description:
      "Description of the payment that the merchant sent, such as the card's issuer. Card numbers are masked. Null if none was sent.",
  })
  paymentInfo!: string | null;

  @Field(() => PaymentGateway, { description: "Gateway that charged the order." })
  paymentGateway!: PaymentGateway;

  @Field(() => PaymentMethod, { nullable: true, description: "Payment method. Null if the merchant did not send it." })
  paymentMethod!: PaymentMethod | null;

  @Field(() => DateTimeScalar, { description: "Time of the registration." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}

@InputType({ description: "One line of an order to register." })
export class CoverOrderItemInput {
  @Field(() => PositiveIntScalar, { description: "Ordered quantity." })
  quantity!: number;

  @Field(() => ID, { description: "The registered price plan." })
  priceId!: string;
}

@InputType({ description: "An order to register, under the merchant's own id." })
export class RegisterCoverOrderInput extends FailureInput {
  @Field(() => ID, { description: "The registered customer." })
  customerId!: string;

  @Field(() => DecimalScalar, {
    description: "Amount to pay, in the vendor's currency. It is stored as sent and not compared with the items.",
  })
  amount!: Amount;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Amount that was returned. Defaults to 0; at most the amount of the order.",
  })
  amountReturned?: Amount | null;

  @Field(() => [CoverOrderItemInput], {
    description: "Lines of the order, at least one. An update of the order replaces all lines.",
  })
  items!: CoverOrderItemInput[];

  @Field(() => PartnerIdScalar, { description: "The merchant's own unique id of the order." })
  partnerOrderId!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "Time of the payment. Without `paymentFailed` it makes the order PAID and ends its cover as recovered.",
  })
  paymentDate?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the cancellation. It stops the cover of the order.",
  })
  canceledAt?: Date | null;

  @Field(() => LineScalar, { nullable: true, description: "Id of the payment." })
  idKey?: string | null;

  @Field(() => ID, { nullable: true, description: "Registered subscription that the order belongs to." })
  subscriptionId?: string | null;

  @Field(() => TextScalar, {
    nullable: true,
    description: "Description of the payment method, such as the card's issuer.",
  })
  paymentInfo?: string | null;

  @Field(() => PaymentGateway, { nullable: true, description: "Gateway that charged the order. Defaults to UNKNOWN." })
  paymentGateway?: PaymentGateway | null;

  @Field(() => PaymentMethod, {
    nullable: true,
    description: "Payment method. A recovery policy can have different terms for it.",
  })
  paymentMethod?: PaymentMethod | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True reports that the payment failed: the order becomes PAYMENT_FAILURE and its recovery starts or continues.",
  })
  paymentFailed?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Behaviour if the partner id exists: true updates the order with the sent fields, false refuses with DUPLICATE_PARTNER_ID. Defaults to false.",
  })
  replaceIfExists?: boolean | null;
}

@ObjectType({ description: "The order after its registration.", simpleResolvers: true })
export class RegisterCoverOrderPayload {
  @Field(() => CoverOrder, { description: "The order." })
  order!: CoverOrder;
}

@InputType({ description: "An order that was paid." })
export class ReportCoverOrderPaidInput {
  @Field(() => ID, { description: "The registered order." })
  orderId!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True requests that the event COVER_RECOVERED is posted to the merchant; false only records it. Defaults to false. Nothing is posted yet.",
  })
  notify?: boolean | null;

  @Field(() => Initiator, {
    nullable: true,
    description:
      "Initiator of the payment. CUSTOMER if the payer paid in person: then SMART does not learn from it as a retry that worked. Defaults to MERCHANT.",
  })
  initiator?: Initiator | null;
}

@ObjectType({ description: "The order after the payment.", simpleResolvers: true })
export class ReportCoverOrderPaidPayload {
  @Field(() => CoverOrder, { description: "The order." })
  order!: CoverOrder;
}

@InputType({ description: "An order that will not be paid." })
export class CancelCoverOrderInput {
  @Field(() => ID, { description: "The registered order." })
  orderId!: string;
}

@ObjectType({ description: "The order after its cancellation.", simpleResolvers: true })
export class CancelCoverOrderPayload {
  @Field(() => CoverOrder, { description: "The order." })
  order!: CoverOrder;
}

@InputType({ description: "A change of the status of a paid order." })
export class SetCoverOrderStatusInput {
  @Field(() => ID, { description: "The registered order." })
  orderId!: string;

  @Field(() => CoverOrderStatus, { description: "The new status." })
  status!: CoverOrderStatus;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Returned amount. Required for PARTIAL_REFUND, and refused for other statuses.",
  })
  amountReturned?: Amount | null;
}

@ObjectType({ description: "The order after the change.", simpleResolvers: true })
export class SetCoverOrderStatusPayload {
  @Field(() => CoverOrder, { description: "The order." })
  order!: CoverOrder;
}

@InputType({ description: "Filter of registered orders. All conditions must hold." })
export class CoverOrderFilterInput {
  @Field(() => [CoverOrderStatus], { nullable: true, description: "Returns only orders in one of these states." })
  statuses?: CoverOrderStatus[] | null;

  @Field(() => ID, { nullable: true, description: "Returns only orders of this registered customer." }) customerId?:
    string | null;

  @Field(() => ID, { nullable: true, description: "Returns only orders of this subscription." }) subscriptionId?:
    string | null;

  @Field(() => PeriodInput, {
    nullable: true,
    description: "Returns only records that were registered in this period.",
  })
  createdAt?: PeriodInput | null;
}

export const CoverOrderSortInput = sortInputType("CoverOrder", { CREATED_AT: "Time of the registration." });
export type CoverOrderSortInput = InstanceType<typeof CoverOrderSortInput>;

export const CoverOrderConnection = connectionType(() => CoverOrder, "CoverOrder");
