import { Field, InputType, ObjectType } from "type-graphql";
import { connectionType, sortInputType, PeriodInput } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { DateTimeScalar, LinkScalar, NameScalar, PartnerIdScalar } from "../../graphql/scalars.ts";

@ObjectType("CoverProduct", {
  description: "A product that the merchant registered in the recovery module.",
  implements: Node,
  simpleResolvers: true,
})
export class CoverProduct extends Node {
  @Field(() => String, { description: "Name of the product." })
  name!: string;

  @Field(() => String, { description: "The merchant's own unique id of the product." })
  partnerProductId!: string;

  @Field(() => String, { description: "Address of the main image. An empty string if there is none." })
  featuredImageUrl!: string;

  @Field(() => DateTimeScalar, { description: "Time of the registration." })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last change." })
  modifiedAt!: Date;
}

@InputType({ description: "A product to register, under the merchant's own id." })
export class RegisterCoverProductInput {
  @Field(() => NameScalar, { description: "Name of the product." })
  name!: string;

  @Field(() => PartnerIdScalar, { description: "The merchant's own unique id of the product." })
  partnerProductId!: string;

  @Field(() => LinkScalar, { nullable: true, description: "Address of the main image." })
  featuredImageUrl?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "Behaviour if the partner id exists: true updates the product with the sent fields, false refuses with DUPLICATE_PARTNER_ID. Defaults to false.",
  })
  replaceIfExists?: boolean | null;
}

@ObjectType({ description: "The product after its registration.", simpleResolvers: true })
export class RegisterCoverProductPayload {
  @Field(() => CoverProduct, { description: "The product." })
  product!: CoverProduct;
}

@InputType({ description: "Filter of registered products. All conditions must hold." })
export class CoverProductFilterInput {
  @Field(() => PeriodInput, {
    nullable: true,
    description: "Returns only records that were registered in this period.",
  })
  createdAt?: PeriodInput | null;
}

export const CoverProductSortInput = sortInputType("CoverProduct", { CREATED_AT: "Time of the registration." });
export type CoverProductSortInput = InstanceType<typeof CoverProductSortInput>;

export const CoverProductConnection = connectionType(() => CoverProduct, "CoverProduct");
