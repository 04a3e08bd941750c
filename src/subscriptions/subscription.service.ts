import type { Actor } from "../../schema/vocabulary.ts";
import type { EventTrigger } from "../events/event.titles.ts";
import type { EventService } from "../events/event.service.ts";
import { notFound } from "../kernel/refusals.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { SubscriptionRecord, SubscriptionRepository, SubscriptionValues } from "./subscription.repository.ts";
import { scheduleDatesOf } from "./subscription.schedule.ts";
import { subscriptionStates, type SubscriptionTrigger } from "./subscription.states.ts";

export type { SubscriptionRecord } from "./subscription.repository.ts";

/** A change of a subscription's state: what made it, who, why, and what is to be known of it. */
export interface SubscriptionTransition {
  trigger: SubscriptionTrigger;
  actor?: Actor;
  reason?: string | null;
  orderId?: number | null;
  facts?: Record<string, unknown>;
}

/**
 * The recovery of failed renewals, which a module above offers, so that it ends in the transaction that leaves nothing to be
 * recovered.
 */
export interface RenewalRecovery {
  /** Ends the recovery of a subscription, if one is in progress: the renewal was paid, or the subscription has ended. */
  endRecovery(vendorId: number, subscriptionId: number, reason: "PAID" | "CANCELED"): Promise<void>;
}

/** Keeps subscriptions: finds them, and moves them through their states. */
export class SubscriptionService {
  constructor(
    private readonly deps: {
      subscriptionRepository: SubscriptionRepository;
      vendors: VendorService;
      events: EventService;
      renewalRecovery: RenewalRecovery;
      now: Date;
    },
  ) {}

  /** @throws a Refusal SUBSCRIPTION_NOT_FOUND. */
  async getById(vendorId: number, id: number): Promise<SubscriptionRecord> {
    const found = await this.deps.subscriptionRepository.byId(vendorId, id);
    if (!found) throw notFound("SUBSCRIPTION_NOT_FOUND", "There is no subscription with this id.");
    return found;
  }

  /** The subscription, locked until the transaction ends. @throws a Refusal SUBSCRIPTION_NOT_FOUND. */
  async lockSubscription(vendorId: number, id: number): Promise<SubscriptionRecord> {
    const found = await this.deps.subscriptionRepository.lock(vendorId, id);
    if (!found) throw notFound("SUBSCRIPTION_NOT_FOUND", "There is no subscription with this id.");
    return found;
  }

  /**
   * Applies a transition and other changes to a locked subscription; updates its dates, and records a timeline event. One that
   * is no longer UNPAID has no recovery in progress any more.
   * @throws a Refusal ILLEGAL_TRANSITION with the legal transitions.
   */
  async transition(
    vendorId: number,
    record: SubscriptionRecord,
    { trigger, actor = "SYSTEM", reason = null, orderId = null, facts = {} }: SubscriptionTransition,
    changes: Partial<SubscriptionValues> = {},
  ): Promise<SubscriptionRecord> {
    const status = subscriptionStates.transition(record.status, trigger);
    const moved = await this.saveWithDates(vendorId, { ...record, ...changes, status });
    await this.deps.events.recordEvents(vendorId, {
      subject: "SUBSCRIPTION",
      subjectId: record.id,
      subscriptionId: record.id,
      customerId: record.customerId,
      trigger,
      statusBefore: record.status,
      statusAfter: status,
      actor,
      reason,
      orderId,
      facts,
    });
    if (record.status === "UNPAID")
      await this.deps.renewalRecovery.endRecovery(vendorId, record.id, status === "ACTIVE" ? "PAID" : "CANCELED");
    return moved;
  }

  /** Tells something of a subscription that leaves it in its state. */
  async recordEvent(
    vendorId: number,
    { id, customerId, status }: SubscriptionRecord,
    kind: EventTrigger,
    { actor = "SYSTEM", reason = null, orderId = null, facts = {} }: Omit<SubscriptionTransition, "trigger"> = {},
  ): Promise<void> {
    const subject = { subject: "SUBSCRIPTION" as const, subjectId: id, subscriptionId: id, customerId };
    const states = { statusBefore: status, statusAfter: status };
    await this.deps.events.recordEvents(vendorId, {
      ...subject,
      ...states,
      trigger: kind,
      actor,
      reason,
      orderId,
      facts,
    });
  }

  /** Counts what a subscription adds to the monthly recurring revenue, where its items changed and no event says so. */
  countRecurringRevenue(vendorId: number, id: number): Promise<void> {
    return this.deps.events.updateRecurringRevenue(vendorId, id);
  }

  /** Keeps a subscription as it is now, with the dates that follow. One that has ended did so when it was to. */
  async saveWithDates(vendorId: number, changed: SubscriptionRecord): Promise<SubscriptionRecord> {
    const { zoneId } = await this.deps.vendors.billingTerms(vendorId);
    const isOver = changed.status === "CANCELED" || changed.status === "EXPIRED";
    const saved = {
      ...changed,
      ...scheduleDatesOf(changed, zoneId),
      ...(isOver && {
        endDate: this.actualEndDate(changed),
        leaseUntil: null,
        pauseAt: null,
        resumeAt: null,
        cancelAt: null,
      }),
      modifiedAt: this.deps.now,
    };
    const { vendorId: _vendor, id, ...values } = saved;
    await this.deps.subscriptionRepository.update(vendorId, id, values);
    return saved;
  }

  /** A worker may apply a due transition late; the scheduled date counts. */
  private actualEndDate({ status, canceledAt, endDate }: SubscriptionRecord): Date {
    const scheduledEnd = status === "CANCELED" ? canceledAt : endDate;
    return scheduledEnd !== null && scheduledEnd <= this.deps.now ? scheduledEnd : this.deps.now;
  }
}
