import { createHash, randomUUID } from "node:crypto";
import type { Actor, Initiator, PaymentGateway, PaymentMethod } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import type { InvoiceService } from "../invoices/invoice.service.ts";
import { least, plain, ZERO, type Amount } from "../kernel/amounts.ts";
import { maskCardNumbers } from "../kernel/card-mask.ts";
import { conflict, excess, invalid, invalidField, invariant, missing, unknownReference } from "../kernel/errors.ts";
import type { OrderItemService } from "../orders/order-item.service.ts";
import type { SubscriptionOrderService } from "../orders/subscription-order.service.ts";
import type { OrderReckoningService } from "../orders/order-reckoning.service.ts";
import type { OrderPaymentService, OrderRecord } from "../orders/order-payment.service.ts";
import type { GatewayAccountService } from "./gateway-account.service.ts";
import { captured } from "./ledger.entries.ts";
import type { LedgerRepository } from "./ledger.repository.ts";
import type { ChargeOutcome } from "./payment.gateway.ts";
import { faultCodes } from "./payment.faults.ts";
import { paymentStates, type PaymentTrigger } from "./payment.states.ts";
import type { PaymentRecord, PaymentRepository, PaymentValues } from "./payment.repository.ts";
import type { RefundService } from "./refund.service.ts";
import type { StoredMethodService } from "./stored-method.service.ts";

export type { PaymentRecord } from "./payment.repository.ts";

/** Who pays an order, and how. */
export interface PaymentIntent {
  orderId: number;
  /** How it is paid; of a stored method its own. */
  method?: PaymentMethod | null;
  storedMethodId?: number | null;
  initiator: Initiator;
  actor: Actor;
  /** The sum that whoever pays agreed to, in plain notation; any unless told. */
  expectedAmount?: string | null;
  /** The key of the request, if it has one: the same one makes no second attempt. */
  requestKey?: string | undefined;
}

/** An attempt, and whether this call made it: then its gateway is to be asked. */
export interface Claim {
  payment: PaymentRecord;
  order: OrderRecord;
  isNew: boolean;
}

/** How long a process has to tell the outcome of its call before others ask the gateway. */
const LEASE_MS = 45_000;
/** How long a payer has to confirm. */
const CHALLENGE_MS = 30 * 60_000;
/** How long a deposit is awaited where the order has no deadline. */
const DEPOSIT_MS = 7 * 86_400_000;
const DAY_MS = 86_400_000;
/** So many payments by card may fail on one order within a day. */
const MOST_CARDS = 10;
const FIRST_LOOK_MS = 30_000;
const LAST_LOOK_MS = 3_600_000;

/**
 * Keeps the attempts to charge orders: claims one before a gateway is asked, and records what the gateway told. The
 * gateway is never asked in here, so no transaction waits for it.
 */
export class PaymentService {
  constructor(
    private readonly payments: PaymentRepository,
    private readonly ledger: LedgerRepository,
    private readonly accounts: GatewayAccountService,
    private readonly storedMethods: StoredMethodService,
    private readonly orders: OrderPaymentService,
    private readonly reckonings: OrderReckoningService,
    private readonly orderItems: OrderItemService,
    private readonly invoices: InvoiceService,
    private readonly subscriptionOrders: SubscriptionOrderService,
    private readonly refunds: RefundService,
    private readonly events: EventService,
    private readonly now: Date,
  ) {}

