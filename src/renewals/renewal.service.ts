import type { RenewalOrderService } from "../subscriptions/renewal-orders/renewal-order.service.ts";
import { faultCodes } from "../payments/gateways/payment.faults.ts";
import type { Deferral, SubscriptionRenewalsService } from "../subscriptions/subscription-renewals.service.ts";
import type { RenewalRepository } from "./renewal.repository.ts";

/** A renewal to charge. */
export interface RenewalCharge {
  subscriptionId: number;
  orderId: number;
  /** The stored method; null where there is none. */
  methodId: number | null;
  dueAt: Date;
  /** Whether it came to nothing, so that nothing is charged. */
  isPaid: boolean;
}

/** How long a renewal that could not be ordered is left alone. */
const DEFERRAL_MS = 3_600_000;

/** An order that could not be charged at once for so long is left to the merchant. */
const IMMEDIATE_CHARGE_WINDOW_MS = 7 * 86_400_000;

/** Claims renewals: each period of a subscription gets one order, whoever claims it and however often. */
export class RenewalService {
  constructor(
    private readonly renewals: RenewalRepository,
    private readonly subscriptions: SubscriptionRenewalsService,
    private readonly orders: RenewalOrderService,
    private readonly now: Date,
  ) {}

  /**
   * Claims the renewal that is due for the longest, or that of one subscription, and makes its order unless an earlier claim did.
   * @throws a Refusal OUT_OF_STOCK, QUANTITY_NOT_PRICED, NO_EXCHANGE_RATE where it cannot be ordered.
   */
  async claimDueRenewal(
    vendorId: number,
    leaseUntil: Date,
    onlySubscriptionId?: number,
  ): Promise<RenewalCharge | undefined> {
    const [record] = await this.subscriptions.lockDue(vendorId, 1, onlySubscriptionId);
    if (!record) return undefined;
    const { id: subscriptionId, paymentMethodId: methodId } = record;
    const dueAt = record.nextPaymentDate!;
    const claimed = await this.subscriptions.claimRenewal(vendorId, record, leaseUntil);
    const existingOrderId = await this.renewals.orderIdOf(vendorId, subscriptionId, dueAt);
    if (existingOrderId !== undefined)
      return { subscriptionId, orderId: existingOrderId, methodId, dueAt, isPaid: false };
    const { id: orderId, amount } = await this.orders.createRenewalOrder(vendorId, claimed);
    await this.renewals.add(vendorId, { subscriptionId, dueAt, orderId, createdAt: this.now });
    return { subscriptionId, orderId, methodId, dueAt, isPaid: amount.eq(0) };
  }

  /** Orders of subscriptions that are to be charged at once, or one of them if it is. */
  findUncharged(vendorId: number, limit: number, orderId?: number): ReturnType<RenewalRepository["findUncharged"]> {
    return this.renewals.findUncharged(vendorId, {
      now: this.now,
      since: new Date(this.now.getTime() - IMMEDIATE_CHARGE_WINDOW_MS),
      faultCodes,
      limit,
      orderId,
    });
  }

  /** Leaves an order that was to be charged at once alone, for want of what its merchant has to bring. */
  deferOrder(vendorId: number, subscriptionId: number, deferral: Deferral): Promise<void> {
    return this.subscriptions.recordDeferredCharge(vendorId, subscriptionId, deferral);
  }

  /** Leaves the renewal that is due for the longest alone for a while: it cannot be ordered now. */
  async deferDueRenewal(vendorId: number, reason: string): Promise<void> {
    const [record] = await this.subscriptions.lockDue(vendorId, 1);
    const until = new Date(this.now.getTime() + DEFERRAL_MS);
    if (record) await this.subscriptions.deferRenewal(vendorId, record, until, reason);
  }
}
