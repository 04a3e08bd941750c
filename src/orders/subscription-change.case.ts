import type { Ratio } from "../kernel/amounts.ts";
import { invalid } from "../kernel/errors.ts";
import type { Orderable } from "../products/offer.service.ts";
import type { Money } from "../products/price.currency.ts";
import type { MeteredItem } from "../subscriptions/subscription-contents.service.ts";
import type { Asked } from "../subscriptions/subscription-moves.service.ts";
import type { SubscriptionRecord } from "../subscriptions/subscription.service.ts";
import type { OrderTerms } from "./order-record.service.ts";
import type { SettledItem } from "./order.settlement.ts";

/** An item of the subscription with its plan. */
export type HeldItem = MeteredItem & SettledItem & { orderable: Orderable };

/** A subscription that is being changed. */
export interface ChangeCase {
  record: SubscriptionRecord;
  items: HeldItem[];
  terms: OrderTerms;
  money: Money;
  /** The part of the period under way that is left; nothing of a trial is charged. */
  left: Ratio;
  isPrepaid: boolean;
  asked: Asked;
  /** How many items it has or had. */
  count: number;
  /** Codes of the orders that are about to be charged for a change of an item, by the item's number. */
  awaited: ReadonlyMap<number, string>;
}

/** @throws a Refusal QUANTITY_LIMIT where the plan sells fewer at once. */
export function refuseTooMany(
  { plan: { maximumPurchaseQuantity: most } }: Orderable,
  quantity: number,
  path: string,
): void {
  if (most === 0 || quantity <= most) return;
  const message = `At most ${most} can be bought at once.`;
  throw invalid("QUANTITY_LIMIT", message, { fields: [{ path, code: "INVALID_VALUE", message }] });
}
