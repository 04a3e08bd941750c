import { amountOf } from "../kernel/amounts.ts";
import { leftOf } from "../subscriptions/changes/subscription.proration.ts";
import { later, MINUTE_MS, type Calendar } from "./calendar.ts";
import type { Dice } from "./seeded-random.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import { wanted, type OrderMaker, type Told } from "./order-factory.ts";
import type { DemoCashier } from "./rows/demo-payments.ts";
import { storedMethod } from "./customers.ts";
import type { Shelves } from "./catalogue/demo-catalogue.ts";
import type { ItemDraft, SubscriptionDraft } from "./rows/subscription-draft.ts";

/** Orders that change a running subscription, halfway between the beginning of its period and the present. */
export class Settlements {
  constructor(
    private readonly dice: Dice,
    private readonly calendar: Calendar,
    private readonly shelves: Shelves,
    private readonly makerAt: (at: Date) => OrderMaker,
    private readonly cashier: DemoCashier,
  ) {}

  /** One more product, which leaves at the next renewal unless it is kept. */
  add(subscription: SubscriptionDraft, plan: string, isKept: boolean): OrderDraft {
    const { at, cycle } = this.momentOf(subscription);
    const [item] = wanted(this.shelves.of(plan), { cycle });
    const order = this.order(subscription, [item!], { type: "ADDITIONAL", createdAt: at });
    const [line] = order.lines;
    const added: ItemDraft = {
      id: 0,
      parent: null,
      wanted: item!,
      units: [],
      values: {
        ...subscription.items[0]!.values,
        code: `subscription_item_${this.dice.letters(9)}`,
        productId: item!.offer.product.id,
        priceId: item!.offer.plan.id,
        price: line!.values.unitPrice.minus(item!.offer.optionPrice),
        quantity: 1,
        optionIds: [...item!.offer.optionIds],
        optionLabel: item!.offer.optionLabel,
        optionPrice: item!.offer.optionPrice,
        isAdditional: true,
        keepWhenRenew: isKept,
        chargedCycles: 1,
        activatedAt: order.modifiedAt,
        createdAt: at,
        modifiedAt: order.modifiedAt,
      },
    };
    line!.subscriptionItem = added;
    subscription.items.push(added);
    return order;
  }

  /** More units than were paid for. */
  raise(subscription: SubscriptionDraft, units: number): OrderDraft {
    const { at, cycle } = this.momentOf(subscription);
    const item = subscription.items[0]!;
    const { offer } = item.wanted;
    const flat = { ...offer.terms, type: "FLAT" as const, setupOption: null, additionalBilling: null, basicServing: 0 };
    const [raised] = wanted({ ...offer, terms: flat }, { quantity: units, cycle, price: item.values.price });
    const order = this.order(subscription, [raised!], { type: "ADD_USAGE", createdAt: at });
    order.lines[0]!.subscriptionItem = item;
    item.values.quantity += units;
    const paidAt = order.modifiedAt;
    item.units.push({ series: "QUOTA", at: paidAt, change: amountOf(units), actor: "SYSTEM", note: null, order });
    return order;
  }

  /** Another payment method: for the subscription, or besides. */
  store(subscription: SubscriptionDraft, type: "PAYMENT_METHOD" | "ADD_PAYMENT_METHOD"): OrderDraft {
    const { at } = this.momentOf(subscription);
    const method = storedMethod(this.dice, at);
    subscription.person.methods.push(method);
    if (type === "PAYMENT_METHOD") subscription.method = method;
    return this.order(subscription, [], { type, createdAt: at, costless: "Payment method" });
  }

  private momentOf({ standing: { currentPeriodStart: start, currentPeriodEnd: end } }: SubscriptionDraft) {
    const minutes = Math.floor((this.calendar.present.getTime() - start.getTime()) / 2 / MINUTE_MS);
    const at = later(start, minutes * MINUTE_MS);
    return { at, cycle: leftOf({ start, end }, at) };
  }

  private order(subscription: SubscriptionDraft, items: Parameters<OrderMaker["make"]>[1], told: Told): OrderDraft {
    const { person, currency, method } = subscription;
    const order = this.makerAt(told.createdAt).make(person, items, { currency, lineType: "ADDS", ...told });
    order.subscriptions.push(subscription);
    this.cashier.pay(order, method);
    return order;
  }
}
