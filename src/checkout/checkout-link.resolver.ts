import { Arg, Ctx, Query, Resolver } from "type-graphql";
import type { GatewayContext } from "../graphql/context.ts";
import { idOrCodeOf } from "../graphql/record-ids.ts";
import { LineScalar, ReturnUrlScalar } from "../graphql/scalars.ts";
import { CheckoutLink } from "./checkout-link.type.ts";

function returnUrlDescription(when: string, status: string): string {
  return `Where the payer's browser goes ${when}, with order_id, order_code and status=${status} added: an http or https address, of one of the vendor's returnOrigins where it has set some. Without it the browser stays.`;
}

@Resolver()
export class CheckoutLinkResolver {
  @Query(() => CheckoutLink, {
    nullable: true,
    description:
      "A link to the checkout of an order, whatever its state: the page says why one cannot be paid. Null where the vendor has no such order. Refused with INVALID_ARGUMENT for an address that a browser may not be sent to, and with SECRETS_KEY_MISSING where the gateway has no key to sign with.",
  })
  checkoutLink(
    @Ctx() { vendor, checkoutLinks }: GatewayContext,
    @Arg("idOrCode", () => LineScalar, {
      description: 'The order: its code, such as "order_4fK2x9QaZ", its number or its global id.',
    })
    idOrCode: string,
    @Arg("successUrl", () => ReturnUrlScalar, {
      nullable: true,
      description: returnUrlDescription("after the payment", "success"),
    })
    success?: string | null,
    @Arg("errorUrl", () => ReturnUrlScalar, {
      nullable: true,
      description: returnUrlDescription("when it gives up paying", "error"),
    })
    error?: string | null,
    @Arg("cancelUrl", () => ReturnUrlScalar, {
      nullable: true,
      description: returnUrlDescription("when the payer turns back", "cancel"),
    })
    cancel?: string | null,
    @Arg("lang", () => LineScalar, {
      nullable: true,
      description:
        'Language of the page, as a tag such as "ko" or "en-US". The page knows Korean and English, and answers any other in English; without it the browser decides.',
    })
    language?: string | null,
  ) {
    const returnUrls = { success, error, cancel };
    return checkoutLinks().createLink(vendor.id, idOrCodeOf("Order", idOrCode), {
      returnUrls,
      language: language ?? null,
    });
  }
}
