import { Refusal } from "../kernel/refusals.ts";
import type { CashierService, Paying, PaymentServices } from "../payments/payment-processor.service.ts";
import { isFaultCode, waitAfterFault } from "../payments/gateways/payment.faults.ts";
import type { PaymentRecord, PaymentService } from "../payments/payment.service.ts";
import type { SubscriptionService } from "../subscriptions/subscription.service.ts";
import type { ScenarioVendor } from "../recovery/covers/cover.facts.ts";
import type { FailedCharge, RenewalCoverService } from "../recovery/renewal-covers/renewal-cover.service.ts";
import type { RenewalCharge, RenewalService } from "./renewal.service.ts";

/** The services of one transaction that billing needs. */
interface BillingServices {
  payments: PaymentService;
  subscriptions: SubscriptionService;
  renewals: RenewalService;
  renewalCovers: RenewalCoverService;
}

type UnchargedOrder = Awaited<ReturnType<RenewalService["uncharged"]>>[number];

type Write = <T>(work: (services: BillingServices) => Promise<T>) => Promise<T>;

/** A charge of a renewal, the first one or a retry. */
interface Collection {
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
interface Fault {
  kind: "FAULT";
  /** Whose it is: that of the way to the gateway, or the merchant's, who has no gateway for it or nothing in stock. */
  of: "GATEWAY" | "MERCHANT";
  until: Date;
  reason: string;
  /** Whether nothing had kept it from being made before. */
  isFirst: boolean;
}

/** What became of a step: nothing was due, it was done, or a fault kept it from being done. */
export type Step = "NOTHING" | "DONE" | "PUT_OFF";

/** A worker that dies leaves its claim to others after this. */
const LEASE_MS = 60_000;

/** How long a charge is left alone that its merchant has to make possible: there is no gateway for it, or nothing in stock. */
const REFUSED_MS = 3_600_000;

/** What cannot be charged, as the engine is told. */
const nothingKnown = { paymentId: null, paymentGateway: null, paymentMethod: null, methodId: null };

/**
 * Bills by itself: charges renewals that are due, and makes the tries of those that failed. Every step is claimed on its
 * own row with a short lease and bears a key that says which step it is: whatever crashes, it is done once.
 */
export class BillerService {
  constructor(
    private readonly write: Write,
    private readonly cashier: Pick<CashierService<BillingServices & PaymentServices>, "pay" | "payIf">,
    private readonly vendor: ScenarioVendor,
    private readonly now: () => Date,
  ) {}

  /** Charges one renewal that is due. */
  async charge(): Promise<Step> {
    const claim = await this.claimed();
    if (claim === undefined) return "NOTHING";
    return claim === "POSTPONED" ? "DONE" : this.chargeRenewal(claim);
  }

  /** Claims the renewal of one subscription if it is due, as part of a larger transaction. @throws a Refusal where it cannot be ordered. */
  claimRenewal(renewals: RenewalService, subscriptionId: number): Promise<RenewalCharge | undefined> {
    return renewals.claim(this.vendor.id, this.lease(), subscriptionId);
  }

  /** Charges a renewal that is claimed. */
  async chargeRenewal(claim: RenewalCharge): Promise<Step> {
    return claim.isPaid ? "DONE" : this.collect({ ...claim, retryAt: null, key: `renewal ${claim.dueAt.getTime()}` });
  }

  /** Makes one retry that is due. */
  async retry(): Promise<Step> {
    const cover = await this.write(({ renewalCovers }) => renewalCovers.claim(this.vendor.id, this.lease()));
    if (!cover) return "NOTHING";
    const { renewalOrderId: orderId, renewalSubscriptionId: subscriptionId, id } = cover;
    const retryAt = cover.retryAt!;
    const subscription = await this.write(({ subscriptions }) => subscriptions.held(this.vendor.id, subscriptionId));
    const { status, cancelAt, endDate, paymentMethodId: methodId } = subscription;
    // Where its end and a try are due together, the end wins.
    const isOver = status !== "UNPAID" || [cancelAt, endDate].some((at) => at !== null && at <= this.now());
    if (isOver) {
      await this.finish(orderId, "CANCELED");
      return "DONE";
    }
    const key = `cover ${id} ${retryAt.getTime()}`;
    return this.collect({ orderId, subscriptionId, methodId, retryAt, key, dueAt: retryAt });
  }

  /** Charges orders of subscriptions that are to be charged at once; each is tried once by itself. @returns how many were. */
  async chargeAtOnce(most: number): Promise<number> {
    const orders = await this.write(({ renewals }) => renewals.uncharged(this.vendor.id, most));
    let charged = 0;
    for (const order of orders) {
      const payment = await this.chargeUntried(order);
      // A gateway that is away is not asked for each of them, one after the other.
      if (isFault(payment) && payment.of === "GATEWAY") break;
      if (!isFault(payment) && (typeof payment === "string" || payment.paymentId !== null)) charged++;
    }
    return charged;
  }

  /** Charges one of these orders now, in the call that made it; what was tried already, or put off, is left to the worker. */
  async chargeOrder(orderId: number): Promise<void> {
    const [order] = await this.write(({ renewals }) => renewals.uncharged(this.vendor.id, 1, orderId));
    if (order) await this.chargeUntried(order);
  }

