import type { Actor, PaymentGateway } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import type { InvoiceService } from "../invoices/invoice.service.ts";
import { maskCardNumbers } from "../kernel/secrets/card-mask.ts";
import { invariant, notFound } from "../kernel/refusals.ts";
import type { OrderItemService } from "../orders/order-item.service.ts";
import type { SubscriptionPaymentService } from "../subscriptions/subscription-payment.service.ts";
import type { OrderPaymentService } from "../orders/order-payment.service.ts";
import type { OrderRecord, OrderRecordService } from "../orders/order-record.service.ts";
import { toChargeEntries, type LedgerRepository } from "./ledger/ledger.repository.ts";
import type { ChargeOutcome, FoundCharge } from "./gateways/gateway-port.ts";
import { faultCodes } from "./gateways/payment.faults.ts";
import { toPaymentEvent } from "./payment.events.ts";
import { paymentStates } from "./payment.states.ts";
import type { PaymentRecord, PaymentRepository, PaymentValues } from "./payment.repository.ts";
import type { RefundService } from "./refunds/refund.service.ts";
import type { StoredMethodService } from "./stored-method.service.ts";

export type { PaymentRecord } from "./payment.repository.ts";

/** Time for a payer to confirm. */
const CHALLENGE_MS = 30 * 60_000;
/** Time for a deposit if the order has no deadline. */
const DEPOSIT_MS = 7 * 86_400_000;
const MIN_LOOK_UP_DELAY_MS = 30_000;
const MAX_LOOK_UP_DELAY_MS = 3_600_000;

/**
 * Records the outcomes of attempts to charge orders, as their gateways report them. It never calls a gateway, so no
 * transaction waits for one.
 */
export class PaymentService {
  constructor(
    private readonly deps: {
      paymentRepository: PaymentRepository;
      ledgerRepository: LedgerRepository;
      storedMethods: StoredMethodService;
      orderRecords: OrderRecordService;
      paidOrders: OrderPaymentService;
      orderItems: OrderItemService;
      invoices: InvoiceService;
      subscriptionPayments: SubscriptionPaymentService;
      refunds: RefundService;
      events: EventService;
      now: Date;
    },
  ) {}

  /** Records the outcome of an attempt once. Repeated or reordered reports of it change nothing. */
  async recordOutcome(
    vendorId: number,
    paymentId: number,
    outcome: ChargeOutcome,
    actor: Actor = "SYSTEM",
  ): Promise<void> {
    const unlocked = await this.deps.paymentRepository.byId(vendorId, paymentId);
    if (!unlocked) throw notFound("PAYMENT_NOT_FOUND", "There is no payment with this id.");
    const order = await this.deps.orderRecords.lockOrder(vendorId, unlocked.orderId);
    const payment = await this.deps.paymentRepository.lock(vendorId, paymentId);
    invariant(order && payment, "a payment and its order stay");
    if (payment.state === "SUCCEEDED") return;
    switch (outcome.kind) {
      case "APPROVED":
        return this.markSucceeded(vendorId, order, payment, outcome, actor);
      case "DECLINED":
        return this.markFailed(vendorId, order, payment, outcome);
      case "CLOSED":
        return this.markFailed(vendorId, order, payment, notChargedDecline);
      case "CHALLENGE":
      case "DEPOSIT":
        return this.markAwaitingPayer(vendorId, order, payment, outcome);
      case "UNKNOWN":
        return this.scheduleLookUp(vendorId, payment);
    }
  }

  /** Marks the outcome of an attempt as unknown; it is looked up later, with a growing delay. */
  async markOutcomeUnknown(vendorId: number, paymentId: number): Promise<void> {
    const payment = await this.deps.paymentRepository.lock(vendorId, paymentId);
    if (payment) await this.scheduleLookUp(vendorId, payment);
  }

  async orderExists(vendorId: number, orderId: number): Promise<boolean> {
    return (await this.deps.orderRecords.find(vendorId, orderId)) !== undefined;
  }

  byId(vendorId: number, id: number): Promise<PaymentRecord | undefined> {
    return this.deps.paymentRepository.byId(vendorId, id);
  }

