import { Field, ID, InputType } from "type-graphql";
import {
  AdditionalBillingType,
  AggregateUsageType,
  ClaimMethodType,
  RecurringInterval,
  SetupOptionType,
  UsageType,
  WhenToClaimType,
} from "../../../schema/vocabulary.ts";
import { CurrencyAmountsScalar, DecimalScalar, NameScalar, PositiveIntScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";

@InputType({ description: "What is taken off the price on a customer's first purchase; set whole." })
export class FirstSaleInput {
  @Field(() => Boolean, { description: "Whether the discount applies." })
  enabled!: boolean;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "What is taken off in the base currency: at most the price. Nothing unless told.",
  })
  price?: Amount | null;

  @Field(() => CurrencyAmountsScalar, {
    nullable: true,
    description: "What is taken off in other currencies: those of currencyPrice, and at most the price there.",
  })
  currencyPrice?: Record<string, string> | null;
}

@InputType({ description: "When a plan is charged; set whole." })
export class ClaimInput {
  @Field(() => ClaimMethodType, { description: "Before its period, or after. What is charged once is prepaid." })
  methodType!: ClaimMethodType;

  @Field(() => WhenToClaimType, {
    nullable: true,
    description: "On which day a postpaid plan is charged: postpaid plans need it, prepaid ones have none.",
  })
  whenToClaimType?: WhenToClaimType | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Day of the following month, 1 to 31: needed where whenToClaimType is DATE, and nowhere else.",
  })
  billingDate?: number | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Day of the month on which service starts, 1 to 31; at once unless told.",
  })
  provideStartDay?: number | null;
}

@InputType({ description: "A base or set-up fee; set whole." })
export class SetupOptionInput {
  @Field(() => NameScalar, { description: "Name of the fee, as its order line shows it." })
  name!: string;

  @Field(() => SetupOptionType, {
    description: "Whether it is charged once or each period; a plan that is charged once has no periods.",
  })
  type!: SetupOptionType;

  @Field(() => DecimalScalar, { description: "The fee in the base currency." })
  price!: Amount;

  @Field(() => CurrencyAmountsScalar, { nullable: true, description: "The fee in other currencies." })
  currencyPrice?: Record<string, string> | null;

  @Field(() => ClaimMethodType, { nullable: true, description: "Before or after its period; PRE unless told." })
  claimMethodType?: ClaimMethodType | null;
}

@InputType({ description: "How often a plan is charged, and how use is counted; set whole." })
export class RecurrenceInput {
  @Field(() => RecurringInterval, { description: "Unit of the period." })
  interval!: RecurringInterval;

  @Field(() => PositiveIntScalar, { nullable: true, description: "How many units a period has; 1 unless told." })
  intervalCount?: number | null;

  @Field(() => AggregateUsageType, {
    nullable: true,
    description: "How the use of a period becomes one number; SUM unless told.",
  })
  aggregateUsageType?: AggregateUsageType | null;

  @Field(() => UsageType, {
    nullable: true,
    description:
      "Whether what is licensed or what is used is charged; METERED for a usage-based plan unless told, else LICENSED.",
  })
  usageType?: UsageType | null;
}

@InputType({ description: "A new choice to offer with the plan." })
export class NewPriceOptionInput {
  @Field(() => NameScalar, { description: "Name of the option." })
  name!: string;

  @Field(() => SetupOptionType, { description: "Whether it is charged once or each period." })
  type!: SetupOptionType;

  @Field(() => DecimalScalar, { description: "What it costs, in the base currency." })
  price!: Amount;

  @Field(() => ID, {
    nullable: true,
    description: "Global id or number of the plan that the option is: one of another product.",
  })
  optionPriceId?: string | null;
}

@InputType({ description: "A choice to offer with the plan: one that stays, or a new one." })
export class PriceOptionInput extends NewPriceOptionInput {
  @Field(() => ID, { nullable: true, description: "Number of the plan's option that stays; none for a new one." })
  id?: string | null;
}

@InputType({ description: "A range of quantities with one price of a piece. Both ends are in it." })
export class PriceVolumeInput {
  @Field(() => PositiveIntScalar, { description: "The least quantity: one more than the most of the range before." })
  min!: number;

  @Field(() => PositiveIntScalar, { nullable: true, description: "The largest quantity; only the last has no end." })
  max?: number | null;

  @Field(() => DecimalScalar, { description: "The price of one piece of the whole quantity, in the base currency." })
  price!: Amount;
}

@InputType({ description: "A range of units, from the end of the one before." })
export class PriceRangeInput {
  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "The last unit; the last range, and no other, has none.",
  })
  until?: number | null;

  @Field(() => DecimalScalar, { description: "What a unit, or the whole range, costs in the base currency." })
  price!: Amount;
}

@InputType({ description: "What units beyond the included ones cost; set whole." })
export class AdditionalBillingInput {
  @Field(() => AdditionalBillingType, { description: "Whether each unit or each range has the price." })
  type!: AdditionalBillingType;

  @Field(() => [PriceRangeInput], { description: "The ranges, rising: 1 to 100." })
  ranges!: PriceRangeInput[];
}

@InputType({ description: "The plan that a member of a bundle has in this plan." })
export class BundlePriceInput {
  @Field(() => ID, { description: "Global id or number of the member." })
  productId!: string;

  @Field(() => ID, { description: "Global id or number of a plan of the member." })
  priceId!: string;
}
