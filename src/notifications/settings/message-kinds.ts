import type { MessageKind } from "../../../schema/vocabulary.ts";

/** What a vendor's own words can name: the customer, the shop, the amount to pay, the day of the next charge (or of the dormancy), the product. */
export type MessagePlaceholder = "name" | "shop" | "amount" | "day" | "product";

/** What a vendor can set for a kind of message. */
interface MessageKindOptions {
  /** The placeholders of its own words. The content of the kind has a value for each. */
  placeholders: readonly MessagePlaceholder[];
  /** Whether it may be sent later than the event that it follows. A message with a date of its own may not. */
  canBeDelayed: boolean;
}

const renewal = ["name", "shop", "amount", "product"] as const;

export const messageKinds: Readonly<Record<MessageKind, MessageKindOptions>> = {
  INVOICE: { placeholders: ["name", "shop", "amount"], canBeDelayed: false },
  PAYMENT_FAILED: { placeholders: [...renewal, "day"], canBeDelayed: true },
  RETRY_COMING: { placeholders: [...renewal, "day"], canBeDelayed: false },
  LAST_NOTICE: { placeholders: [...renewal, "day"], canBeDelayed: true },
  PAYMENT_METHOD_REQUIRED: { placeholders: renewal, canBeDelayed: true },
  PAYMENT_RECOVERED: { placeholders: renewal, canBeDelayed: true },
  CHARGE_COMING: { placeholders: [...renewal, "day"], canBeDelayed: false },
  USAGE_CHARGE_COMING: { placeholders: [...renewal, "day"], canBeDelayed: false },
  TRIAL_ENDING: { placeholders: [...renewal, "day"], canBeDelayed: false },
  PAYMENT_METHOD_EXPIRING: { placeholders: ["name", "shop", "day"], canBeDelayed: false },
  DORMANCY_COMING: { placeholders: ["name", "shop", "day"], canBeDelayed: false },
};
