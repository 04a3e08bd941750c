import { Field, InputType, Int, ObjectType, ID } from "type-graphql";
import { ClaimMethodType, PricePlanType, RecurringInterval, WhenToClaimType } from "../../../schema/vocabulary.ts";
import { connectionType, PeriodInput, sortInputType } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { CurrencyAmountsScalar, DateTimeScalar, DecimalScalar } from "../../graphql/scalars.ts";
import {
  AdditionalBilling,
  Claim,
  FirstSale,
  PlanPresentation,
  PriceOption,
  PriceVolume,
  Recurrence,
  SetupOption,
} from "./price-parts.type.ts";

@ObjectType("PricePlan", { description: "What a product costs, and when.", implements: Node, simpleResolvers: true })
export class PricePlan extends Node {
  @Field(() => String, { description: 'Code of the plan: "price_" and nine letters or digits.' })
  code!: string;

  @Field(() => PricePlanType, { description: "How it is charged." })
  type!: PricePlanType;

  @Field(() => DecimalScalar, { description: "The price of one, in the base currency." })
  price!: string;

  @Field(() => CurrencyAmountsScalar, { description: "The price of one in other currencies." })
  currencyPrice!: Record<string, string>;

  @Field(() => String, { description: "What one is called: seat, GB; empty where it has no name." })
  unit!: string;

  @Field(() => PlanPresentation, { description: "How it presents itself." })
  plan!: PlanPresentation;

  @Field(() => FirstSale, { description: "What is taken off on the first purchase." })
  firstSale!: FirstSale;

  @Field(() => Claim, { description: "When it is charged." })
  claim!: Claim;

  @Field(() => String, { description: "Repeats plan.name, as the REST contract does." })
  planName!: string;

  @Field(() => String, { description: "Repeats plan.description." })
  planDescription!: string;

  @Field(() => Boolean, { description: "Repeats firstSale.enabled." })
  enabledFirstSalePrice!: boolean;

  @Field(() => DecimalScalar, { description: "Repeats firstSale.price." })
  firstSalePrice!: string;

  @Field(() => ClaimMethodType, { description: "Repeats claim.methodType." })
  claimMethodType!: ClaimMethodType;

  @Field(() => WhenToClaimType, { nullable: true, description: "Repeats claim.whenToClaimType." })
  whenToClaimType!: WhenToClaimType | null;

  @Field(() => Int, { nullable: true, description: "Repeats claim.billingDate." })
  billingDate!: number | null;

  @Field(() => Int, { description: "The most that can be bought at once; 0 is no limit." })
  maximumPurchaseQuantity!: number;

  @Field(() => Int, { description: "How long a membership lasts, in its unit; 0 is no end." })
  membershipExpirationDate!: number;

  @Field(() => RecurringInterval, { nullable: true, description: "The unit of the membership's length." })
  membershipExpirationDateType!: RecurringInterval | null;

  @Field(() => Int, { nullable: true, description: "Largest number of renewals before the end; null is no end." })
  expiryRecurringCount!: number | null;

  @Field(() => SetupOption, { nullable: true, description: "The base or set-up fee; null where there is none." })
  setupOption!: SetupOption | null;

  @Field(() => [PriceOption], { description: "Choices that it offers, in order." })
  options!: PriceOption[];

  @Field(() => [PriceVolume], { description: "Prices by the whole quantity, in rising order." })
  volumes!: PriceVolume[];

  @Field(() => AdditionalBilling, {
    nullable: true,
    description: "Prices of units by ranges; null where there are none.",
  })
  additionalBilling!: AdditionalBilling | null;

  @Field(() => Recurrence, { nullable: true, description: "How often it is charged; null for once." })
  recurring!: Recurrence | null;

  @Field(() => Int, { description: "Units that the price includes." })
  basicServing!: number;

  @Field(() => DecimalScalar, { description: "What is added to the first payment of a bundle, in the base currency." })
  onetimeBundlePrice!: string;

  @Field(() => Int, { description: "Place among the product's plans, smallest first." })
  order!: number;

  @Field(() => Boolean, { description: "Whether it stands for the product where one price is shown." })
  isRepresentative!: boolean;

  @Field(() => DateTimeScalar, { description: "When it was created." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  modifiedAt!: Date;
}

@InputType({ description: "Which price plans are asked for; all conditions hold together." })
export class PricePlanFilterInput {
  @Field(() => ID, { nullable: true, description: "Those of this product: global id or number." })
  productId?: string | null;

  @Field(() => PricePlanType, { nullable: true, description: "Those of this type." })
  type?: PricePlanType | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those created in this period." })
  createdAt?: PeriodInput | null;
}

export const PricePlanSortInput = sortInputType("PricePlan", { CREATED_AT: "When it was created." });
export type PricePlanSortInput = InstanceType<typeof PricePlanSortInput>;

export const PricePlanConnection = connectionType(() => PricePlan, "PricePlan");
