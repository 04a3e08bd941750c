import { randomUUID } from "node:crypto";
import type { Actor } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { plain, sum, type Amount } from "../../kernel/amounts.ts";
import { maskCardNumbers } from "../../kernel/card-mask.ts";
import { minorUnits } from "../../kernel/currencies.ts";
import { conflict, invalid, invalidField, invariant, unknownReference } from "../../kernel/refusals.ts";
import type { ChildOrderService } from "../../orders/child-order.service.ts";
import type { OrderItemService } from "../../orders/order-item.service.ts";
import type { SubscriptionEndingService } from "../../subscriptions/changes/subscription-stop.service.ts";
import type { OrderPaymentService, OrderRecord } from "../../orders/order-payment.service.ts";
import { givenBack } from "../ledger/ledger.entries.ts";
import type { LedgerRepository } from "../ledger/ledger.repository.ts";
import type { RefundOutcome } from "../gateways/gateway-port.ts";
import type { PaymentRecord, PaymentRepository } from "../payment.repository.ts";
import { refundStates, type RefundTrigger } from "../payment.states.ts";
import { decimalsOf, partsOf, splitAmong, type Part, type RefundWish } from "./refund-allocation.ts";
import type { RefundRecord, RefundRepository } from "./refund.repository.ts";

/** Money to give back. */
export interface RefundIntent extends RefundWish {
  orderId: number;
  actor: Actor;
  reason?: string | null;
}

const LEASE_MS = 60_000;
const LONGEST_WAIT_MS = 3_600_000;

/** Keeps refunds: claims them before a gateway is asked, and records what the gateway told. */
export class RefundService {
  constructor(
    private readonly refunds: RefundRepository,
    private readonly payments: PaymentRepository,
    private readonly ledger: LedgerRepository,
    private readonly orders: OrderPaymentService,
    private readonly orderItems: OrderItemService,
    private readonly childOrders: ChildOrderService,
    private readonly endings: SubscriptionEndingService,
    private readonly events: EventService,
    private readonly now: Date,
  ) {}

  /**
   * Claims a refund: one row for each payment that gives something back. Lines that are paid go on to wait for it.
   * @throws a Refusal INVALID_ARGUMENT, ORDER_NOT_FOUND, ORDER_ITEM_NOT_FOUND, REFUND_TOO_HIGH, REFUND_IN_PROGRESS, ILLEGAL_TRANSITION.
   */
  async claim(vendorId: number, intent: RefundIntent): Promise<RefundRecord[]> {
    const { orderId, actor, reason = null } = intent;
    const order = await this.orders.lock(vendorId, orderId);
    if (!order) throw unknownReference("ORDER_NOT_FOUND", "orderId", "order");
    if ((await this.refunds.openOf(vendorId, orderId)).length > 0)
      throw conflict("REFUND_IN_PROGRESS", "A refund of the order is under way; wait until its outcome is known.");
    const parts = await this.partsOf(vendorId, order, intent);
    const payments = await this.refundable(vendorId, orderId);
    const amount = sum(parts.map((part) => part.amount));
    if (amount.eq(0) && (await this.takeBackFree(vendorId, order, intent, parts))) return [];
    const most = sum(payments.map(({ left }) => left));
    if (!amount.gt(0) || amount.gt(most)) throw tooHigh(most, order.currency, amountPath(intent));
    await this.prepare(vendorId, order, parts, { actor, reason });
    const key = `r-${order.idKey}-${randomUUID()}`;
    const rows: RefundRecord[] = [];
    for (const [index, share] of splitAmong(parts, payments).entries()) {
      const values = this.valuesOf(order, share.payment.id, share.amount, `${key}-${index}`, actor, reason);
      const lookUpAt = new Date(this.now.getTime() + LEASE_MS);
      const row = await this.refunds.add(vendorId, { ...values, lookUpAt }, share.parts);
      await this.tell(vendorId, order, row, "startRefund", null, actor);
      rows.push(row);
    }
    return rows;
  }

