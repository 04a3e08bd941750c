import { ZERO, type Amount } from "../../kernel/amounts.ts";
import { newCode } from "../../kernel/codes.ts";
import type { Orderable } from "../../products/offer.service.ts";
import type { OrderLine, PricedItem } from "./order.line.ts";
import type { OrderItemValues } from "../order.repository.ts";

/** An item with its price and the product that it is of. */
export interface OfferedItem extends PricedItem {
  orderable: Orderable;
  /** The ordered item; null for a member of a bundle. */
  ordered?: { maximumQuantity?: number | null } | null;
  /** The subscription's item that it charges. */
  subscriptionItemId?: number | null;
  /** By how much a quantity was raised that is priced as one piece; null for what is new. */
  raisedBy?: number | null;
  /** The quantity before it was raised. */
  raisedFrom?: number;
  /**
   * For an item whose plan changes: its quantity, and its unit price after the change. The difference of the plans is
   * priced as one piece.
   */
  changedPlan?: { quantity: number; unitPrice: Amount };
  /** The plan that an item had before it changed. */
  planBefore?: Orderable;
  /** Whether it is raised with the bundle that it is a member of, whose price covers it. */
  isBundled?: boolean;
  unitChangeHistory?: { changedCount: number; days: number }[] | null;
  /** The path of the item in the request. */
  path?: string;
  /** The field of the request that says how much is ordered. */
  quantityName?: string;
}

/** The column values of an order line. */
export function toOrderItemValues(
  line: OrderLine<OfferedItem>,
  { position, currency, now }: { position: number; currency: string; now: Date },
): OrderItemValues {
  const { item } = line;
  const isProduct = (line.type === "SKU" || line.type === "ADDS") && item !== null;
  return {
    code: newCode("order_item"),
    position,
    type: line.type,
    status: "CREATED",
    amount: line.amount,
    paidAmount: ZERO,
    returnedAmount: ZERO,
    currency,
    quantity: line.quantity,
    minimumQuantity: isProduct ? line.quantity : null,
    maximumQuantity: (isProduct && item.ordered?.maximumQuantity) || null,
    productId: item?.orderable.product.id ?? null,
    priceId: item?.orderable.plan.id ?? null,
    unitPrice: line.unitPrice,
    optionIds: isProduct ? [...item.orderable.optionIds] : [],
    optionLabel: isProduct ? item.orderable.optionLabel : "",
    orderedProductType: item?.productType ?? null,
    orderedProductName: line.orderedProductName,
    orderedPlanName: item?.orderable.plan.planName ?? "",
    featuredImageUrl: isProduct ? item.orderable.product.featuredImageUrl : "",
    discountName: line.discountName,
    relatedSubscriptionItemId: item?.subscriptionItemId ?? null,
    changesPlan: line.type === "ADDS" && item?.changedPlan !== undefined,
    priceSetupType: line.priceSetupType,
    demoCycleNum: line.demoCycle?.num ?? null,
    demoCycleType: line.demoCycle?.type ?? null,
    usedCount: line.usedCount,
    unitCount: line.unitCount,
    usageFormula: line.usageFormula,
    unitChangeHistory: (isProduct && item.unitChangeHistory) || null,
    createdAt: now,
    modifiedAt: now,
  };
}
