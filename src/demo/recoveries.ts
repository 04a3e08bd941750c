import type { Handle } from "../database/client.ts";
import { toEventType } from "../events/event.catalogue.ts";
import type { NewEvent } from "../events/event.repository.ts";
import { createRepositories } from "../graphql/repositories.ts";
import { createServices } from "../graphql/services.ts";
import { lastOf, required } from "../kernel/required-values.ts";
import type { RecoveryVendor } from "../recovery/covers/cover.facts.ts";
import type { CoverStep } from "../recovery/covers/cover-lifecycle.service.ts";
import { toRenewalCoverEvent } from "../recovery/renewal-covers/renewal-cover.events.ts";
import { toRecoveryContext, toBaseCurrencyAmount } from "../recovery/renewal-covers/renewal.context.ts";
import { advanceAfterCharge } from "../subscriptions/subscription.schedule.ts";
import { DAY_MS, addMilliseconds, type DemoCalendar } from "./calendar.ts";
import { transitionAndReschedule } from "./first-orders.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import type { DemoPayments, PaymentDraft } from "./rows/demo-payments.ts";
import type { SubscriptionDraft } from "./rows/subscription-draft.ts";

/** A failed renewal: its order, and the subscription that it renews. */
interface FailedRenewal {
  subscription: SubscriptionDraft;
  order: OrderDraft;
}

/** The retries, in days after the failure. The vendor has no policy, so these are the defaults. */
const RETRY_DAYS = [1, 3, 5, 10, 14];
/** The number of the retry that succeeds, for each failed renewal in turn. Null if all retries fail. */
const RECOVERED_ON_RETRY = [3, null, 2, null] as const;
/** An expired card is not retried, because only the payer can replace it. */
const EXPIRED_CARD_CODE = "54";

/** Builds the retries of failed renewals, and their covers. */
export class RecoveryHistory {
  private readonly failedRenewals: FailedRenewal[] = [];

  constructor(
    private readonly calendar: DemoCalendar,
    private readonly zoneId: string,
    private readonly payments: DemoPayments,
  ) {}

  /** Adds the retries of a failed renewal up to the present. */
  addRetries(subscription: SubscriptionDraft, order: OrderDraft): void {
    const recoveredOn = RECOVERED_ON_RETRY[this.failedRenewals.length % RECOVERED_ON_RETRY.length];
    this.failedRenewals.push({ subscription, order });
    const { errorCode, createdAt: failedAt } = lastOf(order.payments);
    if (errorCode === EXPIRED_CARD_CODE) return;
    for (const [index, days] of RETRY_DAYS.entries()) {
      const at = addMilliseconds(failedAt, days * DAY_MS);
      if (at > this.calendar.present) return;
      if (index + 1 === recoveredOn) return this.recoverPayment(subscription, order, at);
      this.payments.declineRetry(order, subscription.method, at);
      if (index + 1 === RETRY_DAYS.length)
        transitionAndReschedule(subscription, "expireAfterRecovery", at, this.zoneId, {}, order);
    }
  }

  /**
   * Runs the recovery engine on the failed renewals and saves their covers and events. The orders must have their ids
   * already. The merchant is not notified of demo data.
   */
  async save(handle: Handle, vendor: RecoveryVendor): Promise<void> {
    const newEvents: NewEvent[] = [];
    for (const { subscription, order } of this.failedRenewals) {
      const addEvents = ({ cover, events: coverEvents }: CoverStep, at: Date): void => {
        const subject = { subject: "COVER" as const, subjectId: cover.id, coverId: cover.id };
        const related = { orderId: order.id, subscriptionId: subscription.id, customerId: order.customer.id };
        const rest = { actor: "SYSTEM" as const, authorKind: "WORKER" as const, notify: false, occurredAt: at };
        for (const event of coverEvents) {
          const values = { ...subject, ...related, ...toRenewalCoverEvent(event) };
          newEvents.push({ ...values, ...rest, type: toEventType(values) });
        }
      };
      for (const { step, at } of await runCover(handle, vendor, { subscription, order })) addEvents(step, at);
    }
    await createRepositories(handle).events.insertEvents(vendor.id, newEvents);
  }

  private recoverPayment(subscription: SubscriptionDraft, order: OrderDraft, at: Date): void {
    this.payments.payOrder(order, subscription.method, at);
    const advance = advanceAfterCharge(subscription.schedule, this.zoneId, at, true);
    transitionAndReschedule(subscription, "recoverPayment", at, this.zoneId, advance, order);
    subscription.lastPaymentDate = at;
    for (const { values } of subscription.items)
      Object.assign(values, { chargedCycles: required(values.chargedCycles, "chargedCycles") + 1, modifiedAt: at });
  }
}

/** Runs the recovery engine on each attempt of a renewal. @returns the steps of its cover, with their times. */
async function runCover(
  handle: Handle,
  vendor: RecoveryVendor,
  { subscription, order }: FailedRenewal,
): Promise<{ step: CoverStep; at: Date }[]> {
  const noRegisteredIds = { orderId: null, subscriptionId: null };
  const subjectIds = { ...noRegisteredIds, renewalOrderId: order.id, renewalSubscriptionId: subscription.id };
  const { covers } = createRepositories(handle);
  const steps: { step: CoverStep; at: Date }[] = [];
  for (const payment of order.payments) {
    const { createdAt: at, gateway: paymentGateway, method: paymentMethod } = payment;
    const running = steps.at(-1)?.step.cover;
    if (running && running.state !== "IN_PROGRESS") break;
    const { coverLifecycle, recoveryCounts } = createServices(handle, at);
    const context = toRecoveryContext(vendor, order.values, { paymentGateway, paymentMethod });
    const failure = toFailure(payment);
    let step: CoverStep;
    if (!running)
      step = await coverLifecycle.startCover(
        {
          ...context,
          subjectIds,
          recoverableAmount: toBaseCurrencyAmount(order.values),
          payerKey: `billed-${order.customer.id}`,
        },
        failure,
      );
    else if (payment.state === "SUCCEEDED") step = await coverLifecycle.endCover(vendor.id, running, "PAID");
    else {
      const previousAttempts = await covers.attemptsOf(vendor.id, running.id);
      step = await coverLifecycle.recordFailedAttempt(context, running, {
        failure,
        previousAttempts,
        scheduledAt: at,
        methodChangedAt: null,
      });
    }
    await recoveryCounts.countStep(vendor.id, step);
    steps.push({ step, at });
  }
  return steps;
}

const toFailure = ({ id: paymentId, errorCode, errorMessage, adviceCode, network }: PaymentDraft) => ({
  ...{ paymentId, errorCode, errorMessage, adviceCode, network },
});
