import { Field, Float, ObjectType } from "type-graphql";
import { DecimalScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";

@ObjectType({
  description: "An estimated figure. Its interval contains the true value 19 times out of 20.",
  simpleResolvers: true,
})
export class EstimatedFigure {
  @Field(() => Float, { description: "The estimate." }) value!: number;
  @Field(() => Float, { description: "Lower bound of the 95 % interval." }) low!: number;
  @Field(() => Float, { description: "Upper bound of the 95 % interval." }) high!: number;
}

@ObjectType({
  description:
    "An estimated amount, in the vendor's currency unless it is one of several by currency. Its interval contains the true value 19 times out of 20.",
  simpleResolvers: true,
})
export class EstimatedAmount {
  @Field(() => DecimalScalar, { description: "The estimate." }) value!: Amount;
  @Field(() => DecimalScalar, { description: "Lower bound of the 95 % interval." }) low!: Amount;
  @Field(() => DecimalScalar, { description: "Upper bound of the 95 % interval." }) high!: Amount;
}
