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

@InputType({ description: "A badge to wear." })
export class EventBadgeInput {
  @Field(() => LabelScalar, { description: "What the badge says." })
  event!: string;

  @Field(() => DateTimeScalar, { nullable: true, description: "From when it is worn; always unless told." })
  startDateTime?: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Until when it is worn; for ever unless told." })
  endDateTime?: Date | null;
}

@InputType({ description: "Which parts of its page a product shows; absent ones stay, and are hidden at first." })
export class WidgetUseInput {
  @Field(() => Boolean, { nullable: true, description: "The trial." })
  useDemo?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "The badge." })
  useEventBadge?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "The limit of one subscription." })
  useOnetimePurchasable?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: "The notice." })
  useNotice?: boolean | null;
}

@InputType({ description: "What creating and changing a product have in common." })
abstract class ProductInput {
  @Field(() => TextScalar, { nullable: true, description: "A second line under the name." })
  subTitle?: string | null;

  @Field(() => TextScalar, { nullable: true, description: "What it is, at length." })
  description?: string | null;

  @Field(() => TextScalar, { nullable: true, description: "What it is, in short." })
  summary?: string | null;

  @Field(() => LinkScalar, { nullable: true, description: "Address of the main image." })
  featuredImageUrl?: string | null;

  @Field(() => [LinkScalar], { nullable: true, description: "Addresses of all images, at most 50; set whole." })
  imageUrls?: string[] | null;

  @Field(() => LineScalar, { nullable: true, description: "The merchant's stock-keeping number; null for none." })
  sku?: string | null;

  @Field(() => NonNegativeIntScalar, {
    nullable: true,
    description:
      "Units in stock; null is unlimited, and so is what is not told at first. A product on SALE without any is OUT_OF_STOCK, and comes back with the next.",
  })
  quantity?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether stock and price are kept for each combination of options; false unless told.",
  })
  useCombination?: boolean | null;

  @Field(() => [OptionCombinationInput], {
    nullable: true,
    description: "The combinations that can be ordered, at most 1,000; set whole.",
  })
  optionCombinations?: OptionCombinationInput[] | null;

  @Field(() => [ID], {
    nullable: true,
    description:
      "Members of a bundle in order, at most 50: global ids or numbers of products; set whole. They stay once the bundle has price plans.",
  })
  combinedProductIds?: string[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether a subscription begins with a trial; needs demoPeriod and demoPeriodUnit.",
  })
  enabledDemo?: boolean | null;

  @Field(() => PositiveIntScalar, { nullable: true, description: "How long the trial lasts, in its unit." })
  demoPeriod?: number | null;

  @Field(() => RecurringInterval, { nullable: true, description: "The unit of the trial's length." })
  demoPeriodUnit?: RecurringInterval | null;

  @Field(() => [NameScalar], {
    nullable: true,
    description: "Names of the categories it is in, at most 20; set whole. One that the vendor does not have is made.",
  })
  categories?: string[] | null;

  @Field(() => Int, { nullable: true, description: "Place in the shop, smallest first; 0 unless told." })
  productOrder?: number | null;

  @Field(() => Boolean, { nullable: true, description: "Whether a customer can have one live subscription only." })
  isOnetimePurchasable?: boolean | null;

  @Field(() => [EventBadgeInput], { nullable: true, description: "Badges that it wears, at most 20; set whole." })
  eventBadge?: EventBadgeInput[] | null;

  @Field(() => TextScalar, { nullable: true, description: "A notice to buyers; null for none." })
  notice?: string | null;

  @Field(() => WidgetUseInput, { nullable: true, description: "Which parts of its page are shown." })
  useWidget?: WidgetUseInput | null;

  @Field(() => PositiveIntScalar, { nullable: true, description: "Number of a group of products; null for none." })
  groupId?: number | null;

  @Field(() => CountrySettingInput, {
    nullable: true,
    description: "How the vendor sells in the product's country; null for nothing of its own.",
  })
  countrySetting?: CountrySettingInput | null;

  @Field(() => [RegionCodeScalar], { nullable: true, description: "Regions in which it is sold; none is everywhere." })
  availableRegions?: RegionCode[] | null;

  @Field(() => ProductStatus, {
    nullable: true,
    description:
      "SALE puts it on sale, UNSOLD takes it off; the other states come by themselves. A new one is on SALE unless told.",
  })
  status?: ProductStatus | null;
}

@InputType({ description: "A product to create." })
export class CreateProductInput extends ProductInput {
  @Field(() => ProductType, {
    description:
      "What kind of product it is: for good. DRAFT is for child vendors: submitProduct asks the parent to list it.",
  })
  type!: ProductType;

  @Field(() => ProductType, {
    nullable: true,
    description: "What a DRAFT is to be once it is approved: BOX or SOFTWARE. No other type has it.",
  })
  draftOf?: ProductType | null;

  @Field(() => NameScalar, { description: "Name of the product." })
  name!: string;

  @Field(() => [NewOptionGroupInput], {
    nullable: true,
    description: "Groups of options in the order of the choice, at most 10.",
  })
  optionGroups?: NewOptionGroupInput[] | null;
}

@InputType({ description: "What changes of a product: absent fields stay as they are." })
export class UpdateProductInput extends ProductInput {
  @Field(() => ID, { description: "Global id or number of the product." })
  id!: string;

  @Field(() => NameScalar, { nullable: true, description: "Name of the product." })
  name?: string;

  @Field(() => [OptionGroupInput], {
    nullable: true,
    description:
      "Groups of options in the order of the choice, at most 10; set whole. Groups and options whose id is sent stay, all others are new or gone. With combinations, optionCombinations has to be sent too.",
  })
  optionGroups?: OptionGroupInput[] | null;

  @Field(() => ProductType, { nullable: true, description: "What a DRAFT is to be: BOX or SOFTWARE." })
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
