import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { toAmount, type Amount } from "../../kernel/amounts.ts";
import type { MessageSettingsRecord } from "./message-settings.repository.ts";
import { SHARE_PARTS } from "../../recovery/experiments/recovery-experiment.rules.ts";
import { MessageSettings, UpdateMessageSettingsInput, UpdateMessageSettingsPayload } from "./message-settings.type.ts";

@Resolver(() => MessageSettings)
export class MessageSettingsResolver {
  @Query(() => MessageSettings, { description: "Returns the vendor's settings for messages to customers." })
  messageSettings(@Ctx() { vendor, read }: GatewayContext) {
    return read.messageSettings.read(vendor.id);
  }

  @FieldResolver()
  holdoutShare(@Root() { holdoutParts }: MessageSettingsRecord): Amount {
    return toAmount(holdoutParts).div(SHARE_PARTS);
  }

  @Mutation(() => UpdateMessageSettingsPayload, {
    description:
      "Changes the vendor's settings for messages to customers. Messages that are queued already are sent with the new sender.",
  })
  async updateMessageSettings(
    @Arg("input", () => UpdateMessageSettingsInput, { description: "The changes." }) input: UpdateMessageSettingsInput,
    @Ctx() { vendor, read, write }: GatewayContext,
  ) {
    await write(({ messageSettings }) => messageSettings.update(vendor.id, input));
    return { settings: await read.messageSettings.read(vendor.id) };
  }
}
