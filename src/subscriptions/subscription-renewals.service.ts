import type { Actor, FinalAction } from "../../schema/vocabulary.ts";
import { getOrThrow, required } from "../kernel/required-values.ts";
import type { OfferService } from "../products/offer.service.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { SubscriptionQuotasService } from "./subscription-quotas.service.ts";
import type { SubscriptionItemRecord, SubscriptionRecord, SubscriptionRepository } from "./subscription.repository.ts";
import { advanceAfterCharge, nextChargedCycle, type ScheduleState } from "./subscription.schedule.ts";
import type { SubscriptionService } from "./subscription.service.ts";
import type { SubscriptionTrigger } from "./subscription.states.ts";

/** A deferred charge: its new time, the reason, and whether this is the first deferral. */
export interface Deferral {
  orderId: number;
  until: Date;
  reason: string;
  isFirst: boolean;
}

const triggerByFinalAction = {
  EXPIRE: "expireAfterRecovery",
  PAUSE: "pauseAfterRecovery",
  CANCEL: "cancelAfterRecovery",
} as const;

/**
 * The transitions of a subscription around the charges of its periods. The charging code calls them; this service
 * charges nothing.
 */
export class SubscriptionRenewalsService {
  constructor(
    private readonly deps: {
      subscriptionRepository: SubscriptionRepository;
      subscriptions: SubscriptionService;
      vendors: VendorService;
      subscriptionQuotas: SubscriptionQuotasService;
      offers: OfferService;
      now: Date;
    },
  ) {}

  /**
   * Due subscriptions, or one of them if it is due, locked; those that another worker has locked or leased are skipped.
   */
  lockDue(vendorId: number, limit: number, onlyId?: number): Promise<SubscriptionRecord[]> {
    return this.deps.subscriptionRepository.lockDue(vendorId, this.deps.now, limit, onlyId);
  }

  /**
   * Claims a locked subscription for the charge of its period: it is QUEUEING until the charge has ended. One whose
   * lease has ended is claimed again.
   */
  async claimRenewal(vendorId: number, record: SubscriptionRecord, leaseUntil: Date): Promise<SubscriptionRecord> {
    if (record.status === "QUEUEING") return this.deps.subscriptions.saveWithDates(vendorId, { ...record, leaseUntil });
    return this.deps.subscriptions.transition(vendorId, record, { trigger: "claimRenewal" }, { leaseUntil });
  }

  /**
   * The charge of the period was paid; where it had failed before, it is recovered. A subscription that was stopped
   * meanwhile, or whose last charge this is, stays as it is. Only a payment by the payer is then recorded as outside the
   * schedule: a worker charges by the schedule.
   */
  async markRenewed(
    vendorId: number,
    id: number,
    orderId: number,
    actor: Actor = "SYSTEM",
  ): Promise<SubscriptionRecord> {
    const record = await this.deps.subscriptions.lockSubscription(vendorId, id);
    if (record.status === "UNPAID")
      return this.applyPaidCharge(vendorId, record, { trigger: "recoverPayment", actor, orderId });
    if (record.status === "QUEUEING")
      return this.applyPaidCharge(vendorId, record, { trigger: "completeRenewal", actor: "SYSTEM", orderId });
    if (actor === "CUSTOMER")
      await this.deps.subscriptions.recordEvent(vendorId, record, "receiveUnscheduledPayment", { orderId, actor });
    return record;
  }

  /**
   * Defers a renewal because something for its period, such as stock, is missing. The subscription is locked and was
   * not claimed.
   */
  async deferRenewal(vendorId: number, record: SubscriptionRecord, until: Date, reason: string): Promise<void> {
    await this.deps.subscriptions.saveWithDates(vendorId, { ...record, leaseUntil: until });
    await this.deps.subscriptions.recordEvent(vendorId, record, "postponeRenewal", { reason, facts: { until } });
  }

