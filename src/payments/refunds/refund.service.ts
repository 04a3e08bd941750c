import { randomUUID } from "node:crypto";
import type { Actor } from "../../../schema/vocabulary.ts";
import type { EventService } from "../../events/event.service.ts";
import { toPlainString, sumAmounts, type Amount } from "../../kernel/amounts.ts";
import { maskCardNumbers } from "../../kernel/secrets/card-mask.ts";
import { minorUnits } from "../../kernel/currencies.ts";
import { conflict, invalid, invalidField, invariant, unknownReference } from "../../kernel/refusals.ts";
import { required } from "../../kernel/required-values.ts";
import type { ChildOrderService } from "../../orders/child-order.service.ts";
import type { OrderItemService } from "../../orders/order-item.service.ts";
import type { SubscriptionStopService } from "../../subscriptions/changes/subscription-stop.service.ts";
import type { OrderPaymentService } from "../../orders/order-payment.service.ts";
import type { OrderRecord, OrderRecordService } from "../../orders/order-record.service.ts";
import { toRefundEntries, type LedgerRepository } from "../ledger/ledger.repository.ts";
import type { RefundOutcome } from "../gateways/gateway-port.ts";
import type { PaymentRecord, PaymentRepository } from "../payment.repository.ts";
import { refundStates, type RefundTrigger } from "../payment.states.ts";
import {
  countDecimals,
  toLineRefunds,
  splitAmongPayments,
  type LineRefund,
  type RefundSelection,
} from "./refund-allocation.ts";
import type { RefundRecord, RefundRepository } from "./refund.repository.ts";

/** The input for a refund. */
export interface RefundIntent extends RefundSelection {
  orderId: number;
  actor: Actor;
  reason?: string | null;
}

const LEASE_MS = 60_000;
const MAX_LOOK_UP_DELAY_MS = 3_600_000;

/** Claims refunds before a gateway is called, and records the outcomes that the gateway reports. */
export class RefundService {
  constructor(
    private readonly deps: {
      refundRepository: RefundRepository;
      paymentRepository: PaymentRepository;
      ledgerRepository: LedgerRepository;
      orderRecords: OrderRecordService;
      paidOrders: OrderPaymentService;
      orderItems: OrderItemService;
      childOrders: ChildOrderService;
      subscriptionStop: SubscriptionStopService;
      events: EventService;
      now: Date;
    },
  ) {}

  /**
   * Claims a refund: one row for each payment that gives something back. Lines that are paid go on to wait for it.
   * @throws a Refusal INVALID_ARGUMENT, ORDER_NOT_FOUND, ORDER_ITEM_NOT_FOUND, REFUND_TOO_HIGH, REFUND_IN_PROGRESS, ILLEGAL_TRANSITION.
   */
  async claim(vendorId: number, intent: RefundIntent): Promise<RefundRecord[]> {
    const { orderId, actor, reason = null } = intent;
    const order = await this.deps.orderRecords.lockOrder(vendorId, orderId);
    if (!order) throw unknownReference("ORDER_NOT_FOUND", "orderId", "order");
    if ((await this.deps.refundRepository.openOf(vendorId, orderId)).length > 0)
      throw conflict("REFUND_IN_PROGRESS", "A refund of the order is in progress; wait until its outcome is known.");
    const parts = await this.resolveLineRefunds(vendorId, order, intent);
    const payments = await this.refundablePayments(vendorId, orderId);
    const amount = sumAmounts(parts.map((part) => part.amount));
    if (amount.eq(0) && (await this.refundFreeLines(vendorId, order, intent, parts))) return [];
    const maxAmount = sumAmounts(payments.map(({ left }) => left));
    if (!amount.gt(0) || amount.gt(maxAmount)) throw refundTooHigh(maxAmount, order.currency, amountFieldPath(intent));
    await this.prepareLines(vendorId, order, parts, { actor, reason });
    const key = `r-${order.idKey}-${randomUUID()}`;
    const rows: RefundRecord[] = [];
    for (const [index, share] of splitAmongPayments(parts, payments).entries()) {
      const values = this.toRefundValues(order, share.payment.id, share.amount, `${key}-${index}`, actor, reason);
      const lookUpAt = new Date(this.deps.now.getTime() + LEASE_MS);
      const row = await this.deps.refundRepository.add(vendorId, { ...values, lookUpAt }, share.parts);
      await this.recordEvent(vendorId, order, row, "startRefund", null, actor);
      rows.push(row);
    }
    return rows;
  }

