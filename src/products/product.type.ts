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

@ObjectType({ description: "How a vendor sells in a country.", simpleResolvers: true })
export class CountrySetting {
  @Field(() => GraphQLBigInt, { description: "Number of the setting." })
  databaseId!: number;

  @Field(() => String, { description: "ISO 3166-1 alpha-2 code of the country." })
  countryCode!: string;

  @Field(() => String, { description: "IANA time zone." })
  timezoneName!: string;

  @Field(() => String, { description: "ISO 4217 code of the currency." })
  currencyCode!: string;

  @Field(() => Boolean, { description: "Whether it holds where no other does." })
  isDefault!: boolean;

  @Field(() => DecimalScalar, { description: "Tax rate, in per cent." })
  taxRate!: string;
}

@ObjectType({ description: "An option of a product.", simpleResolvers: true })
export class ProductOption {
  @Field(() => GraphQLBigInt, { description: "Number of the option: what `optionIds` of an order take." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the option." })
  name!: string;

  @Field(() => DecimalScalar, { description: "What it adds to the price of one, in the base currency." })
  price!: string;

  @Field(() => Int, { nullable: true, description: "Units in stock; null is unlimited." })
  quantity!: number | null;

  @Field(() => GraphQLBigInt, {
    nullable: true,
    description: "Number of the option under which alone it can be chosen.",
  })
  parent!: number | null;
}

@ObjectType({ description: "Options of which a buyer chooses one.", simpleResolvers: true })
export class OptionGroup {
  @Field(() => GraphQLBigInt, { description: "Number of the group." })
  databaseId!: number;

  @Field(() => String, { description: "Name of the group: colour, size." })
  name!: string;

  @Field(() => Int, { description: "Place of the group in the choice, from 0." })
  depth!: number;

  @Field(() => [ProductOption], { description: "The options, in order." })
  options!: ProductOption[];
}

@ObjectType({ description: "A combination of options, with a stock and a price of its own.", simpleResolvers: true })
export class OptionCombination {
  @Field(() => [GraphQLBigInt], { description: "Numbers of its options, one of each group." })
  optionIds!: number[];

  @Field(() => ProductStatus, { description: "Whether it can be ordered." })
  status!: ProductStatus;

  @Field(() => Int, { nullable: true, description: "Units in stock; null is unlimited." })
  quantity!: number | null;

  @Field(() => DecimalScalar, { description: "What it adds to the price of one, in the base currency." })
  price!: string;
}

@ObjectType({ description: "A badge that a product wears for a time.", simpleResolvers: true })
export class EventBadge {
  @Field(() => String, { description: "What the badge says." })
  event!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: "From when it is worn; null is always." })
  startDateTime!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Until when it is worn; null is for ever." })
  endDateTime!: Date | null;
}

@ObjectType({ description: "Which parts of its page a product shows.", simpleResolvers: true })
export class WidgetUse {
  @Field(() => Boolean, { description: "The trial." })
  useDemo!: boolean;

  @Field(() => Boolean, { description: "The badge." })
  useEventBadge!: boolean;

  @Field(() => Boolean, { description: "The limit of one subscription." })
  useOnetimePurchasable!: boolean;

  @Field(() => Boolean, { description: "The notice." })
  useNotice!: boolean;
}

@ObjectType("Product", { description: "What a merchant sells.", implements: Node, simpleResolvers: true })
export class Product extends Node {
  @Field(() => String, { description: 'Code of the product: "product_" and nine letters or digits.' })
  code!: string;

  @Field(() => ProductType, { description: "What kind of product it is." })
  type!: ProductType;

  @Field(() => ProductType, {
    nullable: true,
    description: "What a DRAFT is to be once its vendor's parent has approved it; null for any other type.",
  })
  draftOf!: ProductType | null;

  @Field(() => ProductStatus, { description: "Whether it can be ordered, and if not, why." })
  status!: ProductStatus;

  @Field(() => String, { description: "Name of the product." })
  name!: string;

  @Field(() => String, { description: "A second line under the name; empty where there is none." })
  subTitle!: string;

  @Field(() => String, { description: "What it is, at length; empty where nothing is told." })
  description!: string;

