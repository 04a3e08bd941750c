import { Field, Int, ObjectType } from "type-graphql";
import { NoPaymentReason, OrderItemType } from "../../../schema/vocabulary.ts";
import { DateTimeScalar, DecimalScalar } from "../../graphql/scalars.ts";
import { Payment } from "../../payments/payment.type.ts";
import { Subscription } from "../subscription.type.ts";
import { Order } from "../../orders/order.type.ts";

@ObjectType({ description: "A subscription after its billing interval was changed.", simpleResolvers: true })
export class ChangeSubscriptionIntervalPayload {
  @Field(() => Subscription, { description: "The subscription." })
  subscription!: Subscription;
}

@ObjectType({ description: "A subscription after usage of an item was recorded.", simpleResolvers: true })
export class RecordUsagePayload extends ChangeSubscriptionIntervalPayload {}

@ObjectType({ description: "A subscription after the units in use of an item were set.", simpleResolvers: true })
export class SetSubscriptionUnitsPayload extends ChangeSubscriptionIntervalPayload {}

/** The charge in the payload of every change that charges at once. */
@ObjectType({ simpleResolvers: true })
abstract class ChargedPayload {
  @Field(() => Payment, {
    nullable: true,
    description:
      "Attempt to charge `order` to the subscription's stored method. A declined attempt is FAILED. Null if no attempt was made; `noPaymentReason` has the reason.",
  })
  payment!: Payment | null;

  @Field(() => NoPaymentReason, {
    nullable: true,
    description: "Reason why there is no payment. Null if there is one.",
  })
  noPaymentReason!: NoPaymentReason | null;
}

@ObjectType({ description: "A subscription after the end of its pause.", simpleResolvers: true })
export class ActivateSubscriptionPayload extends ChargedPayload {
  @Field(() => Subscription, { description: "The subscription." })
  subscription!: Subscription;

  @Field(() => Order, {
    nullable: true,
    description:
      "Order of the period that begins now. Null if no period begins, if the period is postpaid, or if the order cannot be created yet.",
  })
  order!: Order | null;
}

@ObjectType({
  description: "A subscription after its cancellation was made or scheduled.",
  simpleResolvers: true,
})
export class CancelSubscriptionPayload extends ChargedPayload {
  @Field(() => Subscription, { description: "The subscription." })
  subscription!: Subscription;

  @Field(() => Order, {
    nullable: true,
    description:
      "Last order, which is charged at once: the usage so far of a postpaid subscription. Null if there is nothing to charge.",
  })
  order!: Order | null;
}

@ObjectType({ description: "A subscription after its pause was started or scheduled.", simpleResolvers: true })
export class PauseSubscriptionPayload extends CancelSubscriptionPayload {}

@ObjectType({ description: "A subscription after its items were changed.", simpleResolvers: true })
export class ChangeSubscriptionItemsPayload extends ChargedPayload {
  @Field(() => Subscription, { description: "The subscription. Items that must be paid join it after their payment." })
  subscription!: Subscription;

  @Field(() => Order, {
    nullable: true,
    description: "Order that is charged at once for the rest of the period. Null if there is nothing to charge.",
  })
  order!: Order | null;

  @Field(() => DecimalScalar, {
    description:
      "Value of the paid time that the change leaves unused, in the subscription's currency. It is recorded and not refunded.",
  })
  refundableAmount!: string;
}

@ObjectType({ description: "A subscription after plans of its items were changed.", simpleResolvers: true })
export class ChangeSubscriptionPlanPayload extends ChangeSubscriptionItemsPayload {}

@ObjectType({ description: "A subscription after the quota of an item was changed.", simpleResolvers: true })
export class ChangeSubscriptionQuotaPayload extends ChangeSubscriptionItemsPayload {}

@ObjectType({ description: "The order by which a payer stores a payment method.", simpleResolvers: true })
export class RequestPaymentMethodPayload {
  @Field(() => Order, { description: "The order, with the amount 0. The payer opens its payment link." })
  order!: Order;
}

@ObjectType({ description: "A line of a future charge.", simpleResolvers: true })
export class SubscriptionChargeLine {
  @Field(() => OrderItemType, { description: "Purpose of the line." })
  type!: OrderItemType;

  @Field(() => String, { description: "Name of the product. For a fee, the name of the fee." })
  name!: string;

  @Field(() => String, {
    nullable: true,
    description: "Code of the subscription's item that the line charges. Null if it charges none.",
  })
  itemCode!: string | null;

  @Field(() => Int, { description: "Charged quantity." })
  quantity!: number;

  @Field(() => DecimalScalar, { description: "Price of one unit, options included." })
  unitPrice!: string;

  @Field(() => DecimalScalar, { description: "Amount that the line adds to the charge. Negative for a discount." })
  amount!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Number of units that are charged by usage. Null without such units.",
  })
  usedCount!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Number of units that are charged by time. Null without such units.",
  })
  unitCount!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Price ranges that apply to the units, as text. Null without units.",
  })
  usageFormula!: string | null;
}

@ObjectType({
  description: "The next charge of a subscription, as far as it is known now.",
  simpleResolvers: true,
})
export class SubscriptionCharge {
  @Field(() => DateTimeScalar, { description: "Time of the charge." })
  date!: Date;

  @Field(() => DecimalScalar, { description: "Total of the lines, in the subscription's currency." })
  amount!: string;

  @Field(() => DecimalScalar, { description: "Total of the discounts." })
  discountedAmount!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currency!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Start of the period that begins. Null if the subscription ends.",
  })
  periodStart!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "End of the period that begins. Null if the subscription ends.",
  })
  periodEnd!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Start of the postpaid time. Null if nothing is postpaid.",
  })
  calculateStartDate!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "End of the postpaid time. Null if nothing is postpaid.",
  })
  calculateEndDate!: Date | null;

  @Field(() => [SubscriptionChargeLine], { description: "Lines of the charge, in order." })
  lines!: SubscriptionChargeLine[];
}

@ObjectType({
  description: "Cost of a change of a subscription now, and the next charge of the subscription after it.",
  simpleResolvers: true,
})
export class SubscriptionChangePreview {
  @Field(() => DecimalScalar, {
    description:
      "Amount that the change charges at once; 0 if nothing is due. The order of the change has the same amount.",
  })
  amount!: string;

  @Field(() => DecimalScalar, { description: "Total of the discounts in `amount`." })
  discountedAmount!: string;

  @Field(() => DecimalScalar, {
    description:
      "Value of the paid time that the change leaves unused. It would be recorded as refundable and not refunded.",
  })
  refundableAmount!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency of all amounts." })
  currency!: string;

  @Field(() => [SubscriptionChargeLine], {
    description: "Lines of the order that is charged at once, in order. Empty if there is no order.",
  })
  lines!: SubscriptionChargeLine[];

  @Field(() => SubscriptionCharge, {
    nullable: true,
    description:
      "The next charge after the change is made and paid, with metered units as known now. Null if there is none.",
  })
  nextCharge!: SubscriptionCharge | null;
}
