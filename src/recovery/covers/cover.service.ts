import type { Initiator } from "../../../schema/vocabulary.ts";
import { invalid, notFound, unknownReference } from "../../kernel/refusals.ts";
import { required } from "../../kernel/required-values.ts";
import type { CoverCustomerRecord, CoverCustomerRepository } from "../registry/cover-customer.repository.ts";
import type { CoverOrderRecord, CoverOrderRepository } from "../registry/cover-order.repository.ts";
import type {
  CoverSubscriptionRecord,
  CoverSubscriptionRepository,
} from "../registry/cover-subscription.repository.ts";
import type { RecoveryCountService } from "../analytics/recovery-count.service.ts";
import type { CoverLifecycleService, CoverStep } from "./cover-lifecycle.service.ts";
import type { RecoveryVendor } from "./cover.facts.ts";
import { toOrderFailureEvents, toTimelineEvents } from "./cover.events.ts";
import type { CoverRecord, CoverRepository } from "./cover.repository.ts";
import type { FailureReport } from "./failure-report.ts";
import { toSubscriptionEnd, finalActionOf } from "./final-action.ts";
import type { CoverEventEntry, CoverTimelineService } from "./cover-timeline.service.ts";

/** A failure of the renewal of a subscription. */
export interface RecoveryStart extends FailureReport {
  subscriptionId: number;
  orderId: number;
}

/** A merchant's report that an order was paid. */
export interface PaymentReport {
  /** Whether the event is to be posted to the merchant. */
  notify?: boolean | null;
  /** CUSTOMER if the payer paid in person. Defaults to the merchant. */
  initiator?: Initiator | null;
}

/** The context of a report; all rows but the payer's are locked until the transaction ends. */
interface LockedOrder {
  order: CoverOrderRecord;
  subscription: CoverSubscriptionRecord | undefined;
  payer: CoverCustomerRecord | undefined;
  /** The newest cover of the order. */
  cover?: CoverRecord | undefined;
}

/** The states in which something is still to be recovered. */
const RECOVERABLE = ["CREATED", "PAYMENT_FAILURE"];

/**
 * Runs the recovery scenario of an order: starts a cover, reads what is reported to it, ends it.
 * Locks are taken in one order, subscription before order before cover, so that a cancellation and a report that race
 * wait for each other and the cancellation wins.
 */
export class CoverService {
  constructor(
    private readonly deps: {
      coverRepository: CoverRepository;
      coverOrderRepository: CoverOrderRepository;
      coverSubscriptionRepository: CoverSubscriptionRepository;
      coverCustomerRepository: CoverCustomerRepository;
      coverTimeline: CoverTimelineService;
      coverLifecycle: CoverLifecycleService;
      recoveryCounts: RecoveryCountService;
      now: Date;
    },
  ) {}

  /** Starts the scenario of a failed payment, or takes the report of a retry that failed. */
  async startOrContinue(
    vendor: RecoveryVendor,
    { subscriptionId, orderId, ...failure }: RecoveryStart,
  ): Promise<CoverRecord> {
    // Sent together, they are still locked one after the other, in a single round trip.
    const [subscription, order, payer, cover] = await Promise.all([
      this.deps.coverSubscriptionRepository.lock(vendor.id, subscriptionId),
      this.deps.coverOrderRepository.lock(vendor.id, orderId),
      this.deps.coverCustomerRepository.payerOfOrder(vendor.id, orderId),
      this.deps.coverRepository.lockLatestOf(vendor.id, orderId),
    ]);
    if (!subscription) throw unknownReference("SUBSCRIPTION_NOT_FOUND", "subscriptionId", "subscription");
    if (!order) throw unknownReference("ORDER_NOT_FOUND", "orderId", "order");
    if ((order.subscriptionId ?? subscription.id) !== subscription.id || order.customerId !== subscription.customerId) {
      throw invalid("SUBSCRIPTION_MISMATCH", "The order belongs to another subscription or customer.");
    }
    return this.handleFailureReport(vendor, { order, subscription, payer, cover }, failure);
  }

  /** Handles the report of a failed payment of an order. The caller has locked the order and its subscription. */
  async reportFailure(
    vendor: RecoveryVendor,
    order: CoverOrderRecord,
    subscription: CoverSubscriptionRecord | undefined,
    failure: FailureReport,
  ): Promise<CoverRecord> {
    const [payer, cover] = await Promise.all([
      this.deps.coverCustomerRepository.payerOfOrder(vendor.id, order.id),
      this.deps.coverRepository.lockLatestOf(vendor.id, order.id),
    ]);
    return this.handleFailureReport(vendor, { order, subscription, payer, cover }, failure);
  }

