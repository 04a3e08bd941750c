import { Field, InputType, ObjectType } from "type-graphql";
import type { Rate } from "../kernel/amounts.ts";
import { CurrencyScalar, DateTimeScalar, RateScalar } from "../graphql/scalars.ts";

@ObjectType({ description: "What a currency is worth to a vendor.", simpleResolvers: true })
export class ExchangeRate {
  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currency!: string;

  @Field(() => RateScalar, {
    description:
      'What amounts in the base currency are multiplied by to get amounts in this one: "0.00072" for USD where the base is KRW.',
  })
  rate!: Rate;

  @Field(() => DateTimeScalar, { description: "When it was set." })
  modifiedAt!: Date;
}

@InputType({ description: "What a currency is worth from now on; orders keep the rate that they were made at." })
export class SetExchangeRateInput {
  @Field(() => CurrencyScalar, { description: "ISO 4217 code of the currency; not the base currency." })
  currency!: string;

  @Field(() => RateScalar, { description: "What amounts in the base currency are multiplied by; above zero." })
  rate!: Rate;
}

@ObjectType({ description: "The rates after the change.", simpleResolvers: true })
export class SetExchangeRatePayload {
  @Field(() => [ExchangeRate], { description: "All rates of the vendor, by currency." })
  exchangeRates!: ExchangeRate[];
}

@InputType({ description: "A currency whose rate is taken away." })
export class RemoveExchangeRateInput {
  @Field(() => CurrencyScalar, { description: "ISO 4217 code of the currency. One without a rate changes nothing." })
  currency!: string;
}

@ObjectType({ description: "The rates after the change.", simpleResolvers: true })
export class RemoveExchangeRatePayload {
  @Field(() => [ExchangeRate], { description: "All rates of the vendor, by currency." })
  exchangeRates!: ExchangeRate[];
}
