import { z } from "zod";
import { GatewayFault, type AdapterAccount, type ChargeIdentity, type RefundRequest } from "../gateway-port.ts";
import { isNotFound, toFault, TossError } from "./toss-errors.ts";
import { toOrderId } from "./toss-order-id.ts";
import {
  billingSchema,
  paymentSchema,
  toCancelReason,
  type BillingCard,
  type TossBilling,
  type TossPayment,
} from "./toss-payments.ts";

/** The facts of a charge that are sent. */
export type SentCharge = Pick<ChargeIdentity, "amount" | "idempotencyKey" | "subject">;

/** The maximum length of an order's name: https://docs.tosspayments.com/reference#자동결제-승인. */
const NAME_LENGTH = 100;

/** A request of Toss's interface. */
interface TossRequest {
  path: string;
  /** The body of a POST; a request without a body is a GET. */
  body?: object;
  idempotencyKey?: string;
}

const errorSchema = z.object({ code: z.string().min(1), message: z.string().catch("") });

/**
 * Sends requests to Toss's interface, each once. The secret key is the user name of the Basic authentication, without a
 * password (https://docs.tosspayments.com/reference/using-api/authorization).
 */
export class TossApi {
  constructor(
    private readonly apiUrl: string,
    private readonly timeoutMs: number,
    /** An error that Toss gives to each request in test mode, instead of executing it. */
    private readonly testCode?: string,
  ) {}

  /** Charges a billing key: https://docs.tosspayments.com/reference#자동결제-승인. */
  charge(
    account: AdapterAccount,
    charge: SentCharge,
    { customerKey, billingKey }: BillingCard,
    orderName: string,
  ): Promise<TossPayment> {
    return this.send(account, paymentSchema, {
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

  /**
   * Exchanges the key that a payer brought back for a billing key:
   * https://docs.tosspayments.com/reference#authkey로-카드-빌링키-발급.
   */
  issueBillingKey(
    account: AdapterAccount,
    { idempotencyKey }: SentCharge,
    body: { authKey: string; customerKey: string },
  ): Promise<TossBilling> {
    return this.send(account, billingSchema, { path: "/v1/billing/authorizations/issue", body, idempotencyKey });
  }

  /** Confirms a payment of the window, with the amount that is due: https://docs.tosspayments.com/reference#결제-승인. */
  confirm(account: AdapterAccount, charge: SentCharge, paymentKey: string): Promise<TossPayment> {
    return this.send(account, paymentSchema, {
      path: "/v1/payments/confirm",
      body: { paymentKey, orderId: toOrderId(charge), amount: charge.amount.toNumber() },
      idempotencyKey: charge.idempotencyKey,
    });
  }

  /** https://docs.tosspayments.com/reference#결제-취소 */
  cancel(account: AdapterAccount, { idempotencyKey, chargeReference, amount }: RefundRequest): Promise<TossPayment> {
    return this.send(account, paymentSchema, {
      path: `/v1/payments/${encodeURIComponent(chargeReference)}/cancel`,
      body: { cancelReason: toCancelReason(idempotencyKey), cancelAmount: amount.toNumber() },
      idempotencyKey,
    });
  }

  /**
   * Reads a payment by its key, or by its order id; undefined if there is none:
   * https://docs.tosspayments.com/reference#orderid로-결제-조회. @throws a GatewayFault.
   */
  async readPayment(
    account: AdapterAccount,
    by: { paymentKey: string } | { orderId: string },
  ): Promise<TossPayment | undefined> {
    const path = "paymentKey" in by ? encodeURIComponent(by.paymentKey) : `orders/${by.orderId}`;
    try {
      return await this.send(account, paymentSchema, { path: `/v1/payments/${path}` });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw toFault(error);
    }
  }

  /** @throws a TossError for an error that Toss answered, a GatewayFault without a readable answer. */
  private async send<T>(
    { credentials }: AdapterAccount,
    schema: z.ZodType<T>,
    { path, body, idempotencyKey }: TossRequest,
  ): Promise<T> {
    if (credentials === null) throw new GatewayFault("NOT_SENT", "The account has no credentials; configure them.");
    const response = await fetch(`${this.apiUrl}${path}`, {
      method: body ? "POST" : "GET",
      headers: {
        authorization: `Basic ${Buffer.from(`${credentials}:`).toString("base64")}`,
        ...(body && { "content-type": "application/json" }),
        ...(this.testCode !== undefined && { "tosspayments-test-code": this.testCode }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: "error",
      signal: AbortSignal.timeout(this.timeoutMs),
    }).catch((error: unknown) => Promise.reject(toFault(error)));
    const answer: unknown = await response.json().catch(() => undefined);
    if (response.ok) {
      const parsed = schema.safeParse(answer);
      if (parsed.success) return parsed.data;
      throw new GatewayFault("UNKNOWN", "The gateway's answer cannot be parsed.");
    }
    const error = errorSchema.safeParse(answer);
    if (!error.success) throw new GatewayFault("UNKNOWN", `The gateway answered with status ${response.status}.`);
    throw new TossError(response.status, error.data.code, error.data.message);
  }
}
