import { Arg, Ctx, Mutation, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { MessageSettings, UpdateMessageSettingsInput, UpdateMessageSettingsPayload } from "./message-settings.type.ts";

@Resolver(() => MessageSettings)
export class MessageSettingsResolver {
  @Query(() => MessageSettings, { description: "Returns the vendor's settings for messages to customers." })
  messageSettings(@Ctx() { vendor, read }: GatewayContext) {
    return read.messageSettings.read(vendor.id);
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
