import { Field, Int, ObjectType } from "type-graphql";
import { NoPaymentReason, OrderItemType } from "../../../schema/vocabulary.ts";
import { DateTimeScalar, DecimalScalar } from "../../graphql/scalars.ts";
import { Payment } from "../../payments/payment.type.ts";
import { Subscription } from "../subscription.type.ts";
import { Order } from "../../orders/order.type.ts";

@ObjectType({ description: "A subscription after it was changed.", simpleResolvers: true })
export class ChangeSubscriptionPayload {
  @Field(() => Subscription, { description: "The subscription." })
  subscription!: Subscription;
}

/** What the payload of every change that charges at once says of the charge. */
@ObjectType({ simpleResolvers: true })
abstract class ChargedPayload {
  @Field(() => Payment, {
    nullable: true,
    description:
      "The attempt that charged that order to the subscription's stored method. A decline is one that FAILED. Null where none was made; `noPaymentReason` says why.",
  })
  payment!: Payment | null;

  @Field(() => NoPaymentReason, {
    nullable: true,
    description: "Why there is no payment; null where there is one.",
  })
  noPaymentReason!: NoPaymentReason | null;
}

@ObjectType({ description: "A subscription after its pause ended.", simpleResolvers: true })
export class ActivateSubscriptionPayload extends ChargedPayload {
  @Field(() => Subscription, { description: "The subscription." })
  subscription!: Subscription;

  @Field(() => Order, {
    nullable: true,
    description:
      "The order of the period that begins now; null where none begins, where it is charged afterwards, and where it cannot be ordered yet.",
  })
  order!: Order | null;
}

@ObjectType({ description: "A subscription after it was stopped, for a while or for good.", simpleResolvers: true })
export class StopSubscriptionPayload extends ChargedPayload {
  @Field(() => Subscription, { description: "The subscription." })
  subscription!: Subscription;

  @Field(() => Order, {
    nullable: true,
    description:
      "Its last order, which is charged at once: what was used until now of a subscription that is charged afterwards. Null where nothing is.",
  })
  order!: Order | null;
}

@ObjectType({ description: "A subscription after what it consists of was changed.", simpleResolvers: true })
export class SettleSubscriptionPayload extends ChargedPayload {
  @Field(() => Subscription, { description: "The subscription. What has to be paid joins it when that is paid." })
  subscription!: Subscription;

  @Field(() => Order, {
    nullable: true,
    description: "The order that is charged at once, for the part of the period that is left; null where nothing is.",
  })
  order!: Order | null;

  @Field(() => DecimalScalar, {
    description:
      "What the change left of time that was paid, in the subscription's currency. It is noted, not given back.",
  })
  refundableAmount!: string;
}

@ObjectType({ description: "The order by which a payer stores a payment method.", simpleResolvers: true })
export class RequestPaymentMethodPayload {
  @Field(() => Order, { description: "The order; its amount is 0. The payer opens its payment link." })
  order!: Order;
}

@ObjectType({ description: "A line of a charge that is still to come.", simpleResolvers: true })
export class SubscriptionChargeLine {
  @Field(() => OrderItemType, { description: "What kind of line it will be." })
  type!: OrderItemType;

  @Field(() => String, { description: "Name of the product; of a fee its own name." })
  name!: string;

  @Field(() => String, { nullable: true, description: "Code of the subscription's item that it charges." })
  itemCode!: string | null;

  @Field(() => Int, { description: "How many are charged." })
  quantity!: number;

  @Field(() => DecimalScalar, { description: "What one costs, options included." })
  unitPrice!: string;

  @Field(() => DecimalScalar, { description: "What the line adds to the charge; below zero for a discount." })
  amount!: string;

  @Field(() => DecimalScalar, { nullable: true, description: "Units that are charged by use; null without them." })
  usedCount!: string | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Units that are charged by time; null without them." })
  unitCount!: string | null;

  @Field(() => String, { nullable: true, description: "The ranges that apply to the units, in words." })
  usageFormula!: string | null;
}

@ObjectType({
  description: "What a subscription will be charged next, by what is known now.",
  simpleResolvers: true,
})
export class SubscriptionCharge {
  @Field(() => DateTimeScalar, { description: "When it will be charged." })
  date!: Date;

  @Field(() => DecimalScalar, { description: "What the lines add up to." })
  amount!: string;

  @Field(() => DecimalScalar, { description: "What discounts take off it." })
  discountedAmount!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currency!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: "Start of the period that begins; null where it ends." })
  periodStart!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "End of the period that begins; null where it ends." })
  periodEnd!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Start of the time that is charged afterwards; null where nothing is.",
  })
  calculateStartDate!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "End of the time that is charged afterwards; null where nothing is.",
  })
  calculateEndDate!: Date | null;

  @Field(() => [SubscriptionChargeLine], { description: "Its lines, in order." })
  lines!: SubscriptionChargeLine[];
}

@ObjectType({
  description: "What a change of a subscription would cost now, and what the subscription would be charged next.",
  simpleResolvers: true,
})
export class SubscriptionChangePreview {
  @Field(() => DecimalScalar, {
    description:
      "Amount that the change charges at once; 0 where it charges nothing. The order of the change has the same.",
  })
  amount!: string;

  @Field(() => DecimalScalar, { description: "Discounts that are taken off in that amount." })
  discountedAmount!: string;

  @Field(() => DecimalScalar, {
    description: "Amount of paid time that the change leaves unused. It would be noted as refundable, not refunded.",
  })
  refundableAmount!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency of all amounts." })
  currency!: string;

  @Field(() => [SubscriptionChargeLine], {
    description: "Lines of the order that is charged at once, in order; empty where there is no order.",
  })
  lines!: SubscriptionChargeLine[];

  @Field(() => SubscriptionCharge, {
    nullable: true,
    description:
      "The next charge once the change is made and paid, with metered units as known now; null where none is to come.",
  })
  nextCharge!: SubscriptionCharge | null;
}
