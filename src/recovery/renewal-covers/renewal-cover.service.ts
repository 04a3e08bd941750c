import type { MessageArm, PaymentGateway, PaymentMethod } from "../../../schema/vocabulary.ts";
import { invariant } from "../../kernel/refusals.ts";
import { required } from "../../kernel/required-values.ts";
import type { OrderRecord, OrderRecordService } from "../../orders/order-record.service.ts";
import type { SubscriptionStopService } from "../../subscriptions/changes/subscription-stop.service.ts";
import type { Deferral, SubscriptionRenewalsService } from "../../subscriptions/subscription-renewals.service.ts";
import type { StoredMethodService } from "../../payments/stored-method.service.ts";
import type { CardAttemptService } from "../../payments/card-attempt.service.ts";
import type {
  CoverLifecycleService,
  CoverStep,
  NewRecoveryContext,
  RecoveryContext,
} from "../covers/cover-lifecycle.service.ts";
import type { RecoveryVendor } from "../covers/cover.facts.ts";
import type { CoverFailure } from "../covers/cover.values.ts";
import type { CoverRepository } from "../covers/cover.repository.ts";
import type { MessageArmService } from "../message-arms/message-arm.service.ts";
import { longestRateWindowMs, currentRulebook } from "../engine/rulebook.ts";
import { finalActionOf } from "../covers/final-action.ts";
import { toPromisedTime } from "./cover.promise.ts";
import { toRecoveryContext, toBaseCurrencyAmount } from "./renewal.context.ts";
import type { RenewalRecoveryService } from "./renewal-recovery.service.ts";
import type { RenewalCoverRecord, RenewalCoverRepository } from "./renewal-cover.repository.ts";

export type { RenewalCoverRecord } from "./renewal-cover.repository.ts";

/** A charge of a renewal that failed. */
export interface FailedRenewalCharge extends CoverFailure {
  orderId: number;
  subscriptionId: number;
  /** The date of a cover that it was the try of; null for the first charge. */
  retryAt: Date | null;
  /** The gateway that declined, and the payment method; null if there was no instrument to charge. */
  paymentGateway: PaymentGateway | null;
  paymentMethod: PaymentMethod | null;
  /** The stored method that was charged; null where there was none. */
  methodId: number | null;
}

/** A retry that is about to be made. */
type DueRetry = Pick<FailedRenewalCharge, "subscriptionId" | "paymentGateway" | "paymentMethod" | "methodId"> & {
  retryAt: Date;
};

/** The result of a payer's request for a date. */
export type PromiseResult = "PROMISED" | "NOT_IN_RECOVERY" | "DAY_NOT_POSSIBLE";

/** Covers renewals that failed, as those of registered orders are, only that the service itself makes the tries. */
export class RenewalCoverService {
  constructor(
    private readonly deps: {
      coverRepository: CoverRepository;
      renewalCoverRepository: RenewalCoverRepository;
      coverLifecycle: CoverLifecycleService;
      renewalRecovery: RenewalRecoveryService;
      messageArms: MessageArmService;
      subscriptionRenewals: SubscriptionRenewalsService;
      subscriptionStop: SubscriptionStopService;
      orderRecords: OrderRecordService;
      cardAttempts: CardAttemptService;
      storedMethods: StoredMethodService;
      now: Date;
    },
  ) {}

  /** Claims retries that are due: no other worker makes them until the lease ends. */
  async claimDueRetries(vendorId: number, leaseUntil: Date, limit: number): Promise<RenewalCoverRecord[]> {
    const due = await this.deps.renewalCoverRepository.lockDue(vendorId, this.deps.now, limit);
    const ids = due.map(({ id }) => id);
    if (ids.length > 0) await this.deps.renewalCoverRepository.lease(vendorId, ids, leaseUntil);
    return due;
  }

  /**
   * Whether a retry may be made now: it is still pending, and no network limit was used up since it was scheduled. If
   * one was, the cover is rescheduled or ends. The caller has locked the order, and locks the card until the retry is
   * counted.
   */
  async confirmRetry(vendor: RecoveryVendor, order: OrderRecord, { retryAt, ...retry }: DueRetry): Promise<boolean> {
    const cover = await this.deps.renewalCoverRepository.lockLatestOf(vendor.id, order.id);
    if (cover?.retryAt?.getTime() !== retryAt.getTime()) return false;
    const previousAttempts = await this.deps.coverRepository.attemptsOf(vendor.id, cover.id);
    const step = await this.deps.coverLifecycle.recheckDueRetry(
      await this.contextOf(vendor, order, retry, previousAttempts),
      cover,
      previousAttempts,
    );
    if (step) await this.applyStep(vendor.id, order, { ...retry, orderId: order.id }, step);
    return step === undefined;
  }

