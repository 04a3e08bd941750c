import { Field, ID, InputType, Int, ObjectType } from "type-graphql";
import { RecurringInterval } from "../../../schema/vocabulary.ts";
import { connectionType, sortInputType, PeriodInput } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import {
  DateTimeScalar,
  DecimalScalar,
  NameScalar,
  PartnerIdScalar,
  PositiveIntScalar,
} from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { CoverProduct } from "./cover-product.type.ts";

@ObjectType("CoverPrice", {
  description:
    "A price plan that the merchant registered in the recovery module: the price of a product and its billing cycle.",
  implements: Node,
  simpleResolvers: true,
})
export class CoverPrice extends Node {
  @Field(() => String, { description: "Name of the plan." })
  name!: string;

  @Field(() => String, { description: "The merchant's own unique id of the plan." })
  partnerPriceId!: string;

  @Field(() => CoverProduct, { description: "The product that the plan belongs to." })
  product!: CoverProduct;

  @Field(() => DecimalScalar, { description: "Selling price in the vendor's currency." })
  price!: Amount;

  @Field(() => Boolean, { description: "True if the plan is charged again in each cycle." })
  isRecurring!: boolean;

  @Field(() => RecurringInterval, {
    nullable: true,
    description: "Unit of the cycle. Null if the plan is not recurring.",
  })
  recurringInterval!: RecurringInterval | null;

  @Field(() => Int, { nullable: true, description: "Number of units in a cycle. Null if the plan is not recurring." })
  recurringIntervalCount!: number | null;

  @Field(() => DateTimeScalar, { description: "Time of the registration." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}

@InputType({ description: "A price plan to register, under the merchant's own id." })
export class RegisterCoverPriceInput {
  @Field(() => NameScalar, { description: "Name of the plan." })
  name!: string;

  @Field(() => ID, { description: "The registered product that the plan belongs to." })
  productId!: string;

  @Field(() => DecimalScalar, { description: "Selling price in the vendor's currency." })
  price!: Amount;

  @Field(() => PartnerIdScalar, { description: "The merchant's own unique id of the plan." })
  partnerPriceId!: string;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True if the plan is charged again in each cycle. Defaults to true if an interval is sent, otherwise false.",
  })
  isRecurring?: boolean | null;

  @Field(() => RecurringInterval, {
    nullable: true,
    description: "Unit of the cycle. Required if the plan is recurring.",
  })
  recurringInterval?: RecurringInterval | null;

  @Field(() => PositiveIntScalar, { nullable: true, description: "Number of units in a cycle. Defaults to 1." })
  recurringIntervalCount?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Behaviour if the partner id exists: true updates the plan with the sent fields, false refuses with DUPLICATE_PARTNER_ID. Defaults to false.",
  })
  replaceIfExists?: boolean | null;
}

@ObjectType({ description: "The price plan after its registration.", simpleResolvers: true })
export class RegisterCoverPricePayload {
  @Field(() => CoverPrice, { description: "The price plan." })
  price!: CoverPrice;
}

@InputType({ description: "Filter of registered price plans. All conditions must hold." })
export class CoverPriceFilterInput {
  @Field(() => ID, { nullable: true, description: "Returns only price plans of this product." })
  productId?: string | null;

  @Field(() => Boolean, { nullable: true, description: "True returns only recurring plans, false only the others." })
  isRecurring?: boolean | null;

  @Field(() => PeriodInput, {
    nullable: true,
    description: "Returns only records that were registered in this period.",
  })
  createdAt?: PeriodInput | null;
}

export const CoverPriceSortInput = sortInputType("CoverPrice", { CREATED_AT: "Time of the registration." });
export type CoverPriceSortInput = InstanceType<typeof CoverPriceSortInput>;

export const CoverPriceConnection = connectionType(() => CoverPrice, "CoverPrice");
