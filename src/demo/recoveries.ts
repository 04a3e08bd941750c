import { events } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { createServices } from "../graphql/services.ts";
import type { RecoveryVendor } from "../recovery/covers/cover.facts.ts";
import type { CoverRecord } from "../recovery/covers/cover.repository.ts";
import {
  toRenewalEndEvents,
  toRenewalRetryEvents,
  toRenewalStartEvents,
} from "../recovery/renewal-covers/renewal-cover.events.ts";
import { toRecoveryContext, toBaseCurrencyAmount } from "../recovery/renewal-covers/renewal.context.ts";
import { advanceAfterCharge } from "../subscriptions/subscription.schedule.ts";
import { DAY_MS, addMilliseconds, type DemoCalendar } from "./calendar.ts";
import { transitionAndReschedule } from "./first-orders.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import type { DemoPayments, PaymentDraft } from "./rows/demo-payments.ts";
import { insertRowsAsJson, assignIds } from "./rows/bulk-rows.ts";
import type { SubscriptionDraft } from "./rows/subscription-draft.ts";

/** A renewal that failed. */
interface FailedRenewal {
  subscription: SubscriptionDraft;
  order: OrderDraft;
}

/** The vendor has no policy of its own, so that renewals are tried again so many days after they failed. */
const RETRY_DAYS = [1, 3, 5, 10, 14];
/** On which retry the money comes, of one failed renewal after the other; never is none. */
const RECOVERED_ON_RETRY = [3, null, 2, null] as const;
/** Only the payer can help where a card has expired. */
const EXPIRED_CARD_CODE = "54";

/** What becomes of renewals that failed: retries, money after all, an end. */
export class RecoveryHistory {
  private readonly failedRenewals: FailedRenewal[] = [];

  constructor(
    private readonly calendar: DemoCalendar,
    private readonly zoneId: string,
    private readonly payments: DemoPayments,
  ) {}

  /** The retries of a renewal that failed, until the present. */
  addRetries(subscription: SubscriptionDraft, order: OrderDraft): void {
    const recoveredOn = RECOVERED_ON_RETRY[this.failedRenewals.length % RECOVERED_ON_RETRY.length];
    this.failedRenewals.push({ subscription, order });
    const { errorCode, createdAt: failedAt } = order.payments.at(-1)!;
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

  /** Lets the engine cover what failed, once it has its numbers. Nobody is told of what never happened. */
  async save(handle: Handle, vendor: RecoveryVendor): Promise<void> {
    const eventRows: (typeof events.$inferInsert & { id: number })[] = [];
    for (const { subscription, order } of this.failedRenewals) {
      const recordEvents = (at: Date) => (cover: CoverRecord, events: ReturnType<typeof toRenewalEndEvents>) => {
        const of = { vendorId: vendor.id, subject: "COVER" as const, subjectId: cover.id, orderId: order.id };
        const where = { ...of, subscriptionId: subscription.id, customerId: order.customer.id, id: 0 };
        for (const event of events)
          eventRows.push({ ...where, ...event, actor: "SYSTEM", reason: null, occurredAt: at, postedAt: at });
        return Promise.resolve();
      };
      await runCover(handle, vendor, { subscription, order }, recordEvents);
    }
    await assignIds(handle, events, eventRows);
    await insertRowsAsJson(handle, events, eventRows);
  }

  private recoverPayment(subscription: SubscriptionDraft, order: OrderDraft, at: Date): void {
    this.payments.payOrder(order, subscription.method, at);
    const advance = advanceAfterCharge(subscription.schedule, this.zoneId, at, true);
    transitionAndReschedule(subscription, "recoverPayment", at, this.zoneId, advance, order);
    subscription.lastPaymentDate = at;
    for (const { values } of subscription.items)
      Object.assign(values, { chargedCycles: values.chargedCycles! + 1, modifiedAt: at });
  }
}

/** Takes one renewal through the engine, attempt by attempt. */
async function runCover(
  handle: Handle,
  vendor: RecoveryVendor,
  { subscription, order }: FailedRenewal,
  recordEventsAt: (at: Date) => (cover: CoverRecord, events: ReturnType<typeof toRenewalEndEvents>) => Promise<void>,
): Promise<void> {
  const [firstPayment, ...retries] = order.payments;
  const recoveryContextOf = ({ gateway: paymentGateway, method: paymentMethod }: PaymentDraft) =>
    toRecoveryContext(vendor, order.values, { paymentGateway, paymentMethod });
  const coverLifecycleAt = (at: Date) => createServices(handle, at).coverLifecycle;
  const registered = { orderId: null, subscriptionId: null };
  const subject = { ...registered, renewalOrderId: order.id, renewalSubscriptionId: subscription.id };
  const startedAt = firstPayment!.createdAt;
  let running = await coverLifecycleAt(startedAt).startCover(
    { ...recoveryContextOf(firstPayment!), subjectIds: subject, recoverableAmount: toBaseCurrencyAmount(order.values) },
    failureOf(firstPayment!),
    (started, decision) => recordEventsAt(startedAt)(started, toRenewalStartEvents(started, decision)),
  );
  for (const retry of retries) {
    const { createdAt: at } = retry;
    if (running.state !== "IN_PROGRESS") return;
    running =
      retry.state === "SUCCEEDED"
        ? await coverLifecycleAt(at).endCover(vendor.id, running, "PAID", (ended) =>
            recordEventsAt(at)(ended, toRenewalEndEvents(ended)),
          )
        : await coverLifecycleAt(at).recordFailedAttempt(
            recoveryContextOf(retry),
            running,
            failureOf(retry),
            null,
            () => ({ kind: "SCHEDULED", tried: at }),
            (after, failed) => recordEventsAt(at)(after, toRenewalRetryEvents(after, failed)),
          );
  }
}

const failureOf = ({ id: paymentId, errorCode, errorMessage, adviceCode, network }: PaymentDraft) => ({
  ...{ paymentId, errorCode, errorMessage, adviceCode, network },
});
