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
import type { GatewayWindow, PayerReturn, WindowOrder } from "../gateway.window.ts";
import { TossApi } from "./toss-api.ts";
import { readTossCallback } from "./toss-callbacks.ts";
import { isClosing, isProcessed, isRefusal, isUndecided, toDecline, toFault, TossError } from "./toss-errors.ts";
import { toOrderId } from "./toss-order-id.ts";
import {
  readToken,
  toInstrument,
  toPaymentOutcome,
  toRefundOutcome,
  toToken,
  type TossBilling,
} from "./toss-payments.ts";
import {
  requireClientKey,
  toCustomerKey,
  toWindow,
  toWindowReference,
  toWindowUrl,
  windowKindOf,
} from "./toss-window.ts";

/** The only currency of billing keys and domestic cards. */
const CURRENCY = "KRW";
/**
 * What no billing key has, no payer brought back and no payment is named. A call with it is refused, and its idempotency key is
 * used up.
 */
const CLOSING = "recoup-closes-this-key";

/**
 * Charges through Toss Payments, by plain HTTP. Cards are typed in Toss's window, so that no number passes this service; stored
 * cards are billing keys (https://docs.tosspayments.com/guides/v2/billing/integration). Each call that moves money has the charge's
 * idempotency key.
 */
export class TossGateway implements RawGateway {
  private readonly api: TossApi;

  /**
   * @param testCode An error that Toss gives in test mode instead of executing a request
   * (https://docs.tosspayments.com/reference/using-api/authorization#테스트-환경에서-에러-재현하기); for `gateway:verify`.
   */
  constructor(apiUrl: string, timeoutMs: number, testCode?: string) {
    this.api = new TossApi(apiUrl, timeoutMs, testCode);
  }

  async charge(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    const { amount, currency, instrument } = request;
    if (currency !== CURRENCY || !amount.mod(1).eq(0))
      return toDecline("INVALID_AMOUNT", `The gateway cannot charge ${amount.toFixed()} ${currency}.`);
    if (instrument.kind === "NONE") return openWindow(account, request);
    if (instrument.kind === "CARD")
      throw new GatewayFault("NOT_SENT", "The gateway accepts card numbers in its own window only.");
    const card = readToken(instrument.token);
    try {
      return toPaymentOutcome(await this.api.charge(account, request, card, request.orderReference), request);
    } catch (error) {
      if (isRefusal(error)) return toDecline(error.code, error.message);
      throw toFault(error);
    }
  }

  /** A billing key was confirmed when it was issued, so that nothing is sent for one that is stored. */
  storeMethod(account: AdapterAccount, request: ChargeRequest): Promise<ChargeOutcome> {
    const { instrument } = request;
    if (instrument.kind !== "TOKEN") return this.charge(account, { ...request, storeInstrument: true });
    const stored = toInstrument(null, readToken(instrument.token));
    return Promise.resolve({ kind: "APPROVED", reference: toOrderId(request), receiptUrl: "", ...stored });
  }

  describeWindow(account: AdapterAccount, charge: ChargeIdentity, order: WindowOrder): GatewayWindow | null {
    return toWindow(account, charge, order);
  }

  /**
   * The payer came back with a key: it is exchanged for a billing key, which is charged, or confirms the payment. Without a key, or
   * with one of another charge, nothing is sent.
   */
  async completeCharge(
    account: AdapterAccount,
    charge: ChargeIdentity,
    { parameters, orderName }: PayerReturn,
  ): Promise<ChargeOutcome> {
    const { authKey, customerKey, paymentKey, orderId, amount } = parameters;
    const kind = windowKindOf(charge.reference);
    try {
      if (kind === "billing" && authKey !== undefined && customerKey === toCustomerKey(account, charge))
        return await this.chargeNewCard(account, charge, { authKey, customerKey }, orderName);
      const isOwnPayment = orderId === toOrderId(charge) && amount === charge.amount.toFixed();
      if (kind === "payment" && paymentKey !== undefined && isOwnPayment)
        return toPaymentOutcome(await this.api.confirm(account, charge, paymentKey), charge);
    } catch (error) {
      if (isRefusal(error)) return toDecline(error.code, error.message);
      if (!isProcessed(error)) throw toFault(error);
    }
    return this.lookUpCharge(account, charge);
  }

  async lookUpCharge(account: AdapterAccount, charge: ChargeIdentity): Promise<ChargeOutcome> {
    const { reference, pageUrl } = charge;
    const kind = windowKindOf(reference);
    const payment = await this.api.readPayment(
      account,
      reference === null || kind ? { orderId: toOrderId(charge) } : { paymentKey: reference },
    );
    const outcome: ChargeOutcome = payment ? toPaymentOutcome(payment, charge) : { kind: "UNKNOWN" };
    if (outcome.kind === "UNKNOWN" && kind && reference !== null && pageUrl !== null)
      return { kind: "CHALLENGE", reference, url: pageUrl };
    if (outcome.kind !== "APPROVED" || kind !== "billing") return outcome;
    // A card was charged, so that the idempotency key of its issue is used: Toss answers with the billing key again.
    try {
      return withNewCard(outcome, await this.reissue(account, charge));
    } catch (error) {
      throw toFault(error);
    }
  }

