import type { PlanChangeMoment } from "../../../schema/vocabulary.ts";
import { divideRounded, sumAmounts, ZERO, type Amount } from "../../kernel/amounts.ts";
import { invalidField } from "../../kernel/refusals.ts";
import type { OfferService, Orderable } from "../../products/offer.service.ts";
import { calculatePlanAmount } from "../../products/price-plans/price.amount.ts";
import type { NewPlan, SubscriptionItemWriterService } from "./subscription-item-writer.service.ts";
import type { RequestOrigin } from "../subscription-transitions.service.ts";
import { hasUnchargedPeriod } from "../subscription.schedule.ts";
import type { OrderItemService } from "../../orders/order-item.service.ts";
import { planPriceDifference, refundableForPlanChange, toPlanUpgrade } from "../../orders/pricing/proration.pricing.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import {
  membersOf,
  findItemByCode,
  refuseRepeatedCodes,
  refuseOtherBillingCycle,
  refuseQuantityOverLimit,
  type ChangeContext,
  type LockedItem,
  type ChangeOutcome,
} from "./change.context.ts";
import type { ChangeContextService } from "./change-context.service.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";
import { isMeteredType, planTypes } from "../../products/price-plans/price.plan-types.ts";

/** The new plans of items, and when they take effect. Items and plans are identified by their codes. */
export interface PlanChanges extends RequestOrigin {
  changes: readonly { itemCode: string; priceCode: string }[];
  when: PlanChangeMoment;
}

/**
 * Changes the plans of subscriptions' items. Now and prepaid, a dearer plan is charged at once for the remaining part
 * of the period and takes effect when that is paid; a cheaper one takes effect at once, and the difference is recorded
 * as refundable. Now and postpaid, each plan is charged at the end for its time. At the end of the period, the next
 * charge is by the new plan.
 */
export class SubscriptionPlanChangeService {
  constructor(
    private readonly deps: {
      changeContexts: ChangeContextService;
      subscriptionOrderRepository: SubscriptionOrderRepository;
      subscriptionItemWriter: SubscriptionItemWriterService;
      orderItems: OrderItemService;
      offers: OfferService;
      now: Date;
    },
  ) {}

  /**
   * Changes plans; the plan that an item has already withdraws a scheduled change.
   * @throws a Refusal SUBSCRIPTION_NOT_FOUND, SUBSCRIPTION_NOT_RUNNING, SUBSCRIPTION_ITEM_NOT_FOUND,
   * PAYMENT_IN_PROGRESS, PRICE_NOT_FOUND, QUANTITY_LIMIT, QUANTITY_NOT_PRICED, NO_EXCHANGE_RATE, and INVALID_ARGUMENT
   * for a plan that does not fit.
   */
  async changePlans(vendorId: number, id: number, { changes, when, ...origin }: PlanChanges): Promise<ChangeOutcome> {
    if (changes.length === 0) throw invalidField("changes", "must have at least one item.");
    refuseRepeatedCodes(
      changes.map(({ itemCode }) => itemCode),
      (index) => `changes[${index}].itemCode`,
    );
    const context = await this.deps.changeContexts.lockAndLoad(vendorId, id, origin);
    if (context.record.nextInterval !== null)
      throw invalidField(
        "changes",
        "cannot be made while a change of the interval is pending; withdraw that change first.",
      );
    if (when === "PERIOD_END" && hasUnchargedPeriod(context.record, context.terms.zoneId, this.deps.now))
      throw invalidField("when", "must not be NOW until the period that has ended is charged.");
    const refundable: Amount[] = [];
    const pricedItems: OfferedItem[] = [];
    for (const [index, { itemCode, priceCode }] of changes.entries()) {
      const item = findItemByCode(context, itemCode, `changes[${index}].itemCode`);
      const path = `changes[${index}].priceCode`;
      const plan = await this.deps.offers.findPlanOfProduct(vendorId, item.productId, priceCode, path);
      await this.cancelFailedPlanChanges(vendorId, item, origin);
      if (plan.plan.id === item.priceId) {
        await this.withdrawScheduledPlan(vendorId, context, item);
        continue;
      }
      refuseOtherBillingCycle(context.record, plan, path);
      await this.refuseIncompatiblePlan(vendorId, context, item, plan, path);
      refuseQuantityOverLimit(plan, item.quantity, path);
      const { unitPrice } = calculatePlanAmount(plan.terms, { quantity: item.quantity, first: false }, context.money);
      const next = { priceId: plan.plan.id, price: unitPrice, code: plan.plan.code, before: item.orderable.plan.code };
      if (when === "PERIOD_END")
        await this.deps.subscriptionItemWriter.schedulePlanChange(vendorId, context.record, item, next, origin);
      else if (context.isPrepaid) {
        const { order, noted } = await this.changePrepaidPlan(vendorId, context, item, plan, next);
        if (order) pricedItems.push(order);
        refundable.push(noted);
      } else {
        if (isMeteredType(item.terms.type) || membersOf(context, item).length > 0)
          throw invalidField("when", `must be PERIOD_END: ${itemCode} is postpaid by usage or as a bundle.`);
        await this.deps.subscriptionItemWriter.replacePlan(
          vendorId,
          context.record,
          item,
          context.itemCount++,
          next,
          origin,
        );
      }
    }
    return this.deps.changeContexts.completeChange(
      vendorId,
      context,
      "ADDITIONAL",
      pricedItems,
      sumAmounts(refundable),
    );
  }

