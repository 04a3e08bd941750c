import { invalidFields, type FieldError } from "../kernel/refusals.ts";
import type { SecretVault } from "../kernel/secrets/secret-vault.ts";
import { encodeCheckoutLink } from "./checkout-link.codec.ts";
import type { CheckoutRepository } from "./checkout.repository.ts";
import { readReturnUrl, type CheckoutOutcome } from "./checkout.return-url.ts";

/** The base address of links, below which the checkout is served. */
export type CheckoutAddress = () => string;

/** The options of a requested link. */
export interface CheckoutLinkOptions {
  returnUrls: Readonly<Partial<Record<CheckoutOutcome, string | null>>>;
  language: string | null;
}

/**
 * A link of `checkoutLink` is valid for one day: a payer has time to read an e-mail, and stock stays reserved for an unpaid
 * order at least as long. Links in messages are valid for longer.
 */
const VALID_MS = 86_400_000;

/** Creates signed links to the checkout of orders. Nothing is stored, because a link contains all its data. */
export class CheckoutLinkService {
  constructor(
    private readonly deps: {
      checkoutRepository: CheckoutRepository;
      vault: SecretVault;
      address: CheckoutAddress;
      now: Date;
    },
  ) {}

  /**
   * Creates a link to the checkout of an order in any state; the page explains the state. Undefined if the vendor has no
   * such order.
   * @throws a Refusal INVALID_ARGUMENT that names each return address which is not allowed, or SECRETS_KEY_MISSING.
   */
  async createLink(
    vendorId: number,
    orderKey: { id: number } | { code: string },
    { returnUrls, language }: CheckoutLinkOptions,
  ) {
    const order = await this.deps.checkoutRepository.findLinkTarget(vendorId, orderKey);
    if (!order) return undefined;
    const expiresAt = new Date(this.deps.now.getTime() + VALID_MS);
    const link = encodeCheckoutLink(
      { vendorId, orderId: order.id, expiresAt, language, returnUrls: readReturnUrls(returnUrls, order.returnOrigins) },
      this.deps.vault,
    );
    return { url: `${this.deps.address()}/checkout/${link}`, expiresAt, orderCode: order.code };
  }
}

/** Checks the return addresses. An empty address is treated as absent, as in the whole contract. */
function readReturnUrls(requested: CheckoutLinkOptions["returnUrls"], origins: readonly string[]) {
  const validationErrors: FieldError[] = [];
  const accepted: Partial<Record<CheckoutOutcome, string>> = {};
  for (const [outcome, text] of Object.entries(requested) as [CheckoutOutcome, string | null | undefined][]) {
    if (text == null || text === "") continue;
    try {
      accepted[outcome] = readReturnUrl(text, origins);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      validationErrors.push({ path: `${outcome}Url`, code: "INVALID_VALUE", message: error.message });
    }
  }
  if (validationErrors.length > 0) throw invalidFields(validationErrors);
  return accepted;
}
