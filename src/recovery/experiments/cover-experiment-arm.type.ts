import { Field, Int, ObjectType } from "type-graphql";
import { RecoveryExperiment } from "./recovery-experiment.type.ts";

@ObjectType({ description: "Arm of an experiment that a cover belongs to, with its payer.", simpleResolvers: true })
export class CoverExperimentArm {
  @Field(() => Int, { description: "Number of the arm within its experiment. 0 is the holdout." })
  number!: number;

  @Field(() => Boolean, { description: "Whether the arm is the holdout." })
  isHoldout!: boolean;

  @Field(() => RecoveryExperiment, {
    nullable: true,
    description: "The experiment. Null for an experiment of the parent vendor, which only the parent can read.",
  })
  experiment!: RecoveryExperiment | null;
}