  /** Refunds that were claimed before. */
  byIds(vendorId: number, ids: readonly number[]): Promise<RefundRecord[]> {
    return this.refunds.byIds(vendorId, ids);
  }

  /** Claims the refund of money that nothing was to be paid with; it is sent by the next that looks for such work. */
  async giveBackUnwanted(vendorId: number, order: OrderRecord, payment: PaymentRecord): Promise<void> {
    if (payment.amount.eq(0)) return;
    await this.giveBack(vendorId, order, payment, ["unwanted", "SYSTEM", "Nothing was left to be paid."]);
  }

  /**
   * Claims the refund of what was paid at once of an order that is held and was cancelled before the rest was; it is sent as
   * what is unwanted.
   */
  async giveBackCancelled(vendorId: number, orderId: number, reason: string | null = null): Promise<void> {
    const order = await this.orders.byId(vendorId, orderId);
    for (const { left, ...payment } of await this.refundable(vendorId, orderId))
      await this.giveBack(vendorId, order, { ...payment, amount: left }, ["cancelled", "MANAGER", reason]);
  }

  /** Records what became of a refund, once. */
  async record(vendorId: number, refundId: number, outcome: RefundOutcome): Promise<void> {
    const seen = await this.refunds.byId(vendorId, refundId);
    invariant(seen, "a refund stays");
    const order = await this.orders.lock(vendorId, seen.orderId);
    const refund = await this.refunds.lock(vendorId, refundId);
    invariant(order && refund, "a refund and its order stay");
    if (refund.state === "SUCCEEDED" || refund.state === "FAILED") return;
    if (outcome.kind === "REFUNDED") return this.complete(vendorId, order, refund, outcome.reference);
    if (outcome.kind === "UNHEARD") return this.lose(vendorId, order, refund);
    const refused = await this.refunds.change(vendorId, refundId, {
      state: refundStates.move(refund.state, "refuseRefund"),
      errorCode: outcome.code,
      errorMessage: maskCardNumbers(outcome.message),
      lookUpAt: null,
      settledAt: this.now,
    });
    await this.tell(vendorId, order, refused, "refuseRefund", refund.state, "SYSTEM");
  }

  /** Notes that nobody knows what became of a refund: it is sent again later under its key, which gives back once. */
  async lost(vendorId: number, refundId: number): Promise<void> {
    await this.record(vendorId, refundId, { kind: "UNHEARD" });
  }

  toLookUp(vendorId: number, most: number): Promise<RefundRecord[]> {
    return this.refunds.toLookUp(vendorId, this.now, most);
  }

  private async partsOf(vendorId: number, order: OrderRecord, wish: RefundWish) {
    const lines = await this.orders.itemsOf(vendorId, order.id);
    const unknown = wish.items?.findIndex(({ itemId }) => !lines.some(({ id }) => id === itemId)) ?? -1;
    if (unknown >= 0) throw unknownReference("ORDER_ITEM_NOT_FOUND", `items[${unknown}].itemId`, "order item");
    const ids = (wish.items ?? []).map(({ itemId }) => itemId);
    const again = ids.findIndex((id, index) => ids.indexOf(id) < index);
    if (again >= 0) throw invalidField(`items[${again}].itemId`, "names a line that is named before.");
    refuseFractions(order.currency, lines, wish);
    const left = sum(lines.map(({ paidAmount, returnedAmount }) => paidAmount.minus(returnedAmount)));
    if (wish.amount?.gt(left)) throw tooHigh(left, order.currency, "amount");
    const parts = partsOf(lines, wish);
    for (const { itemId, amount } of parts) {
      const line = lines.find(({ id }) => id === itemId)!;
      const most = line.paidAmount.minus(line.returnedAmount);
      const index = ids.indexOf(itemId);
      if (amount.gt(0) && amount.gt(most))
        throw tooHigh(most, order.currency, index < 0 ? amountPath(wish) : `items[${index}].amount`);
    }
    return parts;
  }