  /**
   * Records a failed charge: the first one makes the subscription UNPAID and starts a cover, later ones lead to the
   * next date or the end. A recorded charge changes nothing.
   */
  async recordFailedCharge(vendor: RecoveryVendor, charge: FailedRenewalCharge): Promise<void> {
    const order = await this.deps.orderRecords.lockOrder(vendor.id, charge.orderId);
    invariant(order, "a charge has an order");
    const cover = await this.deps.renewalCoverRepository.lockLatestOf(vendor.id, charge.orderId);
    if (!cover) return this.startCover(vendor, order, charge);
    const { retryAt } = cover;
    if (retryAt === null || retryAt.getTime() !== charge.retryAt?.getTime()) return;
    const previousAttempts = await this.deps.coverRepository.attemptsOf(vendor.id, cover.id);
    const context = await this.contextOf(vendor, order, charge, [...previousAttempts, charge]);
    const report = { failure: charge, previousAttempts, scheduledAt: retryAt, methodChangedAt: null };
    await this.applyStep(
      vendor.id,
      order,
      charge,
      await this.deps.coverLifecycle.recordFailedAttempt(context, cover, report),
    );
  }

  /**
   * Defers a charge that failed because of a fault rather than a decline. It uses up no attempt and is made later: the
   * first one by its subscription's lease, a retry by that of its cover.
   */
  async deferCharge(
    vendorId: number,
    { subscriptionId, retryAt }: Pick<FailedRenewalCharge, "subscriptionId" | "retryAt">,
    deferral: Deferral,
  ): Promise<void> {
    await this.deps.orderRecords.lockOrder(vendorId, deferral.orderId);
    const cover = await this.deps.renewalCoverRepository.lockLatestOf(vendorId, deferral.orderId);
    const isAwaited = cover
      ? cover.retryAt !== null && cover.retryAt.getTime() === retryAt?.getTime()
      : retryAt === null;
    if (!isAwaited) return;
    if (cover) await this.deps.coverRepository.change(vendorId, cover.id, { leaseUntil: deferral.until });
    await this.deps.subscriptionRenewals.deferBlockedCharge(vendorId, subscriptionId, deferral);
  }

  /**
   * Retries with the payment method that the payer of an UNPAID subscription has stored meanwhile: now, or on the date that the
   * payer asked for. A cover that has ended is followed by another one.
   * @returns whether anything was done: a retry that is being made comes first.
   */
  async retryWithNewMethod(vendor: RecoveryVendor, subscriptionId: number): Promise<boolean> {
    const latest = await this.deps.renewalCoverRepository.findLatestOfSubscription(vendor.id, subscriptionId);
    const locked = latest && (await this.lockCover(vendor.id, latest.renewalOrderId));
    if (locked && this.isLeased(locked.cover)) return false;
    const subscription = await this.deps.subscriptionRenewals.takeMethodChange(vendor.id, subscriptionId);
    if (!locked || !subscription) return subscription !== undefined;
    const { order, cover } = locked;
    const changedAt = required(subscription.methodChangedAt, "methodChangedAt");
    const attempts = await this.deps.coverRepository.attemptsOf(vendor.id, cover.id);
    const context = await this.contextOf(vendor, order, await this.methodOf(vendor.id, order, subscription), attempts);
    const step =
      cover.state === "IN_PROGRESS"
        ? await this.deps.coverLifecycle.rescheduleForPayer(context, cover, attempts, {
            cause: "NEW_METHOD",
            changedAt,
          })
        : await this.deps.coverLifecycle.startCover(
            {
              ...this.toNewContext(context, order, { subscriptionId, messageArm: cover.messageArm }),
              previousReasonClass: cover.reasonClass,
              firstRetryAt: this.deps.now,
            },
            null,
          );
    await this.applyStep(vendor.id, order, { subscriptionId, orderId: order.id }, step);
    return true;
  }

  /** The cover in progress of a subscription's renewal; undefined without one. */
  async findRunning(vendorId: number, subscriptionId: number): Promise<RenewalCoverRecord | undefined> {
    const latest = await this.deps.renewalCoverRepository.findLatestOfSubscription(vendorId, subscriptionId);
    return latest?.state === "IN_PROGRESS" ? latest : undefined;
  }