  /** Refunds that were claimed before. */
  byIds(vendorId: number, ids: readonly number[]): Promise<RefundRecord[]> {
    return this.deps.refundRepository.byIds(vendorId, ids);
  }

  /** Claims the refund of a payment that was not due; the next worker that looks for open refunds sends it. */
  async claimUnwantedRefund(vendorId: number, order: OrderRecord, payment: PaymentRecord): Promise<void> {
    if (payment.amount.eq(0)) return;
    await this.addRefund(vendorId, order, payment, ["unwanted", "SYSTEM", "Nothing was left to pay."]);
  }

  /**
   * Claims the refund of the instant amount of an order that was cancelled while on hold, before the
   * remainder was paid. It is sent in the same way as the refund of an unwanted payment.
   */
  async claimCancelledOrderRefund(vendorId: number, orderId: number, reason: string | null = null): Promise<void> {
    const order = await this.deps.orderRecords.byId(vendorId, orderId);
    for (const { left, ...payment } of await this.refundablePayments(vendorId, orderId))
      await this.addRefund(vendorId, order, { ...payment, amount: left }, ["cancelled", "MANAGER", reason]);
  }

  /** Records what became of a refund, once. */
  async recordOutcome(vendorId: number, refundId: number, outcome: RefundOutcome): Promise<void> {
    const unlocked = await this.deps.refundRepository.byId(vendorId, refundId);
    invariant(unlocked, "a refund stays");
    const order = await this.deps.orderRecords.lockOrder(vendorId, unlocked.orderId);
    const refund = await this.deps.refundRepository.lock(vendorId, refundId);
    invariant(order && refund, "a refund and its order stay");
    if (refund.state === "SUCCEEDED" || refund.state === "FAILED") return;
    if (outcome.kind === "REFUNDED") return this.completeRefund(vendorId, order, refund, outcome.reference);
    if (outcome.kind === "UNKNOWN") return this.scheduleLookUp(vendorId, order, refund);
    const refused = await this.deps.refundRepository.change(vendorId, refundId, {
      state: refundStates.transition(refund.state, "refuseRefund"),
      errorCode: outcome.code,
      errorMessage: maskCardNumbers(outcome.message),
      lookUpAt: null,
      settledAt: this.deps.now,
    });
    await this.recordEvent(vendorId, order, refused, "refuseRefund", refund.state, "SYSTEM");
  }

  /** Marks the outcome of a refund as unknown: it is sent again later under its idempotency key, which refunds once. */
  async markOutcomeUnknown(vendorId: number, refundId: number): Promise<void> {
    await this.recordOutcome(vendorId, refundId, { kind: "UNKNOWN" });
  }

  dueForLookUp(vendorId: number, limit: number): Promise<RefundRecord[]> {
    return this.deps.refundRepository.dueForLookUp(vendorId, this.deps.now, limit);
  }

  private async resolveLineRefunds(vendorId: number, order: OrderRecord, selection: RefundSelection) {
    const lines = await this.deps.orderRecords.itemsOf(vendorId, order.id);
    const unknownIndex = selection.items?.findIndex(({ itemId }) => !lines.some(({ id }) => id === itemId)) ?? -1;
    if (unknownIndex >= 0)
      throw unknownReference("ORDER_ITEM_NOT_FOUND", `items[${unknownIndex}].itemId`, "order item");
    const ids = (selection.items ?? []).map(({ itemId }) => itemId);
    const duplicateIndex = ids.findIndex((id, index) => ids.indexOf(id) < index);
    if (duplicateIndex >= 0)
      throw invalidField(`items[${duplicateIndex}].itemId`, "is a line that an earlier entry names already.");
    refuseFractions(order.currency, lines, selection);
    const remaining = sumAmounts(lines.map(({ paidAmount, returnedAmount }) => paidAmount.minus(returnedAmount)));
    if (selection.amount?.gt(remaining)) throw refundTooHigh(remaining, order.currency, "amount");
    const parts = toLineRefunds(lines, selection);
    for (const { itemId, amount } of parts) {
      const line = required(
        lines.find(({ id }) => id === itemId),
        "the line",
      );
      const maxAmount = line.paidAmount.minus(line.returnedAmount);
      const index = ids.indexOf(itemId);
      if (amount.gt(0) && amount.gt(maxAmount))
        throw refundTooHigh(
          maxAmount,
          order.currency,
          index < 0 ? amountFieldPath(selection) : `items[${index}].amount`,
        );
    }
    return parts;
  }