  /** The payments of an order that can give something back, newest first. */
  private async refundable(vendorId: number, orderId: number) {
    const payments = await this.payments.succeededOf(vendorId, orderId);
    return payments
      .map((payment) => ({ ...payment, left: payment.amount.minus(payment.paymentReturn) }))
      .filter(({ left }) => left.gt(0));
  }

  private async giveBack(
    vendorId: number,
    order: OrderRecord,
    { id, amount, idempotencyKey }: PaymentRecord,
    [why, actor, reason]: [why: string, actor: Actor, reason: string | null],
  ): Promise<void> {
    const values = this.valuesOf(order, id, amount, `${idempotencyKey}-${why}`, actor, reason);
    const row = await this.refunds.add(vendorId, { ...values, lookUpAt: this.now }, []);
    await this.tell(vendorId, order, row, "startRefund", null, actor);
  }

  /**
   * Takes back lines for which nothing was paid, such as a gift or a trial: no gateway is to be asked.
   * @returns whether there were any.
   */
  private async takeBackFree(
    vendorId: number,
    order: OrderRecord,
    { items, amount, actor, reason = null }: RefundIntent,
    parts: readonly Part[],
  ): Promise<boolean> {
    if (amount != null) return false;
    const lines = await this.orders.itemsOf(vendorId, order.id);
    const chosen = items?.length ? lines.filter(({ id }) => parts.some(({ itemId }) => itemId === id)) : lines;
    const back = chosen
      .filter((line) => this.orderItems.maybeRefunded(line))
      .map((line) => ({ itemId: line.id, amount: line.paidAmount.minus(line.returnedAmount) }));
    if (back.length === 0 || !sum(back.map((part) => part.amount)).eq(0)) return false;
    const isLeft = (line: (typeof lines)[number]) =>
      line.type === "SKU" && this.orderItems.maybeRefunded(line) && !back.some(({ itemId }) => itemId === line.id);
    const isWhole = order.returnedAmount.eq(order.paidAmount) && !lines.some(isLeft);
    await this.prepare(vendorId, order, back, { actor, reason });
    await this.giveBackLines(vendorId, order, back, isWhole, { actor, reason });
    return true;
  }

  private async prepare(
    vendorId: number,
    order: OrderRecord,
    parts: readonly { itemId: number }[],
    move: { actor: Actor; reason: string | null },
  ): Promise<void> {
    const ids = parts.map(({ itemId }) => itemId);
    await this.orderItems.awaitRefund(vendorId, order, ids, move);
    const lines = await this.orders.itemsOf(vendorId, order.id);
    this.orderItems.refuseUnrefundable(lines.filter(({ id }) => ids.includes(id)));
  }

  private async complete(
    vendorId: number,
    order: OrderRecord,
    refund: RefundRecord,
    gatewayReference: string,
  ): Promise<void> {
    const { id: refundId, orderId, paymentId, amount, actor, reason } = refund;
    const state = refundStates.move(refund.state, "completeRefund");
    const values = { state, gatewayReference, lookUpAt: null, settledAt: this.now };
    const completed = await this.refunds.change(vendorId, refundId, values);
    const payment = await this.payments.lock(vendorId, paymentId);
    invariant(payment, "what is given back was paid");
    await this.payments.change(vendorId, paymentId, { paymentReturn: payment.paymentReturn.plus(amount) });
    const { currency } = payment;
    await this.ledger.add(vendorId, givenBack({ orderId, paymentId, refundId, amount, currency, createdAt: this.now }));
    await this.tell(vendorId, order, completed, "completeRefund", refund.state, "SYSTEM");
    const after = await this.orders.giveBack(vendorId, order, amount);
    const parts = await this.refunds.partsOf(vendorId, refundId);
    if (parts.length === 0) return;
    await this.giveBackLines(vendorId, after, parts, after.returnedAmount.eq(after.paidAmount), { actor, reason });
  }