  /** Starts a new cover on an open order whose payer has renewed the payment method; a cover in progress continues. */
  async recordMethodChange(vendor: RecoveryVendor, orderId: number): Promise<CoverRecord> {
    const { order, subscription } = await this.lockOrder(vendor.id, orderId);
    const latest = await this.deps.coverRepository.lockLatestOf(vendor.id, order.id);
    if (!latest)
      throw invalid("ORDER_NOT_RECOVERABLE", "No payment of the order has failed, so there is nothing to recover.");
    if (latest.state !== "IN_PROGRESS") refuseUnrecoverable(order, subscription);
    await this.deps.coverTimeline.recordEvents(vendor.id, {
      kind: "PAYMENT_METHOD_CHANGED",
      orderId,
      subscriptionId: order.subscriptionId,
      actor: "CUSTOMER",
    });
    if (latest.state === "IN_PROGRESS") return latest;
    const payer = await this.deps.coverCustomerRepository.payerOfOrder(vendor.id, order.id);
    return this.startCover(vendor, { order, subscription, payer }, null, latest);
  }

  /**
   * Attaches an order in recovery to a subscription: from now on the subscription's cancellation stops its cover, and
   * an earlier one does so at once.
   */
  async attachToSubscription(
    vendorId: number,
    order: CoverOrderRecord,
    subscription: CoverSubscriptionRecord,
  ): Promise<void> {
    const cover = await this.deps.coverRepository.lockLatestOf(vendorId, order.id);
    if (cover) await this.bindSubscription(vendorId, order, cover, subscription);
  }

  /** Ends the cover in progress of an order, if there is one. The caller has locked the order. */
  async endCoverOfOrder(
    vendorId: number,
    orderId: number,
    reason: "PAID" | "CANCELED",
    payment: PaymentReport = {},
  ): Promise<void> {
    const cover = await this.deps.coverRepository.lockLatestOf(vendorId, orderId);
    if (cover?.state === "IN_PROGRESS") await this.endCover(vendorId, cover, reason, payment);
  }

  /** Stops and returns every cover in progress of a subscription. The caller has locked the subscription. */
  async stopCoversOfSubscription(vendorId: number, subscriptionId: number): Promise<CoverRecord[]> {
    const runningCovers = await this.deps.coverRepository.lockRunningOf(vendorId, subscriptionId);
    const stopped: CoverRecord[] = [];
    for (const cover of runningCovers) stopped.push(await this.endCover(vendorId, cover, "CANCELED"));
    return stopped;
  }

  private async handleFailureReport(
    vendor: RecoveryVendor,
    locked: LockedOrder,
    failure: FailureReport,
  ): Promise<CoverRecord> {
    const { order, subscription, cover } = locked;
    if (!cover) {
      refuseUnrecoverable(order, subscription);
      return this.startCover(vendor, locked, failure);
    }
    const bound = await this.bindSubscription(vendor.id, order, cover, subscription);
    return bound.state === "IN_PROGRESS" ? this.recordFailedAttempt(vendor, locked, bound, failure) : bound;
  }

  private async startCover(
    vendor: RecoveryVendor,
    { order, subscription, payer }: LockedOrder,
    failure: FailureReport | null,
    previousCover?: CoverRecord,
  ): Promise<CoverRecord> {
    const subscriptionId = order.subscriptionId ?? subscription?.id ?? null;
    const subjectIds = { orderId: order.id, subscriptionId, renewalOrderId: null, renewalSubscriptionId: null };
    const context = {
      vendor,
      order,
      payer,
      subjectIds,
      recoverableAmount: order.amount,
      payerKey: `registered-${order.customerId}` as const,
      previousReasonClass: previousCover?.reasonClass,
    };
    const step = await this.deps.coverLifecycle.startCover(context, failure);
    await Promise.all([
      this.recordStep(vendor.id, step, { before: toOrderFailureEvents(order, step.cover) }),
      this.deps.coverOrderRepository.update(vendor.id, order.id, {
        status: "PAYMENT_FAILURE",
        subscriptionId,
        modifiedAt: this.deps.now,
      }),
    ]);
    await this.applyFinalAction(vendor.id, step.cover);
    return step.cover;
  }

