import { Field, Int, ObjectType } from "type-graphql";
import { RecoveryTally } from "../analytics/recovery-tally.type.ts";
import { RateDifference } from "../experiments/recovery-experiment.type.ts";

@ObjectType({
  description:
    "Results of the failed renewals of one arm. A case is one order, whose covers count together from the first one's day on. Declines that end a cover at once, whatever the payer does, are not counted.",
  simpleResolvers: true,
})
export class MessageArmTally extends RecoveryTally {
  @Field(() => Int, { description: "Number of payers with at least one of these cases." })
  payers!: number;
}

@ObjectType({
  description:
    "What messages to payers of failed renewals recover: the payers who get them, and the holdout that gets none. Only renewals are counted that failed while the vendor had a holdout (`holdoutShare` of `updateMessageSettings`).",
  simpleResolvers: true,
})
export class MessageEffect {
  @Field(() => MessageArmTally, { description: "Results of the payers who get messages." })
  withMessages!: MessageArmTally;

  @Field(() => MessageArmTally, { description: "Results of the holdout, which gets none." })
  withoutMessages!: MessageArmTally;

  @Field(() => Int, {
    description:
      "Days after its first failure from which a case is compared: the longest window of the policies in force and three days. Until then faster payments would look like more.",
  })
  comparedAfterDays!: number;

  @Field(() => RateDifference, {
    nullable: true,
    description:
      "Recovery rate with messages minus that without, of the cases that are old enough. Its bounds stay valid while the period grows at its end; another beginning is another question. Null with fewer than 50 payers in either arm.",
  })
  difference!: RateDifference | null;

  @Field(() => RateDifference, {
    nullable: true,
    description: "The same difference by amount. Null with fewer than 50 payers in either arm.",
  })
  differenceByAmount!: RateDifference | null;
}
