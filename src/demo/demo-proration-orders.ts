import { toAmount } from "../kernel/amounts.ts";
import { firstOf } from "../kernel/required-values.ts";
import { remainingShare } from "../subscriptions/subscription.remaining-share.ts";
import { addMilliseconds, MINUTE_MS, type DemoCalendar } from "./calendar.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import { orderItemsOf, type OrderFactory, type OrderInput } from "./order-factory.ts";
import type { DemoPayments } from "./rows/demo-payments.ts";
import { createStoredMethod } from "./customers.ts";
import type { DemoCatalogue } from "./catalogue/demo-catalogue.ts";
import type { ItemDraft, SubscriptionDraft } from "./rows/subscription-draft.ts";

/** Creates orders that change a running subscription, halfway between the start of its period and the present. */
export class DemoProrationOrders {
  constructor(
    private readonly random: SeededRandom,
    private readonly calendar: DemoCalendar,
    private readonly catalogue: DemoCatalogue,
    private readonly orderFactoryAt: (at: Date) => OrderFactory,
    private readonly payments: DemoPayments,
  ) {}

  /** Adds a product. It is removed at the next renewal unless `isKept`. */
  addProduct(subscription: SubscriptionDraft, plan: string, isKept: boolean): OrderDraft {
    const { at, cycle } = this.midPeriodOf(subscription);
    const item = firstOf(orderItemsOf(this.catalogue.findOffer(plan), { cycle }));
    const order = this.createOrder(subscription, [item], { type: "ADDITIONAL", createdAt: at });
    const line = firstOf(order.lines);
    const added: ItemDraft = {
      id: 0,
      parent: null,
      item: item,
      units: [],
      values: {
        ...firstOf(subscription.items).values,
        code: `subscription_item_${this.random.code(9)}`,
        productId: item.offer.product.id,
        priceId: item.offer.plan.id,
        price: line.values.unitPrice.minus(item.offer.optionPrice),
        quantity: 1,
        optionIds: [...item.offer.optionIds],
        optionLabel: item.offer.optionLabel,
        optionPrice: item.offer.optionPrice,
        isAdditional: true,
        keepWhenRenew: isKept,
        chargedCycles: 1,
        activatedAt: order.modifiedAt,
        createdAt: at,
        modifiedAt: order.modifiedAt,
      },
    };
    line.subscriptionItem = added;
    subscription.items.push(added);
    return order;
  }

  /** Raises the quota by some units, charged for the rest of the period. */
  raiseQuota(subscription: SubscriptionDraft, units: number): OrderDraft {
    const { at, cycle } = this.midPeriodOf(subscription);
    const item = firstOf(subscription.items);
    const { offer } = item.item;
    const flat = { ...offer.terms, type: "FLAT" as const, setupOption: null, additionalBilling: null, basicServing: 0 };
    const raisedItem = firstOf(
      orderItemsOf({ ...offer, terms: flat }, { quantity: units, cycle, price: item.values.price }),
    );
    const order = this.createOrder(subscription, [raisedItem], { type: "ADD_USAGE", createdAt: at });
    firstOf(order.lines).subscriptionItem = item;
    item.values.quantity += units;
    const paidAt = order.modifiedAt;
    item.units.push({ series: "QUOTA", at: paidAt, change: toAmount(units), actor: "SYSTEM", note: null, order });
    return order;
  }

  /** Stores a payment method. With `PAYMENT_METHOD`, the subscription is charged by it from now on. */
  addPaymentMethod(subscription: SubscriptionDraft, type: "PAYMENT_METHOD" | "ADD_PAYMENT_METHOD"): OrderDraft {
    const { at } = this.midPeriodOf(subscription);
    const method = createStoredMethod(this.random, at);
    subscription.customer.methods.push(method);
    if (type === "PAYMENT_METHOD") subscription.method = method;
    return this.createOrder(subscription, [], { type, createdAt: at, freeItemName: "Payment method" });
  }

  private midPeriodOf({ schedule: { currentPeriodStart: start, currentPeriodEnd: end } }: SubscriptionDraft) {
    const minutes = Math.floor((this.calendar.present.getTime() - start.getTime()) / 2 / MINUTE_MS);
    const at = addMilliseconds(start, minutes * MINUTE_MS);
    return { at, cycle: remainingShare({ start, end }, at) };
  }

  private createOrder(
    subscription: SubscriptionDraft,
    items: Parameters<OrderFactory["createOrder"]>[1],
    input: OrderInput,
  ): OrderDraft {
    const { customer, currency, method } = subscription;
    const order = this.orderFactoryAt(input.createdAt).createOrder(customer, items, {
      currency,
      lineType: "ADDS",
      ...input,
    });
    order.subscriptions.push(subscription);
    this.payments.payOrder(order, method);
    return order;
  }
}
