import { OrderItemStatus } from "../../schema/vocabulary.ts";
import { toAmount } from "../kernel/amounts.ts";
import { firstOf, itemAt } from "../kernel/required-values.ts";
import { isTimedStatus, type AnyOrderItemTrigger } from "../orders/order.states.ts";
import { DAY_MS, HOUR_MS, addMilliseconds, type DemoCalendar } from "./calendar.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { orderItemsOf, type OrderFactory, type OrderInput, type OrderedOffer } from "./order-factory.ts";
import type { LineDraft, OrderDraft } from "./rows/order-draft.ts";
import { timeToReach, pathToStatus } from "./order-status-paths.ts";
import type { DemoPayments } from "./rows/demo-payments.ts";
import type { CustomerDraft } from "./customers.ts";
import type { DemoCatalogue } from "./catalogue/demo-catalogue.ts";

/** The carts of one-time orders. */
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

/** Every status of an order item. */
const everyStatus = Object.keys(OrderItemStatus) as OrderItemStatus[];

/** The triggers that apply to all lines of an order. Other triggers apply only to its shipped lines. */
const wholeOrderTriggers = new Set(["payOrder", "failPayment", "cancelOrder", "awaitDeposit"]);

/** One transition on an order's path to a status. */
interface OrderStep {
  trigger: AnyOrderItemTrigger;
  status: OrderItemStatus;
  at: Date;
  /** True if the transition applies to all lines. */
  isWhole: boolean;
  isLast: boolean;
  /** True if the goods arrived before this transition. */
  isDelivered: boolean;
}

/** Creates one-time orders. */
export class OneTimeOrders {
  private rareOrderCount = 0;

  constructor(
    private readonly random: SeededRandom,
    private readonly calendar: DemoCalendar,
    private readonly catalogue: DemoCatalogue,
    private readonly orderFactoryAt: (at: Date) => OrderFactory,
    private readonly payments: DemoPayments,
  ) {}

  /** Creates an order with a common outcome. Most are paid, then shipped, and finished once they are old enough. */
  createUsualOrder(customer: CustomerDraft, at: Date): OrderDraft {
    const order = this.createCartOrder(customer, at, this.random.pick(carts));
    const days = this.calendar.daysSince(at);
    const percentile = this.random.integerBelow(100);
    if (days < 4 && percentile < 20) return order;
    if (percentile < 6) return this.advanceTo(order, "CANCELLED");
    if (percentile < 9) return this.advanceTo(order, "PAYMENT_FAILURE");
    return this.advanceTo(order, this.usualStatusAfter(days));
  }

  /** Creates an order in the next status of {@link everyStatus}. The customer must be old enough for the path to it. */
  createRareOrder(customer: CustomerDraft): OrderDraft {
    const status = itemAt(everyStatus, this.rareOrderCount++ % everyStatus.length);
    const needed = timeToReach(status) / DAY_MS;
    const randomAge = this.random.integerBetween(2, Math.floor(this.calendar.daysSince(customer.createdAt)));
    // The order entered a timed status half a day ago. A worker applies the next transition.
    const days = isTimedStatus(status) ? needed + 0.5 : Math.max(needed + 1, randomAge);
    return this.advanceTo(
      this.createCartOrder(customer, this.calendar.daysAgo(days), itemAt(carts, this.rareOrderCount % carts.length)),
      status,
    );
  }

  /** Creates a sale in the shop that the merchant recorded by hand. */
  createManualSale(customer: CustomerDraft, at: Date): OrderDraft {
    const items = orderItemsOf(this.catalogue.findOffer("HouseBea2"), { quantity: 2, price: toAmount(17_500) });
    const orderInput = { type: "ONE_TIME", createdAt: at, lineType: "OFFLINE", currency: "KRW" } as const;
    const order = this.orderFactoryAt(at).createOrder(customer, items, orderInput);
    this.payments.payOrder(order, null);
    return order;
  }

