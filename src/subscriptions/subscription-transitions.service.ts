import type { Actor, CancelMoment, PauseMoment } from "../../schema/vocabulary.ts";
import { invalidField, invalidFields } from "../kernel/refusals.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import { billingPeriodOf } from "./subscription.period.ts";
import type { SubscriptionQuotasService } from "./subscription-quotas.service.ts";
import type { SubscriptionRecord, SubscriptionRepository } from "./subscription.repository.ts";
import { findDueTransition, advanceAfterPause, cycleNumberAt, type DueTransition } from "./subscription.schedule.ts";
import type { SubscriptionService } from "./subscription.service.ts";
import { subscriptionStates } from "./subscription.states.ts";

/** The actor and the reason of a transition. */
export interface RequestOrigin {
  actor: Actor;
  reason?: string | null;
}

/** The start of a pause, and its automatic end. */
export interface PauseRequest extends RequestOrigin {
  when: PauseMoment;
  until?: Date | null;
}

/** The time of a cancellation. */
export interface CancellationRequest extends RequestOrigin {
  when: CancelMoment;
  at?: Date | null;
}

/**
 * Pauses, resumes, cancels and ends subscriptions that the caller has locked. Other services make the charges that are
 * due before.
 */
export class SubscriptionTransitionsService {
  constructor(
    private readonly deps: {
      subscriptionRepository: SubscriptionRepository;
      subscriptions: SubscriptionService;
      vendors: VendorService;
      subscriptionQuotas: SubscriptionQuotasService;
      now: Date;
    },
  ) {}

  /** Only one that is ACTIVE can be paused. @throws a Refusal ILLEGAL_TRANSITION, INVALID_ARGUMENT for an end in the past. */
  async pause(vendorId: number, record: SubscriptionRecord, { when, until = null, ...origin }: PauseRequest) {
    subscriptionStates.transition(record.status, when === "NOW" ? "pauseSubscription" : "schedulePause");
    const pauseStart = when === "NOW" ? this.deps.now : record.currentPeriodEnd;
    if (until !== null && until <= pauseStart)
      throw invalidField("until", "must be later than the beginning of the pause.");
    if (when === "NOW") {
      const changes = { pausedAt: this.deps.now, resumeAt: until };
      return this.deps.subscriptions.transition(vendorId, record, { trigger: "pauseSubscription", ...origin }, changes);
    }
    const changes = { pauseAt: pauseStart, resumeAt: until };
    return this.deps.subscriptions.transition(
      vendorId,
      record,
      { trigger: "schedulePause", ...origin, facts: changes },
      changes,
    );
  }

  /**
   * Ends a pause, or withdraws a scheduled pause or cancellation. Within the paid period nothing else changes; after it
   * a new cycle starts now.
   */
  async activate(vendorId: number, record: SubscriptionRecord, origin: RequestOrigin): Promise<SubscriptionRecord> {
    return this.resume(vendorId, record, "activateSubscription", origin);
  }

  /** @throws a Refusal ILLEGAL_TRANSITION, INVALID_ARGUMENT for a time that is past or missing. */
  async cancel(vendorId: number, record: SubscriptionRecord, { when, at = null, ...origin }: CancellationRequest) {
    if (when === "NOW") {
      const changes = { canceledAt: this.deps.now };
      return this.deps.subscriptions.transition(
        vendorId,
        record,
        { trigger: "cancelSubscription", ...origin },
        changes,
      );
    }
    subscriptionStates.transition(record.status, "scheduleCancellation");
    const cancelAt = when === "AT" ? at : record.currentPeriodEnd;
    if (cancelAt === null)
      throw invalidFields([{ path: "at", code: "REQUIRED", message: "is required when `when` is AT." }]);
    if (when === "AT" && cancelAt <= this.deps.now) throw invalidField("at", "must be a time in the future.");
    const transition = { trigger: "scheduleCancellation" as const, ...origin, facts: { cancelAt } };
    return this.deps.subscriptions.transition(vendorId, record, transition, { cancelAt });
  }

