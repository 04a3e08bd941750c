import { Refusal } from "../kernel/refusals.ts";
import type { PaymentProcessor, PaymentSubmission, PaymentServices } from "../payments/payment-processor.service.ts";
import { isFaultCode, delayAfterFault } from "../payments/gateways/payment.faults.ts";
import type { PaymentRecord, PaymentService } from "../payments/payment.service.ts";
import type { SubscriptionService } from "../subscriptions/subscription.service.ts";
import type { RecoveryVendor } from "../recovery/covers/cover.facts.ts";
import type { FailedRenewalCharge, RenewalCoverService } from "../recovery/renewal-covers/renewal-cover.service.ts";
import type { RenewalCharge, RenewalService } from "./renewal.service.ts";

/** The services of one transaction that billing needs. */
interface RenewalRunnerServices {
  payments: PaymentService;
  subscriptions: SubscriptionService;
  renewals: RenewalService;
  renewalCovers: RenewalCoverService;
}

type UnchargedOrder = Awaited<ReturnType<RenewalService["findUncharged"]>>[number];

type RunTransaction = <T>(work: (services: RenewalRunnerServices) => Promise<T>) => Promise<T>;

/** A charge of a renewal, the first one or a retry. */
interface ScheduledCharge {
  orderId: number;
  subscriptionId: number;
  methodId: number | null;
  /** The date of a cover that it is the try of; null for the first charge. */
  retryAt: Date | null;
  /** What makes this charge the same one however often it is begun. */
  key: string;
  /** When it was due. */
  dueAt: Date;
}

/** A charge that could not be made, and whose fault is no payer's: until when it is left alone, and why. */
interface ChargeFault {
  kind: "FAULT";
  /** Whose it is: that of the way to the gateway, or the merchant's, who has no gateway for it or nothing in stock. */
  origin: "GATEWAY" | "MERCHANT";
  until: Date;
  reason: string;
  /** Whether nothing had kept it from being made before. */
  isFirst: boolean;
}

/** What became of a step: nothing was due, it was done, or a fault kept it from being done. */
export type RenewalStepResult = "NOTHING" | "DONE" | "PUT_OFF";

/** A worker that dies leaves its claim to others after this. */
const LEASE_MS = 60_000;

/** How long a charge is left alone that its merchant has to make possible: there is no gateway for it, or nothing in stock. */
const MERCHANT_DEFERRAL_MS = 3_600_000;

/** What cannot be charged, as the engine is told. */
const noPaymentDetails = { paymentId: null, paymentGateway: null, paymentMethod: null, methodId: null };

/**
 * Bills by itself: charges renewals that are due, and makes the tries of those that failed. Every step is claimed on its
 * own row with a short lease and bears a key that says which step it is: whatever crashes, it is done once.
 */
export class RenewalRunner {
  constructor(
    private readonly write: RunTransaction,
    private readonly processor: Pick<
      PaymentProcessor<RenewalRunnerServices & PaymentServices>,
      "payOrder" | "payOrderIf"
    >,
    private readonly vendor: RecoveryVendor,
    private readonly now: () => Date,
  ) {}

  /** Charges one renewal that is due. */
  async chargeNextRenewal(): Promise<RenewalStepResult> {
    const claim = await this.claimNextRenewal();
    if (claim === undefined) return "NOTHING";
    return claim === "POSTPONED" ? "DONE" : this.chargeClaimedRenewal(claim);
  }

  /** Claims the renewal of one subscription if it is due, as part of a larger transaction. @throws a Refusal where it cannot be ordered. */
  claimRenewal(renewals: RenewalService, subscriptionId: number): Promise<RenewalCharge | undefined> {
    return renewals.claimDueRenewal(this.vendor.id, this.leaseEnd(), subscriptionId);
  }

  /** Charges a renewal that is claimed. */
  async chargeClaimedRenewal(claim: RenewalCharge): Promise<RenewalStepResult> {
    return claim.isPaid
      ? "DONE"
      : this.collectPayment({ ...claim, retryAt: null, key: `renewal ${claim.dueAt.getTime()}` });
  }

