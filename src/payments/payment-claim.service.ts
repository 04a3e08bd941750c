import { createHash, randomUUID } from "node:crypto";
import type { Actor, Initiator, PaymentGateway, PaymentMethod } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import { toPlainString, ZERO, type Amount } from "../kernel/amounts.ts";
import {
  conflict,
  overLimit,
  invalid,
  invalidField,
  requiredField,
  invariant,
  unknownReference,
  type Refusal,
} from "../kernel/refusals.ts";
import { required } from "../kernel/required-values.ts";
import type { OrderPaymentService } from "../orders/order-payment.service.ts";
import type { OrderRecord, OrderRecordService } from "../orders/order-record.service.ts";
import {
  allowsMethod,
  amountDue,
  canHaveBenefits,
  cardMethods,
  isCardMethod,
  isUntouched,
  needsNoPayment,
  passesNoGateway,
  unpayableReason,
  type UnpayableReason,
} from "../orders/order.payability.ts";
import type { OrderPricingService } from "../orders/pricing/order-pricing.service.ts";
import type { OrderEligibilityService } from "../orders/order-eligibility.service.ts";
import type { CardAttemptService } from "./card-attempt.service.ts";
import type { UnrecordedCharge } from "./unrecorded-charge.service.ts";
import { adapterTraits } from "./gateways/adapter.traits.ts";
import type { GatewayAccountService } from "./gateways/gateway-account.service.ts";
import { toPaymentEvent } from "./payment.events.ts";
import type { PaymentRecord, PaymentRepository } from "./payment.repository.ts";
import type { BackupRestoreService } from "./restores/backup-restore.service.ts";
import type { StoredMethodService } from "./stored-method.service.ts";

/** The payer of an order and the payment method. */
export interface PaymentIntent {
  orderId: number;
  /** The payment method; a stored method has its own. */
  method?: PaymentMethod | null;
  storedMethodId?: number | null;
  initiator: Initiator;
  actor: Actor;
  /** The total that the payer agreed to, in decimal notation. Defaults to any total. */
  expectedAmount?: string | null;
  /** The cause of the attempt, if it can be repeated: the same key makes no second attempt. */
  requestKey?: string | undefined;
  /** Where the payer types the card: the number was sent here, or the payer can be sent to a page of the gateway. */
  cardEntry?: "NUMBER" | "GATEWAY_PAGE" | undefined;
}

/** An attempt, and whether this call created it: only then the gateway is to be called. */
export interface PaymentClaim {
  payment: PaymentRecord;
  order: OrderRecord;
  isNew: boolean;
  /** The time of a restore whose backup may be older than this charge: then the gateways are searched for it first. */
  restoredAt: Date | null;
}

/** An order that is unpaid here, and what its charges are searched by; null where none can have been made unknown to us. */
export interface UnpaidOrder {
  orderId: number;
  subject: string | null;
}

/** The account, method and subject of a planned charge. */
export interface ChargeTarget {
  paymentGateway: PaymentGateway;
  paymentMethod: PaymentMethod | null;
  methodId: number | null;
}

/** Decides whether a claim may be made, after all other checks; its order and its card are locked meanwhile. */
export type ChargePredicate = (order: OrderRecord, charging: ChargeTarget) => Promise<boolean>;

/** Time that a process has to record the outcome of its gateway call before other processes look it up. */
const LEASE_MS = 45_000;
const DAY_MS = 86_400_000;
/** So many payments by card may fail on one order within a day. */
const MAX_FAILED_CARDS = 10;

/** Claims payments of orders: saves the attempt before the gateway is called, so that no charge is unrecorded. */
export class PaymentClaimService {
  constructor(
    private readonly deps: {
      paymentRepository: PaymentRepository;
      gatewayAccounts: GatewayAccountService;
      storedMethods: StoredMethodService;
      cardAttempts: CardAttemptService;
      orderRecords: OrderRecordService;
      paidOrders: OrderPaymentService;
      orderPricing: OrderPricingService;
      orderEligibility: OrderEligibilityService;
      backupRestores: BackupRestoreService;
      events: EventService;
      now: Date;
    },
  ) {}