  /**
   * Defers a charge that failed because of a fault rather than a decline: the subscription stays as it is. One that is
   * being charged is left alone until then. Records the delay only the first time.
   */
  async deferBlockedCharge(vendorId: number, id: number, { orderId, until, reason, isFirst }: Deferral): Promise<void> {
    const record = await this.deps.subscriptions.lockSubscription(vendorId, id);
    if (record.status === "QUEUEING")
      await this.deps.subscriptions.saveWithDates(vendorId, { ...record, leaseUntil: until });
    const isOver = record.status === "CANCELED" || record.status === "EXPIRED";
    if (isFirst && !isOver)
      await this.deps.subscriptions.recordEvent(vendorId, record, "postponeRenewal", {
        orderId,
        reason,
        facts: { until },
      });
  }

  /** Defers a charge outside its periods. The subscription stays as it is, also if it has ended. */
  async recordDeferredCharge(vendorId: number, id: number, { orderId, until, reason }: Deferral): Promise<void> {
    const record = await this.deps.subscriptions.lockSubscription(vendorId, id);
    await this.deps.subscriptions.recordEvent(vendorId, record, "postponeRenewal", {
      orderId,
      reason,
      facts: { until },
    });
  }

  /** Marks the subscription UNPAID after a failed charge. A scheduled pause is withdrawn, a cancellation is not. */
  async markUnpaid(vendorId: number, id: number, orderId: number, reason?: string | null): Promise<SubscriptionRecord> {
    const record = await this.deps.subscriptions.lockSubscription(vendorId, id);
    if (record.status !== "QUEUEING") return record;
    const changes = { leaseUntil: null, pauseAt: null, resumeAt: null };
    return this.deps.subscriptions.transition(vendorId, record, { trigger: "failRenewal", orderId, reason }, changes);
  }

  /**
   * Applies the final action after recovery has ended; KEEP leaves it UNPAID. One that was ended or paid meanwhile
   * stays as it is.
   */
  async applyFinalAction(
    vendorId: number,
    id: number,
    orderId: number,
    finalAction: FinalAction,
  ): Promise<SubscriptionRecord> {
    const record = await this.deps.subscriptions.lockSubscription(vendorId, id);
    if (record.status !== "UNPAID") return record;
    if (finalAction === "KEEP") {
      await this.deps.subscriptions.recordEvent(vendorId, record, "exhaustRecovery", { orderId });
      return record;
    }
    const changes = {
      ...(finalAction === "PAUSE" && { pausedAt: this.deps.now }),
      ...(finalAction === "CANCEL" && { canceledAt: this.deps.now }),
    };
    return this.deps.subscriptions.transition(
      vendorId,
      record,
      { trigger: triggerByFinalAction[finalAction], orderId },
      changes,
    );
  }

  /** Charges another stored method from now on. A subscription with an unconfirmed first method becomes ACTIVE. */
  async changePaymentMethod(
    vendorId: number,
    id: number,
    methodId: number,
    { orderId, actor = "CUSTOMER" }: { orderId: number; actor?: Actor },
  ): Promise<void> {
    const record = await this.deps.subscriptions.lockSubscription(vendorId, id);
    const hasOpenCharge = record.status === "QUEUEING" || record.status === "UNPAID";
    const methodChangedAt = hasOpenCharge ? this.deps.now : null;
    const changed = { ...record, paymentMethodId: methodId, methodChangedAt };
    const saved = await this.deps.subscriptions.saveWithDates(vendorId, changed);
    if (record.status === "INCOMPLETE")
      await this.deps.subscriptions.transition(vendorId, saved, { trigger: "confirmPaymentMethod" });
    await this.deps.subscriptions.recordEvent(vendorId, record, "changePaymentMethod", {
      orderId,
      actor,
      facts: { methodId },
    });
  }

  /** UNPAID subscriptions whose payment method was changed, and of which recovery has taken no note. */
  findChangedMethods(vendorId: number, limit: number): Promise<number[]> {
    return this.deps.subscriptionRepository.findChangedMethods(vendorId, this.deps.now, limit);
  }

  /** Takes note of the change of a method: the locked subscription; undefined if another worker did. */
  async takeMethodChange(vendorId: number, id: number): Promise<SubscriptionRecord | undefined> {
    const record = await this.deps.subscriptions.lockSubscription(vendorId, id);
    if (record.status !== "UNPAID" || record.methodChangedAt === null) return undefined;
    await this.deps.subscriptions.saveWithDates(vendorId, { ...record, methodChangedAt: null });
    return record;
  }