  /** A prepaid item gets the plan when the difference is paid, or at once if there is none. */
  private async changePrepaidPlan(
    vendorId: number,
    { record, origin, remainingShare, money }: ChangeContext,
    item: LockedItem,
    plan: Orderable,
    next: NewPlan,
  ): Promise<{ order: OfferedItem | null; noted: Amount }> {
    const difference = planPriceDifference(item, plan.terms, next.price, money);
    const { part, whole } = remainingShare;
    if (divideRounded({ part: difference.times(part), whole }, money.scale).gt(0)) {
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
      return { order: toPlanUpgrade(order, difference, next.price.plus(optionPrice), remainingShare), noted: ZERO };
    }
    const refundable = refundableForPlanChange(difference, remainingShare, money);
    await this.deps.subscriptionItemWriter.changePlan(vendorId, record, item, next, {
      ...origin,
      refundable: refundable,
    });
    return { order: null, noted: refundable };
  }

  private async withdrawScheduledPlan(
    vendorId: number,
    { record, origin }: ChangeContext,
    item: LockedItem,
  ): Promise<void> {
    if (item.nextPriceId !== null)
      await this.deps.subscriptionItemWriter.withdrawPlanChange(vendorId, record, item, origin);
  }

  /** An earlier change whose charge failed gives way: paid late, it would bring back its plan. */
  private async cancelFailedPlanChanges(
    vendorId: number,
    { id }: LockedItem,
    { actor, reason }: RequestOrigin,
  ): Promise<void> {
    for (const orderId of await this.deps.subscriptionOrderRepository.failedPlanChanges(vendorId, id))
      await this.deps.orderItems.transitionOrder(vendorId, orderId, {
        trigger: "cancelOrder",
        actor,
        reason: reason ?? null,
      });
  }

  /** Units go on to be counted as they are, and bundles have the members that they have. */
  private async refuseIncompatiblePlan(
    vendorId: number,
    context: ChangeContext,
    item: LockedItem,
    { terms, plan }: Orderable,
    path: string,
  ): Promise<void> {
    if (planTypes[terms.type].kind !== planTypes[item.terms.type].kind)
      throw invalidField(
        path,
        `must be a plan of the item's type: ${plan.code} is ${terms.type}, ${item.code} is ${item.terms.type}.`,
      );
    if (!planTypes[terms.type].hasMembers) return;
    const currentMemberPlans = membersOf(context, item).map(({ priceId }) => priceId);
    const newMemberPlans = await this.deps.offers.memberPlansOf(vendorId, plan.id);
    if (
      currentMemberPlans.length !== newMemberPlans.length ||
      newMemberPlans.some((id) => !currentMemberPlans.includes(id))
    )
      throw invalidField(path, `must be a plan of a bundle with the same members; ${plan.code} is not.`);
  }
}
