import type { PlanChangeMoment } from "../../../schema/vocabulary.ts";
import { quotient, sum, ZERO, type Amount } from "../../kernel/amounts.ts";
import { invalidField } from "../../kernel/refusals.ts";
import type { OfferService, Orderable } from "../../products/offer.service.ts";
import { planAmount } from "../../products/price-plans/price.amount.ts";
import type { PlannedPlan, SubscriptionChangesService } from "./subscription-item-writer.service.ts";
import type { Asked } from "../subscription-transitions.service.ts";
import { hasUnchargedPeriod } from "../subscription.schedule.ts";
import type { OrderItemService } from "../../orders/order-item.service.ts";
import { planDifference, refundableOfPlan, replanned } from "../../orders/pricing/change.pricing.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import {
  isMetered,
  membersOf,
  namedItem,
  refuseAgain,
  refuseMisfit,
  refuseTooMany,
  type ChangeCase,
  type HeldItem,
  type Settlement,
} from "./change.context.ts";
import type { SubscriptionCaseService } from "./change-context.service.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";

/** Which items get which plans, and when. Items and plans are named by their codes. */
export interface PlanChanges extends Asked {
  changes: readonly { itemCode: string; priceCode: string }[];
  when: PlanChangeMoment;
}

/**
 * Changes the plans of subscriptions' items. Now and prepaid, a dearer plan is charged at once for the part of the period
 * that is left, and holds when that is paid; a cheaper one holds at once, and the difference is noted as refundable. Now and
 * postpaid, each plan is charged at the end for its time. At the end of the period, the next charge is by the new plan.
 */
export class SubscriptionPlanChangeService {
  constructor(
    private readonly cases: SubscriptionCaseService,
    private readonly subscriptionOrders: SubscriptionOrderRepository,
    private readonly changes: SubscriptionChangesService,
    private readonly orderItems: OrderItemService,
    private readonly offers: OfferService,
    private readonly now: Date,
  ) {}

  /**
   * The plan that an item has already withdraws a change that is to come.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND, PAYMENT_IN_PROGRESS,
   * PRICE_NOT_FOUND, QUANTITY_LIMIT, QUANTITY_NOT_PRICED, NO_EXCHANGE_RATE, and INVALID_ARGUMENT for a plan that does not fit.
   */
  async change(vendorId: number, id: number, { changes, when, ...asked }: PlanChanges): Promise<Settlement> {
    if (changes.length === 0) throw invalidField("changes", "must name at least one item.");
    refuseAgain(
      changes.map(({ itemCode }) => itemCode),
      (index) => `changes[${index}].itemCode`,
    );
    const about = await this.cases.open(vendorId, id, asked);
    if (about.record.nextInterval !== null)
      throw invalidField("changes", "cannot be made while a change of the interval is to come; withdraw that first.");
    if (when === "PERIOD_END" && hasUnchargedPeriod(about.record, about.terms.zoneId, this.now))
      throw invalidField("when", "must be NOW until the period that has ended is charged.");
    const refundable: Amount[] = [];
    const settled: OfferedItem[] = [];
    for (const [index, { itemCode, priceCode }] of changes.entries()) {
      const item = namedItem(about, itemCode, `changes[${index}].itemCode`);
      const path = `changes[${index}].priceCode`;
      const plan = await this.offers.planOfProduct(vendorId, item.productId, priceCode, path);
      await this.forgetFailed(vendorId, item, asked);
      if (plan.plan.id === item.priceId) {
        await this.withdraw(vendorId, about, item);
        continue;
      }
      refuseMisfit(about.record, plan, path);
      await this.refuseOtherKind(vendorId, about, item, plan, path);
      refuseTooMany(plan, item.quantity, path);
      const { unitPrice } = planAmount(plan.terms, { quantity: item.quantity, first: false }, about.money);
      const next = { priceId: plan.plan.id, price: unitPrice, code: plan.plan.code, before: item.orderable.plan.code };
      if (when === "PERIOD_END") await this.changes.schedulePlan(vendorId, about.record, item, next, asked);
      else if (about.isPrepaid) {
        const { order, noted } = await this.replan(vendorId, about, item, plan, next);
        if (order) settled.push(order);
        refundable.push(noted);
      } else {
        if (isMetered(item) || membersOf(about, item).length > 0)
          throw invalidField("when", `must be PERIOD_END: ${itemCode} is charged afterwards by use or as a bundle.`);
        await this.changes.replacePlan(vendorId, about.record, item, about.count++, next, asked);
      }
    }
    return this.cases.settle(vendorId, about, "ADDITIONAL", settled, sum(refundable));
  }

  /** A prepaid item gets the plan when its difference is paid, or at once where there is none. */
  private async replan(
    vendorId: number,
    { record, asked, left, money }: ChangeCase,
    item: HeldItem,
    plan: Orderable,
    next: PlannedPlan,
  ): Promise<{ order: OfferedItem | null; noted: Amount }> {
    const difference = planDifference(item, plan.terms, next.price, money);
    const { part, whole } = left;
    if (quotient({ part: difference.times(part), whole }, money.scale).gt(0)) {
      const { optionIds, optionLabel, optionPrice, quantity } = item;
      const { name: productName, type: productType } = plan.product;
      const order: OfferedItem = {
        orderable: { ...plan, optionIds, optionLabel },
        terms: plan.terms,
        productName,
        productType,
        quantity,
        starts: 1,
        ends: null,
        subscriptionItemId: item.id,
        planBefore: item.orderable,
      };
      return { order: replanned(order, difference, next.price.plus(optionPrice), left), noted: ZERO };
    }
    const noted = refundableOfPlan(difference, left, money);
    await this.changes.changePlan(vendorId, record, item, next, { ...asked, refundable: noted });
    return { order: null, noted };
  }

  private async withdraw(vendorId: number, { record, asked }: ChangeCase, item: HeldItem): Promise<void> {
    if (item.nextPriceId !== null) await this.changes.withdrawPlan(vendorId, record, item, asked);
  }

  /** An earlier change whose charge failed gives way: paid late, it would bring back its plan. */
  private async forgetFailed(vendorId: number, { id }: HeldItem, { actor, reason }: Asked): Promise<void> {
    for (const orderId of await this.subscriptionOrders.failedPlanChanges(vendorId, id))
      await this.orderItems.moveWhole(vendorId, orderId, { trigger: "cancelOrder", actor, reason: reason ?? null });
  }

  /** Units go on to be counted as they are, and bundles have the members that they have. */
  private async refuseOtherKind(
    vendorId: number,
    about: ChangeCase,
    item: HeldItem,
    { terms, plan }: Orderable,
    path: string,
  ): Promise<void> {
    const pieces = ["FLAT", "VOLUME_BASED"];
    const isSameKind =
      terms.type === item.terms.type || (pieces.includes(terms.type) && pieces.includes(item.terms.type));
    if (!isSameKind)
      throw invalidField(
        path,
        `must name a plan of the item's type: ${plan.code} is ${terms.type}, ${item.code} is ${item.terms.type}.`,
      );
    if (terms.type !== "BUNDLE") return;
    const members = membersOf(about, item).map(({ priceId }) => priceId);
    const others = await this.offers.memberPlansOf(vendorId, plan.id);
    if (members.length !== others.length || others.some((id) => !members.includes(id)))
      throw invalidField(path, `must name a bundle of the same members, which ${plan.code} is not.`);
  }
}