  /**
   * A charge that is not found may still be on its way. Its idempotency key is therefore used up: a call with the same key is sent
   * that Toss refuses. Toss answers each later call with the answer of the first, also when it was an error
   * (https://docs.tosspayments.com/reference/using-api/authorization#멱등키-헤더, https://docs.tosspayments.com/en/api-guide).
   */
  async closeCharge(account: AdapterAccount, charge: ClosableCharge): Promise<ChargeOutcome> {
    const { reference, amount, token } = charge;
    const kind = windowKindOf(reference);
    if (kind === "billing") return this.closeBillingWindow(account, charge);
    if (kind === "payment")
      return this.useUpKey(account, charge, async () =>
        toPaymentOutcome(await this.api.confirm(account, charge, CLOSING), charge),
      );
    // Neither a window whose address was never received, nor a method that is stored without a charge, sends anything.
    if ((reference === null && !charge.usesStoredMethod) || amount.eq(0)) return { kind: "CLOSED" };
    const found = await this.lookUpCharge(account, charge);
    if (found.kind !== "UNKNOWN" || token === null) return found;
    const card = { ...readToken(token), customerKey: CLOSING };
    return this.useUpKey(account, charge, async () =>
      toPaymentOutcome(await this.api.charge(account, charge, card, CLOSING), charge),
    );
  }

  canSearch(): boolean {
    return false;
  }

  searchCharges(): Promise<FoundCharge[]> {
    return Promise.resolve([]);
  }

  /** Toss documents no call that deletes a billing key (https://docs.tosspayments.com/reference). */
  detachMethod(): Promise<boolean> {
    return Promise.resolve(false);
  }

  async refund(account: AdapterAccount, request: RefundRequest): Promise<RefundOutcome> {
    try {
      return toRefundOutcome(await this.api.cancel(account, request), request.idempotencyKey);
    } catch (error) {
      if (isRefusal(error)) return { kind: "REFUSED", code: error.code, message: error.message };
      throw toFault(error);
    }
  }

  async lookUpRefund(account: AdapterAccount, request: RefundRequest): Promise<RefundOutcome> {
    const payment = await this.api.readPayment(account, { paymentKey: request.chargeReference });
    return payment ? toRefundOutcome(payment, request.idempotencyKey) : { kind: "UNKNOWN" };
  }

  /** Toss reports no disputes. */
  lookUpDispute(): Promise<ReportedDispute | null> {
    return Promise.resolve(null);
  }

  readCallback(_account: AdapterAccount, message: RawCallback): GatewayCallback {
    return readTossCallback(message);
  }

  /** Exchanges the key of a payer's return for a billing key, and charges it; without an amount it is only stored. */
  private async chargeNewCard(
    account: AdapterAccount,
    charge: ChargeIdentity,
    keys: { authKey: string; customerKey: string },
    orderName: string,
  ): Promise<ChargeOutcome> {
    const issued = await this.api.issueBillingKey(account, charge, keys);
    if (charge.amount.eq(0)) return toStored(charge, issued);
    const outcome = toPaymentOutcome(await this.api.charge(account, charge, issued, orderName), charge);
    return withNewCard(outcome, issued);
  }

  /** Asks for the billing key of a charge once more, with a key of no payer: if none was issued, none ever will be. */
  private reissue(account: AdapterAccount, charge: ChargeIdentity): Promise<TossBilling> {
    const customerKey = toCustomerKey(account, charge);
    return this.api.issueBillingKey(account, charge, { authKey: CLOSING, customerKey });
  }

  /** Closes the window in which a card is registered: the issue of its billing key, and if it was issued, its charge. */
  private closeBillingWindow(account: AdapterAccount, charge: ClosableCharge): Promise<ChargeOutcome> {
    return this.useUpKey(account, charge, async () => {
      const issued = await this.reissue(account, charge);
      if (charge.amount.eq(0)) return toStored(charge, issued);
      const stored = { ...charge, reference: null, usesStoredMethod: true, token: toToken(issued) };
      return withNewCard(await this.closeCharge(account, stored), issued);
    });
  }

  /** Sends a call that Toss refuses, unless its idempotency key was used before: then it repeats the first answer. */
  private async useUpKey(
    account: AdapterAccount,
    charge: ChargeIdentity,
    call: () => Promise<ChargeOutcome>,
  ): Promise<ChargeOutcome> {
    try {
      return await call();
    } catch (error) {
      if (isProcessed(error)) return { kind: "UNKNOWN" };
      if (!(error instanceof TossError) || isUndecided(error)) throw toFault(error);
      if (isClosing(error)) return { kind: "CLOSED" };
      // The answer to the charge itself. An error that is no refusal leaves open whether the card was charged.
      const found = isRefusal(error) ? undefined : await this.lookUpCharge(account, charge);
      return found?.kind === "APPROVED" ? found : toDecline(error.code, error.message);
    }
  }
}

/** Opens Toss's window on the page to which the payer returns; nothing is sent to Toss until then. */
function openWindow(account: AdapterAccount, request: ChargeRequest): ChargeOutcome {
  const { returnUrl, storeInstrument } = request;
  if (returnUrl === null)
    throw new GatewayFault("NOT_SENT", "The gateway needs the address to which its window returns.");
  requireClientKey(account);
  const reference = toWindowReference(request, storeInstrument ? "billing" : "payment");
  return { kind: "CHALLENGE", reference, url: toWindowUrl(returnUrl) };
}

/** The outcome of a card that was stored without a charge. */
const toStored = (charge: ChargeIdentity, issued: TossBilling): ChargeOutcome => ({
  kind: "APPROVED",
  reference: toOrderId(charge),
  receiptUrl: "",
  ...toInstrument(issued.card?.number, issued),
});

/** An approved charge together with the billing key that was issued for it. */
const withNewCard = (outcome: ChargeOutcome, issued: TossBilling): ChargeOutcome =>
  outcome.kind === "APPROVED" ? { ...outcome, ...toInstrument(issued.card?.number, issued) } : outcome;