  /**
   * Claims the payment of an order: an attempt is kept before anybody is charged, and an order has one at a time.
   * @throws a Refusal ORDER_NOT_FOUND, ORDER_ALREADY_PAID, ORDER_NOT_PAYABLE, PAYMENT_IN_PROGRESS, PRICE_CHANGED,
   * PAYMENT_METHOD_NOT_ALLOWED, PAYMENT_METHOD_NOT_FOUND, NO_PAYMENT_GATEWAY, OUT_OF_STOCK, TOO_MANY_DECLINES.
   */
  async claim(vendorId: number, intent: PaymentIntent): Promise<Claim> {
    const order = await this.orders.lock(vendorId, intent.orderId);
    if (!order) throw unknownReference("ORDER_NOT_FOUND", "orderId", "order");
    const idempotencyKey = keyOf(order, intent.requestKey);
    const known = await this.payments.byKey(vendorId, idempotencyKey);
    if (known) return { payment: known, order, isNew: false };
    const open = await this.payments.openOf(vendorId, order.id);
    if (open)
      throw conflict("PAYMENT_IN_PROGRESS", "A payment of the order is under way; wait until its outcome is known.");
    await this.refuseTester(vendorId, order, intent);
    const amount = await this.due(vendorId, order, intent);
    if (order.paidAmount.eq(0)) await this.reckonings.judgeDiscounts(vendorId, order);
    if (intent.expectedAmount != null && intent.expectedAmount !== plain(amount))
      throw invalid("PRICE_CHANGED", `The sum to be paid is ${plain(amount)} ${order.currency} now.`);
    const { method, methodId, gateway } = await this.way(vendorId, order, intent, amount);
    await this.orders.retakeStock(vendorId, order);
    const payment = await this.payments.add(vendorId, {
      orderId: order.id,
      state: "PENDING",
      idempotencyKey,
      amount,
      discount: order.discountedAmount,
      currency: order.currency,
      paymentMethod: method,
      methodId,
      initiator: intent.initiator,
      paymentGateway: gateway,
      paymentReturn: ZERO,
      customerName: order.customerName,
      customerEmail: order.customerEmail,
      customerPhone: order.customerPhone,
      lookUpAt: this.later(LEASE_MS),
      createdAt: this.now,
    });
    await this.tell(vendorId, order, payment, "startPayment", null, intent.actor);
    return { payment, order, isNew: true };
  }

  /**
   * Records what became of an attempt. What is known already changes nothing, in whatever order and however often it is
   * told: an outcome is recorded once.
   */
  async record(vendorId: number, paymentId: number, outcome: ChargeOutcome, actor: Actor = "SYSTEM"): Promise<void> {
    const seen = await this.payments.byId(vendorId, paymentId);
    if (!seen) throw missing("PAYMENT_NOT_FOUND", "There is no payment with this id.");
    const order = await this.orders.lock(vendorId, seen.orderId);
    const payment = await this.payments.lock(vendorId, paymentId);
    invariant(order && payment, "a payment and its order stay");
    if (payment.state === "SUCCEEDED") return;
    switch (outcome.kind) {
      case "APPROVED":
        return this.succeed(vendorId, order, payment, outcome, actor);
      case "DECLINED":
        return this.fail(vendorId, order, payment, outcome);
      case "CLOSED":
        return this.fail(vendorId, order, payment, notCharged);
      case "CHALLENGE":
      case "DEPOSIT":
        return this.wait(vendorId, order, payment, outcome);
      case "UNHEARD":
        return this.lose(vendorId, payment);
    }
  }

  /** Notes that nobody knows what became of an attempt; it is looked up later, each time after a longer while. */
  async lost(vendorId: number, paymentId: number): Promise<void> {
    const payment = await this.payments.lock(vendorId, paymentId);
    if (payment) await this.lose(vendorId, payment);
  }

  async orderExists(vendorId: number, orderId: number): Promise<boolean> {
    return (await this.orders.find(vendorId, orderId)) !== undefined;
  }

  byId(vendorId: number, id: number): Promise<PaymentRecord | undefined> {
    return this.payments.byId(vendorId, id);
  }

  byKey(vendorId: number, idempotencyKey: string): Promise<PaymentRecord | undefined> {
    return this.payments.byKey(vendorId, idempotencyKey);
  }

  openOf(vendorId: number, orderId: number): Promise<PaymentRecord | undefined> {
    return this.payments.openOf(vendorId, orderId);
  }

  /** The faults that kept an order from being charged since an instant: how many, and when the first was. */
  faultsSince(vendorId: number, orderId: number, since: Date): Promise<{ count: number; first: Date | null }> {
    return this.payments.failedSince(vendorId, orderId, faultCodes, since);
  }

  toLookUp(vendorId: number, most: number): Promise<PaymentRecord[]> {
    return this.payments.toLookUp(vendorId, this.now, most);
  }

  /** What is to be paid now: all that is left, or first what the invoice wants at once. */
  private async due(vendorId: number, order: OrderRecord, { initiator }: PaymentIntent): Promise<Amount> {
    const payable = await this.orders.payableLines(vendorId, order.id);
    if (payable.length === 0) {
      throw order.paidAmount.gte(order.amount) && order.paymentDate
        ? invalid("ORDER_ALREADY_PAID", "The order is paid.")
        : invalid("ORDER_NOT_PAYABLE", "The order is cancelled or refunded, so that it cannot be paid.");
    }
    if (initiator === "CUSTOMER" && order.purchaseDeadline && order.purchaseDeadline <= this.now)
      throw invalid("ORDER_NOT_PAYABLE", "The order was to be paid earlier; its deadline has passed.");
    const left = order.amount.minus(order.paidAmount);
    const atOnce = (await this.payments.instantAmountOf(vendorId, order.id))?.minus(order.paidAmount) ?? ZERO;
    return atOnce.gt(0) ? least(atOnce, left) : left;
  }

