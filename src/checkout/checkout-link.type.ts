import { Field, ObjectType } from "type-graphql";
import { DateTimeScalar, LineScalar } from "../graphql/scalars.ts";

@ObjectType({
  description: "A signed link to the checkout of an order: a page where a payer sees the order and pays it.",
  simpleResolvers: true,
})
export class CheckoutLink {
  @Field(() => String, {
    description:
      "The address to send the payer's browser to. Whoever has it can see the order and pay it, so it goes to nobody else.",
  })
  url!: string;

  @Field(() => DateTimeScalar, {
    description: "Until when the link holds: a day. Ask for another one afterwards; the order stays as it is.",
  })
  expiresAt!: Date;

  @Field(() => LineScalar, { description: "Code of the order." })
  orderCode!: string;
}
