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
  description: "A failed payment attempt: one that the merchant reported, or a charge of a renewal.",
  simpleResolvers: true,
})
export class CoverAttempt {
  @Field(() => Int, { description: "1, 2, 3 … within the cover." })
  number!: number;

  @Field(() => AttemptKind, { description: "How it came about." })
  kind!: AttemptKind;

  @Field(() => DateTimeScalar, { description: "When it was reported, or charged." })
  attemptedAt!: Date;

  @Field(() => String, { nullable: true, description: "The gateway's error code, as it was sent." })
  errorCode!: string | null;

  @Field(() => String, { nullable: true, description: "The gateway's error message; card numbers are masked." })
  errorMessage!: string | null;

  @Field(() => String, { nullable: true, description: "The network's merchant advice code, where it was told." })
  adviceCode!: string | null;

  @Field(() => Network, { nullable: true, description: "The card network, where it was told." })
  network!: Network | null;

  @Field(() => Initiator, { description: "Who set it off." })
  initiator!: Initiator;

  @Field(() => ReasonClass, { description: "What the decline means." })
  reasonClass!: ReasonClass;
}

@ObjectType("Cover", {
  description:
    "One recovery scenario of one order: from a failed payment to the money, or to the end of trying. Of a registered order the merchant makes and reports the tries; a renewal is charged by the service itself.",
  implements: Node,
  simpleResolvers: true,
})
export class Cover extends Node {
  @Field(() => DecimalScalar, { description: "Amount of the order that it recovers, registered order or renewal." })
  amount!: string;

  @Field(() => String, {
    description: "ISO 4217 code of the amount's currency. A registered order has the vendor's currency.",
  })
  currency!: string;

  @Field(() => String, { description: "Name of the customer who is to pay." })
  payerName!: string;

  @Field(() => CoverState, { description: "Its state." })
  state!: CoverState;

  @Field(() => CoverEndReason, { nullable: true, description: "Why it ended; null while it is in progress." })
  endReason!: CoverEndReason | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "When to try the payment next: always in the future. Null when the scenario has ended, or when its last date has passed and the outcome of that try is awaited.",
  })
  retryDate!: Date | null;

  @Field(() => DateTimeScalar, { description: "When it started." })
  startedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "When it ended; null while it is in progress." })
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

  @Field(() => Initiator, { nullable: true, description: "Who set off the attempt; MERCHANT unless told." })
  initiator?: Initiator | null;
}

@InputType({ description: "A failed payment to recover, or the report of a retry that failed." })
export class StartRecoveryInput extends FailureInput {
  @Field(() => ID, { description: "The registered subscription whose payment failed." })
  subscriptionId!: string;

  @Field(() => ID, { description: "The registered order whose payment failed." })
  orderId!: string;
}

@ObjectType({ description: "The cover after the report.", simpleResolvers: true })
export class StartRecoveryPayload {
  @Field(() => Cover, { description: "The cover: started, continued or ended." })
  cover!: Cover;
}

@InputType({ description: "A payer has renewed the payment method of an open order." })
export class ReportPaymentMethodChangedInput {
  @Field(() => ID, { description: "The registered order that is still to be paid." })
  orderId!: string;
}

@ObjectType({ description: "The cover after the change.", simpleResolvers: true })
export class ReportPaymentMethodChangedPayload {
  @Field(() => Cover, { description: "The cover in progress: a new one where the last had ended." })
  cover!: Cover;
}

@InputType({ description: "Which covers are asked for; all conditions hold together." })
export class CoverFilterInput {
  @Field(() => [CoverState], { nullable: true, description: "Those in one of these states." })
  states?: CoverState[] | null;

  @Field(() => [CoverEndReason], { nullable: true, description: "Those that ended for one of these reasons." })
  endReasons?: CoverEndReason[] | null;

  @Field(() => ID, { nullable: true, description: "Those of this registered order." })
  orderId?: string | null;

  @Field(() => ID, { nullable: true, description: "Those of this registered subscription." })
  subscriptionId?: string | null;

  @Field(() => ID, { nullable: true, description: "Those of the renewal that this order of the billing side charges." })
  renewalOrderId?: string | null;

  @Field(() => ID, { nullable: true, description: "Those of renewals of this subscription of the billing side." })
  renewalSubscriptionId?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those that started in this period." })
  startedAt?: PeriodInput | null;

  @Field(() => PeriodInput, {
    nullable: true,
    description: "Those whose awaited try lies in this period; past dates are tries that nobody has reported yet.",
  })
  retryDate?: PeriodInput | null;
}

export const CoverSortInput = sortInputType("Cover", {
  STARTED_AT: "When it started.",
  RETRY_DATE: "The try that is awaited; for an ended cover its end.",
});
export type CoverSortInput = InstanceType<typeof CoverSortInput>;
