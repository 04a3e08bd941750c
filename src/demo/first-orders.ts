import { pickPublicFacts } from "../events/event.facts.ts";
import { toAmount, roundAmount, ZERO } from "../kernel/amounts.ts";
import { getOrThrow, itemAt } from "../kernel/required-values.ts";
import {
  groupIntoSubscriptions,
  type InitialSubscription,
  type FirstOrderLine,
} from "../subscriptions/subscription.activation.ts";
import { subscriptionStates, type SubscriptionTrigger } from "../subscriptions/subscription.states.ts";
import { scheduleDatesOf } from "../subscriptions/subscription.schedule.ts";
import { prepaidQuotaOf } from "../subscriptions/usage.series.ts";
import { addMilliseconds, MINUTE_MS } from "./calendar.ts";
import type { SeededRandom } from "./seeded-random.ts";
import type { LineDraft, OrderDraft } from "./rows/order-draft.ts";
import { orderItemsOf, type OrderFactory, type OrderedOffer } from "./order-factory.ts";
import type { DemoPayments } from "./rows/demo-payments.ts";
import { createStoredMethod, type CustomerDraft, type StoredMethod } from "./customers.ts";
import type { DemoCatalogue } from "./catalogue/demo-catalogue.ts";
import type { ItemDraft, ScheduleDraft, SubscriptionDraft } from "./rows/subscription-draft.ts";

/** A line of a first order, from which a subscription is activated. */
interface FirstOrderDraftLine extends FirstOrderLine {
  line: LineDraft;
  item: OrderedOffer;
  parent: FirstOrderDraftLine | null;
}

/** A first order, and the subscriptions that its payment started. */
export interface StartedSubscriptions {
  order: OrderDraft;
  subscriptions: SubscriptionDraft[];
}

/** The highest number of decimals of a stored amount. */
const MAX_DECIMALS = 6;

/** Creates first orders, and activates their subscriptions by the gateway's rules. */
export class FirstOrders {
  constructor(
    private readonly random: SeededRandom,
    private readonly zoneId: string,
    private readonly catalogue: DemoCatalogue,
    private readonly orderFactoryAt: (at: Date) => OrderFactory,
    private readonly payments: DemoPayments,
  ) {}

  /** Creates a first order that is paid three minutes later. If it is not confirmed, its subscriptions are incomplete. */
  createFirstOrder(
    customer: CustomerDraft,
    plan: string,
    quantity: number,
    at: Date,
    isConfirmed = true,
  ): StartedSubscriptions {
    const items = orderItemsOf(this.catalogue.findOffer(plan, this.random.integerBelow(9)), {
      quantity,
      firstPurchase: true,
    });
    const order = this.orderFactoryAt(at).createOrder(customer, items, { type: "RECURRING_INITIAL", createdAt: at });
    const paidAt = addMilliseconds(at, 3 * MINUTE_MS);
    const method = createStoredMethod(this.random, paidAt);
    customer.methods.push(method);
    this.payments.payOrder(order, method, paidAt);
    const firstLines: FirstOrderDraftLine[] = [];
    const products = order.lines.filter(({ values }) => values.type === "SKU");
    for (const [index, item] of items.entries()) {
      const { offer, terms, trial = null, parent } = item;
      const parentLine = parent == null ? null : itemAt(firstLines, parent);
      firstLines.push({
        line: itemAt(products, index),
        item: item,
        terms,
        expiry: offer.plan,
        trial,
        parent: parentLine,
      });
    }
    const activations = groupIntoSubscriptions(firstLines, paidAt, this.zoneId, isConfirmed);
    const subscriptions = activations.map(({ initial, lines }) =>
      this.createSubscription(order, method, paidAt, initial, lines),
    );
    order.subscriptions.push(...subscriptions);
    return { order, subscriptions };
  }

