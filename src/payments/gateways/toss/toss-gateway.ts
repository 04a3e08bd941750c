import {
  GatewayFault,
  type AdapterAccount,
  type ChargeIdentity,
  type ChargeOutcome,
  type ChargeRequest,
  type ClosableCharge,
  type FoundCharge,
  type GatewayCallback,
  type RawCallback,
  type RawGateway,
  type RefundOutcome,
  type RefundRequest,
  type ReportedDispute,
} from "../gateway-port.ts";
import { TossApi } from "./toss-api.ts";
import { readTossCallback } from "./toss-callbacks.ts";
import { isNotFound, isProcessed, isRefusal, isUndecided, toDecline, toFault, TossError } from "./toss-errors.ts";
import { toOrderId } from "./toss-order-id.ts";
import {
  paymentSchema,
  readToken,
  toCancelReason,
  toInstrument,
  toPaymentOutcome,
  toRefundOutcome,
  type TossPayment,
} from "./toss-payments.ts";

/** The only currency of billing keys and domestic cards. */
const CURRENCY = "KRW";
/** The maximum length of an order's name: https://docs.tosspayments.com/reference#자동결제-승인. */
const NAME_LENGTH = 100;
/**
 * A customer key that no billing key has. A charge with it is refused with NOT_MATCHES_CUSTOMER_KEY, and its idempotency key
 * is used up.
 */
const CLOSING_CUSTOMER_KEY = "recoup-closes-this-key";
const MISMATCH = "NOT_MATCHES_CUSTOMER_KEY";

/**
 * Charges through Toss Payments, by plain HTTP. Stored cards are billing keys, charged once per idempotency key
 * (https://docs.tosspayments.com/guides/v2/billing/integration).
 */
export class TossGateway implements RawGateway {
  private readonly api: TossApi;

  constructor(apiUrl: string, timeoutMs: number) {
    this.api = new TossApi(apiUrl, timeoutMs);
  }

  async charge(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    const { amount, currency, instrument } = request;
    if (currency !== CURRENCY || !amount.mod(1).eq(0))
      return toDecline("INVALID_AMOUNT", `The gateway cannot charge ${amount.toFixed()} ${currency}.`);
    if (instrument.kind !== "TOKEN")
      throw new GatewayFault("NOT_SENT", "The gateway charges billing keys only; import those of the customer.");
    return this.chargeStored(account, request, instrument.token);
  }

  /** A billing key was confirmed when it was issued, so that nothing is sent for one that is stored. */
  storeMethod(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    const { instrument } = request;
    if (instrument.kind !== "TOKEN") return this.charge(account, request);
    const stored = toInstrument(null, readToken(instrument.token));
    return Promise.resolve({ kind: "APPROVED", reference: toOrderId(request), receiptUrl: "", ...stored });
  }

  async lookUpCharge(account: AdapterAccount, charge: ChargeIdentity): Promise<ChargeOutcome> {
    const payment = await this.findPayment(account, charge);
    return payment ? toPaymentOutcome(payment, charge) : { kind: "UNKNOWN" };
  }

  /**
   * A charge that is not found may still be on its way. Its idempotency key is therefore used up: a charge with the same key is
   * sent that no billing key accepts. Toss answers each later request with the answer of the first, also when it was an
   * error (https://docs.tosspayments.com/reference/using-api/authorization#멱등키-헤더,
   * https://docs.tosspayments.com/en/api-guide).
   */
  async closeCharge(account: AdapterAccount, charge: ClosableCharge): Promise<ChargeOutcome> {
    // A method that is stored without a charge sends nothing.
    if (charge.amount.eq(0)) return { kind: "CLOSED" };
    const found = await this.lookUpCharge(account, charge);
    if (found.kind !== "UNKNOWN" || charge.token === null) return found;
    const { billingKey } = readToken(charge.token);
    try {
      const payment = await this.sendCharge(account, charge, { billingKey, customerKey: CLOSING_CUSTOMER_KEY });
      return toPaymentOutcome(payment, charge);
    } catch (error) {
      if (isProcessed(error)) return { kind: "UNKNOWN" };
      if (!(error instanceof TossError) || isUndecided(error)) throw toFault(error);
      if (error.code === MISMATCH) return { kind: "CLOSED" };
      // The answer to the charge itself. An error that is no refusal leaves open whether the card was charged.
      const settled = isRefusal(error) ? found : await this.lookUpCharge(account, charge);
      return settled.kind === "UNKNOWN" ? toDecline(error.code, error.message) : settled;
    }
  }

