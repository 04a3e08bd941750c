import { Field, Float, Int, ObjectType } from "type-graphql";
import { TrainingResult, TrainingState, TrainingTrigger } from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { Node } from "../../graphql/node.ts";
import { DateTimeScalar, LineScalar } from "../../graphql/scalars.ts";

@ObjectType({
  implements: Node,
  description:
    "A model that was trained on the retries of a vendor and its children. It never changes; decisions name its version.",
  simpleResolvers: true,
})
export class RecoveryModel extends Node {
  @Field(() => LineScalar, { description: "Digest of the model's content, as in `RetryDecision.modelVersion`." })
  version!: string;

  @Field(() => LineScalar, { description: "Version of the features that the model weighs." })
  features!: string;

  @Field(() => LineScalar, { description: "Version of the model that its weights were expected to be near." })
  priorVersion!: string;

  @Field(() => Int, { description: "Number of retries that it was fitted on." })
  tries!: number;

  @Field(() => Int, { description: "Number of these retries that were imported from another system." })
  importedTries!: number;

  @Field(() => DateTimeScalar, { description: "Time of the first of these retries." })
  triesFrom!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the last of these retries." })
  triesUntil!: Date;

  @Field(() => DateTimeScalar, { description: "Time at which it was trained." })
  madeAt!: Date;
}

export const RecoveryModelConnection = connectionType(() => RecoveryModel, "RecoveryModel");

@ObjectType({ description: "How well a model predicted retries that it was not trained on.", simpleResolvers: true })
export class ModelScore {
  @Field(() => Float, {
    description: "Mean negative logarithm of the probability that it gave to each result. Smaller is better.",
  })
  logLoss!: number;

  @Field(() => Float, {
    description:
      "Mean distance between stated probabilities and shares of approvals, 0 to 1, in ten bins of probability weighted by retries.",
  })
  calibrationError!: number;
}

@ObjectType({
  description:
    "Comparison of a candidate with the model in force, on the newest retries, which neither was trained on.",
  simpleResolvers: true,
})
export class ModelEvaluation {
  @Field(() => Int, { description: "Number of retries of the comparison." })
  tries!: number;

  @Field(() => ModelScore, { description: "Score of the candidate." })
  candidate!: ModelScore;

  @Field(() => ModelScore, { description: "Score of the model in force." })
  active!: ModelScore;
}

@ObjectType({
  description: "Recorded results that a training left out, by reason. They do not make it fail.",
  simpleResolvers: true,
})
export class TrainingOmissions {
  @Field(() => Int, { description: "Covers whose stored facts cannot be read." })
  unreadable!: number;

  @Field(() => Int, {
    description: "Results before their cover, before an earlier result, or without an announced date.",
  })
  outOfOrder!: number;

  @Field(() => Int, { description: "Further results of a date that has one." })
  doubled!: number;

  @Field(() => Int, { description: "Results later than the time of the training." })
  inFuture!: number;

  @Field(() => Int, { description: "Results reported more than six hours after their date: their hour is not known." })
  late!: number;

  @Field(() => Int, { description: "Attempts by the payer in person." })
  byPayer!: number;
}

@ObjectType({
  implements: Node,
  description:
    "A training of the model of a vendor and its children. It runs in a worker, each night after new covers and on request.",
  simpleResolvers: true,
})
export class RecoveryTraining extends Node {
  @Field(() => TrainingState, { description: "State of the training." })
  state!: TrainingState;

  @Field(() => TrainingTrigger, { description: "Origin of the training." })
  trigger!: TrainingTrigger;

  @Field(() => DateTimeScalar, { description: "Time of the request." })
  requestedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time at which a worker began. Null before." })
  startedAt!: Date | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the end. Null before." })
  finishedAt!: Date | null;

  @Field(() => Int, {
    description: "Number of times that a worker began it: 0 before, more than 1 after the death of a worker.",
  })
  runs!: number;

  @Field(() => TrainingResult, { nullable: true, description: "Result of the training. Null unless it is DONE." })
  result!: TrainingResult | null;

  @Field(() => Int, { nullable: true, description: "Number of retries that it found. Null unless it is DONE." })
  tries!: number | null;

  @Field(() => TrainingOmissions, { nullable: true, description: "Results left out. Null unless it is DONE." })
  leftOut!: TrainingOmissions | null;

  @Field(() => ModelEvaluation, {
    nullable: true,
    description: "Comparison that decided whether the candidate became active. Null if there were too few retries.",
  })
  evaluation!: ModelEvaluation | null;

  @Field(() => RecoveryModel, {
    nullable: true,
    description: "Candidate of the training, whether or not it became active. Null if there were too few retries.",
  })
  model!: RecoveryModel | null;

  @Field(() => LineScalar, { nullable: true, description: "Reason why it failed. Null unless it is FAILED." })
  failure!: string | null;
}

export const RecoveryTrainingConnection = connectionType(() => RecoveryTraining, "RecoveryTraining");

@ObjectType({ description: "Result of `trainRecoveryModel`.", simpleResolvers: true })
export class TrainRecoveryModelPayload {
  @Field(() => RecoveryTraining, {
    description: "The open training: a new one, or the one that was requested before. Read it by its id until it ends.",
  })
  training!: RecoveryTraining;
}
