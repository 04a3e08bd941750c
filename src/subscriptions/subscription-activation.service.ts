import type { ProductType } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import type { Amount } from "../kernel/amounts.ts";
import { newCode } from "../kernel/codes.ts";
import { toAmount } from "../kernel/amounts.ts";
import { firstOf, required } from "../kernel/required-values.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import { groupIntoSubscriptions, type InitialSubscription, type FirstOrderLine } from "./subscription.activation.ts";
import type { SubscriptionRepository } from "./subscription.repository.ts";
import { subscriptionStates } from "./subscription.states.ts";
import { prepaidQuotaOf } from "./usage.series.ts";

/**
 * A product line of a first order, with the values that its subscription stores. Amounts are in the order's currency.
 */
export interface PaidLine extends FirstOrderLine {
  id: number;
  parent: PaidLine | null;
  productId: number;
  priceId: number;
  /** The unit price, without options. */
  price: Amount;
  quantity: number;
  optionIds: readonly number[];
  optionLabel: string;
  optionPrice: Amount;
  /** The price of one unit's options in the base currency. */
  optionPriceNow: Amount;
  productName: string;
  productType: ProductType;
}

/** A first order that is paid, and how. */
export interface PaidFirstOrder {
  id: number;
  customerId: number;
  currency: string;
  /** The stored method that it was paid with; null where none was stored. */
  methodId: number | null;
  /** Whether the gateway has confirmed the stored method. */
  isConfirmed: boolean;
}

/** An activated subscription: its number, and the item that each line became. */
export interface ActivatedSubscription {
  id: number;
  items: { lineId: number; itemId: number }[];
}

/** Activates subscriptions when a customer's first order is paid. */
export class SubscriptionActivationService {
  constructor(
    private readonly deps: {
      subscriptionRepository: SubscriptionRepository;
      vendors: VendorService;
      events: EventService;
      now: Date;
    },
  ) {}

  /** The subscriptions that the lines of a paid first order start: lines that have all in common are one. */
  async activateSubscriptions(
    vendorId: number,
    order: PaidFirstOrder,
    lines: readonly PaidLine[],
  ): Promise<ActivatedSubscription[]> {
    const { zoneId } = await this.deps.vendors.billingTerms(vendorId);
    const activated: ActivatedSubscription[] = [];
    for (const { initial, lines: subscriptionLines } of groupIntoSubscriptions(
      lines,
      this.deps.now,
      zoneId,
      order.isConfirmed,
    ))
      activated.push(await this.createSubscription(vendorId, order, initial, subscriptionLines));
    return activated;
  }

  private async createSubscription(
    vendorId: number,
    order: PaidFirstOrder,
    initial: InitialSubscription,
    lines: readonly PaidLine[],
  ): Promise<ActivatedSubscription> {
    const { id: orderId, customerId, currency, methodId } = order;
    const { id } = await this.deps.subscriptionRepository.add(vendorId, {
      ...initial,
      code: newCode("subscription"),
      customerId,
      currency,
      priceId: firstOf(lines).priceId,
      paymentMethodId: methodId,
      lastPaymentDate: this.deps.now,
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    const items: ActivatedSubscription["items"] = [];
    for (const [position, line] of lines.entries()) {
      const parent = items.find(({ lineId }) => lineId === line.parent?.id);
      const item = await this.deps.subscriptionRepository.addItem(vendorId, {
        code: newCode("subscription_item"),
        subscriptionId: id,
        position,
        type: "SKU",
        productId: line.productId,
        priceId: line.priceId,
        price: line.price,
        currency,
        quantity: line.quantity,
        optionIds: [...line.optionIds],
        optionLabel: line.optionLabel,
        optionPrice: line.optionPrice,
        parentItemId: parent?.itemId ?? null,
        chargedCycles: initial.chargedCycle,
        activatedAt: this.deps.now,
        createdAt: this.deps.now,
        modifiedAt: this.deps.now,
      });
      items.push({ lineId: line.id, itemId: item.id });
      const quota = prepaidQuotaOf(line.terms, line.quantity);
      if (quota > 0)
        await this.deps.subscriptionRepository.addUnits(vendorId, [
          {
            itemId: item.id,
            series: "QUOTA",
            at: initial.currentPeriodStart,
            change: toAmount(quota),
            orderId,
            actor: "SYSTEM",
            createdAt: this.deps.now,
          },
        ]);
    }
    const trigger = order.isConfirmed ? "startSubscription" : "startUnconfirmedSubscription";
    await this.deps.events.recordEvents(vendorId, {
      subject: "SUBSCRIPTION",
      subjectId: id,
      subscriptionId: id,
      customerId,
      orderId,
      trigger,
      statusBefore: null,
      statusAfter: required(subscriptionStates.definition.initialStates[trigger], "the first state"),
      actor: "CUSTOMER",
      facts: { nextPaymentDate: initial.nextPaymentDate, trialEndDate: initial.trialEndDate },
    });
    return { id, items };
  }
}
