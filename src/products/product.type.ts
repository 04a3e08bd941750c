import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import { ProductStatus, ProductType, RecurringInterval } from "../../schema/vocabulary.ts";
import { Region } from "../customers/region.type.ts";
import { connectionType, PeriodInput, sortInputType } from "../graphql/connection.ts";
import { Node } from "../graphql/node.ts";
import {
  DateTimeScalar,
  DecimalScalar,
  GraphQLBigInt,
  GraphQLUUID,
  RegionCodeScalar,
  KeywordScalar,
} from "../graphql/scalars.ts";
import { PricePlan } from "./price-plans/price-plan.type.ts";

@ObjectType({ description: "A category of a vendor's products.", simpleResolvers: true })
export class Category {
  @Field(() => GraphQLBigInt, { description: "Number of the category." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the category." })
  name!: string;
}

@ObjectType({ description: "Sales settings of a vendor for a country.", simpleResolvers: true })
export class CountrySetting {
  @Field(() => GraphQLBigInt, { description: "Number of the setting." })
  databaseId!: number;

  @Field(() => String, { description: "ISO 3166-1 alpha-2 code of the country." })
  countryCode!: string;

  @Field(() => String, { description: "IANA time zone of the country." })
  timezoneName!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currencyCode!: string;

  @Field(() => Boolean, { description: "True if the setting applies to countries without their own." })
  isDefault!: boolean;

  @Field(() => DecimalScalar, { description: "Tax rate in per cent." })
  taxRate!: string;
}

@ObjectType({ description: "An option of a product.", simpleResolvers: true })
export class ProductOption {
  @Field(() => GraphQLBigInt, { description: "Number of the option, for `optionIds` of an order." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the option." })
  name!: string;

  @Field(() => DecimalScalar, {
    description: "Amount that the option adds to the price of one unit, in the base currency.",
  })
  price!: string;

  @Field(() => Int, { nullable: true, description: "Units in stock. Null for unlimited." })
  quantity!: number | null;

  @Field(() => GraphQLBigInt, {
    nullable: true,
    description: "Number of the option that this option requires. Null if it requires none.",
  })
  parent!: number | null;
}

@ObjectType({ description: "A group of options, of which a buyer chooses one.", simpleResolvers: true })
export class OptionGroup {
  @Field(() => GraphQLBigInt, { description: "Number of the group." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the group, such as colour or size." })
  name!: string;

  @Field(() => Int, { description: "Position of the group in the order of choice, starting at 0." })
  depth!: number;

  @Field(() => [ProductOption], { description: "Options of the group, in order." })
  options!: ProductOption[];
}

@ObjectType({ description: "A combination of options with its own stock and price.", simpleResolvers: true })
export class OptionCombination {
  @Field(() => [GraphQLBigInt], { description: "Ids of its options: one of each group." })
  optionIds!: number[];

  @Field(() => ProductStatus, {
    description: "Status of the combination. It determines whether the combination can be ordered.",
  })
  status!: ProductStatus;

  @Field(() => Int, { nullable: true, description: "Units in stock. Null for unlimited." })
  quantity!: number | null;

  @Field(() => DecimalScalar, {
    description: "Amount that the combination adds to the price of one unit, in the base currency.",
  })
  price!: string;
}

@ObjectType({ description: "A badge that is shown on a product for a time.", simpleResolvers: true })
export class EventBadge {
  @Field(() => String, { description: "Text of the badge." })
  event!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time from which the badge is shown. Null for no start.",
  })
  startDateTime!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time until which the badge is shown. Null for no end." })
  endDateTime!: Date | null;
}

@ObjectType({ description: "Parts of a product's page that are shown.", simpleResolvers: true })
export class WidgetUse {
  @Field(() => Boolean, { description: "True if the trial is shown." })
  useDemo!: boolean;

  @Field(() => Boolean, { description: "True if the badge is shown." })
  useEventBadge!: boolean;

  @Field(() => Boolean, { description: "True if the limit to one subscription is shown." })
  useOnetimePurchasable!: boolean;

  @Field(() => Boolean, { description: "True if the notice is shown." })
  useNotice!: boolean;
}

@ObjectType("Product", { description: "A product that a merchant sells.", implements: Node, simpleResolvers: true })
export class Product extends Node {
  @Field(() => String, { description: 'Code of the product: "product_" and nine letters or digits.' })
  code!: string;

  @Field(() => ProductType, { description: "Type of the product." })
  type!: ProductType;

  @Field(() => ProductType, {
    nullable: true,
    description: "Type of a DRAFT after the parent vendor approved it. Null for any other type.",
  })
  draftOf!: ProductType | null;

  @Field(() => ProductStatus, {
    description: "Status of the product. It determines whether the product can be ordered.",
  })
  status!: ProductStatus;

  @Field(() => String, { description: "Name of the product." })
  name!: string;

  @Field(() => String, { description: "Second line under the name. An empty string if there is none." })
  subTitle!: string;

  @Field(() => String, { description: "Long description. An empty string if there is none." })
  description!: string;

  @Field(() => String, { description: "Short description. An empty string if there is none." })
  summary!: string;

  @Field(() => String, { description: "Address of the main image. An empty string if there is none." })
  featuredImageUrl!: string;

  @Field(() => [String], { description: "Addresses of all images." })
  imageUrls!: string[];

  @Field(() => String, {
    nullable: true,
    description: "Reason of the parent vendor's rejection. Null if it was not rejected.",
  })
  reasonOfReject!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The merchant's stock-keeping number. Null if there is none.",
  })
  sku!: string | null;

  @Field(() => Int, { nullable: true, description: "Units in stock. Null for unlimited." })
  quantity!: number | null;

  @Field(() => [Product], { description: "Members of a bundle. Empty for other products." })
  combinedProducts!: Product[];

  @Field(() => [OptionGroup], { description: "Groups of options, in the order in which they are chosen." })
  optionGroups!: OptionGroup[];

  @Field(() => Boolean, { description: "True if each combination of options has its own stock and price." })
  useCombination!: boolean;

  @Field(() => [OptionCombination], { description: "Combinations of options. Empty if they are not used." })
  optionCombinations!: OptionCombination[];

  @Field(() => [PricePlan], { description: "Price plans of the product, in order." })
  prices!: PricePlan[];

  @Field(() => Boolean, { description: "True if a subscription begins with a trial." })
  enabledDemo!: boolean;

  @Field(() => Int, { nullable: true, description: "Length of the trial, in its unit. Null without a trial." })
  demoPeriod!: number | null;

  @Field(() => RecurringInterval, { nullable: true, description: "Unit of the trial's length. Null without a trial." })
  demoPeriodUnit!: RecurringInterval | null;

  @Field(() => [Category], { description: "Categories of the product." })
  categories!: Category[];

  @Field(() => GraphQLUUID, { description: "The vendor's unique id." })
  vendorUuid!: string;

  @Field(() => Int, { description: "Position in the shop, the smallest first." })
  productOrder!: number;

  @Field(() => Boolean, { description: "True if a customer can have only one subscription of the product." })
  isOnetimePurchasable!: boolean;

  @Field(() => [EventBadge], { description: "Badges of the product." })
  eventBadge!: EventBadge[];

  @Field(() => String, { nullable: true, description: "A notice to buyers. Null if there is none." })
  notice!: string | null;

  @Field(() => WidgetUse, { description: "Parts of the product's page that are shown." })
  useWidget!: WidgetUse;

  @Field(() => Int, {
    nullable: true,
    description: "Number of the merchant's group of products. Null if it is in no group.",
  })
  groupId!: number | null;

  @Field(() => CountrySetting, {
    nullable: true,
    description: "Sales settings for the product's country. Null if there are none.",
  })
  countrySetting!: CountrySetting | null;

  @Field(() => [Region], { description: "Regions in which the product is sold. Empty for all regions." })
  availableRegions!: Region[];

  @Field(() => [RegionCodeScalar], {
    description: "Codes of the regions in which the product is sold. Empty for all regions.",
  })
  availableRegionCodes!: RegionCode[];

  @Field(() => DateTimeScalar, { description: "Time of the creation." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}

@InputType({ description: "Filter of products. All conditions must hold." })
export class ProductFilterInput {
  @Field(() => ProductStatus, { nullable: true, description: "Returns only records with this status." })
  status?: ProductStatus | null;

  @Field(() => ProductType, { nullable: true, description: "Returns only records of this type." })
  type?: ProductType | null;

  @Field(() => RegionCodeScalar, {
    nullable: true,
    description: "Returns only products that are sold in this region, or in all regions.",
  })
  region?: RegionCode | null;

  @Field(() => ID, { nullable: true, description: "Returns only products in the category with this number." })
  categoryId?: string | null;

  @Field(() => KeywordScalar, {
    nullable: true,
    description: "Returns only products whose code or name contains this text, compared without case.",
  })
  keyword?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Returns only records that were created in this period." })
  createdAt?: PeriodInput | null;
}

export const ProductSortInput = sortInputType("Product", {
  CREATED_AT: "By the time of the creation.",
  NAME: "By name, in Unicode order.",
  PRODUCT_ORDER: "By the position in the shop.",
});
export type ProductSortInput = InstanceType<typeof ProductSortInput>;

export const ProductConnection = connectionType(() => Product, "Product");