  /**
   * Claims the payment of an order: saves the attempt before the charge, one open attempt per order. Undefined if the
   * order may not be charged.
   * @throws a Refusal ORDER_NOT_FOUND, ORDER_ALREADY_PAID, ORDER_NOT_PAYABLE, PAYMENT_IN_PROGRESS, PRICE_CHANGED,
   * ALREADY_SUBSCRIBED, PAYMENT_METHOD_NOT_ALLOWED, PAYMENT_METHOD_NOT_FOUND, NO_PAYMENT_GATEWAY, OUT_OF_STOCK,
   * TOO_MANY_DECLINES.
   */
  async claim(
    vendorId: number,
    intent: PaymentIntent,
    isChargeAllowed?: ChargePredicate,
  ): Promise<PaymentClaim | undefined> {
    const locked = await this.deps.orderRecords.lockOrder(vendorId, intent.orderId);
    if (!locked) throw unknownReference("ORDER_NOT_FOUND", "orderId", "order");
    const { subject, since } = await this.chargeSubjectOf(vendorId, locked);
    const idempotencyKey = idempotencyKeyOf(subject, intent.requestKey);
    const existing = await this.deps.paymentRepository.byKey(vendorId, idempotencyKey);
    if (existing) return { payment: existing, order: locked, isNew: false, restoredAt: null };
    const openAttempt = await this.deps.paymentRepository.openAttemptOf(vendorId, locked.id);
    if (openAttempt)
      throw conflict("PAYMENT_IN_PROGRESS", "A payment of the order is in progress; wait until its outcome is known.");
    await this.blockCardTesting(vendorId, locked, intent);
    await this.refuseUnpayable(vendorId, locked, intent);
    const order = isUntouched(locked) && canHaveBenefits(locked) ? await this.reserveRights(vendorId, locked) : locked;
    const amount = amountDue(order, await this.deps.paymentRepository.instantAmountOf(vendorId, order.id));
    if (intent.expectedAmount != null && intent.expectedAmount !== toPlainString(amount))
      throw priceChangedRefusal(intent.expectedAmount, amount, order.currency);
    const { method, methodId, gateway } = await this.selectPaymentMethod(vendorId, order, intent, amount);
    if (methodId !== null) await this.deps.cardAttempts.lockCard(vendorId, methodId);
    const target = { paymentGateway: gateway, paymentMethod: method, methodId };
    if (isChargeAllowed && !(await isChargeAllowed(order, target))) return undefined;
    if (order.stockReturnedAt !== null) await this.deps.paidOrders.retakeStock(order);
    const payment = await this.deps.paymentRepository.add(vendorId, {
      orderId: order.id,
      state: "PENDING",
      idempotencyKey,
      subject,
      attempt: (await this.deps.paymentRepository.countAttempts(vendorId, order.id)) + 1,
      amount,
      discount: order.discountedAmount,
      currency: order.currency,
      ...target,
      initiator: intent.initiator,
      paymentReturn: ZERO,
      customerName: order.customerName,
      customerEmail: order.customerEmail,
      customerPhone: order.customerPhone,
      lookUpAt: this.fromNow(LEASE_MS),
      createdAt: this.deps.now,
    });
    await this.deps.events.recordEvents(vendorId, toPaymentEvent(order, payment, "startPayment", null, intent.actor));
    const restoredAt = gateway === "EMPTY" ? null : await this.deps.backupRestores.findRelevantRestore(vendorId, since);
    return { payment, order, isNew: true, restoredAt };
  }

  /** An attempt that was claimed before; its order is locked. */
  async loadClaim(vendorId: number, paymentId: number): Promise<PaymentClaim> {
    const payment = await this.deps.paymentRepository.byId(vendorId, paymentId);
    const order = payment && (await this.deps.orderRecords.lockOrder(vendorId, payment.orderId));
    invariant(payment && order, "a payment and its order stay");
    return { payment, order, isNew: false, restoredAt: null };
  }

  /**
   * Orders of a vendor beyond a number that are unpaid and may have been paid after the backup, with what their charges are
   * searched by; a limited number of them.
   */
  async unpaidSinceBackup(vendorId: number, afterOrderId: number, limit: number): Promise<UnpaidOrder[]> {
    const unpaid: UnpaidOrder[] = [];
    for (const order of await this.deps.orderRecords.unpaidAfter(vendorId, afterOrderId, limit)) {
      const { subject, since } = await this.chargeSubjectOf(vendorId, order);
      const mayBePaid = (await this.deps.backupRestores.findRelevantRestore(vendorId, since)) !== null;
      unpaid.push({ orderId: order.id, subject: mayBePaid ? subject : null });
    }
    return unpaid;
  }

