import { Args, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import { SliceArgs, toConnection } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { latestModelFirst, latestTrainingFirst } from "../registry/default-sorting.ts";
import type { RecoveryTrainingRecord } from "./recovery-training.repository.ts";
import {
  RecoveryModel,
  RecoveryModelConnection,
  RecoveryTraining,
  RecoveryTrainingConnection,
  TrainRecoveryModelPayload,
} from "./recovery-training.type.ts";

@Resolver(() => RecoveryModel)
export class RecoveryModelResolver extends NodeResolver(() => RecoveryModel, "RecoveryModel") {
  @Query(() => RecoveryModelConnection, {
    description: "Returns the models that were trained for the vendor and its children, the newest first.",
  })
  recoveryModels(@Ctx() context: GatewayContext, @Args(() => SliceArgs) args: SliceArgs) {
    return toConnection(context, context.read.recoveryModels.list, args, {}, latestModelFirst);
  }
}

@Resolver(() => RecoveryTraining)
export class RecoveryTrainingResolver extends NodeResolver(() => RecoveryTraining, "RecoveryTraining") {
  @Query(() => RecoveryTrainingConnection, {
    description: "Returns the trainings of the vendor's model, the newest first.",
  })
  recoveryTrainings(@Ctx() context: GatewayContext, @Args(() => SliceArgs) args: SliceArgs) {
    return toConnection(context, context.read.recoveryTrainings.list, args, {}, latestTrainingFirst);
  }

  @Mutation(() => TrainRecoveryModelPayload, {
    description:
      "Requests a training of the model on the retries of the vendor and its children; a worker runs it within a minute. While a training is open, that one is returned. The new model becomes active by itself if it predicts the newest retries better. Refused with MODEL_OF_PARENT for a child vendor.",
  })
  async trainRecoveryModel(@Ctx() { vendor, write }: GatewayContext) {
    return { training: await write(({ recoveryTrainings }) => recoveryTrainings.request(vendor)) };
  }

  @FieldResolver(() => RecoveryModel, { nullable: true })
  model(@Root() { modelId }: RecoveryTrainingRecord, @Ctx() { loaders }: GatewayContext) {
    return modelId === null ? null : loaders.findById("recoveryModels", modelId);
  }
}
