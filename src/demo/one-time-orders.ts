import { OrderItemStatus } from "../../schema/vocabulary.ts";
import { amountOf } from "../kernel/amounts.ts";
import type { OrderItemTrigger } from "../orders/order.states.ts";
import { DAY_MS, HOUR_MS, later, type Calendar } from "./calendar.ts";
import type { Dice } from "./seeded-random.ts";
import { wanted, type OrderMaker, type Told, type Wanted } from "./order-factory.ts";
import type { LineDraft, OrderDraft } from "./rows/order-draft.ts";
import { isTimed } from "../orders/order-item.timed-transitions.ts";
import { durationOf, wayTo } from "./order-status-paths.ts";
import type { DemoCashier } from "./rows/demo-payments.ts";
import type { Person } from "./customers.ts";
import type { Shelves } from "./catalogue/demo-catalogue.ts";

/** What is bought once, most of it often. */
const carts: readonly (readonly [plan: string, quantity: number][])[] = [
  [["HouseBea2", 1]],
  [["DripPack1", 12]],
  [
    ["HouseBea2", 2],
    ["DripPack1", 5],
  ],
  [["HandMill1", 1]],
  [["DripPack1", 60]],
  [
    ["HandMill1", 1],
    ["HouseBea2", 1],
  ],
];

const reasons = ["Changed my mind", "Arrived damaged", "Ordered twice", "The colour differs from the picture"];

/** Every state that a shipped line can be in. */
const everyStatus = Object.keys(OrderItemStatus) as OrderItemStatus[];

/** Steps that only the goods take; others are of the whole order. */
const ofWhole = new Set(["payOrder", "failPayment", "cancelOrder", "awaitDeposit"]);

/** A step of an order, on its way to some state. */
interface Moving {
  trigger: OrderItemTrigger;
  reached: OrderItemStatus;
  at: Date;
  /** Whether it is of all lines. */
  isWhole: boolean;
  isLast: boolean;
  /** Whether the goods have arrived. */
  isDelivered: boolean;
}

/** Makes orders of what is bought once. */
export class Purchases {
  private told = 0;

  constructor(
    private readonly dice: Dice,
    private readonly calendar: Calendar,
    private readonly shelves: Shelves,
    private readonly makerAt: (at: Date) => OrderMaker,
    private readonly cashier: DemoCashier,
  ) {}

  /** An order as most are: paid, sent, and over with time. */
  usual(person: Person, at: Date): OrderDraft {
    const order = this.make(person, at, this.dice.pick(carts));
    const days = this.calendar.daysSince(at);
    const rest = this.dice.below(100);
    if (days < 4 && rest < 20) return order;
    if (rest < 6) return this.lead(order, "CANCELLED");
    if (rest < 9) return this.lead(order, "PAYMENT_FAILURE");
    return this.lead(order, this.restAfter(days));
  }

  /** An order that has come to a state which few come to; each time the next one. The person has been a customer for long. */
  rare(person: Person): OrderDraft {
    const status = everyStatus[this.told++ % everyStatus.length]!;
    const needed = durationOf(status) / DAY_MS;
    const longAgo = this.dice.between(2, Math.floor(this.calendar.daysSince(person.createdAt)));
    // What time ends has begun half a day ago; a worker leads it on.
    const days = isTimed(status) ? needed + 0.5 : Math.max(needed + 1, longAgo);
    return this.lead(this.make(person, this.calendar.ago(days), carts[this.told % carts.length]!), status);
  }

  /** A sale over the counter, recorded by hand. */
  byHand(person: Person, at: Date): OrderDraft {
    const items = wanted(this.shelves.of("HouseBea2"), { quantity: 2, price: amountOf(17_500) });
    const told = { type: "ONE_TIME", createdAt: at, lineType: "OFFLINE", currency: "KRW" } as const;
    const order = this.makerAt(at).make(person, items, told);
    this.cashier.pay(order, null);
    return order;
  }

  /** A class, paid at once; without a delivery it rests there. */
  service(person: Person, at: Date): OrderDraft {
    const items = wanted(this.shelves.of("LatteCla1"));
    const order = this.makerAt(at).make(person, items, { type: "ONE_TIME", createdAt: at, currency: "KRW" });
    this.cashier.pay(order, person.methods[0] ?? null);
    return order;
  }

  private make(person: Person, at: Date, cart: (typeof carts)[number]): OrderDraft {
    const items: Wanted[] = [];
    for (const [plan, quantity] of cart)
      items.push(...wanted(this.shelves.of(plan, this.dice.below(9)), { quantity }, items.length));
    const told: Told = { type: "ONE_TIME", createdAt: at };
    if (this.dice.happens(30)) told.purchaseDeadline = later(at, 3 * DAY_MS);
    if (this.dice.happens(10)) told.allowedPaymentMethods = ["CARD", "VBANK"];
    return this.makerAt(at).make(person, items, told);
  }

  private restAfter(days: number): OrderItemStatus {
    const reached = ["FINISHED_SUCCESSFULLY", "FINISHED_RETURN_AVAILABLE", "FINISHED_EXCHANGE_AVAILABLE"] as const;
    const later = ["ORDER_DELIVERY_ON_THE_WAY", "ORDER_DELIVERY_PREPARING", "PAID"] as const;
    return [...reached, ...later].find((status) => durationOf(status) / DAY_MS < days) ?? "CREATED";
  }

  /** Leads an order to a state: the money as a whole, then the goods, of which only the first goes back. */
  lead(order: OrderDraft, status: OrderItemStatus): OrderDraft {
    let at = order.values.createdAt;
    const way = wayTo(status);
    const delivered = way.findLastIndex((step) => step.status === "ORDER_DELIVERY_COMPLETED");
    for (const [index, { trigger, afterMs, status: reached }] of way.entries()) {
      at = later(at, afterMs);
      if (trigger === "payOrder") this.pay(order, at);
      else if (trigger === "failPayment") this.cashier.fail(order, order.person.methods[0] ?? null, at);
      else if (trigger === "awaitDeposit") this.cashier.awaitDeposit(order);
      else
        this.moveGoods(order, {
          ...{ trigger, reached, at, isWhole: ofWhole.has(trigger), isLast: index === way.length - 1 },
          isDelivered: delivered >= 0 && index > delivered,
        });
    }
    return order;
  }

  private pay(order: OrderDraft, at: Date): void {
    if (order.lines[0]!.status === "DEPOSIT_WAITING") this.cashier.receiveDeposit(order, later(at, 4 * HOUR_MS));
    else this.cashier.pay(order, order.person.methods[0] ?? null, at);
  }

  private moveGoods(order: OrderDraft, { trigger, reached, at, isWhole, isLast, isDelivered }: Moving): void {
    const goods = order.goods;
    const isOfTime = trigger.startsWith("end") || trigger === "finishDelivery";
    const moved: readonly LineDraft[] = isWhole ? order.lines : isDelivered && !isOfTime ? goods.slice(0, 1) : goods;
    const reason = /^(?:request|reject|deny|cancel)/.test(trigger) ? this.dice.pick(reasons) : null;
    order.move(moved, { trigger, at, reason });
    if (isLast && reached.endsWith("_REFUNDING")) this.cashier.failToGiveBack(order, moved[0]!, at);
    if (!trigger.startsWith("refund")) return;
    for (const line of moved)
      this.cashier.giveBack(order, line, !reached.endsWith("PARTIALLY"), at, this.dice.pick(reasons));
  }
}
