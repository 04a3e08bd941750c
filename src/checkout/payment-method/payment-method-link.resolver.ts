import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import type { GatewayContext } from "../../graphql/context.ts";
import { databaseIdOf } from "../../graphql/record-ids.ts";
import { CreatePaymentMethodLinkInput, CreatePaymentMethodLinkPayload } from "./payment-method-link.type.ts";

@Resolver()
export class PaymentMethodLinkResolver {
  @Mutation(() => CreatePaymentMethodLinkPayload, {
    description:
      "Creates a link to a page on which a payer stores another payment method, or chooses the day of the next retry. Nothing is stored until the payer acts. Refused with SUBSCRIPTION_NOT_FOUND, ORDER_NOT_FOUND, INVALID_ARGUMENT, and with SECRETS_KEY_MISSING if the gateway has no key to sign with.",
  })
  async createPaymentMethodLink(
    @Arg("input", () => CreatePaymentMethodLinkInput, { description: "The subscription or the order." })
    { subscriptionId, orderId, lang, expiresInDays }: CreatePaymentMethodLinkInput,
    @Ctx() { vendor, paymentMethodLinks }: GatewayContext,
  ) {
    const link = await paymentMethodLinks().createLink(vendor.id, {
      subscriptionId: subscriptionId == null ? null : databaseIdOf("Subscription", subscriptionId, "subscriptionId"),
      orderId: orderId == null ? null : databaseIdOf("Order", orderId, "orderId"),
      language: lang ?? null,
      expiresInDays: expiresInDays ?? null,
    });
    return { link };
  }
}
