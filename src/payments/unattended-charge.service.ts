import type { PaymentGateway } from "../../schema/vocabulary.ts";
import { Refusal } from "../kernel/refusals.ts";
import { required } from "../kernel/required-values.ts";
import type { PaymentProcessor, PaymentSubmission } from "./payment-processor.service.ts";
import type { PaymentServices, RunTransaction } from "./payment-request.service.ts";
import { isFaultCode, delayAfterFault } from "./gateways/payment.faults.ts";
import type { ChargePredicate } from "./payment-claim.service.ts";
import type { PaymentRecord } from "./payment.repository.ts";

/** A charge to a stored method, made while its payer is away. */
export interface UnattendedCharge<Services> {
  orderId: number;
  methodId: number;
  /** Idempotency key: the same charge, however often it is started. */
  key: string;
  /** The due time: faults since then delay it. */
  dueAt: Date;
  /** Decides in the transaction of the claim whether it may be made. Defaults to yes. */
  mayCharge?: ((services: Services, ...claim: Parameters<ChargePredicate>) => Promise<boolean>) | undefined;
}

/** A charge that could not be made for no fault of its payer: until when it is deferred, and why. */
export interface UnattendedChargeFault {
  kind: "FAULT";
  /** GATEWAY: it could not be reached; MERCHANT: there is no gateway for it, or no stock. */
  origin: "GATEWAY" | "MERCHANT";
  until: Date;
  reason: string;
  /** True if no fault prevented the charge before. */
  isFirst: boolean;
}

/** A charge that was declined, or whose stored method is gone: then there is no payment. */
export interface UnattendedChargeFailure extends Pick<
  PaymentRecord,
  "paymentMethod" | "methodId" | "errorCode" | "errorMessage" | "adviceCode" | "network" | "createdAt"
> {
  kind: "FAILED";
  paymentId: number | null;
  paymentGateway: PaymentGateway | null;
}

/**
 * The result of a charge. NOT_PAYABLE: the order is cancelled or refunded. IN_PROGRESS: its outcome is unknown, or the
 * payer is paying at the moment. BLOCKED: `mayCharge` returned false.
 */
export type UnattendedChargeResult =
  { kind: "PAID" | "NOT_PAYABLE" | "IN_PROGRESS" | "BLOCKED" } | UnattendedChargeFault | UnattendedChargeFailure;

/** The faults that prevented a charge since it was due: their number, and the time of the first. */
export interface FaultsBefore {
  count: number;
  first: Date | null;
}

/** After this time other workers take over the claim of a crashed one. */
export const UNATTENDED_LEASE_MS = 60_000;

/** The delay of a charge that the merchant has to make possible: there is no gateway for it, or no stock. */
const MERCHANT_DEFERRAL_MS = 3_600_000;

/** Charges stored methods while the payer is absent, and reports the obstacles to a charge. */
export class UnattendedChargeService<Services extends PaymentServices> {
  constructor(
    private readonly write: RunTransaction<Services>,
    private readonly processor: Pick<PaymentProcessor<Services>, "payOrder" | "payOrderIf">,
    private readonly vendorId: number,
    private readonly now: () => Date,
  ) {}

  /**
   * Charges. An attempt that certainly never took place is followed by one with its own key: at once if another worker
   * abandoned it, later if this one did. A charge that is still in progress is deferred.
   */
  async charge(charge: UnattendedCharge<Services>): Promise<UnattendedChargeResult> {
    const { orderId, key, dueAt } = charge;
    for (let isLast = false; ; isLast = true) {
      const startedAt = this.now();
      const faults = await this.write(({ payments }) => payments.faultsSince(this.vendorId, orderId, dueAt));
      const result = await this.pay(charge, toRequestKey(key, faults));
      if (result.kind !== "FAILED" || !isFaultCode(result.errorCode)) return result;
      if (result.createdAt >= startedAt || isLast) return this.toGatewayFault(result, faults);
    }
  }

