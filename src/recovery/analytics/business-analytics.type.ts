import { ArgsType, Field, Int, ObjectType } from "type-graphql";
import { ReasonClass } from "../../../schema/vocabulary.ts";
import { PeriodInput } from "../../graphql/connection.ts";
import { DecimalScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";

const DAY = { description: "Day in the vendor's time zone: YYYY-MM-DD." };
const CURRENCY = {
  description: "ISO 4217 code of the currency of the amounts. Amounts of different currencies are never added.",
};

@ObjectType({ description: "Revenue of one currency on one day.", simpleResolvers: true })
export class RevenueByDay {
  @Field(() => String, DAY)
  day!: string;

  @Field(() => String, CURRENCY)
  currency!: string;

  @Field(() => DecimalScalar, { description: "Amount of the charges that succeeded on the day." })
  gross!: Amount;

  @Field(() => DecimalScalar, {
    description: "Amount of the refunds that were completed on the day, regardless of the day of the charge.",
  })
  refunded!: Amount;

  @Field(() => DecimalScalar, { description: "`gross` minus `refunded`. Negative if more was refunded." })
  net!: Amount;

  @Field(() => DecimalScalar, {
    description:
      "Monthly recurring revenue at the end of the day, with at most 6 decimals. It is the sum over subscriptions that are ACTIVE, QUEUEING, UNPAID, PENDING_PAUSE or PENDING_CANCEL and not in a trial. Each item that renews counts with its agreed price, options and quantity, converted to one month: a year has 12 months, a week is 12/52 and a day 12/365 of a month. Metered items, fees and one-time discounts do not count. Tax is included as in the prices.",
  })
  monthlyRecurringRevenue!: Amount;

  @Field(() => Int, { description: "Number of charges that succeeded." })
  payments!: number;

  @Field(() => Int, { description: "Number of refunds that were completed." })
  refunds!: number;
}

@ObjectType({
  description: "Revenue of a period: the money that was charged and refunded, from the ledger.",
  simpleResolvers: true,
})
export class RevenueAnalytics {
  @Field(() => String, { description: "First day of the requested period in the vendor's time zone: YYYY-MM-DD." })
  from!: string;

  @Field(() => String, { description: "Last day of the requested period in the vendor's time zone: YYYY-MM-DD." })
  until!: string;

  @Field(() => [RevenueByDay], {
    description:
      "One row for each day and currency, in order of days, including days without money. The currencies are those with money or recurring revenue in the period, or the vendor's currency if there is none.",
  })
  byDay!: RevenueByDay[];
}

@ObjectType({ description: "Counts of subscriptions on one day.", simpleResolvers: true })
export class SubscriptionsByDay {
  @Field(() => String, DAY)
  day!: string;

  @Field(() => Int, {
    description: "Number of subscriptions that started: the first order was paid, or a trial began.",
  })
  started!: number;

  @Field(() => Int, { description: "Number of subscriptions that ended: CANCELED or EXPIRED. A pause does not count." })
  churned!: number;

  @Field(() => Int, {
    description:
      "Number of subscriptions at the end of the day that had started and not ended. Paused and unpaid ones count.",
  })
  active!: number;
}

@ObjectType({
  description: "Counts of subscriptions that started, ended and were running in a period.",
  simpleResolvers: true,
})
export class SubscriptionAnalytics {
  @Field(() => String, { description: "First day of the requested period in the vendor's time zone: YYYY-MM-DD." })
  from!: string;

  @Field(() => String, { description: "Last day of the requested period in the vendor's time zone: YYYY-MM-DD." })
  until!: string;

  @Field(() => [SubscriptionsByDay], {
    description: "One row for each day of the period in order, including days without a change.",
  })
  byDay!: SubscriptionsByDay[];
}

@ObjectType({ description: "Declined charges of one reason class in one currency.", simpleResolvers: true })
export class FailedChargesByReason {
  @Field(() => ReasonClass, {
    description:
      "Meaning of the decline for the recovery engine. It follows from the network's advice, the code, or else the gateway's message. UNKNOWN if none of them has a known meaning, and for declines that were counted before messages were.",
  })
  reasonClass!: ReasonClass;

  @Field(() => String, CURRENCY)
  currency!: string;

  @Field(() => Int, { description: "Number of declined charges. Every attempt counts." })
  charges!: number;

  @Field(() => DecimalScalar, { description: "Total amount of the declined charges." })
  amount!: Amount;
}

@ArgsType()
export class BusinessFiguresArgs {
  @Field(() => PeriodInput, {
    nullable: true,
    description: "Requested period: whole days in the vendor's time zone, at most 400. Defaults to the last 90 days.",
  })
  period?: PeriodInput | null;
}