  /** Makes one retry that is due. */
  async runNextRetry(): Promise<RenewalStepResult> {
    const cover = await this.write(({ renewalCovers }) => renewalCovers.claimDueRetry(this.vendor.id, this.leaseEnd()));
    if (!cover) return "NOTHING";
    const { renewalOrderId: orderId, renewalSubscriptionId: subscriptionId, id } = cover;
    const retryAt = cover.retryAt!;
    const subscription = await this.write(({ subscriptions }) =>
      subscriptions.lockSubscription(this.vendor.id, subscriptionId),
    );
    const { status, cancelAt, endDate, paymentMethodId: methodId } = subscription;
    // Where its end and a try are due together, the end wins.
    const isOver = status !== "UNPAID" || [cancelAt, endDate].some((at) => at !== null && at <= this.now());
    if (isOver) {
      await this.endCover(orderId, "CANCELED");
      return "DONE";
    }
    const key = `cover ${id} ${retryAt.getTime()}`;
    return this.collectPayment({ orderId, subscriptionId, methodId, retryAt, key, dueAt: retryAt });
  }

  /** Charges orders of subscriptions that are to be charged at once; each is tried once by itself. @returns how many were. */
  async chargeImmediateOrders(limit: number): Promise<number> {
    const orders = await this.write(({ renewals }) => renewals.findUncharged(this.vendor.id, limit));
    let chargedCount = 0;
    for (const order of orders) {
      const result = await this.chargeImmediateOrder(order);
      // A gateway that is away is not asked for each of them, one after the other.
      if (isChargeFault(result) && result.origin === "GATEWAY") break;
      if (!isChargeFault(result) && (typeof result === "string" || result.paymentId !== null)) chargedCount++;
    }
    return chargedCount;
  }

  /** Charges one of these orders now, in the call that made it; what was tried already, or put off, is left to the worker. */
  async chargeOrderNow(orderId: number): Promise<void> {
    const [order] = await this.write(({ renewals }) => renewals.findUncharged(this.vendor.id, 1, orderId));
    if (order) await this.chargeImmediateOrder(order);
  }

  /** Ends covers of which nothing is left to be recovered. @returns how many. */
  async endSettledCovers(limit: number): Promise<number> {
    const settled = await this.write(({ renewalCovers }) => renewalCovers.findSettled(this.vendor.id, limit));
    for (const { orderId, isPaid } of settled) await this.endCover(orderId, isPaid ? "PAID" : "CANCELED");
    return settled.length;
  }

  private async claimNextRenewal() {
    try {
      return await this.write(({ renewals }) => renewals.claimDueRenewal(this.vendor.id, this.leaseEnd()));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await this.write(({ renewals }) => renewals.deferDueRenewal(this.vendor.id, error.message));
      return "POSTPONED" as const;
    }
  }

  private async collectPayment(charge: ScheduledCharge): Promise<RenewalStepResult> {
    const { orderId, subscriptionId, methodId, retryAt } = charge;
    const result =
      methodId === null
        ? { errorCode: "NO_PAYMENT_METHOD", errorMessage: "There is no stored payment method." }
        : await this.attemptCharge(charge, methodId);
    if (result === "UNDER_WAY" || result === "FORBIDDEN") return "DONE";
    if (result === "PAID" || result === "CANCELED") await this.endCover(orderId, result);
    else if (isChargeFault(result)) {
      await this.write(({ renewalCovers }) =>
        renewalCovers.deferCharge(this.vendor.id, charge, { ...result, orderId }),
      );
      return "PUT_OFF";
    } else {
      const failure: FailedRenewalCharge = { ...noPaymentDetails, orderId, subscriptionId, retryAt, ...result };
      await this.write(({ renewalCovers }) => renewalCovers.recordFailedCharge(this.vendor, failure));
    }
    return "DONE";
  }

  private async chargeImmediateOrder({ orderId, subscriptionId, methodId, createdAt }: UnchargedOrder) {
    const charge = { orderId, subscriptionId, retryAt: null, key: "at once", dueAt: createdAt };
    const result = await this.attemptCharge(charge, methodId!);
    if (isChargeFault(result) && result.origin === "MERCHANT")
      await this.write(({ renewals }) => renewals.deferOrder(this.vendor.id, subscriptionId, { ...result, orderId }));
    return result;
  }

