import { Field, Float, Int, ObjectType } from "type-graphql";
import { NoComparisonReason } from "../../../schema/vocabulary.ts";
import { DecimalScalar } from "../../graphql/scalars.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { RecoveryExperiment } from "./recovery-experiment.type.ts";

@ObjectType({
  description: "Number of cases with bounds that stay valid however often they are looked at.",
  simpleResolvers: true,
})
export class BoundedCount {
  @Field(() => Float, { description: "Estimated number, with two decimals. Negative if the holdout recovered more." })
  value!: number;

  @Field(() => Float, { description: "Lower bound." })
  lower!: number;

  @Field(() => Float, { description: "Upper bound." })
  upper!: number;
}

@ObjectType({
  description: "Amount with bounds that stay valid however often they are looked at, in the vendor's currency.",
  simpleResolvers: true,
})
export class BoundedAmount {
  @Field(() => DecimalScalar, { description: "Estimated amount. Negative if the holdout recovered more." })
  value!: Amount;

  @Field(() => DecimalScalar, { description: "Lower bound." })
  lower!: Amount;

  @Field(() => DecimalScalar, { description: "Upper bound." })
  upper!: Amount;
}

@ObjectType({
  description:
    "What was recovered because of the policies of an experiment, and would not have been with the holdout's: the difference of the rates times the covers that the policies ran. All bounds of an experiment together hold with a probability of 95%.",
  simpleResolvers: true,
})
export class PolicyEffect {
  @Field(() => RecoveryExperiment, {
    nullable: true,
    description: "The vendor's latest experiment with covers in the period. Null if there is none.",
  })
  experiment!: RecoveryExperiment | null;

  @Field(() => Int, {
    description:
      "Number of covers of the period that the policies ran and that are old enough to be compared; the holdout's are not among them.",
  })
  cases!: number;

  @Field(() => DecimalScalar, { description: "Amount of these covers, in the vendor's currency." })
  amount!: Amount;

  @Field(() => BoundedCount, {
    nullable: true,
    description: "Number of covers that were recovered because of the policies. Null if it is not known: see `reason`.",
  })
  recovered!: BoundedCount | null;

  @Field(() => BoundedAmount, {
    nullable: true,
    description: "Amount that was recovered because of the policies. Null if it is not known: see `reason`.",
  })
  recoveredAmount!: BoundedAmount | null;

  @Field(() => NoComparisonReason, {
    nullable: true,
    description: "Reason why the effect is not known. Null if it is.",
  })
  reason!: NoComparisonReason | null;
}
