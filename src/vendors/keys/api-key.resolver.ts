import { Arg, Args, Ctx, Mutation, Query, Resolver } from "type-graphql";
import { NEWEST_FIRST, SliceArgs, toConnection } from "../../graphql/connection.ts";
import type { GatewayContext } from "../../graphql/context.ts";
import { NodeResolver } from "../../graphql/node.ts";
import { databaseIdOf } from "../../graphql/record-ids.ts";
import {
  ApiKey,
  ApiKeyConnection,
  CreateApiKeyInput,
  CreateApiKeyPayload,
  RevokeApiKeyInput,
  RevokeApiKeyPayload,
  RotateApiKeyInput,
  RotateApiKeyPayload,
} from "./api-key.type.ts";

const keyIdOf = (id: string): number => databaseIdOf("ApiKey", id, "keyId");

@Resolver(() => ApiKey)
export class ApiKeyResolver extends NodeResolver(() => ApiKey, "ApiKey") {
  @Query(() => ApiKeyConnection, {
    description: "Returns the vendor's API keys, the newest first, with those that expired or were revoked.",
  })
  apiKeys(@Ctx() context: GatewayContext, @Args(() => SliceArgs) args: SliceArgs) {
    return toConnection(context, context.read.apiKeys.list, args, {}, NEWEST_FIRST);
  }

  @Mutation(() => CreateApiKeyPayload, {
    description:
      "Creates an API key. Refused with PERMISSION_DENIED for scopes that permit more than the caller may do.",
  })
  async createApiKey(
    @Arg("input", () => CreateApiKeyInput, { description: "The key." }) input: CreateApiKeyInput,
    @Ctx() { vendor, caller, write, markSensitive }: GatewayContext,
  ) {
    markSensitive();
    return write(({ apiKeys }) => apiKeys.issue(vendor, input, caller.permissions));
  }

  @Mutation(() => RotateApiKeyPayload, {
    description:
      "Replaces a valid API key by a new one with the same name, scopes and lifetime. The old key stays valid for `graceHours`. Refused with API_KEY_ROTATED for a key that was replaced already, and with PERMISSION_DENIED for a key that may do more than the caller.",
  })
  async rotateApiKey(
    @Arg("input", () => RotateApiKeyInput, { description: "The key." }) { keyId, graceHours }: RotateApiKeyInput,
    @Ctx() { vendor, caller, write, markSensitive }: GatewayContext,
  ) {
    const id = keyIdOf(keyId);
    markSensitive();
    return write(({ apiKeys }) => apiKeys.rotate(vendor, id, graceHours, caller.permissions));
  }

  @Mutation(() => RevokeApiKeyPayload, {
    description:
      "Revokes a valid API key. Other gateways on the same database may accept its token for one more second. Refused with API_KEY_NOT_FOUND if it was revoked already.",
  })
  async revokeApiKey(
    @Arg("input", () => RevokeApiKeyInput, { description: "The key." }) { keyId }: RevokeApiKeyInput,
    @Ctx() { vendor, write }: GatewayContext,
  ) {
    const id = keyIdOf(keyId);
    return { key: await write(({ apiKeys }) => apiKeys.revoke(vendor.id, id)) };
  }
}