  private async recordFailedAttempt(
    vendor: RecoveryVendor,
    { order, payer }: LockedOrder,
    cover: CoverRecord,
    failure: FailureReport,
  ): Promise<CoverRecord> {
    const [previousAttempts, methodChangedAt] = await Promise.all([
      this.deps.coverRepository.attemptsOf(vendor.id, cover.id),
      this.deps.coverTimeline.methodChangedAt(vendor.id, order.id, cover.windowStart),
    ]);
    const report = { failure, previousAttempts, scheduledAt: null, methodChangedAt };
    const step = await this.deps.coverLifecycle.recordFailedAttempt({ vendor, order, payer }, cover, report);
    await this.recordStep(vendor.id, step);
    await this.applyFinalAction(vendor.id, step.cover);
    return step.cover;
  }

  /** Applies the policy's final action to the subscription, after recovery ended without payment. */
  private async applyFinalAction(vendorId: number, cover: CoverRecord): Promise<void> {
    const finalAction = finalActionOf(cover);
    if (finalAction === "KEEP" || cover.subscriptionId === null) return;
    const change = toSubscriptionEnd(finalAction, this.deps.now);
    await this.deps.coverSubscriptionRepository.update(vendorId, cover.subscriptionId, {
      ...change.values,
      modifiedAt: this.deps.now,
    });
    await this.deps.coverTimeline.recordEvents(vendorId, {
      kind: change.event,
      subscriptionId: cover.subscriptionId,
      coverId: cover.id,
      actor: "SYSTEM",
    });
    if (finalAction === "CANCEL") await this.stopCoversOfSubscription(vendorId, cover.subscriptionId);
  }

  private async endCover(
    vendorId: number,
    cover: CoverRecord,
    reason: "PAID" | "CANCELED",
    payment: PaymentReport = {},
  ): Promise<CoverRecord> {
    const step = await this.deps.coverLifecycle.endCover(vendorId, cover, reason);
    await this.recordStep(vendorId, step, { payment });
    return step.cover;
  }

  /** Records what happened to a cover in the timeline and in the counts. `before` is what happened to its order first. */
  private async recordStep(
    vendorId: number,
    step: CoverStep,
    { before = [], payment = {} }: { before?: CoverEventEntry[]; payment?: PaymentReport } = {},
  ): Promise<void> {
    if (step.events.length === 0) return;
    await Promise.all([
      this.deps.coverTimeline.recordEvents(vendorId, ...before, ...toTimelineEvents(step, payment)),
      this.deps.recoveryCounts.countStep(vendorId, step),
    ]);
  }

  private async bindSubscription(
    vendorId: number,
    order: CoverOrderRecord,
    cover: CoverRecord,
    subscription: CoverSubscriptionRecord | undefined,
  ): Promise<CoverRecord> {
    if (!subscription || cover.subscriptionId !== null || cover.state !== "IN_PROGRESS") return cover;
    if (order.subscriptionId === null) {
      await this.deps.coverOrderRepository.update(vendorId, order.id, {
        subscriptionId: subscription.id,
        modifiedAt: this.deps.now,
      });
    }
    const bound = await this.deps.coverRepository.change(vendorId, cover.id, { subscriptionId: subscription.id });
    return subscription.canceledAt ? this.endCover(vendorId, bound, "CANCELED") : bound;
  }

  /** Locks the subscription before the order, although only the order has the number of its subscription. */
  private async lockOrder(vendorId: number, orderId: number) {
    const unlocked = await this.deps.coverOrderRepository.byId(vendorId, orderId);
    if (!unlocked) throw notFound("ORDER_NOT_FOUND", "There is no order with this id.");
    const subscription =
      unlocked.subscriptionId === null
        ? undefined
        : await this.deps.coverSubscriptionRepository.lock(vendorId, unlocked.subscriptionId);
    const order = required(await this.deps.coverOrderRepository.lock(vendorId, orderId), "the order");
    return { order, subscription };
  }
}

function refuseUnrecoverable(order: CoverOrderRecord, subscription: CoverSubscriptionRecord | undefined): void {
  if (!RECOVERABLE.includes(order.status)) {
    throw invalid("ORDER_NOT_RECOVERABLE", `The order is ${order.status}, so there is nothing to recover.`);
  }
  if (subscription?.canceledAt) {
    throw invalid("SUBSCRIPTION_CANCELED", "The subscription is cancelled; activate it before starting a recovery.");
  }
}
