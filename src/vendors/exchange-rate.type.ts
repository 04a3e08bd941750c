import { Field, InputType, ObjectType } from "type-graphql";
import type { Rate } from "../kernel/amounts.ts";
import { CurrencyScalar, DateTimeScalar, RateScalar } from "../graphql/scalars.ts";

@ObjectType({
  description: "An exchange rate of a vendor, from its base currency to another currency.",
  simpleResolvers: true,
})
export class ExchangeRate {
  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currency!: string;

  @Field(() => RateScalar, {
    description:
      'Factor from the base currency to this currency, such as "0.00072" for USD if the base currency is KRW.',
  })
  rate!: Rate;

  @Field(() => DateTimeScalar, { description: "Time at which the rate was set." })
  modifiedAt!: Date;
}

@InputType({ description: "An exchange rate that applies from now on. Existing orders keep their rate." })
export class SetExchangeRateInput {
  @Field(() => CurrencyScalar, { description: "ISO 4217 code of the currency. It must not be the base currency." })
  currency!: string;

  @Field(() => RateScalar, { description: "Factor from the base currency to this currency. Above 0." })
  rate!: Rate;
}

@ObjectType({ description: "The rates after the change.", simpleResolvers: true })
export class SetExchangeRatePayload {
  @Field(() => [ExchangeRate], { description: "All exchange rates of the vendor, sorted by currency." })
  exchangeRates!: ExchangeRate[];
}

@InputType({ description: "A currency whose exchange rate is removed." })
export class RemoveExchangeRateInput {
  @Field(() => CurrencyScalar, {
    description: "ISO 4217 code of the currency. A currency without a rate changes nothing.",
  })
  currency!: string;
}

@ObjectType({ description: "The rates after the change.", simpleResolvers: true })
export class RemoveExchangeRatePayload {
  @Field(() => [ExchangeRate], { description: "All exchange rates of the vendor, sorted by currency." })
  exchangeRates!: ExchangeRate[];
}
