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
  description: "A price plan that the merchant registered in the recovery module: what a product costs, and how often.",
  implements: Node,
  simpleResolvers: true,
})
export class CoverPrice extends Node {
  @Field(() => String, { description: "Name of the plan." })
  name!: string;

  @Field(() => String, { description: "The merchant's own unique id of the plan." })
  partnerPriceId!: string;

  @Field(() => CoverProduct, { description: "The product that it prices." })
  product!: CoverProduct;

  @Field(() => DecimalScalar, { description: "Selling price in the vendor's currency." })
  price!: Amount;

  @Field(() => Boolean, { description: "Whether it is charged again each cycle." })
  isRecurring!: boolean;

  @Field(() => RecurringInterval, { nullable: true, description: "Unit of the cycle; null when it is not recurring." })
  recurringInterval!: RecurringInterval | null;

  @Field(() => Int, { nullable: true, description: "How many units a cycle has; null when it is not recurring." })
  recurringIntervalCount!: number | null;

  @Field(() => DateTimeScalar, { description: "When it was registered." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "When it was last changed." })
  modifiedAt!: Date;
}

@InputType({ description: "A price plan to register, under the merchant's own id." })
export class RegisterCoverPriceInput {
  @Field(() => NameScalar, { description: "Name of the plan." })
  name!: string;

  @Field(() => ID, { description: "The registered product that it prices." })
  productId!: string;

  @Field(() => DecimalScalar, { description: "Selling price in the vendor's currency." })
  price!: Amount;

  @Field(() => PartnerIdScalar, { description: "The merchant's own unique id of the plan." })
  partnerPriceId!: string;

  @Field(() => Boolean, {
    nullable: true,
    description: "Whether it is charged again each cycle. Without it: true where an interval is sent, else false.",
  })
  isRecurring?: boolean | null;

  @Field(() => RecurringInterval, { nullable: true, description: "Unit of the cycle; required when it is recurring." })
  recurringInterval?: RecurringInterval | null;

  @Field(() => PositiveIntScalar, { nullable: true, description: "How many units a cycle has; 1 unless told." })
  recurringIntervalCount?: number | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "When the partner id exists: true updates the plan with the fields sent, false (the default) refuses with DUPLICATE_PARTNER_ID.",
  })
  replaceIfExists?: boolean | null;
}

@ObjectType({ description: "The price plan after its registration.", simpleResolvers: true })
export class RegisterCoverPricePayload {
  @Field(() => CoverPrice, { description: "The price plan." })
  price!: CoverPrice;
}

@InputType({ description: "Which price plans are asked for; all conditions hold together." })
export class CoverPriceFilterInput {
  @Field(() => ID, { nullable: true, description: "Those of this product." })
  productId?: string | null;

  @Field(() => Boolean, { nullable: true, description: "Those that recur, or those that do not." })
  isRecurring?: boolean | null;

  @Field(() => PeriodInput, { nullable: true, description: "Those registered in this period." })
  createdAt?: PeriodInput | null;
}

export const CoverPriceSortInput = sortInputType("CoverPrice", { CREATED_AT: "When it was registered." });
export type CoverPriceSortInput = InstanceType<typeof CoverPriceSortInput>;

export const CoverPriceConnection = connectionType(() => CoverPrice, "CoverPrice");