  /**
   * Creates the attempt under which a found charge is recorded. A found charge with the key of a known attempt belongs
   * to that one.
   * @returns its number; undefined while another attempt of the order is in progress.
   */
  async claimFoundCharge(
    vendorId: number,
    { orderId, subject }: UnpaidOrder,
    { gateway, charge }: UnrecordedCharge,
  ): Promise<number | undefined> {
    const order = await this.deps.orderRecords.lockOrder(vendorId, orderId);
    invariant(order, "an order stays");
    const existing = await this.deps.paymentRepository.byKey(vendorId, charge.idempotencyKey);
    if (existing) return existing.id;
    if (await this.deps.paymentRepository.openAttemptOf(vendorId, orderId)) return undefined;
    const { customerName, customerEmail, customerPhone, discountedAmount } = order;
    const payment = await this.deps.paymentRepository.add(vendorId, {
      orderId,
      state: "PENDING",
      idempotencyKey: charge.idempotencyKey,
      subject,
      attempt: (await this.deps.paymentRepository.countAttempts(vendorId, orderId)) + 1,
      amount: charge.amount,
      discount: discountedAmount,
      currency: charge.currency,
      paymentGateway: gateway,
      initiator: "CUSTOMER",
      paymentReturn: ZERO,
      ...{ customerName, customerEmail, customerPhone },
      createdAt: this.deps.now,
    });
    await this.deps.events.recordEvents(vendorId, toPaymentEvent(order, payment, "startPayment", null, "SYSTEM"));
    return payment.id;
  }

  /**
   * The subject of an order's charge, and the earliest time of such a charge. The subject is the same when the renewal
   * is ordered again from an older backup.
   */
  private async chargeSubjectOf(vendorId: number, { id, type, idKey, createdAt }: OrderRecord) {
    const period = type === "RECURRING" ? await this.deps.paymentRepository.renewalPeriodOf(vendorId, id) : undefined;
    if (!period) return { subject: `order ${idKey}`, since: createdAt };
    const { vendorUuid, code, dueAt, periodStart } = period;
    return dueAt
      ? { subject: `renewal ${vendorUuid} ${code} ${dueAt.toISOString()}`, since: dueAt }
      : { subject: `last ${vendorUuid} ${code} ${periodStart.toISOString()}`, since: periodStart };
  }

  /**
   * The attempts that have to end before an order can be paid: its own, and those of other orders of its customer that wait for
   * their payer with a trial, a discount or a product which is to be had once.
   */
  async blockingAttempts(vendorId: number, orderId: number): Promise<PaymentRecord[]> {
    const order = await this.deps.orderRecords.find(vendorId, orderId);
    if (!order) return [];
    const ownAttempt = await this.deps.paymentRepository.openAttemptOf(vendorId, orderId);
    const otherAttempts: PaymentRecord[] = [];
    for (const id of await this.deps.orderEligibility.findWaitingPaymentIds(vendorId, order))
      otherAttempts.push(required(await this.deps.paymentRepository.byId(vendorId, id), "the payment"));
    return ownAttempt ? [ownAttempt, ...otherAttempts] : otherAttempts;
  }

  /**
   * Recalculates the price of an order, and requires the payer's consent to a new total. @returns undefined if the
   * total is unchanged.
   */
  async reprice(vendorId: number, orderId: number): Promise<Refusal | undefined> {
    const previous = await this.deps.orderRecords.byId(vendorId, orderId);
    const repriced = await this.deps.orderPricing.recalculate(vendorId, orderId);
    return repriced.amount.eq(previous.amount)
      ? undefined
      : priceChangedRefusal(toPlainString(previous.amount), repriced.amount, repriced.currency);
  }

  /** An order with what its customer may use once, reserved for this attempt. */
  private async reserveRights(vendorId: number, locked: OrderRecord): Promise<OrderRecord> {
    const order = (await this.deps.orderEligibility.canRestoreBenefits(vendorId, locked))
      ? await this.deps.orderPricing.recalculate(vendorId, locked.id)
      : locked;
    await this.deps.orderEligibility.reserveOnceOnlyProducts(vendorId, order);
    return order;
  }

  private async refuseUnpayable(vendorId: number, order: OrderRecord, { initiator }: PaymentIntent): Promise<void> {
    const lines = await this.deps.orderRecords.itemsOf(vendorId, order.id);
    const reason = unpayableReason(order, lines, initiator, this.deps.now);
    if (reason !== null) throw invalid(...unpayable[reason]);
  }

