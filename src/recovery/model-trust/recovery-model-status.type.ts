import { Field, Float, ID, Int, ObjectType } from "type-graphql";
import {
  EventType,
  ModelFallbackReason,
  ModelSource,
  ModelStatusReason,
  PoolingResult,
  TrainingResult,
  TrainingState,
} from "../../../schema/vocabulary.ts";
import { connectionType } from "../../graphql/connection.ts";
import { GLOBAL_ID } from "../../graphql/node.ts";
import { DateTimeScalar, GraphQLBigInt } from "../../graphql/scalars.ts";
import { ModelEvaluation } from "../models/recovery-training.type.ts";

@ObjectType({
  description: "Bounds of a model's mean error. They hold 19 times out of 20, however often they are looked at.",
  simpleResolvers: true,
})
export class ModelErrorBounds {
  @Field(() => Float, { description: "The lower bound, -1 to 1." })
  low!: number;

  @Field(() => Float, { description: "The upper bound, -1 to 1." })
  high!: number;
}

@ObjectType({
  description:
    "What a model predicted and what happened, in the results of the last 20 to 30 days, or since the model was last given up.",
  simpleResolvers: true,
})
export class ModelDrift {
  @Field(() => Int, { description: "Number of retries with a result." })
  attempts!: number;

  @Field(() => Float, { description: "Mean of the probabilities that the model stated, 0 to 1." })
  predicted!: number;

  @Field(() => Float, { description: "Share of the retries that were approved, 0 to 1." })
  observed!: number;

  @Field(() => Float, { description: "`observed` less `predicted`, -1 to 1." })
  error!: number;

  @Field(() => ModelErrorBounds, { description: "Bounds of `error`." })
  errorBounds!: ModelErrorBounds;

  @Field(() => Float, {
    description: "Mean loss of the model's probabilities, in natural logarithms. Smaller is better.",
  })
  modelLoss!: number;

  @Field(() => Float, {
    description: "The same loss of the shares of approvals by class of the decline and number of the attempt.",
  })
  countingLoss!: number;

  @Field(() => Float, {
    description: "Evidence that the model's probabilities are wrong by more than `tolerance`. 1 says nothing.",
  })
  miscalibrationEvidence!: number;

  @Field(() => Float, {
    description: "Evidence that counting predicts better than the model by more than `tolerance`. 1 says nothing.",
  })
  countingEvidence!: number;

  @Field(() => Float, {
    description:
      "Evidence at which the model is given up. A model that is right reaches it by chance in at most 5 % of years.",
  })
  evidenceLimit!: number;

  @Field(() => Float, { description: "By how much probabilities may be wrong, 0 to 1." })
  tolerance!: number;
}

@ObjectType({ description: "A version of a model that is not trusted.", simpleResolvers: true })
export class GivenUpModel {
  @Field(() => ModelSource, { description: "Where the model comes from." })
  source!: ModelSource;

  @Field(() => String, { description: "Version of the model." })
  version!: string;

  @Field(() => ModelFallbackReason, { description: "Reason why it is not trusted." })
  reason!: ModelFallbackReason;

  @Field(() => DateTimeScalar, { description: "Time since which it does not decide." })
  since!: Date;
}

@ObjectType({ description: "A training of a model that has not ended.", simpleResolvers: true })
export class OpenModelTraining {
  @Field(() => TrainingState, { description: "Whether it has started." })
  state!: TrainingState;

  @Field(() => DateTimeScalar, { description: "Time of the request." })
  requestedAt!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the start. Null before it." })
  startedAt!: Date | null;
}

@ObjectType({
  description: "The training of a model that ended last, with what its candidate was compared by.",
  simpleResolvers: true,
})
export class EndedModelTraining {
  @Field(() => TrainingState, { description: "DONE or FAILED." })
  state!: TrainingState;

  @Field(() => DateTimeScalar, { description: "Time of the request." })
  requestedAt!: Date;

  @Field(() => DateTimeScalar, { description: "Time of the end." })
  finishedAt!: Date;

  @Field(() => TrainingResult, { nullable: true, description: "Result of the training. Null if it FAILED." })
  result!: TrainingResult | null;

  @Field(() => String, {
    nullable: true,
    description: "Version of the candidate, whether or not it became active. Null if there were too few retries.",
  })
  version!: string | null;

  @Field(() => Int, { nullable: true, description: "Number of retries that it found. Null if it FAILED." })
  tries!: number | null;

