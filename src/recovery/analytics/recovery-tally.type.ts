import { Field, Float, Int, ObjectType } from "type-graphql";
import { DecimalScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";

@ObjectType({
  description:
    "Recovery results. A case is one cover. Recovery rates divide the recovered cases or amounts by all cases, including the open ones.",
  simpleResolvers: true,
})
export class RecoveryTally {
  @Field(() => Int, { description: "Number of covers that started." })
  cases!: number;

  @Field(() => DecimalScalar, { description: "Total amount of those covers, in the vendor's currency." })
  amount!: Amount;

  @Field(() => Int, { description: "Number of covers that were paid while in progress." })
  recovered!: number;

  @Field(() => DecimalScalar, { description: "Amount that the recovered covers brought, in the vendor's currency." })
  recoveredAmount!: Amount;

  @Field(() => Int, { description: "Number of covers that ended unpaid." })
  lost!: number;

  @Field(() => DecimalScalar, { description: "Amount of the covers that ended unpaid, in the vendor's currency." })
  lostAmount!: Amount;

  @Field(() => Int, { description: "Number of covers that are still in progress." })
  open!: number;

  @Field(() => DecimalScalar, {
    description: "Amount of the covers that are still in progress, in the vendor's currency.",
  })
  openAmount!: Amount;

  @Field(() => Float, {
    nullable: true,
    description: "`recovered` divided by `cases`: 0 to 1 with six decimals. Null if there are no cases.",
  })
  recoveryRate!: number | null;

  @Field(() => Float, {
    nullable: true,
    description: "`recoveredAmount` divided by `amount`: 0 to 1 with six decimals. Null if the amount is 0.",
  })
  recoveryRateByAmount!: number | null;
}