  @Field(() => String, { description: "What it is, in short; empty where nothing is told." })
  summary!: string;

  @Field(() => String, { description: "Address of the main image; empty where there is none." })
  featuredImageUrl!: string;

  @Field(() => [String], { description: "Addresses of all images." })
  imageUrls!: string[];

  @Field(() => String, { nullable: true, description: "Why the parent vendor rejected it; null unless it did." })
  reasonOfReject!: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The merchant's stock-keeping number; null where there is none.",
  })
  sku!: string | null;

  @Field(() => Int, { nullable: true, description: "Units in stock; null is unlimited." })
  quantity!: number | null;

  @Field(() => [Product], { description: "The products that a bundle consists of." })
  combinedProducts!: Product[];

  @Field(() => [OptionGroup], { description: "Options to choose from, in the order of the choice." })
  optionGroups!: OptionGroup[];

  @Field(() => Boolean, { description: "Whether stock and price are kept for each combination of options." })
  useCombination!: boolean;

  @Field(() => [OptionCombination], { description: "The combinations; none unless they are used." })
  optionCombinations!: OptionCombination[];

  @Field(() => [PricePlan], { description: "Its price plans, in their order." })
  prices!: PricePlan[];

  @Field(() => Boolean, { description: "Whether a subscription begins with a trial." })
  enabledDemo!: boolean;

  @Field(() => Int, { nullable: true, description: "How long the trial lasts, in its unit." })
  demoPeriod!: number | null;

  @Field(() => RecurringInterval, { nullable: true, description: "The unit of the trial's length." })
  demoPeriodUnit!: RecurringInterval | null;

  @Field(() => [Category], { description: "The categories it is in." })
  categories!: Category[];

  @Field(() => GraphQLUUID, { description: "The vendor's unique id." })
  vendorUuid!: string;

  @Field(() => Int, { description: "Place in the shop, smallest first." })
  productOrder!: number;

  @Field(() => Boolean, { description: "Whether a customer can have only one live subscription of it." })
  isOnetimePurchasable!: boolean;

  @Field(() => [EventBadge], { description: "Badges that it wears." })
  eventBadge!: EventBadge[];

  @Field(() => String, { nullable: true, description: "A notice to buyers; null where there is none." })
  notice!: string | null;

  @Field(() => WidgetUse, { description: "Which parts of its page are shown." })
  useWidget!: WidgetUse;

  @Field(() => Int, {
    nullable: true,
    description: "Number of the merchant's group of products; null where it is in none.",
  })
  groupId!: number | null;

  @Field(() => CountrySetting, {
    nullable: true,
    description: "How it is sold in its country; null where nothing is set.",
  })
  countrySetting!: CountrySetting | null;

  @Field(() => [Region], { description: "Regions in which it is sold; none is everywhere." })
  availableRegions!: Region[];

  @Field(() => [RegionCodeScalar], { description: "Words of the regions in which it is sold; none is everywhere." })
  availableRegionCodes!: RegionCode[];

  @Field(() => DateTimeScalar, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  modifiedAt!: Date;
}

@InputType({ description: "Which products are asked for; all conditions hold together." })
export class ProductFilterInput {
  @Field(() => ProductStatus, { nullable: true, description: "Those with this status." })
  status?: ProductStatus | null;

  @Field(() => ProductType, { nullable: true, description: "Those of this type." })
  type?: ProductType | null;

  @Field(() => RegionCodeScalar, { nullable: true, description: "Those sold in this region, or everywhere." })
  region?: RegionCode | null;

  @Field(() => ID, { nullable: true, description: "Those in this category: its number." })
  categoryId?: string | null;

  @Field(() => KeywordScalar, {
    nullable: true,
    description: "Those whose code or name contains this text, in any case.",
  })
  keyword?: string | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those created in this period." })
  createdAt?: PeriodInput | null;
}

export const ProductSortInput = sortInputType("Product", {
  CREATED_AT: "When it was created.",
  NAME: "By name, in the order of Unicode.",
  PRODUCT_ORDER: "By place in the shop.",
});
export type ProductSortInput = InstanceType<typeof ProductSortInput>;

export const ProductConnection = connectionType(() => Product, "Product");
