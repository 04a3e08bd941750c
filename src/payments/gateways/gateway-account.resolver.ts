import { Arg, Ctx, Mutation, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import type { GatewayAccountRecord } from "./gateway-account.repository.ts";
import {
  ConfigurePaymentGatewayInput,
  ConfigurePaymentGatewayPayload,
  GatewayAccount,
} from "./gateway-account.type.ts";

/** The accounts that a vendor has at payment gateways. */
@Resolver()
export class GatewayAccountResolver {
  @Query(() => [GatewayAccount], {
    description: "Returns the vendor's accounts at payment gateways, in the order in which they are tried.",
  })
  async paymentGateways(@Ctx() { vendor, read }: GatewayContext) {
    return (await read.gatewayAccounts.all(vendor.id)).map((account) => toGraph(vendor.uuid, account));
  }

  @Mutation(() => ConfigurePaymentGatewayPayload, {
    description:
      "Creates or changes the vendor's account at a payment gateway. A change of the adapter or of the mode is refused once payments or stored methods belong to the account. Refused with INVALID_ARGUMENT, and with SECRETS_KEY_MISSING if its secrets cannot be encrypted.",
  })
  async configurePaymentGateway(
    @Arg("input", () => ConfigurePaymentGatewayInput, { description: "The account." })
    { paymentGateway: gateway, paymentMethods: methods, ...input }: ConfigurePaymentGatewayInput,
    @Ctx() { vendor, write, markSensitive }: GatewayContext,
  ) {
    markSensitive();
    const account = await write(({ gatewayAccounts }) =>
      gatewayAccounts.configure(vendor, { ...input, gateway, methods }),
    );
    return { account: toGraph(vendor.uuid, account) };
  }
}

const toGraph = (
  vendorUuid: string,
  { id, gateway, methods, credentials, callbackSecret: _, ...account }: GatewayAccountRecord,
) => ({
  ...account,
  databaseId: id,
  paymentGateway: gateway,
  paymentMethods: methods,
  hasCredentials: credentials !== null,
  callbackPath: `/callbacks/${vendorUuid}/${gateway}`,
});