  /** The payments of an order that can give something back, newest first. */
  private async refundablePayments(vendorId: number, orderId: number) {
    const payments = await this.deps.paymentRepository.succeededOf(vendorId, orderId);
    return payments
      .map((payment) => ({ ...payment, left: payment.amount.minus(payment.paymentReturn) }))
      .filter(({ left }) => left.gt(0));
  }

  private async addRefund(
    vendorId: number,
    order: OrderRecord,
    { id, amount, idempotencyKey }: PaymentRecord,
    [cause, actor, reason]: [why: string, actor: Actor, reason: string | null],
  ): Promise<void> {
    const values = this.toRefundValues(order, id, amount, `${idempotencyKey}-${cause}`, actor, reason);
    const row = await this.deps.refundRepository.add(vendorId, { ...values, lookUpAt: this.deps.now }, []);
    await this.recordEvent(vendorId, order, row, "startRefund", null, actor);
  }

  /**
   * Returns lines for which nothing was paid, such as a gift or a trial, without calling a gateway.
   * @returns whether there were any.
   */
  private async refundFreeLines(
    vendorId: number,
    order: OrderRecord,
    { items, amount, actor, reason = null }: RefundIntent,
    parts: readonly LineRefund[],
  ): Promise<boolean> {
    if (amount != null) return false;
    const lines = await this.deps.orderRecords.itemsOf(vendorId, order.id);
    const selectedLines = items?.length ? lines.filter(({ id }) => parts.some(({ itemId }) => itemId === id)) : lines;
    const refundedLines = selectedLines
      .filter((line) => this.deps.orderItems.isPaidNotRefunded(line))
      .map((line) => ({ itemId: line.id, amount: line.paidAmount.minus(line.returnedAmount) }));
    if (refundedLines.length === 0 || !sumAmounts(refundedLines.map((part) => part.amount)).eq(0)) return false;
    const isStillRefundable = (line: (typeof lines)[number]) =>
      line.type === "SKU" &&
      this.deps.orderItems.isPaidNotRefunded(line) &&
      !refundedLines.some(({ itemId }) => itemId === line.id);
    const isFullRefund = order.returnedAmount.eq(order.paidAmount) && !lines.some(isStillRefundable);
    await this.prepareLines(vendorId, order, refundedLines, { actor, reason });
    await this.markLinesRefunded(vendorId, order, refundedLines, isFullRefund, { actor, reason });
    return true;
  }

  private async prepareLines(
    vendorId: number,
    order: OrderRecord,
    parts: readonly { itemId: number }[],
    transition: { actor: Actor; reason: string | null },
  ): Promise<void> {
    const ids = parts.map(({ itemId }) => itemId);
    await this.deps.orderItems.advanceToRefund(vendorId, order, ids, transition);
    const lines = await this.deps.orderRecords.itemsOf(vendorId, order.id);
    this.deps.orderItems.refuseUnrefundable(lines.filter(({ id }) => ids.includes(id)));
  }

  private async completeRefund(
    vendorId: number,
    order: OrderRecord,
    refund: RefundRecord,
    gatewayReference: string,
  ): Promise<void> {
    const { id: refundId, orderId, paymentId, amount, actor, reason } = refund;
    const state = refundStates.transition(refund.state, "completeRefund");
    const values = { state, gatewayReference, lookUpAt: null, settledAt: this.deps.now };
    const completed = await this.deps.refundRepository.change(vendorId, refundId, values);
    const payment = await this.deps.paymentRepository.lock(vendorId, paymentId);
    invariant(payment, "a refunded amount was paid");
    await this.deps.paymentRepository.change(vendorId, paymentId, {
      paymentReturn: payment.paymentReturn.plus(amount),
    });
    const { currency } = payment;
    await this.deps.ledgerRepository.add(
      vendorId,
      toRefundEntries({ orderId, paymentId, refundId, amount, currency, createdAt: this.deps.now }),
    );
    await this.recordEvent(vendorId, order, completed, "completeRefund", refund.state, "SYSTEM");
    const refundedOrder = await this.deps.paidOrders.recordRefundedAmount(vendorId, order, amount);
    const parts = await this.deps.refundRepository.itemsOf(vendorId, refundId);
    if (parts.length === 0) return;
    await this.markLinesRefunded(
      vendorId,
      refundedOrder,
      parts,
      refundedOrder.returnedAmount.eq(refundedOrder.paidAmount),
      { actor, reason },
    );
  }

