import type { EventService } from "../../events/event.service.ts";
import type { OrderRecord, OrderRecordService } from "../../orders/order-record.service.ts";
import type { RenewalRecovery } from "../../subscriptions/subscription.service.ts";
import type { RecoveryCountService } from "../analytics/recovery-count.service.ts";
import type { CoverLifecycleService, CoverStep } from "../covers/cover-lifecycle.service.ts";
import { toRenewalCoverEvent } from "./renewal-cover.events.ts";
import type { RenewalCoverRepository } from "./renewal-cover.repository.ts";

/** Ends covers of renewals, and records their steps. It knows nothing of the subscription, whose transitions call it. */
export class RenewalRecoveryService implements RenewalRecovery {
  constructor(
    private readonly deps: {
      renewalCoverRepository: RenewalCoverRepository;
      coverLifecycle: CoverLifecycleService;
      orderRecords: OrderRecordService;
      recoveryCounts: RecoveryCountService;
      events: EventService;
    },
  ) {}

  async endRecovery(vendorId: number, subscriptionId: number, reason: "PAID" | "CANCELED"): Promise<void> {
    const latest = await this.deps.renewalCoverRepository.findLatestOfSubscription(vendorId, subscriptionId);
    if (latest?.state === "IN_PROGRESS") await this.endCoverOfOrder(vendorId, latest.renewalOrderId, reason);
  }

  /** Ends the cover of an order, if it is in progress. */
  async endCoverOfOrder(vendorId: number, orderId: number, reason: "PAID" | "CANCELED"): Promise<void> {
    const order = await this.deps.orderRecords.lockOrder(vendorId, orderId);
    const cover = await this.deps.renewalCoverRepository.lockLatestOf(vendorId, orderId);
    if (!order || cover?.state !== "IN_PROGRESS") return;
    await this.recordStep(vendorId, order, await this.deps.coverLifecycle.endCover(vendorId, cover, reason));
  }

  /** Records what happened to a cover as events of its order, and in the counts. */
  async recordStep(vendorId: number, { customerId, amount, currency }: OrderRecord, step: CoverStep): Promise<void> {
    const { id: subjectId, renewalOrderId: orderId, renewalSubscriptionId: subscriptionId } = step.cover;
    const of = { subject: "COVER" as const, subjectId, coverId: subjectId, orderId, subscriptionId, customerId };
    await Promise.all([
      this.deps.events.recordEvents(
        vendorId,
        ...step.events.map(toRenewalCoverEvent).map((event) => ({
          ...of,
          ...event,
          facts: { ...event.facts, amount: amount.toFixed(), currency },
        })),
      ),
      this.deps.recoveryCounts.countStep(vendorId, step),
    ]);
  }
}
