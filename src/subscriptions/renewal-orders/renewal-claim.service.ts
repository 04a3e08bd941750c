import { required } from "../../kernel/required-values.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";
import type { SubscriptionRecord } from "../subscription.service.ts";
import type { SubscriptionRenewalsService } from "../subscription-renewals.service.ts";
import type { RenewalOrderService } from "./renewal-order.service.ts";

/** A renewal to charge. */
export interface RenewalCharge {
  subscriptionId: number;
  orderId: number;
  /** The stored method; null where there is none. */
  methodId: number | null;
  dueAt: Date;
  /** True if its amount is 0, so that no charge is needed. */
  isPaid: boolean;
}

/** Due renewals, locked until the transaction ends. */
export interface DueRenewals {
  /** Those that concern nothing but their subscription and their payer. */
  plain: SubscriptionRecord[];
  /** The subscriptions of the others. */
  otherIds: number[];
}

/** A renewal that cannot be ordered is tried again after this. */
const DEFERRAL_MS = 3_600_000;

/** Claims renewals: each period of a subscription gets one order, whichever worker claims it and however often. */
export class RenewalClaimService {
  constructor(
    private readonly deps: {
      subscriptionOrderRepository: SubscriptionOrderRepository;
      subscriptionRenewals: SubscriptionRenewalsService;
      renewalOrders: RenewalOrderService;
      now: Date;
    },
  ) {}

  /**
   * Claims the renewal of a subscription, if it is due, and makes its order if no earlier claim did.
   * @throws a Refusal OUT_OF_STOCK, QUANTITY_NOT_PRICED, NO_EXCHANGE_RATE where it cannot be ordered.
   */
  async claimDueRenewal(
    vendorId: number,
    leaseUntil: Date,
    dueSubscriptionId: number,
  ): Promise<RenewalCharge | undefined> {
    const [record] = await this.deps.subscriptionRenewals.lockDue(vendorId, 1, dueSubscriptionId);
    return record && this.claimLocked(vendorId, record, leaseUntil);
  }

  /**
   * Locks renewals that are due for the longest, and says which of them concern nothing but their subscription and their
   * payer: many of these can be claimed at once in one transaction.
   */
  async lockDueRenewals(vendorId: number, limit: number): Promise<DueRenewals> {
    const due = await this.deps.subscriptionRenewals.lockDue(vendorId, limit);
    const candidates = due.filter(({ status, paymentMethodId }) => status === "ACTIVE" && paymentMethodId !== null);
    const ids = candidates.map(({ id }) => id);
    const involved = new Set(await this.deps.subscriptionOrderRepository.findSharedRenewals(vendorId, ids));
    const plain = candidates.filter(({ id }) => !involved.has(id));
    return { plain, otherIds: due.filter((record) => !plain.includes(record)).map(({ id }) => id) };
  }

  /** Claims a renewal whose subscription is locked, and makes its order if no earlier claim did. @throws what `claimDueRenewal` throws. */
  async claimLocked(vendorId: number, record: SubscriptionRecord, leaseUntil: Date): Promise<RenewalCharge> {
    const { id: subscriptionId, paymentMethodId: methodId } = record;
    const dueAt = required(record.nextPaymentDate, "nextPaymentDate");
    const claimed = await this.deps.subscriptionRenewals.claimRenewal(vendorId, record, leaseUntil);
    const known = await this.deps.subscriptionOrderRepository.renewalOrderId(vendorId, subscriptionId, dueAt);
    if (known !== undefined) return { subscriptionId, orderId: known, methodId, dueAt, isPaid: false };
    const { id: orderId, amount } = await this.deps.renewalOrders.createRenewalOrder(vendorId, claimed);
    await this.deps.subscriptionOrderRepository.addRenewal(vendorId, {
      subscriptionId,
      dueAt,
      orderId,
      createdAt: this.deps.now,
    });
    return { subscriptionId, orderId, methodId, dueAt, isPaid: amount.eq(0) };
  }

  /** Defers the due renewal of a subscription: it cannot be ordered now. */
  async deferDueRenewal(vendorId: number, subscriptionId: number, reason: string): Promise<void> {
    const [record] = await this.deps.subscriptionRenewals.lockDue(vendorId, 1, subscriptionId);
    const until = new Date(this.deps.now.getTime() + DEFERRAL_MS);
    if (record) await this.deps.subscriptionRenewals.deferRenewal(vendorId, record, until, reason);
  }
}