  /** Records refunds of lines; if the whole order is refunded, the subscriptions that it started end. */
  private async markLinesRefunded(
    vendorId: number,
    order: OrderRecord,
    parts: readonly LineRefund[],
    isFullRefund: boolean,
    { actor, reason }: { actor: Actor; reason: string | null },
  ): Promise<void> {
    const transition = { actor: actor === "CUSTOMER" ? ("SYSTEM" as const) : actor, reason };
    if (isFullRefund) {
      // The other lines have no refundable remainder, but they are not in the refund state yet.
      const lines = await this.deps.orderRecords.itemsOf(vendorId, order.id);
      const ids = lines.map(({ id }) => id);
      await this.deps.orderItems.advanceToRefund(vendorId, order, ids, transition);
    }
    const refundedItems = await this.deps.orderItems.recordRefund(vendorId, order, parts, isFullRefund, transition);
    await this.deps.childOrders.applyRefund(vendorId, order, refundedItems, isFullRefund, reason);
    if (isFullRefund && order.type === "RECURRING_INITIAL")
      await this.deps.subscriptionStop.cancelStartedBy(vendorId, order.id, transition);
  }

  private async scheduleLookUp(vendorId: number, order: OrderRecord, refund: RefundRecord): Promise<void> {
    const age = this.deps.now.getTime() - refund.createdAt.getTime();
    const lookUpAt = new Date(this.deps.now.getTime() + Math.min(Math.max(age, LEASE_MS), MAX_LOOK_UP_DELAY_MS));
    const isFirst = refund.state === "PENDING";
    const state = isFirst ? refundStates.transition(refund.state, "markRefundUnknown") : refund.state;
    const updated = await this.deps.refundRepository.change(vendorId, refund.id, { state, lookUpAt });
    if (isFirst) await this.recordEvent(vendorId, order, updated, "markRefundUnknown", refund.state, "SYSTEM");
  }

  private toRefundValues(
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
      createdAt: this.deps.now,
    };
  }

  private recordEvent(
    vendorId: number,
    { id: orderId, customerId, currency }: OrderRecord,
    { id, state, amount, reason, paymentId }: RefundRecord,
    trigger: RefundTrigger,
    statusBefore: RefundRecord["state"] | null,
    actor: Actor,
  ): Promise<void> {
    return this.deps.events.recordEvents(vendorId, {
      subject: "REFUND",
      subjectId: id,
      trigger: trigger,
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

/** The request field that sets the sum: the amount, or the whole order. */
const amountFieldPath = ({ amount }: RefundSelection): string => (amount == null ? "orderId" : "amount");

function refundTooHigh(maxAmount: Amount, currency: string, path: string) {
  const message = maxAmount.gt(0)
    ? `must be more than 0 and at most ${toPlainString(maxAmount)} ${currency}: that amount is paid and not refunded yet.`
    : "Nothing is left to refund here: nothing was paid, or all of it is refunded.";
  return invalid("REFUND_TOO_HIGH", message, { fields: [{ path, code: "INVALID_VALUE", message }] });
}

/** Gateways cannot refund fractions of a currency's smallest unit. */
function refuseFractions(
  currency: string,
  lines: readonly { paidAmount: Amount }[],
  { items, amount }: RefundSelection,
) {
  const maxDecimals = Math.max(minorUnits(currency), ...lines.map(({ paidAmount }) => countDecimals(paidAmount)));
  const message = `must have at most ${maxDecimals} decimals in ${currency}.`;
  if (amount != null && countDecimals(amount) > maxDecimals) throw invalidField("amount", message);
  const invalidIndex =
    items?.findIndex((item) => item.amount != null && countDecimals(item.amount) > maxDecimals) ?? -1;
  if (invalidIndex >= 0) throw invalidField(`items[${invalidIndex}].amount`, message);
}
