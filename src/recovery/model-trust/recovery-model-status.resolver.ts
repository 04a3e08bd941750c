import { Arg, Args, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import { Language } from "../../../schema/vocabulary.ts";
import { SliceArgs, toConnection } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { explainModelStatus, type ModelStatus } from "./model-status.ts";
import { readModelStatus } from "./read-model-status.ts";
import { RecoveryModelEvent, RecoveryModelEventConnection, RecoveryModelStatus } from "./recovery-model-status.type.ts";

@Resolver(() => RecoveryModelStatus)
export class RecoveryModelStatusResolver {
  @Query(() => RecoveryModelStatus, {
    description:
      "Returns what chooses times under SMART for new covers of the vendor now, why, and how well it has predicted lately.",
  })
  recoveryModelStatus(@Ctx() { read, vendor }: GatewayContext) {
    return readModelStatus(read, vendor);
  }

  @FieldResolver(() => String, { description: "What decides, and why, in one sentence." })
  explanation(
    @Root() status: ModelStatus,
    @Arg("language", () => Language, { defaultValue: "ENGLISH", description: "The language. Defaults to ENGLISH." })
    language: Language,
  ): string {
    return explainModelStatus(status, language);
  }
}

@Resolver(() => RecoveryModelEvent)
export class RecoveryModelEventResolver extends NodeResolver(() => RecoveryModelEvent, "RecoveryModelEvent") {
  @Query(() => RecoveryModelEventConnection, {
    description:
      "Returns the trainings and fallbacks of the family's models, the newest first. Poolings of its country are in `recoveryModelStatus.pooling`.",
  })
  recoveryModelEvents(@Ctx() { read, vendor }: GatewayContext, @Args(() => SliceArgs) args: SliceArgs) {
    const family = { vendor: { id: vendor.parentId ?? vendor.id } };
    return toConnection(family, read.modelTrust.events, args, {}, { field: "OCCURRED_AT", direction: "DESC" });
  }
}