  /** Makes the day that the payer asked for the date of the next retry. */
  async promiseDay(
    vendor: RecoveryVendor,
    { id: subscriptionId, paymentMethodId }: { id: number; paymentMethodId: number | null },
    day: string,
  ): Promise<PromiseResult> {
    const running = await this.findRunning(vendor.id, subscriptionId);
    const locked = running && (await this.lockCover(vendor.id, running.renewalOrderId));
    if (locked?.cover.state !== "IN_PROGRESS" || this.isLeased(locked.cover)) return "NOT_IN_RECOVERY";
    const { order, cover } = locked;
    const promisedAt = toPromisedTime(day, cover, this.deps.now);
    if (!promisedAt) return "DAY_NOT_POSSIBLE";
    const attempts = await this.deps.coverRepository.attemptsOf(vendor.id, cover.id);
    const context = await this.contextOf(
      vendor,
      order,
      await this.methodOf(vendor.id, order, { paymentMethodId }),
      attempts,
    );
    const step = await this.deps.coverLifecycle.rescheduleForPayer(context, cover, attempts, {
      cause: "PROMISE",
      promisedAt,
    });
    await this.applyStep(vendor.id, order, { subscriptionId, orderId: order.id }, step);
    return "PROMISED";
  }

  /** The newest cover of an order; both are locked until the transaction ends. */
  private async lockCover(vendorId: number, orderId: number) {
    const order = await this.deps.orderRecords.lockOrder(vendorId, orderId);
    const cover = await this.deps.renewalCoverRepository.lockLatestOf(vendorId, orderId);
    invariant(order && cover, "a cover and its order stay");
    return { order, cover };
  }

  /** Whether a worker is making the next retry at this moment. */
  private isLeased({ leaseUntil }: RenewalCoverRecord): boolean {
    return leaseUntil !== null && leaseUntil > this.deps.now;
  }

  /** The method that a subscription is charged by. */
  private async methodOf(
    vendorId: number,
    { customerId }: OrderRecord,
    { paymentMethodId: methodId }: { paymentMethodId: number | null },
  ) {
    const stored =
      methodId === null ? undefined : await this.deps.storedMethods.findMethod(vendorId, customerId, methodId);
    return { methodId, paymentGateway: stored?.gateway ?? null, paymentMethod: stored?.method ?? null };
  }

  private toNewContext(
    context: RecoveryContext,
    order: OrderRecord,
    { subscriptionId, messageArm }: { subscriptionId: number; messageArm: MessageArm | null },
  ): NewRecoveryContext {
    const noRegisteredIds = { orderId: null, subscriptionId: null };
    return {
      ...context,
      subjectIds: { ...noRegisteredIds, renewalOrderId: order.id, renewalSubscriptionId: subscriptionId },
      recoverableAmount: toBaseCurrencyAmount(order),
      payerKey: `billed-${order.customerId}`,
      messageArm,
    };
  }

  private async startCover(vendor: RecoveryVendor, order: OrderRecord, charge: FailedRenewalCharge): Promise<void> {
    const { orderId, subscriptionId, errorMessage } = charge;
    const { status } = await this.deps.subscriptionRenewals.markUnpaid(
      vendor.id,
      subscriptionId,
      orderId,
      errorMessage,
    );
    if (status !== "UNPAID") return;
    const context = await this.contextOf(vendor, order, charge, [charge]);
    const messageArm = await this.deps.messageArms.drawArm(vendor.id, order.customerId);
    const newContext = this.toNewContext(context, order, { subscriptionId, messageArm });
    const step = await this.deps.coverLifecycle.startCover(newContext, charge);
    await this.applyStep(vendor.id, order, charge, step);
  }

  /** The context with the other attempts on its card, as far back as a network counts. */
  private async contextOf(
    vendor: RecoveryVendor,
    order: OrderRecord,
    { methodId, ...charge }: Pick<FailedRenewalCharge, "methodId" | "paymentGateway" | "paymentMethod">,
    ownAttempts: readonly Pick<CoverFailure, "paymentId">[],
  ): Promise<RecoveryContext> {
    const context = toRecoveryContext(vendor, order, charge);
    if (methodId === null) return context;
    const paymentIds = ownAttempts.flatMap(({ paymentId }) => paymentId ?? []);
    return {
      ...context,
      otherAttempts: await this.deps.cardAttempts.recentAttemptsOf(
        vendor.id,
        methodId,
        longestRateWindowMs(currentRulebook),
        paymentIds,
      ),
    };
  }

  /**
   * Records the events of a step, and ends the subscription with its cover. If only the payer can help, it stays
   * UNPAID.
   */
  private async applyStep(
    vendorId: number,
    order: OrderRecord,
    { subscriptionId, orderId }: Pick<FailedRenewalCharge, "subscriptionId" | "orderId">,
    step: CoverStep,
  ): Promise<void> {
    await this.deps.renewalRecovery.recordStep(vendorId, order, step);
    if (step.cover.state === "IN_PROGRESS") return;
    const left = await this.deps.subscriptionRenewals.applyFinalAction(
      vendorId,
      subscriptionId,
      orderId,
      finalActionOf(step.cover),
    );
    if (left.status === "EXPIRED" || left.status === "CANCELED")
      await this.deps.subscriptionStop.cancelUnpaidChanges(vendorId, left, { actor: "SYSTEM" });
  }
}
