import { ArgsType, Field, Int, ObjectType } from "type-graphql";
import { ReasonClass } from "../../../schema/vocabulary.ts";
import { PeriodInput } from "../../graphql/connection.ts";
import { DecimalScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";

const DAY = { description: "The day in the vendor's zone: YYYY-MM-DD." };
const CURRENCY = { description: "ISO 4217 code of the currency of the amounts. Currencies are never added up." };

@ObjectType({ description: "Money of one currency on one day.", simpleResolvers: true })
export class RevenueOfDay {
  @Field(() => String, DAY)
  day!: string;

  @Field(() => String, CURRENCY)
  currency!: string;

  @Field(() => DecimalScalar, { description: "Charges that succeeded on the day." })
  gross!: Amount;

  @Field(() => DecimalScalar, { description: "Refunds that were completed on the day, whenever the charge was." })
  refunded!: Amount;

  @Field(() => DecimalScalar, { description: "`gross` minus `refunded`; below zero where more was refunded." })
  net!: Amount;

  @Field(() => DecimalScalar, {
    description:
      "Monthly recurring revenue at the end of the day, with at most 6 decimals. It adds up the subscriptions that are ACTIVE, QUEUEING, UNPAID, PENDING_PAUSE or PENDING_CANCEL and not in a trial: the agreed price of each item that stays, with its options and its quantity, by the month. A year counts as 12 months, a week as 12/52 and a day as 12/365 of a month. Metered items, fees and one-time discounts do not count; tax is as the prices have it.",
  })
  monthlyRecurringRevenue!: Amount;

  @Field(() => Int, { description: "Number of charges that succeeded." })
  payments!: number;

  @Field(() => Int, { description: "Number of refunds that were completed." })
  refunds!: number;
}

@ObjectType({
  description: "Revenue of a period: money that was charged and refunded, as the ledger has it.",
  simpleResolvers: true,
})
export class RevenueAnalytics {
  @Field(() => String, { description: "First day of the requested period in the vendor's zone: YYYY-MM-DD." })
  from!: string;

  @Field(() => String, { description: "Last day of the requested period in the vendor's zone: YYYY-MM-DD." })
  until!: string;

  @Field(() => [RevenueOfDay], {
    description:
      "Every day of the period in order, also those without money, for each currency with money or recurring revenue in the period; the vendor's currency where there is none.",
  })
  byDay!: RevenueOfDay[];
}

@ObjectType({ description: "Subscriptions of one day.", simpleResolvers: true })
export class SubscriptionsOfDay {
  @Field(() => String, DAY)
  day!: string;

  @Field(() => Int, { description: "Subscriptions that started: a first order was paid, or a trial began." })
  started!: number;

  @Field(() => Int, { description: "Subscriptions that ended: CANCELED or EXPIRED. A pause is no end." })
  churned!: number;

  @Field(() => Int, {
    description: "Subscriptions at the end of the day that had started and not ended. Paused and unpaid ones count.",
  })
  active!: number;
}

@ObjectType({ description: "How many subscriptions started, ended and ran in a period.", simpleResolvers: true })
export class SubscriptionAnalytics {
  @Field(() => String, { description: "First day of the requested period in the vendor's zone: YYYY-MM-DD." })
  from!: string;

  @Field(() => String, { description: "Last day of the requested period in the vendor's zone: YYYY-MM-DD." })
  until!: string;

  @Field(() => [SubscriptionsOfDay], { description: "Every day of the period in order, also those without a change." })
  byDay!: SubscriptionsOfDay[];
}

@ObjectType({ description: "Charges that failed for one class of reasons, in one currency.", simpleResolvers: true })
export class FailedChargesOfReason {
  @Field(() => ReasonClass, {
    description:
      "Meaning of the decline, as the recovery engine reads it: by the network's advice, the code, or else the gateway's message. UNKNOWN where none of them says one, and where a decline was counted before messages were.",
  })
  reasonClass!: ReasonClass;

  @Field(() => String, CURRENCY)
  currency!: string;

  @Field(() => Int, { description: "Number of charges that failed: each try counts." })
  charges!: number;

  @Field(() => DecimalScalar, { description: "What they were to bring." })
  amount!: Amount;
}

@ArgsType()
export class BusinessFiguresArgs {
  @Field(() => PeriodInput, {
    nullable: true,
    description: "The period: whole days of the vendor's zone, at most 400. Defaults to the last 90 days.",
  })
  period?: PeriodInput | null;
}