  private createSubscription(
    order: OrderDraft,
    method: StoredMethod,
    at: Date,
    activation: InitialSubscription,
    lines: readonly FirstOrderDraftLine[],
  ): SubscriptionDraft {
    const items = new Map<FirstOrderDraftLine, ItemDraft>();
    for (const line of lines) {
      const item = this.createItem(order, line, activation, at);
      item.parent = line.parent && getOrThrow(items, line.parent);
      items.set(line, item);
      line.line.subscriptionItem = item;
    }
    const trigger = activation.status === "ACTIVE" ? "startSubscription" : "startUnconfirmedSubscription";
    return {
      id: 0,
      code: `subscription_${this.random.code(9)}`,
      customer: order.customer,
      method,
      currency: order.values.currency,
      schedule: activation,
      items: [...items.values()],
      lastPaymentDate: at,
      pausedAt: null,
      canceledAt: null,
      leaseUntil: null,
      refundableAmount: ZERO,
      createdAt: at,
      modifiedAt: at,
      events: [
        {
          ...{ trigger, statusBefore: null, statusAfter: activation.status },
          ...{ actor: "CUSTOMER", reason: null, occurredAt: at, order },
        },
      ],
    };
  }

  private createItem(
    order: OrderDraft,
    { line, item: item }: FirstOrderDraftLine,
    activation: InitialSubscription,
    at: Date,
  ): ItemDraft {
    const { offer, quantity, terms } = item;
    const orderRate = order.values.currency === order.values.baseCurrency ? toAmount(1) : order.values.exchangeRate;
    const optionPrice = roundAmount(offer.optionPrice.times(orderRate), MAX_DECIMALS);
    const price = line.values.unitPrice.minus(optionPrice);
    const quota = prepaidQuotaOf(terms, quantity);
    const units = {
      series: "QUOTA",
      at: activation.currentPeriodStart,
      change: toAmount(quota),
      actor: "SYSTEM",
    } as const;
    return {
      id: 0,
      parent: null,
      item: item,
      units: quota > 0 ? [{ ...units, note: null, order }] : [],
      values: {
        code: `subscription_item_${this.random.code(9)}`,
        type: "SKU",
        productId: offer.product.id,
        priceId: offer.plan.id,
        price: price.lt(0) ? ZERO : price,
        currency: order.values.currency,
        quantity,
        optionIds: [...offer.optionIds],
        optionLabel: offer.optionLabel,
        optionPrice,
        isAdditional: false,
        keepWhenRenew: true,
        chargedCycles: activation.chargedCycle,
        activatedAt: at,
        createdAt: at,
        modifiedAt: at,
      },
    };
  }
}

/** Applies a transition to a subscription and recalculates its dates. A final transition also sets `endDate`. */
export function transitionAndReschedule(
  subscription: SubscriptionDraft,
  trigger: SubscriptionTrigger,
  at: Date,
  zoneId: string,
  changes: Partial<ScheduleDraft> = {},
  order: OrderDraft | null = null,
): void {
  transitionSubscription(subscription, trigger, at, order, changes);
  const changed = { ...subscription.schedule, ...changes };
  const isFinal = changed.status === "CANCELED" || changed.status === "EXPIRED";
  subscription.schedule = { ...changed, ...scheduleDatesOf(changed, zoneId), ...(isFinal && { endDate: at }) };
}

/** Applies a transition to a subscription and leaves its dates as they are. */
export function transitionSubscription(
  subscription: SubscriptionDraft,
  trigger: SubscriptionTrigger,
  at: Date,
  order: OrderDraft | null,
  facts: Record<string, unknown> = {},
): void {
  const { schedule, events } = subscription;
  const statusAfter = subscriptionStates.transition(schedule.status, trigger);
  events.push({
    ...{ trigger, statusBefore: schedule.status, statusAfter },
    ...{ actor: subscriptionStates.definition.actors[trigger][0], reason: null, occurredAt: at, order },
    facts: pickPublicFacts(facts),
  });
  subscription.schedule = { ...schedule, status: statusAfter };
  subscription.modifiedAt = at;
}
