import { publicFacts } from "../events/event.facts.ts";
import { amountOf, rounded, ZERO } from "../kernel/amounts.ts";
import { birthsOf, type Birth, type FirstLine } from "../subscriptions/subscription.activation.ts";
import { subscriptionStates, type SubscriptionTrigger } from "../subscriptions/subscription.states.ts";
import { datesOf } from "../subscriptions/subscription.schedule.ts";
import { quotaOf } from "../subscriptions/usage.series.ts";
import { later, MINUTE_MS } from "./calendar.ts";
import type { Dice } from "./seeded-random.ts";
import type { LineDraft, OrderDraft } from "./rows/order-draft.ts";
import { wanted, type OrderMaker, type Wanted } from "./order-factory.ts";
import type { DemoCashier } from "./rows/demo-payments.ts";
import { storedMethod, type Person, type StoredMethod } from "./customers.ts";
import type { Shelves } from "./catalogue/demo-catalogue.ts";
import type { ItemDraft, StandingDraft, SubscriptionDraft } from "./rows/subscription-draft.ts";

/** A line of a first order, as a subscription is born of it. */
interface Starting extends FirstLine {
  line: LineDraft;
  wanted: Wanted;
  parent: Starting | null;
}

/** A first order, and the subscriptions that its payment started. */
export interface Begun {
  order: OrderDraft;
  subscriptions: SubscriptionDraft[];
}

/** Decimals that any amount may have. */
const ALL_DECIMALS = 6;

/** Lets subscriptions begin by first orders, as the gateway does. */
export class Memberships {
  constructor(
    private readonly dice: Dice,
    private readonly zoneId: string,
    private readonly shelves: Shelves,
    private readonly makerAt: (at: Date) => OrderMaker,
    private readonly cashier: DemoCashier,
  ) {}

  /** A first order that is paid some minutes after it was made. Unless it is confirmed, its subscriptions are incomplete. */
  begin(person: Person, plan: string, quantity: number, at: Date, isConfirmed = true): Begun {
    const items = wanted(this.shelves.of(plan, this.dice.below(9)), { quantity, firstPurchase: true });
    const order = this.makerAt(at).make(person, items, { type: "RECURRING_INITIAL", createdAt: at });
    const paidAt = later(at, 3 * MINUTE_MS);
    const method = storedMethod(this.dice, paidAt);
    person.methods.push(method);
    this.cashier.pay(order, method, paidAt);
    const starting: Starting[] = [];
    const products = order.lines.filter(({ values }) => values.type === "SKU");
    for (const [index, item] of items.entries()) {
      const { offer, terms, trial = null, parent } = item;
      const of = parent == null ? null : starting[parent]!;
      starting.push({ line: products[index]!, wanted: item, terms, expiry: offer.plan, trial, parent: of });
    }
    const births = birthsOf(starting, paidAt, this.zoneId, isConfirmed);
    const subscriptions = births.map(({ birth, lines }) => this.born(order, method, paidAt, birth, lines));
    order.subscriptions.push(...subscriptions);
    return { order, subscriptions };
  }

  private born(
    order: OrderDraft,
    method: StoredMethod,
    at: Date,
    birth: Birth,
    lines: readonly Starting[],
  ): SubscriptionDraft {
    const items = new Map<Starting, ItemDraft>();
    for (const line of lines) {
      const item = this.itemOf(order, line, birth, at);
      item.parent = line.parent && items.get(line.parent)!;
      items.set(line, item);
      line.line.subscriptionItem = item;
    }
    const trigger = birth.status === "ACTIVE" ? "startSubscription" : "startUnconfirmedSubscription";
    return {
      id: 0,
      code: `subscription_${this.dice.letters(9)}`,
      person: order.person,
      method,
      currency: order.values.currency,
      standing: birth,
      items: [...items.values()],
      lastPaymentDate: at,
      pausedAt: null,
      canceledAt: null,
      leaseUntil: null,
      refundableAmount: ZERO,
      createdAt: at,
      modifiedAt: at,
      happenings: [
        {
          ...{ happening: trigger, statusBefore: null, statusAfter: birth.status },
          ...{ actor: "CUSTOMER", reason: null, occurredAt: at, order },
        },
      ],
    };
  }

  private itemOf(order: OrderDraft, { line, wanted: item }: Starting, birth: Birth, at: Date): ItemDraft {
    const { offer, quantity, terms } = item;
    const inOrder = order.values.currency === order.values.baseCurrency ? amountOf(1) : order.values.exchangeRate;
    const optionPrice = rounded(offer.optionPrice.times(inOrder), ALL_DECIMALS);
    const price = line.values.unitPrice.minus(optionPrice);
    const quota = quotaOf(terms, quantity);
    const units = { series: "QUOTA", at: birth.currentPeriodStart, change: amountOf(quota), actor: "SYSTEM" } as const;
    return {
      id: 0,
      parent: null,
      wanted: item,
      units: quota > 0 ? [{ ...units, note: null, order }] : [],
      values: {
        code: `subscription_item_${this.dice.letters(9)}`,
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
        chargedCycles: birth.chargedCycle,
        activatedAt: at,
        createdAt: at,
        modifiedAt: at,
      },
    };
  }
}

/** Moves a subscription by its table, and reckons its dates anew. What is final ended just then. */
export function turn(
  subscription: SubscriptionDraft,
  trigger: SubscriptionTrigger,
  at: Date,
  zoneId: string,
  changes: Partial<StandingDraft> = {},
  order: OrderDraft | null = null,
): void {
  move(subscription, trigger, at, order, changes);
  const moved = { ...subscription.standing, ...changes };
  const isOver = moved.status === "CANCELED" || moved.status === "EXPIRED";
  subscription.standing = { ...moved, ...datesOf(moved, zoneId), ...(isOver && { endDate: at }) };
}

/** Moves a subscription by its table to a state that has the dates of the one before. */
export function move(
  subscription: SubscriptionDraft,
  trigger: SubscriptionTrigger,
  at: Date,
  order: OrderDraft | null,
  facts: Record<string, unknown> = {},
): void {
  const { standing, happenings } = subscription;
  const statusAfter = subscriptionStates.move(standing.status, trigger);
  happenings.push({
    ...{ happening: trigger, statusBefore: standing.status, statusAfter },
    ...{ actor: subscriptionStates.machine.by[trigger][0], reason: null, occurredAt: at, order },
    facts: publicFacts(facts),
  });
  subscription.standing = { ...standing, status: statusAfter };
  subscription.modifiedAt = at;
}
