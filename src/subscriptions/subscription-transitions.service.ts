import type { Actor, CancelMoment, PauseMoment } from "../../schema/vocabulary.ts";
import { invalidField, invalidFields } from "../kernel/refusals.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import { cyclePeriod } from "./subscription.period.ts";
import type { SubscriptionQuotasService } from "./subscription-quotas.service.ts";
import type { SubscriptionRecord, SubscriptionRepository } from "./subscription.repository.ts";
import { actDue, afterPause, cycleNumberAt, type Act } from "./subscription.schedule.ts";
import type { SubscriptionService } from "./subscription.service.ts";
import { subscriptionStates } from "./subscription.states.ts";

/** Who asks for a move, and why. */
export interface Asked {
  actor: Actor;
  reason?: string | null;
}

/** When a pause begins, and when it ends by itself. */
export interface Pause extends Asked {
  when: PauseMoment;
  until?: Date | null;
}

/** When a cancellation takes place. */
export interface Cancellation extends Asked {
  when: CancelMoment;
  at?: Date | null;
}

/** Pauses, resumes, cancels and ends subscriptions; they are held by the caller. What has to be charged before, others charge. */
export class SubscriptionMovesService {
  constructor(
    private readonly subscriptions: SubscriptionRepository,
    private readonly keeper: SubscriptionService,
    private readonly vendors: VendorService,
    private readonly quotas: SubscriptionQuotasService,
    private readonly now: Date,
  ) {}

  /** Only one that is ACTIVE can be paused. @throws a Refusal ILLEGAL_TRANSITION, INVALID_ARGUMENT for an end in the past. */
  async pause(vendorId: number, record: SubscriptionRecord, { when, until = null, ...asked }: Pause) {
    subscriptionStates.move(record.status, when === "NOW" ? "pauseSubscription" : "schedulePause");
    const begins = when === "NOW" ? this.now : record.currentPeriodEnd;
    if (until !== null && until <= begins) throw invalidField("until", "must be later than the pause begins.");
    if (when === "NOW") {
      const changes = { pausedAt: this.now, resumeAt: until };
      return this.keeper.move(vendorId, record, { trigger: "pauseSubscription", ...asked }, changes);
    }
    const changes = { pauseAt: begins, resumeAt: until };
    return this.keeper.move(vendorId, record, { trigger: "schedulePause", ...asked, facts: changes }, changes);
  }

  /**
   * Ends a pause, or withdraws one that is still to come, or a cancellation. Within the period that was paid nothing else
   * changes; after it a new cycle begins now.
   */
  async activate(vendorId: number, record: SubscriptionRecord, asked: Asked): Promise<SubscriptionRecord> {
    return this.resume(vendorId, record, "activateSubscription", asked);
  }

  /** @throws a Refusal ILLEGAL_TRANSITION, INVALID_ARGUMENT for a time that is past or not told. */
  async cancel(vendorId: number, record: SubscriptionRecord, { when, at = null, ...asked }: Cancellation) {
    if (when === "NOW") {
      const changes = { canceledAt: this.now };
      return this.keeper.move(vendorId, record, { trigger: "cancelSubscription", ...asked }, changes);
    }
    subscriptionStates.move(record.status, "scheduleCancellation");
    const cancelAt = when === "AT" ? at : record.currentPeriodEnd;
    if (cancelAt === null)
      throw invalidFields([{ path: "at", code: "REQUIRED", message: "is required when `when` is AT." }]);
    if (when === "AT" && cancelAt <= this.now) throw invalidField("at", "must be a time in the future.");
    const turn = { trigger: "scheduleCancellation" as const, ...asked, facts: { cancelAt } };
    return this.keeper.move(vendorId, record, turn, { cancelAt });
  }

  /** The subscriptions that an order started and that are not over, held. */
  async startedBy(vendorId: number, orderId: number): Promise<SubscriptionRecord[]> {
    const ids = await this.subscriptions.startedBy(vendorId, orderId);
    const held: SubscriptionRecord[] = [];
    for (const id of ids) held.push(await this.keeper.held(vendorId, id));
    return held.filter(({ status }) => status !== "CANCELED" && status !== "EXPIRED");
  }

  /** Those to which something happens by itself besides a charge, held; what another worker holds is passed over. */
  async acting(vendorId: number, most: number): Promise<{ record: SubscriptionRecord; act: Act }[]> {
    const records = await this.subscriptions.lockActing(vendorId, this.now, most);
    return records.flatMap((record) => {
      const act = actDue(record, this.now);
      return act === null ? [] : [{ record, act }];
    });
  }

  /** Does what happens by itself to one that is held. */
  async act(vendorId: number, record: SubscriptionRecord, act: Act): Promise<SubscriptionRecord> {
    switch (act) {
      case "EXPIRE":
        return this.keeper.move(vendorId, record, { trigger: "expireSubscription" });
      case "CANCEL": {
        const trigger = record.status === "PENDING_CANCEL" ? "completeCancellation" : "cancelSubscription";
        return this.keeper.move(vendorId, record, { trigger }, { canceledAt: record.cancelAt ?? this.now });
      }
      case "PAUSE":
        return this.keeper.move(vendorId, record, { trigger: "startPause" }, { pauseAt: null, pausedAt: this.now });
      case "RESUME":
        return this.resume(vendorId, record, "endPause", { actor: "SYSTEM" });
      case "TURN":
        return this.turn(vendorId, record);
    }
  }

  private async resume(
    vendorId: number,
    record: SubscriptionRecord,
    trigger: "activateSubscription" | "endPause",
    asked: Asked,
  ): Promise<SubscriptionRecord> {
    const { zoneId } = await this.vendors.terms(vendorId);
    const isPaused = record.status === "PAUSE";
    if (isPaused) await this.carryQuotas(vendorId, record, this.now);
    return this.keeper.move(
      vendorId,
      record,
      { trigger, ...asked },
      {
        ...(isPaused && afterPause(record, zoneId, this.now)),
        pauseAt: null,
        pausedAt: null,
        resumeAt: null,
        cancelAt: null,
      },
    );
  }

  /** A period ends before it is charged: the next one is under way. */
  private async turn(vendorId: number, record: SubscriptionRecord): Promise<SubscriptionRecord> {
    const { zoneId } = await this.vendors.terms(vendorId);
    const number = cycleNumberAt(record.cycleAnchor, record, this.now, zoneId);
    const { start, end } = cyclePeriod(record.cycleAnchor, record, number, zoneId);
    await this.carryQuotas(vendorId, record, start);
    return this.keeper.settle(vendorId, { ...record, currentPeriodStart: start, currentPeriodEnd: end });
  }

  /** A period that begins without a charge: postpaid as much may be used as before, prepaid the charge says how much. */
  private async carryQuotas(vendorId: number, record: SubscriptionRecord, start: Date): Promise<void> {
    if (record.claimMethodType === "PRE") return;
    const items = await this.subscriptions.itemsOf(vendorId, record.id);
    const live = items.filter(({ activatedAt, removedAt }) => activatedAt !== null && removedAt === null);
    await this.quotas.begin(vendorId, record, live, start);
  }
}