  private async applyPaidCharge(
    vendorId: number,
    record: SubscriptionRecord,
    paid: { trigger: "completeRenewal" | "recoverPayment"; actor: Actor; orderId: number },
  ): Promise<SubscriptionRecord> {
    const { zoneId } = await this.deps.vendors.billingTerms(vendorId);
    const advance = advanceAfterCharge(record, zoneId, this.deps.now, paid.trigger === "recoverPayment");
    await this.advanceItems(
      vendorId,
      record,
      required(nextChargedCycle(record, zoneId).starting, "the period that begins").start,
      advance.currentPeriodStart,
    );
    const leadingItem = (await this.deps.subscriptionRepository.itemsOf(vendorId, record.id)).find(
      ({ removedAt }) => removedAt === null,
    );
    const changes = {
      ...advance,
      priceId: leadingItem?.priceId ?? record.priceId,
      lastPaymentDate: this.deps.now,
      leaseUntil: null,
      methodChangedAt: null,
    };
    const renewed = await this.deps.subscriptions.transition(vendorId, record, paid, changes);
    const rescheduling = reschedulingTrigger(renewed);
    return rescheduling ? this.deps.subscriptions.transition(vendorId, renewed, { trigger: rescheduling }) : renewed;
  }

  /**
   * Starts the next cycle of the items: those added for the last one only are removed, changed plans start, and usage
   * quotas are renewed.
   */
  private async advanceItems(
    vendorId: number,
    record: SubscriptionRecord,
    cycleStart: Date,
    period: Date,
  ): Promise<void> {
    const items = (await this.deps.subscriptionRepository.itemsOf(vendorId, record.id)).filter(
      ({ activatedAt, removedAt }) => activatedAt !== null && removedAt === null,
    );
    for (const item of items) {
      const isDropped = item.isAdditional && !item.keepWhenRenew;
      await this.deps.subscriptionRepository.updateItem(vendorId, item.id, {
        chargedCycles: item.chargedCycles + 1,
        ...(isDropped && { removedAt: cycleStart }),
        ...(item.nextPriceId !== null && {
          priceId: item.nextPriceId,
          price: required(item.nextPrice, "nextPrice"),
          nextPriceId: null,
        }),
        ...(item.nextPriceId !== null && { nextPrice: null }),
        modifiedAt: this.deps.now,
      });
    }
    await this.recordPlanChanges(vendorId, record, items.filter(hasNextPlan));
    const keptItems = items.filter(({ isAdditional, keepWhenRenew }) => !isAdditional || keepWhenRenew);
    await this.deps.subscriptionQuotas.grantPeriodQuotas(vendorId, record, keptItems, period);
  }

  private async recordPlanChanges(vendorId: number, record: SubscriptionRecord, items: readonly ItemWithNextPlan[]) {
    if (items.length === 0) return;
    const codes = await this.deps.offers.codesOf(
      vendorId,
      items.flatMap(({ priceId, nextPriceId }) => [priceId, nextPriceId]),
    );
    for (const { code: itemCode, priceId, nextPriceId } of items) {
      const [before, after] = [getOrThrow(codes, priceId), getOrThrow(codes, nextPriceId)];
      const facts = { itemCode, priceCode: after.priceCode, before: before.priceCode };
      await this.deps.subscriptions.recordEvent(vendorId, record, "changePlan", { facts });
    }
  }
}

/** An item whose plan changes at the next charge. */
type ItemWithNextPlan = SubscriptionItemRecord & { nextPriceId: number };

const hasNextPlan = (item: SubscriptionItemRecord): item is ItemWithNextPlan => item.nextPriceId !== null;

/** A cancellation or pause that was scheduled before the charge stays scheduled. */
function reschedulingTrigger({ cancelAt, pauseAt }: ScheduleState): SubscriptionTrigger | undefined {
  if (cancelAt !== null) return "scheduleCancellation";
  return pauseAt === null ? undefined : "schedulePause";
}
