import { toAmount, sumAmounts, ZERO, type Amount } from "../../kernel/amounts.ts";
import { invalidField } from "../../kernel/refusals.ts";
import type { RequestOrigin } from "../subscription-transitions.service.ts";
import type { SubscriptionItemWriterService } from "./subscription-item-writer.service.ts";
import type { SubscriptionUnitsService } from "../subscription-units.service.ts";
import {
  toQuantityRaise,
  refundableForQuantityCut,
  refundableForRemoval,
} from "../../orders/pricing/proration.pricing.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import {
  isChangedByQuota,
  membersOf,
  findItemByCode,
  refuseRepeatedCodes,
  refuseQuantityOverLimit,
  type ChangeContext,
  type LockedItem,
  type ChangeOutcome,
} from "./change.context.ts";
import type { ChangeContextService } from "./change-context.service.ts";
import type { AddedItem, SubscriptionItemAdditionService } from "./item-addition.service.ts";

/** The requested changes of a subscription's items, which are identified by their codes. */
export interface ItemChanges extends RequestOrigin {
  add?: readonly AddedItem[] | null;
  change?: readonly { itemCode: string; quantity: number }[] | null;
  remove?: readonly string[] | null;
}

/**
 * Changes the items of subscriptions. Prepaid, additions are charged at once for the remaining part of the period, and
 * join when they are paid; removals take effect at once, and are recorded as refundable. Postpaid, each item is charged
 * at the end for the time in which it was included.
 */
export class SubscriptionItemChangeService {
  constructor(
    private readonly deps: {
      changeContexts: ChangeContextService;
      subscriptionItemWriter: SubscriptionItemWriterService;
      subscriptionItemAdditions: SubscriptionItemAdditionService;
      subscriptionUnits: SubscriptionUnitsService;
      now: Date;
    },
  ) {}

  /**
   * Adds and removes items, and changes their quantities.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, PAYMENT_IN_PROGRESS, INVALID_ARGUMENT, PRODUCT_NOT_FOUND, PRICE_NOT_FOUND,
   * PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD, QUANTITY_LIMIT, QUANTITY_NOT_PRICED, ALREADY_SUBSCRIBED, OUT_OF_STOCK.
   */
  async changeItems(
    vendorId: number,
    id: number,
    { add, change, remove, ...origin }: ItemChanges,
  ): Promise<ChangeOutcome> {
    if (!add?.length && !change?.length && !remove?.length)
      throw invalidField("add", "must have at least one item if change and remove have none.");
    const context = await this.deps.changeContexts.lockAndLoad(vendorId, id, origin);
    refuseRepeatedCodes(remove ?? [], (index) => `remove[${index}]`);
    refuseRepeatedCodes(change?.map(({ itemCode }) => itemCode) ?? [], (index) => `change[${index}].itemCode`);
    const refundable: Amount[] = [];
    const removedItems = (remove ?? []).map((code, index) => findItemByCode(context, code, `remove[${index}]`));
    for (const item of removedItems) refundable.push(await this.removeItem(vendorId, context, item));
    const pricedItems: OfferedItem[] = [];
    for (const [index, { itemCode, quantity }] of (change ?? []).entries()) {
      const item = findItemByCode(context, itemCode, `change[${index}].itemCode`);
      if (isChangedByQuota(item))
        throw invalidField(`change[${index}].itemCode`, "is a metered item; change its quota instead.");
      if (removedItems.includes(item)) throw invalidField(`change[${index}].itemCode`, "is an item that is removed.");
      refuseQuantityOverLimit(item.orderable, quantity, `change[${index}].quantity`);
      const result = await this.changeQuantity(vendorId, context, item, quantity);
      refundable.push(result.refundable);
      pricedItems.push(...result.settled);
    }
    const added = await this.deps.subscriptionItemAdditions.addItems(vendorId, context, add ?? []);
    const remainingItems = context.items.filter(
      (item) =>
        !removedItems.includes(item) && !removedItems.some(({ id: removedId }) => removedId === item.parentItemId),
    );
    if (remainingItems.length === 0 && added.length === 0)
      throw invalidField("remove", "would remove all items; cancel the subscription instead.");
    const addedItems = added.map((item) => ({
      ...item,
      parent: item.parent == null ? null : item.parent + pricedItems.length,
    }));
    return this.deps.changeContexts.completeChange(
      vendorId,
      context,
      "ADDITIONAL",
      [...pricedItems, ...addedItems],
      sumAmounts(refundable),
    );
  }