  /** Notes what was given back of lines; where all of the order is back, the subscriptions that it started end. */
  private async giveBackLines(
    vendorId: number,
    order: OrderRecord,
    parts: readonly Part[],
    isWhole: boolean,
    { actor, reason }: { actor: Actor; reason: string | null },
  ): Promise<void> {
    const move = { actor: actor === "CUSTOMER" ? ("SYSTEM" as const) : actor, reason };
    if (isWhole) {
      // Nothing is left to be given back of the others, but they were waited for by nobody so far.
      const lines = await this.orders.itemsOf(vendorId, order.id);
      const ids = lines.map(({ id }) => id);
      await this.orderItems.awaitRefund(vendorId, order, ids, move);
    }
    const back = await this.orderItems.refund(vendorId, order, parts, isWhole, move);
    await this.childOrders.refunded(vendorId, order, back, isWhole, reason);
    if (isWhole && order.type === "RECURRING_INITIAL") await this.endings.cancelStartedBy(vendorId, order.id, move);
  }

  private async lose(vendorId: number, order: OrderRecord, refund: RefundRecord): Promise<void> {
    const age = this.now.getTime() - refund.createdAt.getTime();
    const lookUpAt = new Date(this.now.getTime() + Math.min(Math.max(age, LEASE_MS), LONGEST_WAIT_MS));
    const isFirst = refund.state === "PENDING";
    const state = isFirst ? refundStates.move(refund.state, "loseRefund") : refund.state;
    const lost = await this.refunds.change(vendorId, refund.id, { state, lookUpAt });
    if (isFirst) await this.tell(vendorId, order, lost, "loseRefund", refund.state, "SYSTEM");
  }

  private valuesOf(
    { id: orderId }: OrderRecord,
    paymentId: number,
    amount: Amount,
    idempotencyKey: string,
    actor: Actor,
    reason: string | null,
  ) {
    return {
      orderId,
      paymentId,
      state: "PENDING" as const,
      idempotencyKey,
      amount,
      actor,
      reason,
      createdAt: this.now,
    };
  }

  private tell(
    vendorId: number,
    { id: orderId, customerId, currency }: OrderRecord,
    { id, state, amount, reason, paymentId }: RefundRecord,
    happening: RefundTrigger,
    statusBefore: RefundRecord["state"] | null,
    actor: Actor,
  ): Promise<void> {
    return this.events.record(vendorId, {
      subject: "REFUND",
      subjectId: id,
      happening,
      statusBefore,
      statusAfter: state,
      orderId,
      customerId,
      actor,
      reason,
      facts: { amount: amount.toFixed(), currency, paymentId },
    });
  }
}

/** What the request says of the sum: the amount, or the order as a whole. */
const amountPath = ({ amount }: RefundWish): string => (amount == null ? "orderId" : "amount");

function tooHigh(most: Amount, currency: string, path: string) {
  const message = most.gt(0)
    ? `A refund must be more than 0 and at most ${plain(most)} ${currency} here: that much is paid and not refunded yet.`
    : "Nothing is left to refund here: nothing was paid, or all of it is refunded.";
  return invalid("REFUND_TOO_HIGH", message, { fields: [{ path, code: "INVALID_VALUE", message }] });
}

/** No gateway gives back less than the smallest part of a currency. */
function refuseFractions(currency: string, lines: readonly { paidAmount: Amount }[], { items, amount }: RefundWish) {
  const most = Math.max(minorUnits(currency), ...lines.map(({ paidAmount }) => decimalsOf(paidAmount)));
  const message = `must have at most ${most} decimals in ${currency}.`;
  if (amount != null && decimalsOf(amount) > most) throw invalidField("amount", message);
  const wrong = items?.findIndex((item) => item.amount != null && decimalsOf(item.amount) > most) ?? -1;
  if (wrong >= 0) throw invalidField(`items[${wrong}].amount`, message);
}