  /** The result of an attempt that was made now, after some faults since the charge was due. */
  toResultOfAttempt(payment: PaymentRecord, faults: FaultsBefore): UnattendedChargeResult {
    const result = toAttemptResult(payment);
    return result.kind === "FAILED" && isFaultCode(result.errorCode) ? this.toGatewayFault(result, faults) : result;
  }

  private toGatewayFault(
    { createdAt, errorMessage }: UnattendedChargeFailure,
    faults: FaultsBefore,
  ): UnattendedChargeFault {
    const delayMs = delayAfterFault(faults.first ?? createdAt, this.now());
    return this.toFault("GATEWAY", errorMessage ?? "", delayMs, faults.count === 0);
  }

  private async pay(
    { orderId, methodId, mayCharge }: UnattendedCharge<Services>,
    requestKey: string,
  ): Promise<UnattendedChargeResult> {
    const submission = toSubmission(orderId, methodId, requestKey);
    try {
      const paymentId = mayCharge
        ? await this.processor.payOrderIf(this.vendorId, submission, mayCharge)
        : await this.processor.payOrder(this.vendorId, submission);
      if (paymentId === undefined) return { kind: "BLOCKED" };
      const payment = await this.write(({ payments }) => payments.byId(this.vendorId, paymentId));
      return toAttemptResult(required(payment, "the payment"));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.toResult(error);
    }
  }

  private toResult({ code, kind, message }: Refusal): UnattendedChargeResult {
    if (code === "ORDER_ALREADY_PAID") return { kind: "PAID" };
    if (code === "ORDER_NOT_PAYABLE") return { kind: "NOT_PAYABLE" };
    // Somebody else is at it: the payer, or a worker whose claim is over but whose call is not.
    if (kind === "conflict") return { kind: "IN_PROGRESS" };
    if (code === "PAYMENT_METHOD_NOT_FOUND")
      return { ...noPayment, errorCode: code, errorMessage: message, createdAt: this.now() };
    // The order was priced again meanwhile, so that it is charged by its new sum the next time.
    return this.toFault("MERCHANT", message, code === "PRICE_CHANGED" ? UNATTENDED_LEASE_MS : MERCHANT_DEFERRAL_MS);
  }

  private toFault(
    origin: UnattendedChargeFault["origin"],
    reason: string,
    delayMs: number,
    isFirst = true,
  ): UnattendedChargeFault {
    return { kind: "FAULT", origin, until: new Date(this.now().getTime() + delayMs), reason, isFirst };
  }
}

/** The key of the attempt after some faults: an attempt that never took place is followed by one with its own key. */
export const toRequestKey = (key: string, { count }: FaultsBefore): string => `${key} ${count + 1}`;

/** A charge to a stored method while its payer is away. */
export const toSubmission = (
  orderId: number,
  methodId: number,
  requestKey: string,
): PaymentSubmission & { storedMethodId: number } => ({
  orderId,
  storedMethodId: methodId,
  initiator: "MERCHANT",
  actor: "SYSTEM",
  requestKey,
});

/** A failure without a payment. */
export const noPayment = {
  kind: "FAILED" as const,
  paymentId: null,
  paymentGateway: null,
  paymentMethod: null,
  methodId: null,
  adviceCode: null,
  network: null,
};

function toAttemptResult({ state, id: paymentId, ...payment }: PaymentRecord): UnattendedChargeResult {
  if (state === "SUCCEEDED") return { kind: "PAID" };
  if (state !== "FAILED") return { kind: "IN_PROGRESS" };
  const { paymentGateway, paymentMethod, methodId, errorCode, errorMessage, adviceCode, network, createdAt } = payment;
  const instrument = { paymentId, paymentGateway, paymentMethod, methodId };
  return { kind: "FAILED", ...instrument, errorCode, errorMessage, adviceCode, network, createdAt };
}
