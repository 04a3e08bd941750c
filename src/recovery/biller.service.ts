import { Refusal } from "../kernel/errors.ts";
import type { CashierService } from "../payments/cashier.service.ts";
import type { PaymentRecord, PaymentService } from "../payments/payment.service.ts";
import type { SubscriptionService } from "../subscriptions/subscription.service.ts";
import type { ScenarioVendor } from "./cover.case.ts";
import type { FailedCharge, RenewalCoverService } from "./renewal-cover.service.ts";
import type { RenewalService } from "./renewal.service.ts";

/** The services of one transaction that billing needs. */
interface BillingServices {
  payments: PaymentService;
  subscriptions: SubscriptionService;
  renewals: RenewalService;
  renewalCovers: RenewalCoverService;
}

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
}

/** A worker that dies leaves its claim to others after this. */
const LEASE_MS = 60_000;

/** A charge that certainly never happened may be made anew so many times at once. */
const MOST_TRIES = 3;

/** What cannot be charged, as the engine is told. */
const nothingKnown = { paymentId: null, paymentGateway: null, paymentMethod: null };

/**
 * Bills by itself: charges renewals that are due, and makes the tries of those that failed. Every step is claimed on its
 * own row with a short lease and bears a key that says which step it is: whatever crashes, it is done once.
 */
export class BillerService {
  constructor(
    private readonly write: Write,
    private readonly cashier: CashierService,
    private readonly vendor: ScenarioVendor,
    private readonly now: () => Date,
  ) {}

  /** Charges one renewal that is due. @returns whether there was one. */
  async charge(): Promise<boolean> {
    const claim = await this.claimed();
    if (claim === undefined) return false;
    if (claim !== "POSTPONED" && !claim.isPaid)
      await this.collect({ ...claim, retryAt: null, key: `renewal ${claim.dueAt.getTime()}` });
    return true;
  }

  /** Makes one retry that is due. @returns whether there was one. */
  async retry(): Promise<boolean> {
    const cover = await this.write(({ renewalCovers }) => renewalCovers.claim(this.vendor.id, this.lease()));
    if (!cover) return false;
    const { renewalOrderId: orderId, renewalSubscriptionId: subscriptionId, retryAt, id } = cover;
    const subscription = await this.write(({ subscriptions }) => subscriptions.held(this.vendor.id, subscriptionId));
    const key = `cover ${id} ${retryAt!.getTime()}`;
    const { status, cancelAt, endDate } = subscription;
    // Where its end and a try are due together, the end wins.
    const isOver = status !== "UNPAID" || [cancelAt, endDate].some((at) => at !== null && at <= this.now());
    if (isOver) await this.finish(orderId, "CANCELED");
    else await this.collect({ orderId, subscriptionId, methodId: subscription.paymentMethodId, retryAt, key });
    return true;
  }

  /** Charges orders of subscriptions that are to be charged at once; each is tried once by itself. @returns how many were. */
  async chargeAtOnce(most: number): Promise<number> {
    const orders = await this.write(({ renewals }) => renewals.uncharged(this.vendor.id, most));
    let charged = 0;
    for (const { orderId, methodId } of orders) {
      const payment = await this.charged({ orderId, key: "at once" }, methodId!);
      if (typeof payment === "string" || payment.paymentId !== null) charged++;
    }
    return charged;
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

  private async collect(collection: Collection): Promise<void> {
    const { orderId, subscriptionId, methodId, retryAt } = collection;
    const payment =
      methodId === null
        ? { errorCode: "NO_PAYMENT_METHOD", errorMessage: "There is no stored payment method." }
        : await this.charged(collection, methodId);
    if (payment === "PAID" || payment === "CANCELED") return this.finish(orderId, payment);
    if (payment === "UNDER_WAY") return;
    const failure: FailedCharge = { ...nothingKnown, orderId, subscriptionId, retryAt, ...payment };
    await this.write(({ renewalCovers }) => renewalCovers.failed(this.vendor, failure));
  }

  /** Charges, anew where an earlier charge certainly never happened; what is still under way is left for later. */
  private async charged({ orderId, key }: Pick<Collection, "orderId" | "key">, storedMethodId: number) {
    for (let number = 1; ; number++) {
      const payment = await this.paid(orderId, storedMethodId, `${key} ${number}`);
      if (typeof payment === "string") return payment;
      if ("errorCode" in payment && payment.errorCode === "NOT_CHARGED" && number < MOST_TRIES) continue;
      return payment;
    }
  }

  private async paid(orderId: number, storedMethodId: number, requestKey: string) {
    try {
      const paymentId = await this.cashier.pay(this.vendor.id, {
        orderId,
        storedMethodId,
        initiator: "MERCHANT",
        actor: "SYSTEM",
        requestKey,
      });
      const payment = await this.write(({ payments }) => payments.byId(this.vendor.id, paymentId));
      return outcomeOf(payment!);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.code === "ORDER_ALREADY_PAID") return "PAID";
      if (error.code === "ORDER_NOT_PAYABLE") return "CANCELED";
      // Somebody else is at it: the payer, or a worker whose claim is over but whose call is not.
      if (error.kind === "conflict") return "UNDER_WAY";
      return { paymentId: null, errorCode: error.code, errorMessage: error.message };
    }
  }

  private finish(orderId: number, reason: "PAID" | "CANCELED"): Promise<void> {
    return this.write(({ renewalCovers }) => renewalCovers.finish(this.vendor.id, orderId, reason));
  }

  private lease(): Date {
    return new Date(this.now().getTime() + LEASE_MS);
  }
}

function outcomeOf({ state, id: paymentId, ...payment }: PaymentRecord) {
  if (state === "SUCCEEDED") return "PAID";
  if (state !== "FAILED") return "UNDER_WAY";
  const { paymentGateway, paymentMethod, errorCode, errorMessage, adviceCode, network } = payment;
  return { paymentId, paymentGateway, paymentMethod, errorCode, errorMessage, adviceCode, network };
}
