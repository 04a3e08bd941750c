import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { CreateSessionTokenInput, CreateSessionTokenPayload } from "./session-token.type.ts";

@Resolver()
export class SessionTokenResolver {
  @Mutation(() => CreateSessionTokenPayload, {
    description:
      "Creates a token with which pages of one origin call `POST /graphql` for some minutes. Refused with PERMISSION_DENIED for a person, and for scopes that permit more than the key may do.",
  })
  async createSessionToken(
    @Arg("input", () => CreateSessionTokenInput, { description: "The token." }) input: CreateSessionTokenInput,
    @Ctx() { vendor, caller, write, markSensitive }: GatewayContext,
  ) {
    markSensitive();
    return write(({ sessionTokens }) => sessionTokens.create(vendor.id, input, caller));
  }
}
