import type { Amount, Ratio } from "../../kernel/amounts.ts";
import { conflict, invalid, invalidField, unknownReference } from "../../kernel/refusals.ts";
import type { Orderable } from "../../products/offer.service.ts";
import type { PaymentCurrency } from "../../products/price-plans/price.currency.ts";
import type { ItemWithUnits } from "../subscription-item-reader.service.ts";
import type { RequestOrigin } from "../subscription-transitions.service.ts";
import type { SubscriptionRecord } from "../subscription.service.ts";
import type { OrderTerms } from "../../orders/order-record.service.ts";
import type { OrderRecord } from "../../orders/order.repository.ts";
import type { PricedSubscriptionItem } from "../../orders/pricing/proration.pricing.ts";
import { planTypes } from "../../products/price-plans/price.plan-types.ts";

/** An item of the subscription with its plan. */
export type LockedItem = ItemWithUnits & PricedSubscriptionItem & { orderable: Orderable };

/** A subscription that is being changed. */
export interface ChangeContext {
  record: SubscriptionRecord;
  items: LockedItem[];
  terms: OrderTerms;
  money: PaymentCurrency;
  /** The part of the period under way that is left; nothing of a trial is charged. */
  remainingShare: Ratio;
  isPrepaid: boolean;
  origin: RequestOrigin;
  /** How many items it has or had. */
  itemCount: number;
  /** Codes of the orders that are about to be charged for a change of an item, by the item's number. */
  pendingOrderCodes: ReadonlyMap<number, string>;
}

/** The cost of a change: the order to charge at once, and the unused value of paid time. */
export interface ChangeOutcome {
  order: OrderRecord | null;
  refundable: Amount;
}

/** Whether an item is changed by its quota rather than its quantity. */
export const isChangedByQuota = ({ terms }: PricedSubscriptionItem): boolean =>
  planTypes[terms.type].changedBy === "QUOTA";

export const membersOf = ({ items }: ChangeContext, bundle: LockedItem): LockedItem[] =>
  items.filter(({ parentItemId }) => parentItemId === bundle.id);

/** Finds the item with a code. @throws a Refusal SUBSCRIPTION_ITEM_NOT_FOUND, INVALID_ARGUMENT, PAYMENT_IN_PROGRESS. */
export function findItemByCode({ items, pendingOrderCodes }: ChangeContext, code: string, path: string): LockedItem {
  const found = items.find((item) => item.code === code);
  if (!found) throw unknownReference("SUBSCRIPTION_ITEM_NOT_FOUND", path, "item of the subscription", "code");
  if (found.parentItemId !== null) throw invalidField(path, "is a member of a bundle; change the bundle instead.");
  // The cost depends on the current quantity: an item listed twice would be charged twice for the same raise.
  const order = pendingOrderCodes.get(found.id);
  if (order !== undefined)
    throw conflict(
      "PAYMENT_IN_PROGRESS",
      `A change of ${code} will be charged by ${order}; wait until it is paid, or cancel that order.`,
    );
  return found;
}

/** @throws a Refusal INVALID_ARGUMENT if a code is repeated. */
export function refuseRepeatedCodes(codes: readonly string[], pathOf: (index: number) => string): void {
  const duplicateIndex = codes.findIndex((code, index) => codes.indexOf(code) < index);
  if (duplicateIndex >= 0)
    throw invalidField(pathOf(duplicateIndex), "is an item that an earlier entry names already.");
}

/** @throws a Refusal QUANTITY_LIMIT if the quantity exceeds the plan's limit. */
export function refuseQuantityOverLimit(
  { plan: { maximumPurchaseQuantity: limit } }: Orderable,
  quantity: number,
  path: string,
): void {
  if (limit === 0 || quantity <= limit) return;
  const message = `At most ${limit} can be bought in one order.`;
  throw invalid("QUANTITY_LIMIT", message, { fields: [{ path, code: "INVALID_VALUE", message }] });
}

/**
 * All items of a subscription are charged together, so they share its billing cycle. @throws a Refusal
 * INVALID_ARGUMENT.
 */
export function refuseOtherBillingCycle(
  record: SubscriptionRecord,
  { terms: { recurring, claim } }: Orderable,
  path: string,
): void {
  const { interval, intervalCount, claimMethodType } = record;
  const hasSameCycle =
    recurring?.interval === interval &&
    recurring.intervalCount === intervalCount &&
    claim.methodType === claimMethodType;
  if (!hasSameCycle)
    throw invalidField(
      path,
      `must be a plan with the billing cycle of the subscription: every ${intervalCount} ${interval}, charged ${claimMethodType === "PRE" ? "before" : "after"} each period.`,
    );
}