  /** The subscriptions that an order started and that have not ended, locked. */
  async lockStartedBy(vendorId: number, orderId: number): Promise<SubscriptionRecord[]> {
    const ids = await this.deps.subscriptionRepository.idsStartedBy(vendorId, orderId);
    const locked: SubscriptionRecord[] = [];
    for (const id of ids) locked.push(await this.deps.subscriptions.lockSubscription(vendorId, id));
    return locked.filter(({ status }) => status !== "CANCELED" && status !== "EXPIRED");
  }

  /**
   * Subscriptions with a due transition other than a charge, locked; those that another worker has locked are skipped.
   */
  async lockDueTransitions(
    vendorId: number,
    limit: number,
  ): Promise<{ record: SubscriptionRecord; act: DueTransition }[]> {
    const records = await this.deps.subscriptionRepository.lockDueTransitions(vendorId, this.deps.now, limit);
    return records.flatMap((record) => {
      const transition = findDueTransition(record, this.deps.now);
      return transition === null ? [] : [{ record, act: transition }];
    });
  }

  /** Applies the due transition of a locked subscription. */
  async applyDueTransition(
    vendorId: number,
    record: SubscriptionRecord,
    transition: DueTransition,
  ): Promise<SubscriptionRecord> {
    switch (transition) {
      case "EXPIRE":
        return this.deps.subscriptions.transition(vendorId, record, { trigger: "expireSubscription" });
      case "CANCEL": {
        const trigger = record.status === "PENDING_CANCEL" ? "completeCancellation" : "cancelSubscription";
        return this.deps.subscriptions.transition(
          vendorId,
          record,
          { trigger },
          { canceledAt: record.cancelAt ?? this.deps.now },
        );
      }
      case "PAUSE":
        return this.deps.subscriptions.transition(
          vendorId,
          record,
          { trigger: "startPause" },
          { pauseAt: null, pausedAt: this.deps.now },
        );
      case "RESUME":
        return this.resume(vendorId, record, "endPause", { actor: "SYSTEM" });
      case "ROLLOVER":
        return this.rollOverPeriod(vendorId, record);
    }
  }

  private async resume(
    vendorId: number,
    record: SubscriptionRecord,
    trigger: "activateSubscription" | "endPause",
    origin: RequestOrigin,
  ): Promise<SubscriptionRecord> {
    const { zoneId } = await this.deps.vendors.billingTerms(vendorId);
    const isPaused = record.status === "PAUSE";
    if (isPaused) await this.carryQuotasOver(vendorId, record, this.deps.now);
    return this.deps.subscriptions.transition(
      vendorId,
      record,
      { trigger, ...origin },
      {
        ...(isPaused && advanceAfterPause(record, zoneId, this.deps.now)),
        pauseAt: null,
        pausedAt: null,
        resumeAt: null,
        cancelAt: null,
      },
    );
  }

  /** The actor and the time of a line's transition. */
  private async rollOverPeriod(vendorId: number, record: SubscriptionRecord): Promise<SubscriptionRecord> {
    const { zoneId } = await this.deps.vendors.billingTerms(vendorId);
    const number = cycleNumberAt(record.cycleAnchor, record, this.deps.now, zoneId);
    const { start, end } = billingPeriodOf(record.cycleAnchor, record, number, zoneId);
    await this.carryQuotasOver(vendorId, record, start);
    return this.deps.subscriptions.saveWithDates(vendorId, {
      ...record,
      currentPeriodStart: start,
      currentPeriodEnd: end,
    });
  }

  /** Quotas of a period that starts without a charge: postpaid as before; prepaid, the charge sets them. */
  private async carryQuotasOver(vendorId: number, record: SubscriptionRecord, start: Date): Promise<void> {
    if (record.claimMethodType === "PRE") return;
    const items = await this.deps.subscriptionRepository.itemsOf(vendorId, record.id);
    const activeItems = items.filter(({ activatedAt, removedAt }) => activatedAt !== null && removedAt === null);
    await this.deps.subscriptionQuotas.grantPeriodQuotas(vendorId, record, activeItems, start);
  }
}