  /**
   * Changes the allowed units of a metered item. An increase of a prepaid item is charged at once for the remaining
   * part of the period and takes effect when it is paid; a decrease takes effect at once. Postpaid, nothing is charged.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, PAYMENT_IN_PROGRESS, INVALID_ARGUMENT,
   * QUANTITY_LIMIT, QUOTA_EXCEEDED.
   */
  async changeQuota(
    vendorId: number,
    id: number,
    { itemCode, quota, ...origin }: RequestOrigin & { itemCode: string; quota: number },
  ): Promise<ChangeOutcome> {
    const context = await this.deps.changeContexts.lockAndLoad(vendorId, id, origin);
    const item = findItemByCode(context, itemCode, "itemCode");
    if (!isChangedByQuota(item)) throw invalidField("itemCode", "must be an item whose plan meters units.");
    refuseQuantityOverLimit(item.orderable, quota, "quota");
    const isCharged = item.terms.claim.methodType === "PRE";
    const currentQuota = isCharged
      ? item.quantity
      : this.deps.subscriptionUnits.quotaAt(context.record, item, this.deps.now).toNumber();
    if (quota > currentQuota && isCharged) {
      const pricedItem = this.toRaiseItem(context, item, quota);
      return this.deps.changeContexts.completeChange(vendorId, context, "ADD_USAGE", [pricedItem], ZERO);
    }
    await this.deps.subscriptionItemWriter.changeQuota(vendorId, item, quota - currentQuota, origin);
    this.deps.subscriptionUnits.refuseQuotaBelowUsage(context.record, item, {
      at: this.deps.now,
      change: toAmount(quota - currentQuota),
    });
    const refundable = isCharged ? refundableForQuantityCut(item, quota, context.remainingShare, context.money) : ZERO;
    const quantity = isCharged ? quota : item.quantity;
    await this.deps.subscriptionItemWriter.changeQuantity(vendorId, context.record, item, quantity, {
      ...origin,
      refundable,
    });
    return this.deps.changeContexts.completeChange(vendorId, context, "ADD_USAGE", [], refundable);
  }

  private async removeItem(vendorId: number, context: ChangeContext, item: LockedItem): Promise<Amount> {
    const { record, origin, isPrepaid, remainingShare, money } = context;
    const refundable = isPrepaid ? refundableForRemoval(item, remainingShare, money) : ZERO;
    for (const removed of [item, ...membersOf(context, item)])
      await this.deps.subscriptionItemWriter.removeItem(vendorId, record, removed, {
        ...origin,
        refundable: removed === item ? refundable : ZERO,
      });
    return refundable;
  }

  /** Postpaid, the item gives way to another one with the new quantity, so that each is charged for its time. */
  private async changeQuantity(
    vendorId: number,
    context: ChangeContext,
    item: LockedItem,
    quantity: number,
  ): Promise<{ settled: OfferedItem[]; refundable: Amount }> {
    const { record, origin, isPrepaid, remainingShare, money } = context;
    if (quantity === item.quantity) return { settled: [], refundable: ZERO };
    const itemAndMembers = [item, ...membersOf(context, item)];
    if (!isPrepaid) {
      let parentItemId: number | null = null;
      for (const one of itemAndMembers) {
        const next = await this.deps.subscriptionItemWriter.replaceQuantity(
          vendorId,
          record,
          one,
          context.itemCount++,
          { quantity, parentItemId },
          origin,
        );
        parentItemId ??= next.id;
      }
      return { settled: [], refundable: ZERO };
    }
    if (quantity > item.quantity)
      return { settled: itemAndMembers.map((one) => this.toRaiseItem(context, one, quantity)), refundable: ZERO };
    const totalRefundable = refundableForQuantityCut(item, quantity, remainingShare, money);
    for (const one of itemAndMembers) {
      const refundable = one === item ? totalRefundable : ZERO;
      await this.deps.subscriptionItemWriter.changeQuantity(vendorId, record, one, quantity, { ...origin, refundable });
    }
    return { settled: [], refundable: totalRefundable };
  }

  private toRaiseItem({ remainingShare, money }: ChangeContext, item: LockedItem, quantity: number): OfferedItem {
    const { orderable, terms } = item;
    const { name: productName, type: productType } = orderable.product;
    const chosenOffer = { ...orderable, optionIds: item.optionIds, optionLabel: item.optionLabel };
    const base = { orderable: chosenOffer, terms, productName, productType, quantity, subscriptionItemId: item.id };
    // The members of a bundle are included in its price.
    const raiseItem = toQuantityRaise({ ...base, starts: 1, ends: null }, item, quantity, remainingShare, money);
    return item.parentItemId === null ? raiseItem : { ...raiseItem, price: ZERO, isBundled: true };
  }
}
