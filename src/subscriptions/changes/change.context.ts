import type { Amount, Ratio } from "../../kernel/amounts.ts";
import { conflict, invalid, invalidField, unknownReference } from "../../kernel/refusals.ts";
import type { Orderable } from "../../products/offer.service.ts";
import type { Money } from "../../products/price-plans/price.currency.ts";
import type { MeteredItem } from "../subscription-item-reader.service.ts";
import type { Asked } from "../subscription-transitions.service.ts";
import type { SubscriptionRecord } from "../subscription.service.ts";
import type { OrderTerms } from "../../orders/order-writer.service.ts";
import type { OrderRecord } from "../../orders/order.repository.ts";
import type { SettledItem } from "../../orders/pricing/change.pricing.ts";

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

/** What a change costs: the order that is charged at once, and what it leaves of time that was paid. */
export interface Settlement {
  order: OrderRecord | null;
  refundable: Amount;
}

export const isMetered = ({ terms: { type } }: SettledItem): boolean => type === "UNIT_BASED" || type === "USAGE_BASED";

export const membersOf = ({ items }: ChangeCase, bundle: HeldItem): HeldItem[] =>
  items.filter(({ parentItemId }) => parentItemId === bundle.id);

/** The item that a code names. @throws a Refusal SUBSCRIPTION_ITEM_NOT_FOUND, INVALID_ARGUMENT, PAYMENT_IN_PROGRESS. */
export function namedItem({ items, awaited }: ChangeCase, code: string, path: string): HeldItem {
  const found = items.find((item) => item.code === code);
  if (!found) throw unknownReference("SUBSCRIPTION_ITEM_NOT_FOUND", path, "item of the subscription", "code");
  if (found.parentItemId !== null) throw invalidField(path, "names a member of a bundle; change the bundle.");
  // What it costs is told by what there is of it now: told twice, a raise would be charged twice.
  const order = awaited.get(found.id);
  if (order !== undefined)
    throw conflict(
      "PAYMENT_IN_PROGRESS",
      `A change of ${code} is about to be charged by ${order}; wait until it is paid, or cancel that order.`,
    );
  return found;
}

/** @throws a Refusal INVALID_ARGUMENT where a code stands twice. */
export function refuseAgain(codes: readonly string[], pathOf: (index: number) => string): void {
  const again = codes.findIndex((code, index) => codes.indexOf(code) < index);
  if (again >= 0) throw invalidField(pathOf(again), "names an item that is named before.");
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

/** What a subscription consists of is charged with it. @throws a Refusal INVALID_ARGUMENT. */
export function refuseMisfit(
  record: SubscriptionRecord,
  { terms: { recurring, claim } }: Orderable,
  path: string,
): void {
  const { interval, intervalCount, claimMethodType } = record;
  const fits =
    recurring?.interval === interval &&
    recurring.intervalCount === intervalCount &&
    claim.methodType === claimMethodType;
  if (!fits)
    throw invalidField(
      path,
      `must name a plan that is charged as the subscription is: every ${intervalCount} ${interval}, ${claimMethodType === "PRE" ? "before" : "after"} each period.`,
    );
}