  /** Ends covers of which nothing is left to be recovered. @returns how many. */
  async settle(most: number): Promise<number> {
    const settled = await this.write(({ renewalCovers }) => renewalCovers.settled(this.vendor.id, most));
    for (const { orderId, isPaid } of settled) await this.finish(orderId, isPaid ? "PAID" : "CANCELED");
    return settled.length;
  }

  private async claimed() {
    try {
      return await this.write(({ renewals }) => renewals.claim(this.vendor.id, this.lease()));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await this.write(({ renewals }) => renewals.postpone(this.vendor.id, error.message));
      return "POSTPONED" as const;
    }
  }

  private async collect(collection: Collection): Promise<Step> {
    const { orderId, subscriptionId, methodId, retryAt } = collection;
    const payment =
      methodId === null
        ? { errorCode: "NO_PAYMENT_METHOD", errorMessage: "There is no stored payment method." }
        : await this.charged(collection, methodId);
    if (payment === "UNDER_WAY" || payment === "FORBIDDEN") return "DONE";
    if (payment === "PAID" || payment === "CANCELED") await this.finish(orderId, payment);
    else if (isFault(payment)) {
      await this.write(({ renewalCovers }) =>
        renewalCovers.putOff(this.vendor.id, collection, { ...payment, orderId }),
      );
      return "PUT_OFF";
    } else {
      const failure: FailedCharge = { ...nothingKnown, orderId, subscriptionId, retryAt, ...payment };
      await this.write(({ renewalCovers }) => renewalCovers.failed(this.vendor, failure));
    }
    return "DONE";
  }

  private async chargeUntried({ orderId, subscriptionId, methodId, createdAt }: UnchargedOrder) {
    const atOnce = { orderId, subscriptionId, retryAt: null, key: "at once", dueAt: createdAt };
    const payment = await this.charged(atOnce, methodId!);
    if (isFault(payment) && payment.of === "MERCHANT")
      await this.write(({ renewals }) => renewals.putOff(this.vendor.id, subscriptionId, { ...payment, orderId }));
    return payment;
  }

  /**
   * Charges. Each attempt that certainly never happened is followed by one with a key of its own: at once where another
   * worker had left it behind, later where it was this one's. What is still under way is left for later.
   */
  private async charged(collection: Omit<Collection, "methodId">, methodId: number) {
    const { orderId, key, dueAt } = collection;
    for (let isLast = false; ; isLast = true) {
      const begun = this.now();
      const faults = await this.write(({ payments }) => payments.faultsSince(this.vendor.id, orderId, dueAt));
      const payment = await this.paid(collection, methodId, `${key} ${faults.count + 1}`);
      if (typeof payment === "string" || isFault(payment) || !isFaultCode(payment.errorCode)) return payment;
      if (payment.createdAt < begun && !isLast) continue;
      const wait = waitAfterFault(faults.first ?? payment.createdAt, this.now());
      return this.fault("GATEWAY", payment.errorMessage ?? "", wait, faults.count === 0);
    }
  }

  private async paid(collection: Omit<Collection, "methodId">, storedMethodId: number, requestKey: string) {
    const { orderId, subscriptionId, retryAt } = collection;
    const paying: Paying = { orderId, storedMethodId, initiator: "MERCHANT", actor: "SYSTEM", requestKey };
    try {
      // A first charge is no retry: it counts for others, and is made.
      const paymentId =
        retryAt === null
          ? await this.cashier.pay(this.vendor.id, paying)
          : await this.cashier.payIf(this.vendor.id, paying, ({ renewalCovers }, order, charging) =>
              renewalCovers.mayTry(this.vendor, order, { ...charging, subscriptionId, retryAt }),
            );
      if (paymentId === undefined) return "FORBIDDEN";
      const payment = await this.write(({ payments }) => payments.byId(this.vendor.id, paymentId));
      return outcomeOf(payment!);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "ORDER_ALREADY_PAID") return "PAID";
      if (error.code === "ORDER_NOT_PAYABLE") return "CANCELED";
      // Somebody else is at it: the payer, or a worker whose claim is over but whose call is not.
      if (error.kind === "conflict") return "UNDER_WAY";
      if (error.code === "PAYMENT_METHOD_NOT_FOUND")
        return { paymentId: null, errorCode: error.code, errorMessage: error.message, createdAt: this.now() };
      // The order was reckoned anew meanwhile, so that it is charged by its new sum the next time.
      const waitMs = error.code === "PRICE_CHANGED" ? LEASE_MS : REFUSED_MS;
      return this.fault("MERCHANT", error.message, waitMs);
    }
  }

  private fault(of: Fault["of"], reason: string, waitMs: number, isFirst = true): Fault {
    return { kind: "FAULT", of, until: new Date(this.now().getTime() + waitMs), reason, isFirst };
  }

  private finish(orderId: number, reason: "PAID" | "CANCELED"): Promise<void> {
    return this.write(({ renewalCovers }) => renewalCovers.finish(this.vendor.id, orderId, reason));
  }

  private lease(): Date {
    return new Date(this.now().getTime() + LEASE_MS);
  }
}

const isFault = (payment: object | string): payment is Fault =>
  typeof payment === "object" && "kind" in payment && payment.kind === "FAULT";

function outcomeOf({ state, id: paymentId, ...payment }: PaymentRecord) {
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