  /** A payer who tries one card after the other is testing which cards work, not paying. */
  private async blockCardTesting(
    vendorId: number,
    { id }: OrderRecord,
    { initiator, method }: PaymentIntent,
  ): Promise<void> {
    if (initiator !== "CUSTOMER" || method == null || !isCardMethod(method)) return;
    const failedAt = await this.deps.paymentRepository.failedByMethodsSince(
      vendorId,
      id,
      cardMethods,
      this.fromNow(-DAY_MS),
    );
    const oldestCounted = failedAt.at(-MAX_FAILED_CARDS);
    if (!oldestCounted) return;
    const retryAfterSeconds = Math.ceil((oldestCounted.getTime() + DAY_MS - this.deps.now.getTime()) / 1000);
    throw overLimit(
      "TOO_MANY_DECLINES",
      `${MAX_FAILED_CARDS} cards failed within a day; pay by another method, or later.`,
      retryAfterSeconds,
    );
  }

  /** Selects the payment method and its gateway. A free order needs none. */
  private async selectPaymentMethod(
    vendorId: number,
    order: OrderRecord,
    { method, storedMethodId, cardEntry }: PaymentIntent,
    amount: Amount,
  ): Promise<{ method: PaymentMethod | null; methodId: number | null; gateway: PaymentGateway }> {
    if (storedMethodId != null) {
      const stored = await this.deps.storedMethods.requireMethod(vendorId, order.customerId, storedMethodId);
      await this.deps.gatewayAccounts.selectForCharge(vendorId, {
        method: stored.method,
        currency: order.currency,
        gateway: stored.gateway,
      });
      return { method: stored.method, methodId: stored.id, gateway: stored.gateway };
    }
    if (method == null) {
      if (needsNoPayment(order, amount)) return { method: null, methodId: null, gateway: "EMPTY" };
      throw requiredField("method", "is required, or storedMethodId.");
    }
    if (!allowsMethod(order, method))
      throw invalid(
        "PAYMENT_METHOD_NOT_ALLOWED",
        `The order can be paid by ${order.allowedPaymentMethods.join(", ")} only.`,
      );
    if (passesNoGateway(method)) return { method, methodId: null, gateway: "EMPTY" };
    const account = await this.deps.gatewayAccounts.selectForCharge(vendorId, {
      method,
      currency: order.currency,
      gateway: order.paymentGateway,
    });
    if (adapterTraits[account.adapter].hasCardPage && cardEntry !== "GATEWAY_PAGE")
      throw invalidField(
        cardEntry === "NUMBER" ? "card" : "method",
        `cannot be charged here: ${account.gateway} accepts cards on its own page only. Create a link with checkoutLink and send the payer there, or charge a stored method.`,
      );
    return { method, methodId: null, gateway: account.gateway };
  }

  private fromNow(milliseconds: number): Date {
    return new Date(this.deps.now.getTime() + milliseconds);
  }
}

/** The refusals of an order that cannot be paid. */
const unpayable: Readonly<Record<UnpayableReason, [code: Refusal["code"], message: string]>> = {
  PAID_THROUGH_PARENT: ["ORDER_NOT_PAYABLE", "The order is paid with the parent vendor's order that it belongs to."],
  PAID: ["ORDER_ALREADY_PAID", "The order is paid."],
  CLOSED: ["ORDER_NOT_PAYABLE", "The order is cancelled or refunded, so it cannot be paid."],
  PAST_DEADLINE: ["ORDER_NOT_PAYABLE", "The payment deadline of the order has passed."],
};

const priceChangedRefusal = (oldAmount: string, amount: Amount, currency: string): Refusal => {
  const newAmount = toPlainString(amount);
  const message = `The price is now ${newAmount} ${currency} instead of ${oldAmount}; pay again to accept it.`;
  return invalid("PRICE_CHANGED", message, { oldAmount, newAmount, currency });
};

/**
 * The idempotency key of an attempt at the gateway, derived from its subject and cause, or random without a cause. A
 * forgotten worker on a restored backup derives the same keys, so the gateway charges once.
 */
const idempotencyKeyOf = (subject: string, requestKey: string | undefined): string =>
  requestKey === undefined ? randomUUID() : createHash("sha256").update(`${subject}\n${requestKey}`).digest("hex");
