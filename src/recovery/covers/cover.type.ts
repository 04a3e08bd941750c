import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import {
  AttemptKind,
  CoverEndReason,
  CoverState,
  Initiator,
  Network,
  ReasonClass,
} from "../../../schema/vocabulary.ts";
import { connectionType, sortInputType, PeriodInput } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { DateTimeScalar, DecimalScalar, LineScalar, TextScalar } from "../../graphql/scalars.ts";

@ObjectType("CoverAttempt", {
  description: "A failed payment attempt: a retry that the merchant reported, or a charge of a renewal.",
  simpleResolvers: true,
})
export class CoverAttempt {
  @Field(() => Int, { description: "Number of the attempt within the cover, starting at 1." })
  number!: number;

  @Field(() => AttemptKind, { description: "Origin of the attempt." })
  kind!: AttemptKind;

  @Field(() => DateTimeScalar, { description: "Time at which the attempt was reported or charged." })
  attemptedAt!: Date;

  @Field(() => String, { nullable: true, description: "Error code of the gateway, as sent. Null if none was sent." })
  errorCode!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Error message of the gateway, with card numbers masked. Null if none was sent.",
  })
  errorMessage!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "Merchant advice code of the card network. Null if none was sent.",
  })
  adviceCode!: string | null;

  @Field(() => Network, { nullable: true, description: "Card network of the attempt. Null if it is not known." })
  network!: Network | null;

  @Field(() => Initiator, { description: "Initiator of the attempt: the merchant or the payer." })
  initiator!: Initiator;

  @Field(() => ReasonClass, { description: "Meaning of the decline for the next attempt." })
  reasonClass!: ReasonClass;
}

@ObjectType("Cover", {
  description:
    "One cover is one recovery sequence for one unpaid order (elsewhere: dunning, revenue recovery). It starts with a failed payment and ends with the payment or with the last attempt. For a registered order the merchant makes the attempts and reports them; a renewal is charged by the service itself.",
  implements: Node,
  simpleResolvers: true,
})
export class Cover extends Node {
  @Field(() => DecimalScalar, {
    description: "Amount of the order that the cover recovers, a registered order or a renewal.",
  })
  amount!: string;

  @Field(() => String, {
    description: "ISO 4217 code of the amount's currency. A registered order has the vendor's currency.",
  })
  currency!: string;

  @Field(() => String, { description: "Name of the customer who pays the order." })
  payerName!: string;

  @Field(() => CoverState, { description: "Current state of the record." })
  state!: CoverState;

  @Field(() => CoverEndReason, {
    nullable: true,
    description: "Reason for the end of the cover. Null while the cover is in progress.",
  })
  endReason!: CoverEndReason | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "Time of the next attempt, always in the future. Null if the cover has ended, if the last date has passed and the outcome of that attempt is awaited, or if a shadow would advise no further attempt.",
  })
  retryDate!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "Time at which the payer asked to be charged, on the page that a payment method link opens. Null if the payer asked for none, and after its attempt.",
  })
  promisedAt!: Date | null;

  @Field(() => Boolean, {
    description:
      "True if the cover only records what it would advise, because the vendor was in shadow mode at its start. It ends with the payment or with its order, never with its own plan.",
  })
  shadow!: boolean;

  @Field(() => DateTimeScalar, { description: "Time of the start." })
  startedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the end. Null while the cover is in progress." })
  endedAt!: Date | null;
}

export const CoverAttemptConnection = connectionType(() => CoverAttempt, "CoverAttempt");
export const CoverConnection = connectionType(() => Cover, "Cover");

@InputType()
export abstract class FailureInput {
  @Field(() => LineScalar, { nullable: true, description: "Error code of the payment gateway." })
  errorCode?: string | null;

  @Field(() => TextScalar, { nullable: true, description: "Error message of the payment gateway." })
  errorMessage?: string | null;

  @Field(() => LineScalar, { nullable: true, description: 'Merchant advice code of the card network, such as "24".' })
  adviceCode?: string | null;

  @Field(() => Network, { nullable: true, description: "Card network of the attempt." })
  network?: Network | null;

  @Field(() => Initiator, { nullable: true, description: "Initiator of the attempt. Defaults to MERCHANT." })
  initiator?: Initiator | null;
}

@InputType({ description: "A failed payment to recover, or the report of a failed retry." })
export class StartRecoveryInput extends FailureInput {
  @Field(() => ID, { description: "The registered subscription whose payment failed." })
  subscriptionId!: string;

  @Field(() => ID, { description: "The registered order whose payment failed." })
  orderId!: string;
}

@ObjectType({ description: "The cover after the report.", simpleResolvers: true })
export class StartRecoveryPayload {
  @Field(() => Cover, { description: "The cover, which was started, continued or ended by the report." })
  cover!: Cover;
}

@InputType({ description: "The order whose payer replaced the payment method." })
export class ReportPaymentMethodChangedInput {
  @Field(() => ID, { description: "Registered order that is not paid yet." })
  orderId!: string;
}

@ObjectType({ description: "The cover after the change.", simpleResolvers: true })
export class ReportPaymentMethodChangedPayload {
  @Field(() => Cover, { description: "The cover in progress. A new cover if the last one had ended." })
  cover!: Cover;
}

@InputType({ description: "Filter of covers. All conditions must hold." })
export class CoverFilterInput {
  @Field(() => [CoverState], { nullable: true, description: "Returns only covers in one of these states." })
  states?: CoverState[] | null;

  @Field(() => [CoverEndReason], {
    nullable: true,
    description: "Returns only covers that ended for one of these reasons.",
  })
  endReasons?: CoverEndReason[] | null;

  @Field(() => ID, { nullable: true, description: "Returns only covers of this registered order." })
  orderId?: string | null;

  @Field(() => ID, { nullable: true, description: "Returns only covers of this registered subscription." })
  subscriptionId?: string | null;

  @Field(() => ID, { nullable: true, description: "Returns only covers of the renewal that this order charges." })
  renewalOrderId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: "Returns only covers of renewals of this subscription, which the service charges.",
  })
  renewalSubscriptionId?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Returns only covers that started in this period." })
  startedAt?: PeriodInput | null;

  @Field(() => PeriodInput, {
    nullable: true,
    description:
      "Returns only covers whose next attempt lies in this period. A date in the past is an attempt that was not reported yet.",
  })
  retryDate?: PeriodInput | null;
}

export const CoverSortInput = sortInputType("Cover", {
  STARTED_AT: "Time of the start.",
  RETRY_DATE: "Time of the next attempt. For an ended cover, the time of its end.",
});
export type CoverSortInput = InstanceType<typeof CoverSortInput>;
