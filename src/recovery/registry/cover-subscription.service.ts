import type { RecurringInterval } from "../../../schema/vocabulary.ts";
import { invalid, invalidField, notFound, unknownReference } from "../../kernel/refusals.ts";
import { sentFields } from "../../kernel/sent-fields.ts";
import type { CoverOrderRepository } from "./cover-order.repository.ts";
import type { CoverSubscriptionRecord, CoverSubscriptionRepository } from "./cover-subscription.repository.ts";
import type { CoverRecord, CoverRepository } from "../covers/cover.repository.ts";
import type { CoverService } from "../covers/cover.service.ts";
import { registerRecord } from "./registration.ts";
import type { CoverTimelineService } from "../covers/cover-timeline.service.ts";

/** A subscription as a merchant registers one. */
export interface CoverSubscriptionRegistration {
  customerId: number;
  partnerSubscriptionId: string;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  recurringInterval: RecurringInterval;
  recurringIntervalCount: number;
  trialStart?: Date | null;
  trialEnd?: Date | null;
  start?: Date | null;
  canceledAt?: Date | null;
  cancelAtPeriodEnd?: boolean | null;
  initialOrderId?: number | null;
  replaceIfExists?: boolean | null;
}

/** Keeps the subscriptions of the recovery module, and stops their covers when they are cancelled. */
export class CoverSubscriptionService {
  constructor(
    private readonly deps: {
      coverSubscriptionRepository: CoverSubscriptionRepository;
      coverOrderRepository: CoverOrderRepository;
      coverRepository: CoverRepository;
      covers: CoverService;
      coverTimeline: CoverTimelineService;
      now: Date;
    },
  ) {}

  async register(
    vendorId: number,
    { replaceIfExists, ...input }: CoverSubscriptionRegistration,
  ): Promise<CoverSubscriptionRecord> {
    if (input.currentPeriodEnd < input.currentPeriodStart) {
      throw invalidField("currentPeriodEnd", "must not be before currentPeriodStart.");
    }
    await this.refuseForeignOrder(vendorId, input);
    // Only an activation undoes a cancellation, never a field that a sender left empty.
    const { canceledAt, cancelAtPeriodEnd, ...rest } = input;
    const fields = { ...rest, canceledAt: canceledAt ?? undefined, cancelAtPeriodEnd: cancelAtPeriodEnd ?? undefined };
    const { record, before } = await registerRecord(this.deps.coverSubscriptionRepository, vendorId, {
      noun: "subscription",
      partnerId: fields.partnerSubscriptionId,
      replaceIfExists: replaceIfExists ?? false,
      newValues: () => ({ ...fields, createdAt: this.deps.now, modifiedAt: this.deps.now }),
      replacementValues: async (existing) => {
        await this.refuseCustomerChange(vendorId, existing, fields.customerId);
        return { ...sentFields(fields), modifiedAt: this.deps.now };
      },
    });
    await this.deps.coverTimeline.recordEvents(vendorId, {
      kind: before ? "SUBSCRIPTION_UPDATED" : "SUBSCRIPTION_REGISTERED",
      subscriptionId: record.id,
    });
    if (before && !before.canceledAt && record.canceledAt) await this.stopCovers(vendorId, record);
    return record;
  }

  /** Cancels a subscription and stops its covers. Idempotent. */
  async cancel(
    vendorId: number,
    subscriptionId: number,
  ): Promise<{ subscription: CoverSubscriptionRecord; stoppedCovers: CoverRecord[] }> {
    const subscription = await this.lock(vendorId, subscriptionId);
    if (subscription.canceledAt) return { subscription, stoppedCovers: [] };
    const canceled = await this.deps.coverSubscriptionRepository.update(vendorId, subscriptionId, {
      canceledAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    return { subscription: canceled, stoppedCovers: await this.stopCovers(vendorId, canceled) };
  }

  /** Undoes a cancellation, and a pause or an expiry after the last attempt. Stopped covers stay stopped. */
  async activate(vendorId: number, subscriptionId: number): Promise<CoverSubscriptionRecord> {
    const subscription = await this.lock(vendorId, subscriptionId);
    if (!subscription.canceledAt && !subscription.endedAs) return subscription;
    await this.deps.coverTimeline.recordEvents(vendorId, { kind: "SUBSCRIPTION_ACTIVATED", subscriptionId });
    return this.deps.coverSubscriptionRepository.update(vendorId, subscriptionId, {
      canceledAt: null,
      endedAs: null,
      modifiedAt: this.deps.now,
    });
  }

  private async stopCovers(vendorId: number, subscription: CoverSubscriptionRecord): Promise<CoverRecord[]> {
    await this.deps.coverTimeline.recordEvents(vendorId, {
      kind: "SUBSCRIPTION_CANCELED",
      subscriptionId: subscription.id,
    });
    return this.deps.covers.stopCoversOfSubscription(vendorId, subscription.id);
  }

  private async lock(vendorId: number, subscriptionId: number): Promise<CoverSubscriptionRecord> {
    const subscription = await this.deps.coverSubscriptionRepository.lock(vendorId, subscriptionId);
    if (!subscription) throw notFound("SUBSCRIPTION_NOT_FOUND", "There is no subscription with this id.");
    return subscription;
  }

  private async refuseCustomerChange(
    vendorId: number,
    existing: CoverSubscriptionRecord,
    customerId: number,
  ): Promise<void> {
    if (existing.customerId === customerId) return;
    const runningCovers = await this.deps.coverRepository.lockRunningOf(vendorId, existing.id);
    if (runningCovers.length > 0)
      throw invalid("COVER_IN_PROGRESS", "A recovery is running, so the subscription cannot move to another customer.");
  }

  private async refuseForeignOrder(
    vendorId: number,
    { initialOrderId, customerId }: CoverSubscriptionRegistration,
  ): Promise<void> {
    if (initialOrderId == null) return;
    const order = await this.deps.coverOrderRepository.byId(vendorId, initialOrderId);
    if (!order) throw unknownReference("ORDER_NOT_FOUND", "initialOrderId", "order");
    if (order.customerId !== customerId)
      throw invalid("SUBSCRIPTION_MISMATCH", "The initial order belongs to another customer.");
  }
}