  byReference(vendorId: number, gateway: PaymentGateway, reference: string): Promise<PaymentRecord | undefined> {
    return this.deps.paymentRepository.byReference(vendorId, gateway, reference);
  }

  /** Records a charge from after the backup that the database was restored from, in the place of one that was about to be made. */
  async recordFoundCharge(
    vendorId: number,
    paymentId: number,
    gateway: PaymentGateway,
    { idempotencyKey, amount, currency, outcome }: FoundCharge,
  ): Promise<void> {
    const isFree = (await this.deps.paymentRepository.byKey(vendorId, idempotencyKey)) === undefined;
    const values = { paymentGateway: gateway, amount, currency, ...(isFree && { idempotencyKey }) };
    await this.deps.paymentRepository.change(vendorId, paymentId, values);
    await this.recordOutcome(vendorId, paymentId, outcome);
  }

  byKey(vendorId: number, idempotencyKey: string): Promise<PaymentRecord | undefined> {
    return this.deps.paymentRepository.byKey(vendorId, idempotencyKey);
  }

  openAttemptOf(vendorId: number, orderId: number): Promise<PaymentRecord | undefined> {
    return this.deps.paymentRepository.openAttemptOf(vendorId, orderId);
  }

  newestOf(vendorId: number, orderId: number): Promise<PaymentRecord | undefined> {
    return this.deps.paymentRepository.newestOf(vendorId, orderId);
  }

  /** The faults that prevented charges of an order since an instant: their number, and the time of the first. */
  faultsSince(vendorId: number, orderId: number, since: Date): Promise<{ count: number; first: Date | null }> {
    return this.deps.paymentRepository.failuresSince(vendorId, orderId, faultCodes, since);
  }

  dueForLookUp(vendorId: number, limit: number): Promise<PaymentRecord[]> {
    return this.deps.paymentRepository.dueForLookUp(vendorId, this.deps.now, limit);
  }

  private async markSucceeded(
    vendorId: number,
    order: OrderRecord,
    payment: PaymentRecord,
    outcome: Extract<ChargeOutcome, { kind: "APPROVED" }>,
    actor: Actor,
  ): Promise<void> {
    const { reference, receiptUrl, cardNumber, network, token } = outcome;
    const storedMethod =
      token === null
        ? undefined
        : await this.deps.storedMethods.saveMethodOfPayment(vendorId, order, payment, { ...outcome, token });
    const paid = await this.deps.paymentRepository.change(vendorId, payment.id, {
      state: paymentStates.transition(payment.state, "succeedPayment"),
      gatewayReference: reference,
      paymentReceiptUrl: receiptUrl,
      cardNumber: cardNumber ?? payment.cardNumber,
      network: network ?? payment.network,
      methodId: storedMethod?.id ?? payment.methodId,
      paymentDate: this.deps.now,
      settledAt: this.deps.now,
      ...clearedLookUp,
    });
    await this.deps.events.recordEvents(vendorId, toPaymentEvent(order, paid, "succeedPayment", payment.state, actor));
    const { id: paymentId, orderId, amount, currency } = paid;
    if (amount.gt(0))
      await this.deps.ledgerRepository.add(
        vendorId,
        toChargeEntries({ paymentId, orderId, amount, currency, createdAt: this.deps.now }),
      );
    const payer: Actor = payment.initiator === "CUSTOMER" ? "CUSTOMER" : "SYSTEM";
    const receiveResult = await this.deps.paidOrders.receivePayment(
      vendorId,
      order,
      paid,
      payer,
      payment.state === "FAILED",
    );
    // The order was paid or cancelled meanwhile: the payment is refunded.
    if (receiveResult === "NOT_DUE") return this.deps.refunds.claimUnwantedRefund(vendorId, order, paid);
    if (receiveResult !== "PAID") return;
    await this.deps.invoices.markPaid(vendorId, order.id);
    if (order.type === "ONE_TIME") return;
    const isConfirmed = paid.methodId !== null || token !== null || paid.paymentGateway === "EMPTY";
    await this.deps.subscriptionPayments.applyPayment(vendorId, order, {
      methodId: paid.methodId,
      isConfirmed,
      actor: payer,
    });
  }

