import { amountOf, sum, ZERO, type Amount } from "../../kernel/amounts.ts";
import { invalidField } from "../../kernel/refusals.ts";
import type { Asked } from "../subscription-transitions.service.ts";
import type { SubscriptionChangesService } from "./subscription-item-writer.service.ts";
import type { SubscriptionUnitsService } from "../subscription-units.service.ts";
import { raised, refundableOfCut, refundableOfRemoval } from "../../orders/pricing/change.pricing.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import {
  isMetered,
  membersOf,
  namedItem,
  refuseAgain,
  refuseTooMany,
  type ChangeCase,
  type HeldItem,
  type Settlement,
} from "./change.context.ts";
import type { SubscriptionCaseService } from "./change-context.service.ts";
import type { AddedItem, SubscriptionAdditionService } from "./item-addition.service.ts";

/** What changes of a subscription. Items are named by their codes. */
export interface ItemChanges extends Asked {
  add?: readonly AddedItem[] | null;
  change?: readonly { itemCode: string; quantity: number }[] | null;
  remove?: readonly string[] | null;
}

/**
 * Changes what subscriptions consist of. Prepaid, what is added is charged at once for the part of the period that is left,
 * and joins when it is paid; what is taken away leaves at once, and is noted as refundable. Postpaid, each item is charged
 * at the end for the time in which it was there.
 */
export class SubscriptionChangeService {
  constructor(
    private readonly cases: SubscriptionCaseService,
    private readonly changes: SubscriptionChangesService,
    private readonly additions: SubscriptionAdditionService,
    private readonly units: SubscriptionUnitsService,
    private readonly now: Date,
  ) {}

  /**
   * Adds and removes items, and changes their quantities.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, PAYMENT_IN_PROGRESS, INVALID_ARGUMENT, PRODUCT_NOT_FOUND, PRICE_NOT_FOUND,
   * PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD, QUANTITY_LIMIT, QUANTITY_NOT_PRICED, ALREADY_SUBSCRIBED, OUT_OF_STOCK.
   */
  async changeItems(vendorId: number, id: number, { add, change, remove, ...asked }: ItemChanges): Promise<Settlement> {
    if (!add?.length && !change?.length && !remove?.length)
      throw invalidField("add", "or change or remove has to have at least one item.");
    const about = await this.cases.open(vendorId, id, asked);
    refuseAgain(remove ?? [], (index) => `remove[${index}]`);
    refuseAgain(change?.map(({ itemCode }) => itemCode) ?? [], (index) => `change[${index}].itemCode`);
    const refundable: Amount[] = [];
    const gone = (remove ?? []).map((code, index) => namedItem(about, code, `remove[${index}]`));
    for (const item of gone) refundable.push(await this.remove(vendorId, about, item));
    const settled: OfferedItem[] = [];
    for (const [index, { itemCode, quantity }] of (change ?? []).entries()) {
      const item = namedItem(about, itemCode, `change[${index}].itemCode`);
      if (isMetered(item))
        throw invalidField(`change[${index}].itemCode`, "names a metered item: its quota is changed instead.");
      if (gone.includes(item)) throw invalidField(`change[${index}].itemCode`, "names an item that is removed.");
      refuseTooMany(item.orderable, quantity, `change[${index}].quantity`);
      const done = await this.changeQuantity(vendorId, about, item, quantity);
      refundable.push(done.refundable);
      settled.push(...done.settled);
    }
    const added = await this.additions.add(vendorId, about, add ?? []);
    const left = about.items.filter(
      (item) => !gone.includes(item) && !gone.some(({ id: of }) => of === item.parentItemId),
    );
    if (left.length === 0 && added.length === 0)
      throw invalidField("remove", "would leave nothing; cancel the subscription instead.");
    const placed = added.map((item) => ({
      ...item,
      parent: item.parent == null ? null : item.parent + settled.length,
    }));
    return this.cases.settle(vendorId, about, "ADDITIONAL", [...settled, ...placed], sum(refundable));
  }

