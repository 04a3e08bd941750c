import { events } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { servicesOn } from "../graphql/services.ts";
import type { ScenarioVendor } from "../recovery/covers/cover.facts.ts";
import type { CoverRecord } from "../recovery/covers/cover.repository.ts";
import { endingOf, retryOf, startOf } from "../recovery/renewal-covers/renewal-cover.events.ts";
import { matterOf, worthOf } from "../recovery/renewal-covers/renewal.context.ts";
import { afterCharge } from "../subscriptions/subscription.schedule.ts";
import { DAY_MS, later, type Calendar } from "./calendar.ts";
import { turn } from "./first-orders.ts";
import type { OrderDraft } from "./rows/order-draft.ts";
import type { DemoCashier, PaymentDraft } from "./rows/demo-payments.ts";
import { fill, number } from "./rows/bulk-rows.ts";
import type { SubscriptionDraft } from "./rows/subscription-draft.ts";

/** A renewal that failed. */
interface Failed {
  subscription: SubscriptionDraft;
  order: OrderDraft;
}

/** The vendor has no policy of its own, so that renewals are tried again so many days after they failed. */
const RETRY_DAYS = [1, 3, 5, 10, 14];
/** On which retry the money comes, of one failed renewal after the other; never is none. */
const COMES_ON = [3, null, 2, null] as const;
/** Only the payer can help where a card has expired. */
const EXPIRED_CARD = "54";

/** What becomes of renewals that failed: retries, money after all, an end. */
export class Recoveries {
  private readonly failed: Failed[] = [];

  constructor(
    private readonly calendar: Calendar,
    private readonly zoneId: string,
    private readonly cashier: DemoCashier,
  ) {}

  /** The retries of a renewal that failed, until the present. */
  tell(subscription: SubscriptionDraft, order: OrderDraft): void {
    const comesOn = COMES_ON[this.failed.length % COMES_ON.length];
    this.failed.push({ subscription, order });
    const { errorCode, createdAt: failedAt } = order.payments.at(-1)!;
    if (errorCode === EXPIRED_CARD) return;
    for (const [index, days] of RETRY_DAYS.entries()) {
      const at = later(failedAt, days * DAY_MS);
      if (at > this.calendar.present) return;
      if (index + 1 === comesOn) return this.recover(subscription, order, at);
      this.cashier.failAgain(order, subscription.method, at);
      if (index + 1 === RETRY_DAYS.length) turn(subscription, "expireAfterRecovery", at, this.zoneId, {}, order);
    }
  }

  /** Lets the engine cover what failed, once it has its numbers. Nobody is told of what never happened. */
  async keep(handle: Handle, vendor: ScenarioVendor): Promise<void> {
    const told: (typeof events.$inferInsert & { id: number })[] = [];
    for (const { subscription, order } of this.failed) {
      const tell = (at: Date) => (cover: CoverRecord, happenings: ReturnType<typeof endingOf>) => {
        const of = { vendorId: vendor.id, subject: "COVER" as const, subjectId: cover.id, orderId: order.id };
        const where = { ...of, subscriptionId: subscription.id, customerId: order.person.id, id: 0 };
        for (const one of happenings)
          told.push({ ...where, ...one, actor: "SYSTEM", reason: null, occurredAt: at, postedAt: at });
        return Promise.resolve();
      };
      await cover(handle, vendor, { subscription, order }, tell);
    }
    await number(handle, events, told);
    await fill(handle, events, told);
  }

  private recover(subscription: SubscriptionDraft, order: OrderDraft, at: Date): void {
    this.cashier.pay(order, subscription.method, at);
    const advance = afterCharge(subscription.standing, this.zoneId, at, true);
    turn(subscription, "recoverPayment", at, this.zoneId, advance, order);
    subscription.lastPaymentDate = at;
    for (const { values } of subscription.items)
      Object.assign(values, { chargedCycles: values.chargedCycles! + 1, modifiedAt: at });
  }
}

/** Takes one renewal through the engine, attempt by attempt. */
async function cover(
  handle: Handle,
  vendor: ScenarioVendor,
  { subscription, order }: Failed,
  tell: (at: Date) => (cover: CoverRecord, happenings: ReturnType<typeof endingOf>) => Promise<void>,
): Promise<void> {
  const [first, ...retries] = order.payments;
  const matterAt = ({ gateway: paymentGateway, method: paymentMethod }: PaymentDraft) =>
    matterOf(vendor, order.values, { paymentGateway, paymentMethod });
  const courseAt = (at: Date) => servicesOn(handle, at).coverCourse;
  const registered = { orderId: null, subscriptionId: null };
  const on = { ...registered, renewalOrderId: order.id, renewalSubscriptionId: subscription.id };
  const begun = first!.createdAt;
  let running = await courseAt(begun).begin(
    { ...matterAt(first!), on, worth: worthOf(order.values) },
    failureOf(first!),
    (started, decision) => tell(begun)(started, startOf(started, decision)),
  );
  for (const retry of retries) {
    const { createdAt: at } = retry;
    if (running.state !== "IN_PROGRESS") return;
    running =
      retry.state === "SUCCEEDED"
        ? await courseAt(at).end(vendor.id, running, "PAID", (ended) => tell(at)(ended, endingOf(ended)))
        : await courseAt(at).goOn(
            matterAt(retry),
            running,
            failureOf(retry),
            null,
            () => ({ kind: "SCHEDULED", tried: at }),
            (after, failed) => tell(at)(after, retryOf(after, failed)),
          );
  }
}

const failureOf = ({ id: paymentId, errorCode, errorMessage, adviceCode, network }: PaymentDraft) => ({
  ...{ paymentId, errorCode, errorMessage, adviceCode, network },
});
