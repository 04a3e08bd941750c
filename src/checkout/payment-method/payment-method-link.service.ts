import { invalidField, requiredField, unknownReference } from "../../kernel/refusals.ts";
import type { SecretVault } from "../../kernel/secrets/secret-vault.ts";
import { encodeCheckoutLink } from "../checkout-link.codec.ts";
import type { CheckoutAddress } from "../checkout-link.service.ts";
import { encodePaymentMethodLink } from "./payment-method-link.codec.ts";
import type { PaymentMethodPageRepository } from "./payment-method-page.repository.ts";

/** The requested link. */
export interface PaymentMethodLinkRequest {
  subscriptionId?: number | null;
  orderId?: number | null;
  language?: string | null;
  /** Days until the link expires. Defaults to 7. */
  expiresInDays?: number | null;
}

/** A signed link, and when it expires. */
export interface SignedLink {
  url: string;
  expiresAt: Date;
}

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
/** Longer than a dunning message is read after it was sent. */
const MAX_DAYS = 30;

/** Creates signed links to the page on which a payer stores another payment method. Nothing is stored. */
export class PaymentMethodLinkService {
  constructor(
    private readonly deps: {
      paymentMethodPageRepository: PaymentMethodPageRepository;
      vault: SecretVault;
      address: CheckoutAddress;
      now: Date;
    },
  ) {}

  /**
   * Creates a link for the payer of a subscription or of an order. The order of a renewal leads to its subscription's page, any
   * other order to its checkout.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, ORDER_NOT_FOUND, INVALID_ARGUMENT, SECRETS_KEY_MISSING.
   */
  async createLink(vendorId: number, request: PaymentMethodLinkRequest): Promise<SignedLink> {
    const { subscriptionId, orderId, language = null, expiresInDays } = request;
    if (subscriptionId != null && orderId != null)
      throw invalidField("orderId", "cannot be combined with subscriptionId; send one of them.");
    const days = expiresInDays ?? DEFAULT_DAYS;
    if (days < 1 || days > MAX_DAYS) throw invalidField("expiresInDays", `must be from 1 to ${MAX_DAYS}.`);
    const expiresAt = new Date(this.deps.now.getTime() + days * DAY_MS);
    if (orderId == null) {
      if (subscriptionId == null) throw requiredField("subscriptionId", "is required, or orderId.");
      return this.linkSubscription(vendorId, { subscriptionId, expiresAt, language });
    }
    const order = await this.deps.paymentMethodPageRepository.findOrder(vendorId, orderId);
    if (!order) throw unknownReference("ORDER_NOT_FOUND", "orderId", "order");
    if (order.type === "RECURRING" && order.parentSubscriptionId !== null)
      return this.linkSubscription(vendorId, { subscriptionId: order.parentSubscriptionId, expiresAt, language });
    const link = encodeCheckoutLink({ vendorId, orderId, expiresAt, language, returnUrls: {} }, this.deps.vault);
    return { url: `${this.deps.address()}/checkout/${link}`, expiresAt };
  }

  private async linkSubscription(
    vendorId: number,
    { subscriptionId, expiresAt, language }: { subscriptionId: number; expiresAt: Date; language: string | null },
  ): Promise<SignedLink> {
    const subscription = await this.deps.paymentMethodPageRepository.findSubscription(vendorId, subscriptionId);
    if (!subscription) throw unknownReference("SUBSCRIPTION_NOT_FOUND", "subscriptionId", "subscription");
    const { customerId } = subscription;
    const content = { vendorId, subscriptionId, customerId, expiresAt, language };
    return {
      url: `${this.deps.address()}/payment-method/${encodePaymentMethodLink(content, this.deps.vault)}`,
      expiresAt,
    };
  }
}
