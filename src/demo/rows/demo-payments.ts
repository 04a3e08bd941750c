import type { Network, PaymentGateway, PaymentMethod, PaymentState } from "../../../schema/vocabulary.ts";
import { sumAmounts, ZERO, type Amount } from "../../kernel/amounts.ts";
import { lastOf } from "../../kernel/required-values.ts";
import { DAY_MS, addMilliseconds, MINUTE_MS } from "../calendar.ts";
import type { SeededRandom } from "../seeded-random.ts";
import type { LineDraft, OrderDraft } from "./order-draft.ts";
import type { StoredMethod } from "../customers.ts";

/** An unsaved attempt to charge an order. */
export interface PaymentDraft {
  id: number;
  state: PaymentState;
  idempotencyKey: string;
  method: PaymentMethod;
  gateway: PaymentGateway;
  storedMethod: StoredMethod | null;
  network: Network | null;
  cardNumber: string | null;
  isMerchantInitiated: boolean;
  vbank: Record<string, string> | null;
  errorCode: string | null;
  errorMessage: string | null;
  adviceCode: string | null;
  createdAt: Date;
  settledAt: Date | null;
  paymentReturn: Amount;
  refunds: RefundDraft[];
}

/** An unsaved refund. */
export interface RefundDraft {
  id: number;
  state: "SUCCEEDED" | "FAILED";
  amount: Amount;
  reason: string | null;
  createdAt: Date;
  parts: { line: LineDraft; amount: Amount }[];
}

/** Decline codes with their messages and the advice codes of the network. */
const declineSamples = [
  ["51", "Insufficient funds", "24"],
  ["54", "Expired card", "01"],
  ["05", "Do not honor", null],
  ["91", "Issuer unavailable", null],
] as const;

/** Adds payments and refunds to orders, and applies the transitions that they cause. */
export class DemoPayments {
  constructor(private readonly random: SeededRandom) {}

  /**
   * Pays the whole order. The time defaults to three minutes after its creation. A free order is paid without a payment.
   */
  payOrder(
    order: OrderDraft,
    stored: StoredMethod | null,
    at = addMilliseconds(order.values.createdAt, 3 * MINUTE_MS),
  ): void {
    const payment = order.values.amount.gt(0) ? this.addPayment(order, stored, at) : null;
    if (payment) Object.assign(payment, { state: "SUCCEEDED", settledAt: at });
    order.transition(order.lines, { trigger: "payOrder", at });
  }

  /** Adds a declined charge. The time defaults to three minutes after the order's creation. */
  declineCharge(
    order: OrderDraft,
    stored: StoredMethod | null,
    at = addMilliseconds(order.values.createdAt, 3 * MINUTE_MS),
  ): void {
    const [errorCode, errorMessage, adviceCode] = this.random.pick(declineSamples);
    const failed = { state: "FAILED", settledAt: at, errorCode, errorMessage, adviceCode };
    Object.assign(this.addPayment(order, stored, at), failed);
    order.transition(order.lines, { trigger: "failPayment", at, reason: errorMessage });
  }

  /** Adds a retry that is declined with the code of the last payment. The lines do not change. */
  declineRetry(order: OrderDraft, stored: StoredMethod | null, at: Date): void {
    const { errorCode, errorMessage, adviceCode } = lastOf(order.payments);
    Object.assign(this.addPayment(order, stored, at), {
      state: "FAILED",
      settledAt: at,
      errorCode,
      errorMessage,
      adviceCode,
    });
  }

  /** Opens a virtual account. The order waits for the deposit. */
  openVirtualAccount(order: OrderDraft): void {
    const at = addMilliseconds(order.values.createdAt, 2 * MINUTE_MS);
    const payment = this.addPayment(order, null, at);
    payment.method = "VBANK";
    payment.network = payment.cardNumber = null;
    payment.vbank = {
      bankCode: "001",
      bankName: "Bank 01",
      accountNumber: `110-${this.random.integerBetween(100, 999)}-${this.random.integerBetween(100_000, 999_999)}`,
      accountName: "Seoul Coffee Club",
      bankDate: addMilliseconds(at, 3 * DAY_MS).toISOString(),
    };
    order.values.paymentMethod = "VBANK";
    order.transition(order.lines, { trigger: "awaitDeposit", at });
  }

  /** Pays the order by the awaited deposit. */
  receiveDeposit(order: OrderDraft, at: Date): void {
    Object.assign(lastOf(order.payments), { state: "SUCCEEDED", settledAt: at });
    order.transition(order.lines, { trigger: "payOrder", at });
  }

  /** Refunds the price of a line, or half of it. Free lines are not refunded. */
  refundLine(order: OrderDraft, line: LineDraft, isWhole: boolean, at: Date, reason: string): void {
    const payment = order.payments.find(({ state }) => state === "SUCCEEDED");
    const parts = order.refundLine(line, isWhole).filter((part) => !part.amount.eq(0));
    const amount = sumAmounts(parts.map((part) => part.amount));
    if (!payment || amount.eq(0)) return;
    payment.paymentReturn = payment.paymentReturn.plus(amount);
    payment.refunds.push({ id: 0, state: "SUCCEEDED", amount, reason, createdAt: at, parts });
  }

  /** Adds a refund of a line that the gateway refused. The line waits for another refund. */
  refuseRefund(order: OrderDraft, line: LineDraft, at: Date): void {
    const payment = order.payments.find(({ state }) => state === "SUCCEEDED");
    const amount = line.paidAmount;
    if (!payment || !amount.gt(0)) return;
    payment.refunds.push({ id: 0, state: "FAILED", amount, reason: null, createdAt: at, parts: [{ line, amount }] });
  }

  private addPayment(order: OrderDraft, stored: StoredMethod | null, at: Date): PaymentDraft {
    const method =
      stored?.method ?? this.random.pick(["CARD", "CARD", "SIMPLE_PAY", "BANK_TRANSFER", "CELLPHONE"] as const);
    const isCard = method === "CARD" || method === "CARD_BILL";
    const lastDigits = stored?.lastDigits ?? String(this.random.integerBetween(1_000, 9_999));
    const payment: PaymentDraft = {
      id: 0,
      state: "PENDING",
      idempotencyKey: `demo-${order.values.idKey}-${order.payments.length + 1}`,
      method,
      gateway: stored ? "HOUSE" : this.random.pick(["HOUSE", "PROVIDER_01", "PROVIDER_02"] as const),
      storedMethod: stored,
      network: stored?.network ?? (isCard ? "VISA" : null),
      cardNumber: isCard ? `************${lastDigits}` : null,
      isMerchantInitiated: order.renewal !== null,
      vbank: null,
      errorCode: null,
      errorMessage: null,
      adviceCode: null,
      createdAt: at,
      settledAt: null,
      paymentReturn: ZERO,
      refunds: [],
    };
    order.payments.push(payment);
    Object.assign(order.values, { paymentMethod: method, paymentGateway: payment.gateway });
    return payment;
  }
}