  /**
   * Charges. Each attempt that certainly never happened is followed by one with a key of its own: at once where another
   * worker had left it behind, later where it was this one's. What is still under way is left for later.
   */
  private async attemptCharge(charge: Omit<ScheduledCharge, "methodId">, methodId: number) {
    const { orderId, key, dueAt } = charge;
    for (let isLast = false; ; isLast = true) {
      const startedAt = this.now();
      const faults = await this.write(({ payments }) => payments.faultsSince(this.vendor.id, orderId, dueAt));
      const result = await this.payOnce(charge, methodId, `${key} ${faults.count + 1}`);
      if (typeof result === "string" || isChargeFault(result) || !isFaultCode(result.errorCode)) return result;
      if (result.createdAt < startedAt && !isLast) continue;
      const delayMs = delayAfterFault(faults.first ?? result.createdAt, this.now());
      return this.toChargeFault("GATEWAY", result.errorMessage ?? "", delayMs, faults.count === 0);
    }
  }

  private async payOnce(charge: Omit<ScheduledCharge, "methodId">, storedMethodId: number, requestKey: string) {
    const { orderId, subscriptionId, retryAt } = charge;
    const submission: PaymentSubmission = {
      orderId,
      storedMethodId,
      initiator: "MERCHANT",
      actor: "SYSTEM",
      requestKey,
    };
    try {
      // A first charge is no retry: it counts for others, and is made.
      const paymentId =
        retryAt === null
          ? await this.processor.payOrder(this.vendor.id, submission)
          : await this.processor.payOrderIf(this.vendor.id, submission, ({ renewalCovers }, order, charging) =>
              renewalCovers.confirmRetry(this.vendor, order, { ...charging, subscriptionId, retryAt }),
            );
      if (paymentId === undefined) return "FORBIDDEN";
      const payment = await this.write(({ payments }) => payments.byId(this.vendor.id, paymentId));
      return toAttemptResult(payment!);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "ORDER_ALREADY_PAID") return "PAID";
      if (error.code === "ORDER_NOT_PAYABLE") return "CANCELED";
      // Somebody else is at it: the payer, or a worker whose claim is over but whose call is not.
      if (error.kind === "conflict") return "UNDER_WAY";
      if (error.code === "PAYMENT_METHOD_NOT_FOUND")
        return { paymentId: null, errorCode: error.code, errorMessage: error.message, createdAt: this.now() };
      // The order was reckoned anew meanwhile, so that it is charged by its new sum the next time.
      const waitMs = error.code === "PRICE_CHANGED" ? LEASE_MS : MERCHANT_DEFERRAL_MS;
      return this.toChargeFault("MERCHANT", error.message, waitMs);
    }
  }

  private toChargeFault(origin: ChargeFault["origin"], reason: string, waitMs: number, isFirst = true): ChargeFault {
    return { kind: "FAULT", origin, until: new Date(this.now().getTime() + waitMs), reason, isFirst };
  }

  private endCover(orderId: number, reason: "PAID" | "CANCELED"): Promise<void> {
    return this.write(({ renewalCovers }) => renewalCovers.endCoverOfOrder(this.vendor.id, orderId, reason));
  }

  private leaseEnd(): Date {
    return new Date(this.now().getTime() + LEASE_MS);
  }
}

const isChargeFault = (result: object | string): result is ChargeFault =>
  typeof result === "object" && "kind" in result && result.kind === "FAULT";

function toAttemptResult({ state, id: paymentId, ...payment }: PaymentRecord) {
  if (state === "SUCCEEDED") return "PAID";
  if (state !== "FAILED") return "UNDER_WAY";
  const { paymentGateway, paymentMethod, methodId, errorCode, errorMessage, adviceCode, network, createdAt } = payment;
  return {
    paymentId,
    paymentGateway,
    paymentMethod,
    methodId,
    errorCode,
    errorMessage,
    adviceCode,
    network,
    createdAt,
  };
}