  /** Who tries one card after the other does not want to pay, but to know which of them work. */
  private async refuseTester(
    vendorId: number,
    { id }: OrderRecord,
    { initiator, method }: PaymentIntent,
  ): Promise<void> {
    if (initiator !== "CUSTOMER" || (method !== "CARD" && method !== "CARD_BILL")) return;
    const failed = await this.payments.cardsFailedSince(vendorId, id, this.later(-DAY_MS));
    const oldest = failed.at(-MOST_CARDS);
    if (!oldest) return;
    const wait = Math.ceil((oldest.getTime() + DAY_MS - this.now.getTime()) / 1000);
    throw excess("TOO_MANY_DECLINES", `${MOST_CARDS} cards failed within a day; pay in another way, or later.`, wait);
  }

  /** How it is paid, and at which gateway. Nothing at all needs none. */
  private async way(
    vendorId: number,
    order: OrderRecord,
    { method, storedMethodId }: PaymentIntent,
    amount: Amount,
  ): Promise<{ method: PaymentMethod | null; methodId: number | null; gateway: PaymentGateway }> {
    if (storedMethodId != null) {
      const stored = await this.storedMethods.of(vendorId, order.customerId, storedMethodId);
      await this.accounts.charging(vendorId, {
        method: stored.method,
        currency: order.currency,
        gateway: stored.gateway,
      });
      return { method: stored.method, methodId: stored.id, gateway: stored.gateway };
    }
    if (method == null) {
      if (amount.eq(0) && !this.orders.needsMethod(order)) return { method: null, methodId: null, gateway: "EMPTY" };
      throw invalidField("method", "is needed, or storedMethodId.");
    }
    if (order.allowedPaymentMethods.length > 0 && !order.allowedPaymentMethods.includes(method))
      throw invalid(
        "PAYMENT_METHOD_NOT_ALLOWED",
        `The order can be paid by ${order.allowedPaymentMethods.join(", ")} only.`,
      );
    // A deposit into the merchant's own account passes no gateway: the merchant confirms it.
    if (method === "BANK") return { method, methodId: null, gateway: "EMPTY" };
    const account = await this.accounts.charging(vendorId, {
      method,
      currency: order.currency,
      gateway: order.paymentGateway,
    });
    return { method, methodId: null, gateway: account.gateway };
  }

  private async succeed(
    vendorId: number,
    order: OrderRecord,
    payment: PaymentRecord,
    outcome: Extract<ChargeOutcome, { kind: "APPROVED" }>,
    actor: Actor,
  ): Promise<void> {
    const { reference, receiptUrl, cardNumber, network } = outcome;
    const stored = await this.storedMethods.keep(vendorId, order, payment, outcome);
    const paid = await this.payments.change(vendorId, payment.id, {
      state: paymentStates.move(payment.state, "succeedPayment"),
      gatewayReference: reference,
      paymentReceiptUrl: receiptUrl,
      cardNumber: cardNumber ?? payment.cardNumber,
      network: network ?? payment.network,
      methodId: stored?.id ?? payment.methodId,
      paymentDate: this.now,
      settledAt: this.now,
      ...nothingAwaited,
    });
    await this.tell(vendorId, order, paid, "succeedPayment", payment.state, actor);
    const { id: paymentId, orderId, amount, currency } = paid;
    if (amount.gt(0))
      await this.ledger.add(vendorId, captured({ paymentId, orderId, amount, currency, createdAt: this.now }));
    const payer: Actor = payment.initiator === "CUSTOMER" ? "CUSTOMER" : "SYSTEM";
    const settled = await this.orders.receive(vendorId, order, paid, payer);
    // Somebody paid what was paid or cancelled meanwhile: the money goes back.
    if (settled === "NOT_WANTED") return this.refunds.giveBackUnwanted(vendorId, order, paid);
    if (settled !== "PAID") return;
    await this.invoices.paid(vendorId, order.id);
    const isConfirmed = paid.methodId !== null || outcome.token !== null || paid.paymentGateway === "EMPTY";
    await this.subscriptionOrders.paid(vendorId, order.id, { methodId: paid.methodId, isConfirmed, actor: payer });
  }

