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

@InputType({ description: "Discount on a customer's first purchase. Replaces the stored one as a whole." })
export class FirstSaleInput {
  @Field(() => Boolean, { description: "True if the discount applies." })
  enabled!: boolean;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Discount in the base currency. Defaults to 0; at most the price.",
  })
  price?: Amount | null;

  @Field(() => CurrencyAmountsScalar, {
    nullable: true,
    description:
      "Discounts in other currencies. Only currencies of currencyPrice; each is at most the price in that currency.",
  })
  currencyPrice?: Record<string, string> | null;
}

@InputType({ description: "Time at which a plan is charged. Replaces the stored one as a whole." })
export class ClaimInput {
  @Field(() => ClaimMethodType, { description: "Before or after its period. A plan that is charged once is prepaid." })
  methodType!: ClaimMethodType;

  @Field(() => WhenToClaimType, {
    nullable: true,
    description: "Day on which a postpaid plan is charged. Required for postpaid plans, and refused for prepaid ones.",
  })
  whenToClaimType?: WhenToClaimType | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Day of the following month, 1 to 31. Required if whenToClaimType is DATE, and refused otherwise.",
  })
  billingDate?: number | null;

  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Day of the month on which the service starts, 1 to 31. Defaults to an immediate start.",
  })
  provideStartDay?: number | null;
}

@InputType({ description: "A base or set-up fee. Replaces the stored one as a whole." })
export class SetupOptionInput {
  @Field(() => NameScalar, { description: "Name of the fee. It is shown in the order line." })
  name!: string;

  @Field(() => SetupOptionType, {
    description: "Frequency of the fee: once or in each period. A plan that is charged once has no periods.",
  })
  type!: SetupOptionType;

  @Field(() => DecimalScalar, { description: "Amount of the fee, in the base currency." })
  price!: Amount;

  @Field(() => CurrencyAmountsScalar, { nullable: true, description: "Amounts of the fee in other currencies." })
  currencyPrice?: Record<string, string> | null;

  @Field(() => ClaimMethodType, { nullable: true, description: "Before or after its period. Defaults to PRE." })
  claimMethodType?: ClaimMethodType | null;
}

@InputType({ description: "Billing cycle of a plan and aggregation of its usage. Replaces the stored one as a whole." })
export class RecurrenceInput {
  @Field(() => RecurringInterval, { description: "Unit of the period." })
  interval!: RecurringInterval;

  @Field(() => PositiveIntScalar, { nullable: true, description: "Number of units in a period. Defaults to 1." })
  intervalCount?: number | null;

  @Field(() => AggregateUsageType, {
    nullable: true,
    description: "Aggregation of the usage of a period. Defaults to SUM.",
  })
  aggregateUsageType?: AggregateUsageType | null;

  @Field(() => UsageType, {
    nullable: true,
    description: "Quantity that is charged. Defaults to METERED for a usage-based plan, otherwise to LICENSED.",
  })
  usageType?: UsageType | null;
}

@InputType({ description: "A new option of the plan." })
export class NewPriceOptionInput {
  @Field(() => NameScalar, { description: "Name of the option." })
  name!: string;

  @Field(() => SetupOptionType, { description: "Frequency of the charge: once or in each period." })
  type!: SetupOptionType;

  @Field(() => DecimalScalar, { description: "Price of the option, in the base currency." })
  price!: Amount;

  @Field(() => ID, {
    nullable: true,
    description: "Global id or number of a plan of another product that this option adds.",
  })
  optionPriceId?: string | null;
}

@InputType({ description: "An option of the plan: an existing or a new one." })
export class PriceOptionInput extends NewPriceOptionInput {
  @Field(() => ID, {
    nullable: true,
    description: "Number of an existing option of the plan. Absent for a new option.",
  })
  id?: string | null;
}

@InputType({ description: "A range of quantities with one unit price. Both ends are included." })
export class PriceVolumeInput {
  @Field(() => PositiveIntScalar, {
    description: "Smallest quantity: one more than the largest quantity of the previous range.",
  })
  min!: number;

  @Field(() => PositiveIntScalar, { nullable: true, description: "Largest quantity. Only the last range has none." })
  max?: number | null;

  @Field(() => DecimalScalar, { description: "Price of one unit for the whole quantity, in the base currency." })
  price!: Amount;
}

@InputType({ description: "A range of units, which starts after the end of the previous range." })
export class PriceRangeInput {
  @Field(() => PositiveIntScalar, {
    nullable: true,
    description: "Last unit of the range. Only the last range has none.",
  })
  until?: number | null;

  @Field(() => DecimalScalar, { description: "Price of one unit, or of the whole range, in the base currency." })
  price!: Amount;
}

@InputType({ description: "Prices of units beyond the included ones. Replaces the stored prices as a whole." })
export class AdditionalBillingInput {
  @Field(() => AdditionalBillingType, {
    description: "Meaning of a range's price: a price for each unit, or one price for the whole range.",
  })
  type!: AdditionalBillingType;

  @Field(() => [PriceRangeInput], { description: "Ranges in rising order: 1 to 100." })
  ranges!: PriceRangeInput[];
}

@InputType({ description: "Price plan of a bundle member within this plan." })
export class BundlePriceInput {
  @Field(() => ID, { description: "Global id or number of the bundle member." })
  productId!: string;

  @Field(() => ID, { description: "Global id or number of a plan of this member." })
  priceId!: string;
}