  private async markFailed(
    vendorId: number,
    order: OrderRecord,
    payment: PaymentRecord,
    {
      code,
      adviceCode,
      message,
      reference,
      cardNumber,
      network,
    }: Omit<DeclinedOutcome, "kind" | "token" | "fingerprint" | "expiresAt">,
  ): Promise<void> {
    if (payment.state === "FAILED") return;
    const failed = await this.deps.paymentRepository.change(vendorId, payment.id, {
      state: paymentStates.transition(payment.state, "failPayment"),
      gatewayReference: reference ?? payment.gatewayReference,
      cardNumber: cardNumber ?? payment.cardNumber,
      network: network ?? payment.network,
      errorCode: code,
      adviceCode,
      errorMessage: maskCardNumbers(message),
      settledAt: this.deps.now,
      ...clearedLookUp,
    });
    await this.deps.events.recordEvents(
      vendorId,
      toPaymentEvent(order, failed, "failPayment", payment.state, "SYSTEM"),
    );
    await this.deps.orderItems.transitionEligibleItems(vendorId, order, {
      trigger: "failPayment",
      actor: "SYSTEM",
      reason: failed.errorMessage,
    });
  }

  private async markAwaitingPayer(
    vendorId: number,
    order: OrderRecord,
    payment: PaymentRecord,
    outcome: Extract<ChargeOutcome, { kind: "CHALLENGE" | "DEPOSIT" }>,
  ): Promise<void> {
    if (payment.state === "FAILED") return;
    const isDeposit = outcome.kind === "DEPOSIT";
    const until = isDeposit ? (order.purchaseDeadline ?? this.fromNow(DEPOSIT_MS)) : this.fromNow(CHALLENGE_MS);
    const bankDate = payment.vbank?.["bankDate"] ?? until.toISOString();
    const wasAwaited = payment.vbank !== null || payment.challengeUrl !== null;
    await this.deps.paymentRepository.change(vendorId, payment.id, {
      gatewayReference: outcome.reference,
      ...(isDeposit ? { vbank: { ...outcome.account, bankDate } } : { challengeUrl: outcome.url }),
      // Looking it up does not give the payer more time.
      ...(!wasAwaited && { lookUpAt: until < this.deps.now ? this.fromNow(DEPOSIT_MS) : until }),
    });
    if (!isDeposit) return;
    await this.deps.paidOrders.recordChosenMethod(vendorId, order, payment.paymentMethod);
    await this.deps.orderItems.transitionEligibleItems(vendorId, order, { trigger: "awaitDeposit", actor: "CUSTOMER" });
  }

  private async scheduleLookUp(vendorId: number, payment: PaymentRecord): Promise<void> {
    if (payment.state !== "PENDING" && payment.state !== "UNKNOWN") return;
    const age = this.deps.now.getTime() - payment.createdAt.getTime();
    const lookUpAt = this.fromNow(Math.min(Math.max(age, MIN_LOOK_UP_DELAY_MS), MAX_LOOK_UP_DELAY_MS));
    const isFirst = payment.state === "PENDING";
    const state = isFirst ? paymentStates.transition(payment.state, "markPaymentUnknown") : payment.state;
    await this.deps.paymentRepository.change(vendorId, payment.id, { state, lookUpAt });
    if (!isFirst) return;
    const order = await this.deps.orderRecords.byId(vendorId, payment.orderId);
    await this.deps.events.recordEvents(
      vendorId,
      toPaymentEvent(order, { ...payment, state }, "markPaymentUnknown", payment.state, "SYSTEM"),
    );
  }

  private fromNow(milliseconds: number): Date {
    return new Date(this.deps.now.getTime() + milliseconds);
  }
}

type DeclinedOutcome = Extract<ChargeOutcome, { kind: "DECLINED" }>;

/** The decline code of an attempt that its gateway did not charge and never will. */
const notChargedDecline = {
  code: "NOT_CHARGED",
  adviceCode: null,
  message: "The gateway did not charge the payment method.",
  reference: null,
  cardNumber: null,
  network: null,
} as const;

const clearedLookUp: Partial<PaymentValues> = { lookUpAt: null, challengeUrl: null };
