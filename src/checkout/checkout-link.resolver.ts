import { Arg, Ctx, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../graphql/context.ts";
import { orderIdOrCodeOf } from "../graphql/record-ids.ts";
import { LineScalar, ReturnUrlScalar } from "../graphql/scalars.ts";
import { CheckoutLink } from "./checkout-link.type.ts";

function returnUrlDescription(when: string, status: string): string {
  return `Address to which the payer's browser is redirected ${when}, with order_id, order_code and status=${status} added. An http or https address on one of the vendor's returnOrigins, if those are set. If absent, the browser stays.`;
}

@Resolver()
export class CheckoutLinkResolver {
  @Query(() => CheckoutLink, {
    nullable: true,
    description:
      "Returns a link to the checkout of an order in any state. The page explains why an order cannot be paid. Null if the vendor has no such order. Refused with INVALID_ARGUMENT for an address to which a browser may not be redirected, and with SECRETS_KEY_MISSING if the gateway has no key to sign with.",
  })
  checkoutLink(
    @Ctx() { vendor, checkoutLinks }: GatewayContext,
    @Arg("idOrCode", () => LineScalar, {
      description: 'The order: its code, such as "order_4fK2x9QaZ", its numeric id or its global id.',
    })
    idOrCode: string,
    @Arg("successUrl", () => ReturnUrlScalar, {
      nullable: true,
      description: returnUrlDescription("after a successful payment", "success"),
    })
    success?: string | null,
    @Arg("errorUrl", () => ReturnUrlScalar, {
      nullable: true,
      description: returnUrlDescription("after a declined payment, or from an order that cannot be paid", "error"),
    })
    error?: string | null,
    @Arg("cancelUrl", () => ReturnUrlScalar, {
      nullable: true,
      description: returnUrlDescription("if the payer leaves without paying", "cancel"),
    })
    cancel?: string | null,
    @Arg("lang", () => LineScalar, {
      nullable: true,
      description:
        'Language of the page, as a tag such as "ko" or "en-US". The page supports Korean and English; other languages get English. Defaults to the language of the browser.',
    })
    language?: string | null,
  ) {
    const returnUrls = { success, error, cancel };
    return checkoutLinks().createLink(vendor.id, orderIdOrCodeOf(idOrCode), {
      returnUrls,
      language: language ?? null,
    });
  }
}
