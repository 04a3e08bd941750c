import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import type { RegionCode } from "../../schema/regions.ts";
import { ProductStatus, ProductType, RecurringInterval } from "../../schema/vocabulary.ts";
import {
  DateTimeScalar,
  LabelScalar,
  LineScalar,
  LinkScalar,
  NameScalar,
  NonNegativeIntScalar,
  PositiveIntScalar,
  RegionCodeScalar,
  TextScalar,
} from "../graphql/scalars.ts";
import {
  CountrySettingInput,
  NewOptionGroupInput,
  OptionCombinationInput,
  OptionGroupInput,
} from "./product-parts-input.type.ts";
import { Product } from "./product.type.ts";

@InputType({ description: "A badge that is shown on a product." })
export class EventBadgeInput {
  @Field(() => LabelScalar, { description: "Text of the badge." })
  event!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time from which the badge is shown. Defaults to no start.",
  })
  startDateTime?: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time until which the badge is shown. Defaults to no end.",
  })
  endDateTime?: Date | null;
}

@InputType({
  description: "Parts of a product's page that are shown. Absent parts keep their setting, and are hidden at first.",
})
export class WidgetUseInput {
  @Field(() => Boolean, { nullable: true, description: "True if the trial is shown." })
  useDemo?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if the badge is shown." })
  useEventBadge?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if the limit to one subscription is shown." })
  useOnetimePurchasable?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "True if the notice is shown." })
  useNotice?: boolean | null;
}

@InputType({ description: "Fields that creating and changing a product have in common." })
abstract class ProductInput {
  @Field(() => TextScalar, { nullable: true, description: "Second line under the name." })
  subTitle?: string | null;

  @Field(() => TextScalar, { nullable: true, description: "Long description." })
  description?: string | null;

  @Field(() => TextScalar, { nullable: true, description: "Short description." })
  summary?: string | null;

  @Field(() => LinkScalar, { nullable: true, description: "Address of the main image." })
  featuredImageUrl?: string | null;

  @Field(() => [LinkScalar], {
    nullable: true,
    description: "Addresses of all images, at most 50. Replaces all stored addresses.",
  })
  imageUrls?: string[] | null;

  @Field(() => LineScalar, { nullable: true, description: "The merchant's stock-keeping number. Null for none." })
  sku?: string | null;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description:
      "Units in stock. Null for unlimited, which is also the default of a new product. A product on SALE without stock becomes OUT_OF_STOCK, and SALE again when stock is added.",
  })
  quantity?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if each combination of options has its own stock and price. Defaults to false.",
  })
  useCombination?: boolean | null;

  @Field(() => [OptionCombinationInput], {
    nullable: true,
    description: "Combinations that can be ordered, at most 1,000. Replaces all stored combinations.",
  })
  optionCombinations?: OptionCombinationInput[] | null;

  @Field(() => [ID], {
    nullable: true,
    description:
      "Members of a bundle in order: global ids or numbers of products, at most 50. Replaces all stored members. They cannot change after the bundle has price plans.",
  })
  combinedProductIds?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if a subscription begins with a trial. Requires demoPeriod and demoPeriodUnit.",
  })
  enabledDemo?: boolean | null;

  @Field(() => PositiveIntScalar, { nullable: true, description: "Length of the trial, in its unit." })
  demoPeriod?: number | null;

  @Field(() => RecurringInterval, { nullable: true, description: "Unit of the trial's length." })
  demoPeriodUnit?: RecurringInterval | null;

  @Field(() => [NameScalar], {
    nullable: true,
    description:
      "Names of the product's categories, at most 20. Replaces all stored categories. A category that the vendor does not have is created.",
  })
  categories?: string[] | null;

  @Field(() => Int, { nullable: true, description: "Position in the shop, the smallest first. Defaults to 0." })
  productOrder?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "True if a customer can have only one subscription of the product.",
  })
  isOnetimePurchasable?: boolean | null;

  @Field(() => [EventBadgeInput], {
    nullable: true,
    description: "Badges of the product, at most 20. Replaces all stored badges.",
  })
  eventBadge?: EventBadgeInput[] | null;

  @Field(() => TextScalar, { nullable: true, description: "A notice to buyers. Null for none." })
  notice?: string | null;

  @Field(() => WidgetUseInput, { nullable: true, description: "Parts of the product's page that are shown." })
  useWidget?: WidgetUseInput | null;

  @Field(() => PositiveIntScalar, { nullable: true, description: "Number of a group of products. Null for none." })
  groupId?: number | null;

  @Field(() => CountrySettingInput, {
    nullable: true,
    description: "Sales settings for the product's country. Null for none.",
  })
  countrySetting?: CountrySettingInput | null;

  @Field(() => [RegionCodeScalar], {
    nullable: true,
    description: "Regions in which the product is sold. Empty for all regions.",
  })
  availableRegions?: RegionCode[] | null;

  @Field(() => ProductStatus, {
    nullable: true,
    description:
      "SALE puts the product on sale, UNSOLD takes it off sale. The other states are set automatically. Defaults to SALE for a new product.",
  })
  status?: ProductStatus | null;
}

@InputType({ description: "A product to create." })
export class CreateProductInput extends ProductInput {
  @Field(() => ProductType, {
    description:
      "Type of the product. It cannot be changed later. DRAFT is for child vendors, which ask their parent with submitProduct to list it.",
  })
  type!: ProductType;

  @Field(() => ProductType, {
    nullable: true,
    description: "Type of a DRAFT after its approval: BOX or SOFTWARE. Refused for other types.",
  })
  draftOf?: ProductType | null;

  @Field(() => NameScalar, { description: "Name of the product." })
  name!: string;

  @Field(() => [NewOptionGroupInput], {
    nullable: true,
    description: "Groups of options in the order in which they are chosen, at most 10.",
  })
  optionGroups?: NewOptionGroupInput[] | null;
}

@InputType({ description: "Changes of a product. Absent fields keep their values." })
export class UpdateProductInput extends ProductInput {
  @Field(() => ID, { description: "Global id or number of the product." })
  id!: string;

  @Field(() => NameScalar, { nullable: true, description: "Name of the product." })
  name?: string;

  @Field(() => [OptionGroupInput], {
    nullable: true,
    description:
      "Groups of options in the order in which they are chosen, at most 10. Replaces all stored groups: groups and options whose id is sent stay, others are created or removed. With combinations, optionCombinations is required too.",
  })
  optionGroups?: OptionGroupInput[] | null;

  @Field(() => ProductType, { nullable: true, description: "Type of a DRAFT after its approval: BOX or SOFTWARE." })
  draftOf?: ProductType | null;
}

@ObjectType({ description: "The product after its creation.", simpleResolvers: true })
export class CreateProductPayload {
  @Field(() => Product, { description: "The product." })
  product!: Product;
}

@ObjectType({ description: "The product after the change.", simpleResolvers: true })
export class UpdateProductPayload {
  @Field(() => Product, { description: "The product." })
  product!: Product;
}