  canSearch(): boolean {
    return false;
  }

  searchCharges(): Promise<FoundCharge[]> {
    return Promise.resolve([]);
  }

  /** https://docs.tosspayments.com/reference#결제-취소 */
  async refund(account: AdapterAccount, request: RefundRequest): Promise<RefundOutcome> {
    const { idempotencyKey, chargeReference, amount } = request;
    try {
      const payment = await this.api.send(account, paymentSchema, {
        path: `/v1/payments/${encodeURIComponent(chargeReference)}/cancel`,
        body: { cancelReason: toCancelReason(idempotencyKey), cancelAmount: amount.toNumber() },
        idempotencyKey,
      });
      return toRefundOutcome(payment, idempotencyKey);
    } catch (error) {
      if (isRefusal(error)) return { kind: "REFUSED", code: error.code, message: error.message };
      throw toFault(error);
    }
  }

  async lookUpRefund(
    account: AdapterAccount,
    { idempotencyKey, chargeReference }: RefundRequest,
  ): Promise<RefundOutcome> {
    const payment = await this.readPayment(account, `/v1/payments/${encodeURIComponent(chargeReference)}`);
    return payment ? toRefundOutcome(payment, idempotencyKey) : { kind: "UNKNOWN" };
  }

  /** Toss reports no disputes. */
  lookUpDispute(): Promise<ReportedDispute | null> {
    return Promise.resolve(null);
  }

  readCallback(_account: AdapterAccount, message: RawCallback): GatewayCallback {
    return readTossCallback(message);
  }

  private async chargeStored(account: AdapterAccount, request: ChargeRequest, token: string): Promise<ChargeOutcome> {
    try {
      const payment = await this.sendCharge(account, request, readToken(token), request.orderReference);
      return toPaymentOutcome(payment, request);
    } catch (error) {
      if (isRefusal(error)) return toDecline(error.code, error.message);
      throw toFault(error);
    }
  }

  /** https://docs.tosspayments.com/reference#자동결제-승인 */
  private sendCharge(
    account: AdapterAccount,
    charge: Pick<ChargeIdentity, "amount" | "idempotencyKey" | "subject">,
    { customerKey, billingKey }: { customerKey: string; billingKey: string },
    orderName = "Recoup",
  ): Promise<TossPayment> {
    return this.api.send(account, paymentSchema, {
      path: `/v1/billing/${encodeURIComponent(billingKey)}`,
      body: {
        customerKey,
        amount: charge.amount.toNumber(),
        orderId: toOrderId(charge),
        orderName: orderName.slice(0, NAME_LENGTH),
      },
      idempotencyKey: charge.idempotencyKey,
    });
  }

  private findPayment(account: AdapterAccount, charge: ChargeIdentity): Promise<TossPayment | undefined> {
    const { reference } = charge;
    return this.readPayment(
      account,
      reference === null ? `/v1/payments/orders/${toOrderId(charge)}` : `/v1/payments/${encodeURIComponent(reference)}`,
    );
  }

  /** Reads a payment; undefined if there is none: https://docs.tosspayments.com/reference#orderid로-결제-조회. */
  private async readPayment(account: AdapterAccount, path: string): Promise<TossPayment | undefined> {
    try {
      return await this.api.send(account, paymentSchema, { path });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw toFault(error);
    }
  }
}