  private async fail(
    vendorId: number,
    order: OrderRecord,
    payment: PaymentRecord,
    { code, adviceCode, message, reference, cardNumber, network }: Omit<Declined, "kind" | "token" | "fingerprint">,
  ): Promise<void> {
    if (payment.state === "FAILED") return;
    const failed = await this.payments.change(vendorId, payment.id, {
      state: paymentStates.move(payment.state, "failPayment"),
      gatewayReference: reference ?? payment.gatewayReference,
      cardNumber: cardNumber ?? payment.cardNumber,
      network: network ?? payment.network,
      errorCode: code,
      adviceCode,
      errorMessage: maskCardNumbers(message),
      settledAt: this.now,
      ...nothingAwaited,
    });
    await this.tell(vendorId, order, failed, "failPayment", payment.state, "SYSTEM");
    await this.orderItems.moveWhere(vendorId, order, {
      trigger: "failPayment",
      actor: "SYSTEM",
      reason: failed.errorMessage,
    });
  }

  private async wait(
    vendorId: number,
    order: OrderRecord,
    payment: PaymentRecord,
    outcome: Extract<ChargeOutcome, { kind: "CHALLENGE" | "DEPOSIT" }>,
  ): Promise<void> {
    if (payment.state === "FAILED") return;
    const isDeposit = outcome.kind === "DEPOSIT";
    const until = isDeposit ? (order.purchaseDeadline ?? this.later(DEPOSIT_MS)) : this.later(CHALLENGE_MS);
    const isAwaited = payment.vbank !== null || payment.challengeUrl !== null;
    await this.payments.change(vendorId, payment.id, {
      gatewayReference: outcome.reference,
      ...(isDeposit ? { vbank: outcome.account } : { challengeUrl: outcome.url }),
      // Looking it up does not give the payer more time.
      ...(!isAwaited && { lookUpAt: until < this.now ? this.later(DEPOSIT_MS) : until }),
    });
    if (!isDeposit) return;
    await this.orders.choose(vendorId, order, payment.paymentMethod);
    await this.orderItems.moveWhere(vendorId, order, { trigger: "awaitDeposit", actor: "CUSTOMER" });
  }

  private async lose(vendorId: number, payment: PaymentRecord): Promise<void> {
    if (payment.state !== "PENDING" && payment.state !== "UNKNOWN") return;
    const age = this.now.getTime() - payment.createdAt.getTime();
    const lookUpAt = this.later(Math.min(Math.max(age, FIRST_LOOK_MS), LAST_LOOK_MS));
    await this.payments.change(vendorId, payment.id, { state: "UNKNOWN", lookUpAt });
    if (payment.state === "PENDING") {
      const order = await this.orders.byId(vendorId, payment.orderId);
      await this.tell(vendorId, order, { ...payment, state: "UNKNOWN" }, "losePayment", payment.state, "SYSTEM");
    }
  }

  private later(milliseconds: number): Date {
    return new Date(this.now.getTime() + milliseconds);
  }

  private tell(
    vendorId: number,
    { id: orderId, customerId }: OrderRecord,
    { id, state, amount, currency, errorCode }: PaymentRecord,
    happening: PaymentTrigger,
    statusBefore: PaymentRecord["state"] | null,
    actor: Actor,
  ): Promise<void> {
    return this.events.record(vendorId, {
      subject: "PAYMENT",
      subjectId: id,
      happening,
      statusBefore,
      statusAfter: state,
      orderId,
      customerId,
      actor,
      facts: { amount: amount.toFixed(), currency, ...(errorCode !== null && { errorCode }) },
    });
  }
}

type Declined = Extract<ChargeOutcome, { kind: "DECLINED" }>;

/** What is noted of an attempt that its gateway never charged and never will. */
const notCharged = {
  code: "NOT_CHARGED",
  adviceCode: null,
  message: "The gateway did not charge it.",
  reference: null,
  cardNumber: null,
  network: null,
} as const;

const nothingAwaited: Partial<PaymentValues> = { lookUpAt: null, challengeUrl: null };

/** By which the gateway knows an attempt: made of the key of the request, or of nothing at all. */
const keyOf = ({ idKey }: OrderRecord, requestKey: string | undefined): string =>
  requestKey === undefined
    ? `${idKey}-${randomUUID()}`
    : `${idKey}-${createHash("sha256").update(requestKey).digest("hex").slice(0, 32)}`;