  /** Creates a paid order for a class. It stays `PAID`, because nothing is delivered. */
  createServiceOrder(customer: CustomerDraft, at: Date): OrderDraft {
    const items = orderItemsOf(this.catalogue.findOffer("LatteCla1"));
    const order = this.orderFactoryAt(at).createOrder(customer, items, {
      type: "ONE_TIME",
      createdAt: at,
      currency: "KRW",
    });
    this.payments.payOrder(order, customer.methods[0] ?? null);
    return order;
  }

  private createCartOrder(customer: CustomerDraft, at: Date, cart: (typeof carts)[number]): OrderDraft {
    const items: OrderedOffer[] = [];
    for (const [plan, quantity] of cart)
      items.push(
        ...orderItemsOf(this.catalogue.findOffer(plan, this.random.integerBelow(9)), { quantity }, items.length),
      );
    const orderInput: OrderInput = { type: "ONE_TIME", createdAt: at };
    if (this.random.chance(30)) orderInput.purchaseDeadline = addMilliseconds(at, 3 * DAY_MS);
    if (this.random.chance(10)) orderInput.allowedPaymentMethods = ["CARD", "VBANK"];
    return this.orderFactoryAt(at).createOrder(customer, items, orderInput);
  }

  private usualStatusAfter(days: number): OrderItemStatus {
    const finishedStatuses = [
      "FINISHED_SUCCESSFULLY",
      "FINISHED_RETURN_AVAILABLE",
      "FINISHED_EXCHANGE_AVAILABLE",
    ] as const;
    const earlierStatuses = ["ORDER_DELIVERY_ON_THE_WAY", "ORDER_DELIVERY_PREPARING", "PAID"] as const;
    return [...finishedStatuses, ...earlierStatuses].find((status) => timeToReach(status) / DAY_MS < days) ?? "CREATED";
  }

  /**
   * Applies the transitions that lead to a status. Payment transitions apply to all lines. After the delivery, only the
   * first shipped line is returned or exchanged.
   */
  advanceTo(order: OrderDraft, status: OrderItemStatus): OrderDraft {
    let at = order.values.createdAt;
    const path = pathToStatus(status);
    const delivered = path.findLastIndex((step) => step.status === "ORDER_DELIVERY_COMPLETED");
    for (const [index, { trigger, afterMs, status: statusAfter }] of path.entries()) {
      at = addMilliseconds(at, afterMs);
      if (trigger === "payOrder") this.payOrder(order, at);
      else if (trigger === "failPayment") this.payments.declineCharge(order, order.customer.methods[0] ?? null, at);
      else if (trigger === "awaitDeposit") this.payments.openVirtualAccount(order);
      else
        this.transitionLines(order, {
          ...{
            trigger,
            status: statusAfter,
            at,
            isWhole: wholeOrderTriggers.has(trigger),
            isLast: index === path.length - 1,
          },
          isDelivered: delivered >= 0 && index > delivered,
        });
    }
    return order;
  }

  private payOrder(order: OrderDraft, at: Date): void {
    if (firstOf(order.lines).status === "DEPOSIT_WAITING")
      this.payments.receiveDeposit(order, addMilliseconds(at, 4 * HOUR_MS));
    else this.payments.payOrder(order, order.customer.methods[0] ?? null, at);
  }

  private transitionLines(order: OrderDraft, { trigger, status, at, isWhole, isLast, isDelivered }: OrderStep): void {
    const goods = order.shippedLines;
    const isTimedTrigger = trigger.startsWith("end") || trigger === "finishDelivery";
    const lines: readonly LineDraft[] = isWhole
      ? order.lines
      : isDelivered && !isTimedTrigger
        ? goods.slice(0, 1)
        : goods;
    const reason = /^(?:request|reject|deny|cancel)/.test(trigger) ? this.random.pick(reasons) : null;
    order.transition(lines, { trigger, at, reason });
    if (isLast && status.endsWith("_REFUNDING")) this.payments.refuseRefund(order, firstOf(lines), at);
    if (!trigger.startsWith("refund")) return;
    for (const line of lines)
      this.payments.refundLine(order, line, !status.endsWith("PARTIALLY"), at, this.random.pick(reasons));
  }
}