  /**
   * Allows another number of units of a metered item. A raise of a prepaid one is charged at once for the part of the period
   * that is left and holds when it is paid; a cut holds at once. Postpaid, nothing is charged.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, PAYMENT_IN_PROGRESS, INVALID_ARGUMENT, QUANTITY_LIMIT,
   * QUOTA_EXCEEDED.
   */
  async changeQuota(
    vendorId: number,
    id: number,
    { itemCode, quota, ...asked }: Asked & { itemCode: string; quota: number },
  ): Promise<Settlement> {
    const about = await this.cases.open(vendorId, id, asked);
    const item = namedItem(about, itemCode, "itemCode");
    if (!isMetered(item)) throw invalidField("itemCode", "must name an item whose plan meters units.");
    refuseTooMany(item.orderable, quota, "quota");
    const isCharged = item.terms.claim.methodType === "PRE";
    const before = isCharged ? item.quantity : this.units.quotaAt(about.record, item, this.now).toNumber();
    if (quota > before && isCharged) {
      const settled = this.raise(about, item, quota);
      return this.cases.settle(vendorId, about, "ADD_USAGE", [settled], ZERO);
    }
    await this.changes.changeQuota(vendorId, item, quota - before, asked);
    this.units.refuseOverrun(about.record, item, { at: this.now, change: amountOf(quota - before) });
    const refundable = isCharged ? refundableOfCut(item, quota, about.left, about.money) : ZERO;
    const quantity = isCharged ? quota : item.quantity;
    await this.changes.changeQuantity(vendorId, about.record, item, quantity, { ...asked, refundable });
    return this.cases.settle(vendorId, about, "ADD_USAGE", [], refundable);
  }

  private async remove(vendorId: number, about: ChangeCase, item: HeldItem): Promise<Amount> {
    const { record, asked, isPrepaid, left, money } = about;
    const whole = isPrepaid ? refundableOfRemoval(item, left, money) : ZERO;
    for (const one of [item, ...membersOf(about, item)])
      await this.changes.remove(vendorId, record, one, { ...asked, refundable: one === item ? whole : ZERO });
    return whole;
  }

  /** Postpaid, the item gives way to another one with the new quantity, so that each is charged for its time. */
  private async changeQuantity(
    vendorId: number,
    about: ChangeCase,
    item: HeldItem,
    quantity: number,
  ): Promise<{ settled: OfferedItem[]; refundable: Amount }> {
    const { record, asked, isPrepaid, left, money } = about;
    if (quantity === item.quantity) return { settled: [], refundable: ZERO };
    const all = [item, ...membersOf(about, item)];
    if (!isPrepaid) {
      let parentItemId: number | null = null;
      for (const one of all) {
        const next = await this.changes.replace(
          vendorId,
          record,
          one,
          about.count++,
          { quantity, parentItemId },
          asked,
        );
        parentItemId ??= next.id;
      }
      return { settled: [], refundable: ZERO };
    }
    if (quantity > item.quantity)
      return { settled: all.map((one) => this.raise(about, one, quantity)), refundable: ZERO };
    const whole = refundableOfCut(item, quantity, left, money);
    for (const one of all) {
      const refundable = one === item ? whole : ZERO;
      await this.changes.changeQuantity(vendorId, record, one, quantity, { ...asked, refundable });
    }
    return { settled: [], refundable: whole };
  }

  private raise({ left, money }: ChangeCase, item: HeldItem, quantity: number): OfferedItem {
    const { orderable, terms } = item;
    const { name: productName, type: productType } = orderable.product;
    const chosen = { ...orderable, optionIds: item.optionIds, optionLabel: item.optionLabel };
    const base = { orderable: chosen, terms, productName, productType, quantity, subscriptionItemId: item.id };
    // What a bundle consists of is in its price.
    const whole = raised({ ...base, starts: 1, ends: null }, item, quantity, left, money);
    return item.parentItemId === null ? whole : { ...whole, price: ZERO, isBundled: true };
  }
}