  @Field(() => ModelEvaluation, {
    nullable: true,
    description:
      "Log-loss and calibration error of the candidate and of the model in force, which decided between them. Null if there were too few retries.",
  })
  evaluation!: ModelEvaluation | null;

  @Field(() => String, { nullable: true, description: "Reason why it failed. Null unless it FAILED." })
  failure!: string | null;
}

@ObjectType({
  description: "Pooling in the country of the family's parent vendor, which is done once a week.",
  simpleResolvers: true,
})
export class ModelPooling {
  @Field(() => String, { description: "ISO 3166-1 alpha-2 code of the country." })
  country!: string;

  @Field(() => Boolean, { description: "True if the family shares its retries, see `recoveryPooling`." })
  isSharing!: boolean;

  @Field(() => PoolingResult, {
    nullable: true,
    description: "Result of the last pooling. Null before the first.",
  })
  result!: PoolingResult | null;

  @Field(() => DateTimeScalar, { nullable: true, description: "Time of the last pooling. Null before the first." })
  pooledAt!: Date | null;
}

@ObjectType({
  description:
    "What chooses times under SMART for new covers of the vendor now, and whether it can be trusted. Models are of a family: a child vendor sees its parent's.",
  simpleResolvers: true,
})
export class RecoveryModelStatus {
  @Field(() => ModelSource, { description: "What decides under SMART: a model, or the even schedule." })
  source!: ModelSource;

  @Field(() => String, { nullable: true, description: "Version of the model that decides. Null under EVEN." })
  version!: string | null;

  @Field(() => ModelStatusReason, { description: "Reason why this decides." })
  reason!: ModelStatusReason;

  @Field(() => Int, {
    nullable: true,
    description:
      "Number of retries that the model was trained on; of a country's model, rounded down to hundreds. Null under EVEN.",
  })
  tries!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      "Number of these retries that were imported from another system. Null for a model that is not the family's own.",
  })
  importedTries!: number | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the first of these retries. Null for a model that is not the family's own.",
  })
  triesFrom!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the last of these retries. Null for a model that is not the family's own.",
  })
  triesUntil!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: "Time of the training. Null for the published model and under EVEN.",
  })
  trainedAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "Time up to which results of the family's retries were read. Null before the first decision by a model.",
  })
  lastResultAt!: Date | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "Time from which the model is not trusted if there is no result until then, 45 days after its training and the last result. Null for a model that does not age.",
  })
  staleAt!: Date | null;

  @Field(() => ModelDrift, {
    nullable: true,
    description:
      "What the model that decides predicted, and what happened. Null before the first result, and under EVEN.",
  })
  drift!: ModelDrift | null;

  @Field(() => [GivenUpModel], { description: "Versions that would decide if they were trusted, the first first." })
  givenUp!: GivenUpModel[];

  @Field(() => ModelPooling, { description: "Pooling of retries in the vendor's country." })
  pooling!: ModelPooling;

  @Field(() => OpenModelTraining, {
    nullable: true,
    description: "The training that has not ended. Null if there is none.",
  })
  training!: OpenModelTraining | null;

  @Field(() => EndedModelTraining, {
    nullable: true,
    description: "The training that ended last, whatever its result. Null before the first.",
  })
  lastTraining!: EndedModelTraining | null;
}

@ObjectType({
  description:
    "A model that was trained, was given up or decides again. A family's events are those of its parent vendor.",
  simpleResolvers: true,
})
export class RecoveryModelEvent {
  @Field(() => ID, { description: GLOBAL_ID })
  id!: string;

  @Field(() => GraphQLBigInt, { description: "Number of the event, unique among events of models." })
  databaseId!: number;

  @Field(() => EventType, {
    description:
      "MODEL_TRAINED for a model that was trained and decides from then on, MODEL_FALLBACK for one that was given up or, without a `reason`, decides again.",
  })
  type!: EventType;

  @Field(() => ModelSource, { description: "Where the model comes from." })
  source!: ModelSource;

  @Field(() => String, { description: "Version of the model." })
  version!: string;

  @Field(() => ModelSource, {
    nullable: true,
    description: "What decides under SMART from then on. Null for a training.",
  })
  decides!: ModelSource | null;

  @Field(() => ModelFallbackReason, {
    nullable: true,
    description: "Reason why the model was given up. Null for a training, and if the model decides again.",
  })
  reason!: ModelFallbackReason | null;

  @Field(() => DateTimeScalar, { description: "Time of the event." })
  occurredAt!: Date;
}

export const RecoveryModelEventConnection = connectionType(() => RecoveryModelEvent, "RecoveryModelEvent");
