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

@InputType({ description: "A new option of a product." })
export class NewProductOptionInput {
  @Field(() => NameScalar, { description: "Name of the option, unique within its group." })
  name!: string;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Amount that the option adds to the price of one unit, in the base currency. Defaults to 0.",
  })
  price?: Amount | null;

  @Field(() => NonNegativeIntScalar, { nullable: true, description: "Units in stock. Defaults to unlimited." })
  quantity?: number | null;

  @Field(() => NameScalar, {
    nullable: true,
    description: "Name of an option of the previous group. This option can be chosen only together with it.",
  })
  parent?: string | null;
}

@InputType({ description: "An option of a product: an existing or a new one." })
export class ProductOptionInput extends NewProductOptionInput {
  @Field(() => ID, {
    nullable: true,
    description: "Number of an existing option of this group. Absent for a new option.",
  })
  id?: string | null;
}

@InputType({ description: "A new group of options. A buyer chooses one option of each group." })
export class NewOptionGroupInput {
  @Field(() => NameScalar, { description: "Name of the group, such as colour or size." })
  name!: string;

  @Field(() => [NewProductOptionInput], { description: "Options in order: 1 to 100." })
  options!: NewProductOptionInput[];
}

@InputType({ description: "A group of options, an existing or a new one. A buyer chooses one option of each group." })
export class OptionGroupInput {
  @Field(() => ID, {
    nullable: true,
    description: "Number of an existing group of the product. Absent for a new group.",
  })
  id?: string | null;

  @Field(() => NameScalar, { description: "Name of the group, such as colour or size." })
  name!: string;

  @Field(() => [ProductOptionInput], { description: "Options in order: 1 to 100." })
  options!: ProductOptionInput[];
}

@InputType({ description: "A combination of options with its own stock and price." })
export class OptionCombinationInput {
  @Field(() => [NameScalar], { description: "Names of its options: one of each group, in the order of the groups." })
  options!: string[];

  @Field(() => NonNegativeIntScalar, { nullable: true, description: "Units in stock. Defaults to unlimited." })
  quantity?: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: "Amount that the combination adds to the price of one unit, in the base currency. Defaults to 0.",
  })
  price?: Amount | null;

  @Field(() => ProductStatus, {
    nullable: true,
    description: "UNSOLD if the combination cannot be chosen. Defaults to SALE. OUT_OF_STOCK is set automatically.",
  })
  status?: ProductStatus | null;
}

@InputType({
  description:
    "Sales settings of the vendor for a country. There is one setting for each country, which applies to all products.",
})
export class CountrySettingInput {
  @Field(() => CountryCodeScalar, { description: "ISO 3166-1 alpha-2 code of the country." })
  countryCode!: string;

  @Field(() => TimeZoneScalar, { description: "IANA time zone of the country." })
  timezoneName!: string;

  @Field(() => CurrencyScalar, { description: "ISO 4217 code of the currency." })
  currencyCode!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True if the setting applies to countries without their own. At most one setting of the vendor. Defaults to false.",
  })
  isDefault?: boolean | null;

  @Field(() => DecimalScalar, { nullable: true, description: "Tax rate in per cent. Defaults to 0." })
  taxRate?: Amount | null;
}
