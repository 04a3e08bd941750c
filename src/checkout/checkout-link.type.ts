import { Field, ObjectType } from "type-graphql";
import { DateTimeScalar, LineScalar } from "../graphql/scalars.ts";

@ObjectType({
  description: "A signed link to the checkout of an order: a page where a payer sees the order and pays it.",
  simpleResolvers: true,
})
export class CheckoutLink {
  @Field(() => String, {
    description:
      "Address of the checkout page. The link lets anyone see and pay the order, so give it only to the payer.",
  })
  url!: string;

  @Field(() => DateTimeScalar, {
    description:
      "Time at which the link expires: one day after its creation. The order is not affected; request a new link afterwards.",
  })
  expiresAt!: Date;

  @Field(() => LineScalar, { description: "Code of the order." })
  orderCode!: string;
}
