import { Field, ID, InputType } from "type-graphql";
import { ProductStatus } from "../../schema/vocabulary.ts";
import {
  CountryCodeScalar,
  CurrencyScalar,
  DecimalScalar,
  NameScalar,
  NonNegativeIntScalar,
  TimeZoneScalar,
} from "../graphql/scalars.ts";
import type { Amount } from "../kernel/amounts.ts";

@InputType({ description: "A new option to offer." })
export class NewProductOptionInput {
  @Field(() => NameScalar, { description: "Name of the option, the only one of its group." })
  name!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "What it adds to the price of one, in the base currency; nothing unless told.",
  })
  price?: Amount | null;

  @Field(() => NonNegativeIntScalar, { nullable: true, description: "Units in stock; unlimited unless told." })
  quantity?: number | null;

  @Field(() => NameScalar, {
    nullable: true,
    description: "Name of the option of the group before, under which alone it can be chosen.",
  })
  parent?: string | null;
}

@InputType({ description: "An option to offer: one that stays, or a new one." })
export class ProductOptionInput extends NewProductOptionInput {
  @Field(() => ID, {
    nullable: true,
    description: "Number of the option of this group that stays; none for a new one.",
  })
  id?: string | null;
}

@InputType({ description: "A new group of options, of which a buyer chooses one." })
export class NewOptionGroupInput {
  @Field(() => NameScalar, { description: "Name of the group: colour, size." })
  name!: string;

  @Field(() => [NewProductOptionInput], { description: "The options in order: 1 to 100." })
  options!: NewProductOptionInput[];
}

@InputType({ description: "A group of options, of which a buyer chooses one: one that stays, or a new one." })
export class OptionGroupInput {
  @Field(() => ID, { nullable: true, description: "Number of the product's group that stays; none for a new one." })
  id?: string | null;

  @Field(() => NameScalar, { description: "Name of the group: colour, size." })
  name!: string;

  @Field(() => [ProductOptionInput], { description: "The options in order: 1 to 100." })
  options!: ProductOptionInput[];
}

@InputType({ description: "A combination of options, with a stock and a price of its own." })
export class OptionCombinationInput {
  @Field(() => [NameScalar], { description: "Names of its options: one of each group, in the order of the groups." })
  options!: string[];

  @Field(() => NonNegativeIntScalar, { nullable: true, description: "Units in stock; unlimited unless told." })
  quantity?: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "What it adds to the price of one, in the base currency; nothing unless told.",
  })
  price?: Amount | null;

  @Field(() => ProductStatus, {
    nullable: true,
    description: "UNSOLD for one that is not to be chosen; SALE unless told. It is OUT_OF_STOCK by itself.",
  })
  status?: ProductStatus | null;
}

@InputType({
  description: "How the vendor sells in a country. There is one setting for each country: it is set for all products.",
})
export class CountrySettingInput {
  @Field(() => CountryCodeScalar, { description: "ISO 3166-1 alpha-2 code of the country." })
  countryCode!: string;

  @Field(() => TimeZoneScalar, { description: "IANA time zone." })
  timezoneName!: string;

  @Field(() => CurrencyScalar, { description: "ISO 4217 code of the currency." })
  currencyCode!: string;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether it holds where no other does: one of the vendor's settings at most. False unless told.",
  })
  isDefault?: boolean | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Tax rate in per cent; 0 unless told." })
  taxRate?: Amount | null;
}
