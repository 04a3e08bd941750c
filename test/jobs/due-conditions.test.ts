import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Handle } from "../../src/database/client.ts";
import { createServices, type Services } from "../../src/graphql/services.ts";
import { dueWork } from "../../src/jobs/due-work.ts";
import { scheduledTasks } from "../../src/jobs/scheduled-tasks.ts";
import { DueVendorRepository } from "../../src/jobs/due-vendor.repository.ts";
import { queryRows } from "../hostile/query-rows.ts";
import { startGateway } from "../support/test-gateway.ts";
import { everyMonth } from "../support/test-catalogue.ts";
import { DAY, HOUR, MINUTE } from "../support/test-clock.ts";
import { testCards, TestPayments } from "../support/test-payments.ts";
import { createWorker, runUntilIdle } from "../support/test-worker.ts";

/* A vendor is found for scheduled work exactly where the claim of that work takes a row. */

const gateway = await startGateway({ now: "2026-01-31T03:00:00.000Z" });
const { id: vendorId } = gateway.vendor;
const payments = await TestPayments.start(gateway);

/** A subscription of a month, and the order that started it. */
async function subscribe(card: string) {
  const { databaseId } = await payments.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth } });
  const { payment } = await payments.payOrder(databaseId, card);
  const { subscriptions } = await payments.readOrder(databaseId, "subscriptions { databaseId }");
  return { id: subscriptions[0]!.databaseId, orderId: databaseId, paymentId: payment.databaseId };
}

const live = await subscribe(testCards.approved);
const failing = await subscribe(testCards.neverAgain);
gateway.clock.setTo("2026-02-28T03:00:00.000Z");
await runUntilIdle(createWorker(gateway));

const NOW = gateway.clock.now();
const at = (milliseconds: number, from = NOW): string =>
  `timestamptz '${new Date(from.getTime() + milliseconds).toISOString()}'`;
const [now, soon] = [at(0), at(1)];

const goods = (await payments.createOrder("5000")).databaseId;
const added = (await payments.createOrder("3000", { plan: { type: "FLAT", recurring: everyMonth } })).databaseId;
const customerId = await payments.createCustomer();
const invoice = async (input: object) => {
  const items = [{ productName: "Design", price: "30000" }];
  const sent = { customerId: String(customerId), items, publishMethods: ["EMAIL"], ...input };
  return (await payments.runMutation("createInvoice", sent, "invoice { databaseId }")).invoice.databaseId;
};
const later = new Date(NOW.getTime() + DAY).toISOString();
const reserved = await invoice({ publishType: "RESERVATION", reservationAt: later });
const sent = await invoice({ purchaseDeadline: later });
await queryRows(
  gateway,
  `update customers set last_active_at = ${now} where vendor_id > 0;
  update vendor_settings set use_dormant_customer = true where vendor_id > 0;
  update vendor_settings set use_dormant_notification = true where vendor_id > 0;
  update subscriptions set noticed_charge_at = next_payment_date where vendor_id > 0;
  delete from order_count_changes where vendor_id > 0;
  insert into order_subscriptions (vendor_id, order_id, subscription_id) values (${vendorId}, ${added}, ${live.id});
  update orders set type = 'ADDITIONAL', charged_at_once = true, created_at = ${at(-DAY * 7 - 1)} where vendor_id > 0 and id = ${added};
  update order_items set ordered_product_type = 'BOX' where vendor_id > 0 and order_id = ${live.orderId}`,
);

/** A change of one row of the vendor. */
const set = (table: string, id: number, values: string) =>
  `update ${table} set ${values} where vendor_id = ${vendorId} and id = ${id}`;
const setItems = (orderId: number, values: string) =>
  `update order_items set ${values} where vendor_id = ${vendorId} and order_id = ${orderId}`;
const cover = (values: string) => `update covers set ${values} where vendor_id = ${vendorId} and state = 'IN_PROGRESS'`;
/** A failed attempt to charge the added items. */
const failed = (code: string, age: number) =>
  `insert into payments overriding system value select copy.* from payments p, jsonb_populate_record(p, jsonb_build_object(
      'id', p.id + 1000, 'order_id', ${added}, 'state', 'FAILED', 'error_code', '${code}', 'idempotency_key', 'copy', 'gateway_reference', null,
      'payment_date', null, 'created_at', ${at(-age)})) copy where p.vendor_id = ${vendorId} and p.id = ${live.paymentId}`;
const refund = (values: string) =>
  `insert into refunds (vendor_id, order_id, payment_id, state, idempotency_key, amount, actor, look_up_at, created_at, settled_at)
    values (${vendorId}, ${live.orderId}, ${live.paymentId}, ${values})`;
const key = (createdAt: string) =>
  `insert into idempotency_keys (vendor_id, key, request_hash, status, body, created_at) values (${vendorId}, 'key', '', 200, '{}', ${createdAt})`;

/** A link to set a password, by its next attempt. */
const passwordLink = (sendAt: string) =>
  `with person as (insert into managers (vendor_id, uuid, username, password_hash, created_at)
      values (${vendorId}, gen_random_uuid(), 'kim@example.com', 'none', ${now}) returning id)
    insert into password_links (vendor_id, manager_id, uuid, created_at, expires_at, send_at)
      select ${vendorId}, id, gen_random_uuid(), ${now}, ${now}, ${sendAt} from person`;

/** A session of a person, by its end. */
const session = (expiresAt: string) =>
  `with person as (insert into managers (vendor_id, uuid, username, password_hash, created_at)
      values (${vendorId}, gen_random_uuid(), 'kim@example.com', 'none', ${now}) returning id)
    insert into sessions (vendor_id, manager_id, hash, created_at, last_seen_at, expires_at)
      select ${vendorId}, id, sha256('kim'), ${now}, ${now}, ${expiresAt} from person`;

/** A message: its state, when it is due, its next attempt and its end. */
const message = (values: string) =>
  `insert into messages (vendor_id, uuid, kind, channel, recipient, language, subject, subject_id, occurrence, created_at, state, due_at, attempt_at, ended_at)
    values (${vendorId}, gen_random_uuid(), 'INVOICE', 'EMAIL', 'payer@example.com', 'KOREAN', 'INVOICE', 1, 'test', ${now}, ${values})`;

/** A change of a count of orders. */
const countChange = (recordedAt: string) =>
  `insert into order_count_changes (vendor_id, status, day, change, recorded_at) values (${vendorId}, '', '2026-01-01', 1, ${recordedAt})`;

/** A disabled webhook endpoint. */
const endpoint = (deletedAt: string) =>
  `insert into webhook_endpoints (vendor_id, id, url, enabled, disabled_reason, disabled_at, secret, last_read_number, created_at, modified_at, deleted_at)
    overriding system value values (${vendorId}, 1, 'https://shop.example.com', false, 'MERCHANT', ${now}, '', 0, ${now}, ${now}, ${deletedAt})`;
const delivery = (endedAt: string) =>
  `with e as (${endpoint("null")}) insert into webhook_deliveries (vendor_id, endpoint_id, event_id, event_type, body, state, created_at, ended_at)
    values (${vendorId}, 1, 'event_1', 'order.paid', '{}', 'SUCCEEDED', ${endedAt}, ${endedAt})`;

const watch = (dueAt: string) =>
  `insert into recovery_model_watches (vendor_id, seen_at, due_at) values (${vendorId}, ${now}, ${dueAt})`;

/** The rows of one kind of work, as statements that change a vendor with no due work, and its claim. */
interface Kind {
  due: Record<string, string>;
  nearlyDue: Record<string, string>;
  /** When it is claimed; now unless given. */
  now?: Date;
  /** Claims the work. @returns how much. */
  claim: (services: Services) => Promise<number>;
}

const lease = new Date(NOW.getTime() + MINUTE);
const one = async (claim: Promise<unknown>) => ((await claim) === undefined ? 0 : 1);

const turns: Record<keyof typeof dueWork, Kind> = {
  renewals: {
    due: {
      "its date has come": set("subscriptions", live.id, `next_payment_date = ${now}`),
      "its lease is over": set(
        "subscriptions",
        live.id,
        `next_payment_date = ${now}, status = 'QUEUEING', lease_until = ${now}`,
      ),
    },
    nearlyDue: {
      "its date comes": set("subscriptions", live.id, `next_payment_date = ${soon}`),
      "it is leased": set(
        "subscriptions",
        live.id,
        `next_payment_date = ${now}, status = 'QUEUEING', lease_until = ${soon}`,
      ),
      "it is not charged": set("subscriptions", live.id, `next_payment_date = ${now}, status = 'PAUSE'`),
      "its postpaid last period is charged as it ends": set(
        "subscriptions",
        live.id,
        `next_payment_date = ${now}, end_date = ${now}, claim_method_type = 'POST'`,
      ),
    },
    claim: async ({ renewalClaims }) => {
      const { plain, otherIds } = await renewalClaims.lockDueRenewals(vendorId, 20);
      for (const record of plain) await renewalClaims.claimLocked(vendorId, record, lease);
      for (const id of otherIds) await renewalClaims.claimDueRenewal(vendorId, lease, id);
      return plain.length + otherIds.length;
    },
  },
  transitions: {
    due: {
      "its end has come": set("subscriptions", live.id, `act_at = ${now}, end_date = ${now}`),
      "its pause has come": set(
        "subscriptions",
        live.id,
        `act_at = ${now}, pause_at = ${now}, status = 'PENDING_PAUSE'`,
      ),
      "its end comes with its pause": set(
        "subscriptions",
        live.id,
        `act_at = ${now}, pause_at = ${now}, end_date = ${now}, next_payment_date = ${now}, lease_until = ${soon}, status = 'PENDING_PAUSE'`,
      ),
    },
    nearlyDue: {
      "its end comes": set("subscriptions", live.id, `act_at = ${soon}, end_date = ${soon}`),
      "it is being charged": set("subscriptions", live.id, `act_at = ${now}, end_date = ${now}, status = 'QUEUEING'`),
      "a deferred charge comes before its pause": set(
        "subscriptions",
        live.id,
        `act_at = ${now}, pause_at = ${now}, next_payment_date = ${now}, lease_until = ${soon}, status = 'PENDING_PAUSE'`,
      ),
    },
    claim: ({ subscriptionStop }) => subscriptionStop.applyDueTransitions(vendorId, 20),
  },
  changedMethods: {
    due: {
      "its payer has stored another method": set("subscriptions", failing.id, `method_changed_at = ${now}`),
    },
    nearlyDue: {
      "its payer stores one in a moment": set("subscriptions", failing.id, `method_changed_at = ${soon}`),
      "it is still being charged": set(
        "subscriptions",
        failing.id,
        `method_changed_at = ${now}, status = 'QUEUEING', lease_until = ${soon}, next_payment_date = ${now}`,
      ),
    },
    claim: async ({ subscriptionRenewals }) => (await subscriptionRenewals.findChangedMethods(vendorId, 20)).length,
  },
  retries: {
    due: {
      "its date has come": cover(`retry_at = ${now}`),
      "its lease is over": cover(`retry_at = ${now}, lease_until = ${now}`),
    },
    nearlyDue: {
      "its date comes": cover(`retry_at = ${soon}`),
      "it is leased": cover(`retry_at = ${now}, lease_until = ${soon}`),
      "its cover has ended": cover(
        `retry_at = null, state = 'EXHAUSTED', end_reason = 'NO_TRIES_LEFT', ended_at = ${now}`,
      ),
    },
    claim: async ({ renewalCovers }) => (await renewalCovers.claimDueRetries(vendorId, lease, 2)).length,
  },
  unchargedOrders: {
    due: {
      "nobody tried it": set("orders", added, `created_at = ${at(-HOUR)}`),
      "it is nearly too old": set("orders", added, `created_at = ${at(-7 * DAY)}`),
      "its faults were long ago": `${set("orders", added, `created_at = ${at(-HOUR)}`)}; ${failed("NOT_CHARGED", HOUR / 2)}`,
    },
    nearlyDue: {
      "it is too old": "select 1",
      "its subscription has no stored method": `${set("orders", added, `created_at = ${at(-HOUR)}`)};
        ${set("subscriptions", live.id, "payment_method_id = null")}`,
      "its stock was given back": set("orders", added, `created_at = ${at(-HOUR)}, stock_returned_at = ${now}`),
      "it is paid": set("orders", added, `created_at = ${at(-HOUR)}, payment_date = ${now}`),
      "it is cancelled": `${set("orders", added, `created_at = ${at(-HOUR)}`)}; ${setItems(added, "status = 'CANCELLED'")}`,
      "it charges a period": set("orders", added, `created_at = ${at(-HOUR)}, charged_at_once = false`),
      "it was declined": `${set("orders", added, `created_at = ${at(-HOUR)}`)}; ${failed("51", HOUR)}`,
      "its faults last": `${set("orders", added, `created_at = ${at(-HOUR)}`)}; ${failed("NOT_CHARGED", HOUR / 2 - 1)}`,
      "it is deferred": `${set("orders", added, `created_at = ${at(-HOUR)}`)};
        insert into event_log (vendor_id, type, subject, subject_id, trigger, status_after, order_id, actor, facts, occurred_at) values (${vendorId},
          'SUBSCRIPTION_RENEWAL_DEFERRED', 'SUBSCRIPTION', ${live.id}, 'postponeRenewal', 'ACTIVE', ${added}, 'SYSTEM', jsonb_build_object('until', ${soon}), ${now})`,
    },
    claim: async ({ unchargedOrders }) => (await unchargedOrders.findUncharged(vendorId, 20)).length,
  },
  orderItems: {
    due: {
      "its time has come": setItems(
        live.orderId,
        `status = 'ORDER_DELIVERY_COMPLETED', arrived_at = ${at(-DAY)}, transition_at = ${now}`,
      ),
      "it has no time, and came long ago": setItems(
        live.orderId,
        `status = 'ORDER_DELIVERY_COMPLETED', arrived_at = null, transition_at = null, modified_at = ${at(-DAY)}`,
      ),
    },
    nearlyDue: {
      "its time comes": setItems(
        live.orderId,
        `status = 'ORDER_DELIVERY_COMPLETED', arrived_at = ${now}, transition_at = ${soon}`,
      ),
      "time does not lead it on": setItems(live.orderId, `status = 'FINISHED_SUCCESSFULLY', transition_at = ${now}`),
    },
    claim: ({ orderItems }) => orderItems.advanceDueItems(vendorId, 20),
  },
  payments: {
    due: {
      "its time has come": set(
        "payments",
        live.paymentId,
        `state = 'UNKNOWN', look_up_at = ${now}, payment_date = null, settled_at = null`,
      ),
    },
    nearlyDue: {
      "its time comes": set(
        "payments",
        live.paymentId,
        `state = 'UNKNOWN', look_up_at = ${soon}, payment_date = null, settled_at = null`,
      ),
      "its outcome is known": set("payments", live.paymentId, `look_up_at = ${now}`),
    },
    claim: async ({ payments }) => (await payments.dueForLookUp(vendorId, 20)).length,
  },
  refunds: {
    due: { "its time has come": refund(`'UNKNOWN', 'refund', 1, 'MANAGER', ${now}, ${now}, null`) },
    nearlyDue: {
      "its time comes": refund(`'UNKNOWN', 'refund', 1, 'MANAGER', ${soon}, ${now}, null`),
      "its outcome is known": refund(`'FAILED', 'refund', 1, 'MANAGER', ${now}, ${now}, ${now}`),
    },
    claim: async ({ refunds }) => (await refunds.dueForLookUp(vendorId, 20)).length,
  },
};

const training = (
  values: string,
) => `insert into recovery_trainings (vendor_id, trigger, state, requested_at, lease_until, result, finished_at)
  values (${vendorId}, 'REQUEST', ${values})`;
const [{ id: failingCover } = { id: 0 }] = await queryRows<{ id: number }>(
  gateway,
  `select id from covers where vendor_id = ${vendorId} limit 1`,
);
const failedRetry = (milliseconds: number) =>
  `update cover_attempts set kind = 'SCHEDULED', attempted_at = ${at(milliseconds)} where vendor_id = ${vendorId} and cover_id = ${failingCover}`;
const recovered = (milliseconds: number) =>
  set(
    "covers",
    failingCover,
    `state = 'RECOVERED', end_reason = 'PAID', retry_at = null, ended_at = ${at(milliseconds)}`,
  );
const leapYear = new Date("2028-12-01T03:00:00.000Z");
const dormant = (lastActiveAt: string) => set("customers", customerId, `last_active_at = ${lastActiveAt}`);
const yearAgo = "timestamptz '2025-02-28T03:00:00Z'";

/** At 12:00 in Seoul on 28 February, seven days before a charge: the notice of 10:00 is for charges until 7 March. */
const LAST_NEAR_CHARGE = "timestamptz '2026-03-07T14:59:59.999Z'";
const charge = (date: string, values = "noticed_charge_at = null") =>
  set("subscriptions", live.id, `next_payment_date = ${date}, ${values}`);

const usageCharge = (date: string, values = "claim_method_type = 'POST'") =>
  `${set("subscriptions", live.id, `claim_method_type = 'POST', next_payment_date = ${date}, noticed_charge_at = ${date}`)};
    ${set("subscriptions", live.id, values)}`;
const trialEnd = (date: string, values = "noticed_trial_end = null") =>
  set("subscriptions", live.id, `trial_end_date = ${date}, ${values}`);
/** The last instant of the 30th day after 28 February in Seoul. */
const LAST_NEAR_EXPIRY = "timestamptz '2026-03-30T14:59:59.999Z'";
const expiry = (date: string, values = "noticed_expiry = null") =>
  `update payment_methods set expires_at = ${date}, ${values} where vendor_id = ${vendorId}
    and id = (select payment_method_id from subscriptions where vendor_id = ${vendorId} and id = ${live.id})`;
/** The last activity of a customer that eleven months have passed since in Seoul, at the end of 31 March. */
const LAST_NEAR_ACTIVITY = "timestamptz '2025-03-31T14:59:59.999Z'";

const everyMinute: Record<string, Kind> = {
  "orders.release-stock": {
    due: {
      "nobody paid for a day": set("orders", goods, `created_at = ${at(-DAY)}`),
      "its deadline has passed": set("orders", goods, `purchase_deadline = ${now}`),
      "its subscription is over": `${set("orders", goods, `type = 'RECURRING', claim_method_type = 'PRE', parent_subscription_id = ${live.id}, created_at = ${at(-DAY)}`)};
        ${set("subscriptions", live.id, "status = 'EXPIRED', act_at = null")}`,
    },
    nearlyDue: {
      "nobody paid for nearly a day": set("orders", goods, `created_at = ${at(1 - DAY)}`),
      "its deadline comes": set("orders", goods, `created_at = ${at(-2 * DAY)}, purchase_deadline = ${soon}`),
      "its stock is back": set("orders", goods, `created_at = ${at(-DAY)}, stock_returned_at = ${now}`),
      "it is paid": set("orders", goods, `created_at = ${at(-DAY)}, payment_date = ${now}`),
      "its subscription waits for it": set(
        "orders",
        goods,
        `type = 'RECURRING', claim_method_type = 'PRE', parent_subscription_id = ${live.id}, created_at = ${at(-DAY)}`,
      ),
    },
    claim: ({ paidOrders }) => paidOrders.releaseStock(vendorId, 20),
  },
  "orders.fold-counts": {
    due: { "it was recorded": countChange(now) },
    nearlyDue: { "it is recorded soon": countChange(soon) },
    claim: ({ orderTotals }) => orderTotals.foldCountChanges(vendorId, 20),
  },
  "invoices.send-reserved": {
    due: { "its time has come": set("invoices", reserved, `reservation_at = ${now}`) },
    nearlyDue: {
      "its time comes": set("invoices", reserved, `reservation_at = ${soon}`),
      "it is a draft": set("invoices", reserved, `reservation_at = ${now}, status = 'TEMPORARY'`),
    },
    claim: async ({ invoices }) => (await invoices.findDueReservations(vendorId, 20)).length,
  },
  "invoices.pass-deadline": {
    due: {
      "its deadline has passed": set("invoices", sent, `purchase_deadline = ${now}`),
      "no channel delivered it": set("invoices", sent, `purchase_deadline = ${now}, status = 'SEND_FAIL'`),
    },
    nearlyDue: {
      "its deadline comes": set("invoices", sent, `purchase_deadline = ${soon}`),
      "it is paid": set("invoices", sent, `purchase_deadline = ${now}, status = 'PAID'`),
    },
    claim: ({ invoices }) => invoices.markOverdue(vendorId, 20),
  },
  "customers.fall-asleep": {
    due: { "nobody saw the customer for a year": dormant(yearAgo) },
    nearlyDue: {
      "nobody saw the customer for nearly a year": dormant("timestamptz '2025-02-28T03:00:00.001Z'"),
      "the customer has a live subscription": `${dormant(yearAgo)};
        ${set("subscriptions", failing.id, `customer_id = ${customerId}`)}`,
      "the vendor keeps customers awake": `${dormant(yearAgo)};
        update vendor_settings set use_dormant_customer = false where vendor_id = ${vendorId}`,
    },
    claim: ({ customers }) => customers.markDormant(vendorId, 20),
  },
  "recovery.announce-retries": {
    due: { "its date has come": cover(`announce_at = ${now}`) },
    nearlyDue: {
      "its date comes": cover(`announce_at = ${soon}`),
      "it has no date to announce": cover("announce_at = null"),
      "it has ended": `${cover(`announce_at = ${now}`)}; ${recovered(-HOUR)}`,
    },
    claim: ({ coverRetryAnnouncements }) => coverRetryAnnouncements.announceDue(vendorId, 20),
  },
  "recovery.test-models": {
    due: { "its results have to be read": watch(now) },
    nearlyDue: { "its results have to be read soon": watch(soon) },
    claim: ({ modelTrust }) => modelTrust.readResults(vendorId, 20),
  },
  "recovery.request-training": {
    due: {
      "a retry of an old cover failed before the last night": `${failedRetry(-10 * HOUR)}; ${training(`'DONE', ${at(-11 * HOUR)}, null, 'TOO_FEW_TRIES', ${now}`)}`,
      "a cover was paid before the last night": recovered(-10 * HOUR),
    },
    nearlyDue: {
      "its retry failed after the last night": failedRetry(-9 * HOUR),
      "its cover was paid after the last night": recovered(-9 * HOUR),
      "its cover has no result": set("covers", failingCover, `started_at = ${at(-10 * HOUR)}`),
      "its family was trained since": `${failedRetry(-10 * HOUR)}; ${recovered(-10 * HOUR)}; ${training(`'DONE', ${at(-10 * HOUR)}, null, 'TOO_FEW_TRIES', ${now}`)}`,
    },
    claim: async ({ recoveryTrainings }) =>
      (await recoveryTrainings.requestNightly({ id: vendorId, parentId: null })) ? 1 : 0,
  },
  "recovery.train-model": {
    due: {
      "it was requested": training(`'REQUESTED', ${now}, null, null, null`),
      "its worker has died": training(`'RUNNING', ${now}, ${now}, null, null`),
    },
    nearlyDue: {
      "a worker has it": training(`'RUNNING', ${now}, ${soon}, null, null`),
      "it is done": training(`'DONE', ${now}, null, 'TOO_FEW_TRIES', ${now}`),
    },
    claim: ({ recoveryTrainings }) => one(recoveryTrainings.claim(vendorId)),
  },
  "requests.delete-expired": {
    due: { "it is a day old": key(at(-DAY)) },
    nearlyDue: { "it is nearly a day old": key(at(1 - DAY)) },
    claim: ({ idempotency }) => idempotency.deleteExpired(vendorId, 20),
  },
  "payments.detach-methods": {
    due: { "its next attempt is due": expiry("null", `token = null, detach_at = ${now}, removed_at = ${now}`) },
    nearlyDue: {
      "its next attempt comes soon": expiry("null", `detach_at = ${soon}, removed_at = ${now}`),
      "its customer was not erased": expiry("null"),
    },
    claim: async ({ methodDetachments }) => ((await methodDetachments.claimDue(vendorId)) ? 1 : 0),
  },
  "payments.announce-expiring-methods": {
    due: {
      "its last month ends within 30 days": expiry(LAST_NEAR_EXPIRY),
      "its new last month ends within 30 days": expiry(LAST_NEAR_EXPIRY, `noticed_expiry = ${now}`),
    },
    nearlyDue: {
      "its last month ends a moment later": expiry("timestamptz '2026-03-30T15:00:00Z'"),
      "it has expired": expiry(now),
      "it was announced": expiry(LAST_NEAR_EXPIRY, `noticed_expiry = ${LAST_NEAR_EXPIRY}`),
      "it was removed": expiry(LAST_NEAR_EXPIRY, `removed_at = ${now}`),
      "its end is not known": expiry("null"),
    },
    claim: ({ methodExpiry }) => methodExpiry.announceDue(vendorId, 20),
  },
  "notices.queue-charges": {
    due: {
      "its charge is as near as the notice": charge(LAST_NEAR_CHARGE),
      "its charge was moved": charge(LAST_NEAR_CHARGE, `noticed_charge_at = ${soon}`),
      "it was imported, and Recoup makes the charge": charge(LAST_NEAR_CHARGE, `charges_from = ${LAST_NEAR_CHARGE}`),
    },
    nearlyDue: {
      "its charge comes a moment later than the notice": charge("timestamptz '2026-03-07T15:00:00Z'"),
      "its notice was claimed": charge(LAST_NEAR_CHARGE, `noticed_charge_at = ${LAST_NEAR_CHARGE}`),
      "its charge is due": charge(now),
      "it has no charge": charge("null", "status = 'PENDING_CANCEL'"),
      "it is paused": charge(LAST_NEAR_CHARGE, "status = 'PAUSE'"),
      "its charge is made by the system that it comes from": charge(LAST_NEAR_CHARGE, "charges_from = '2026-04-01'"),
      "the vendor sends no notices": `${charge(LAST_NEAR_CHARGE)};
        update vendor_settings set noti_before_payment = false where vendor_id = ${vendorId}`,
    },
    claim: async ({ subscriptionNotices }) => (await subscriptionNotices.claimCharges(vendorId, 20)).length,
  },
  "notices.queue-usage-charges": {
    due: { "its charge comes within seven days": usageCharge(LAST_NEAR_CHARGE) },
    nearlyDue: {
      "its charge comes a moment later": usageCharge("timestamptz '2026-03-07T15:00:00Z'"),
      "its notice was claimed": usageCharge(LAST_NEAR_CHARGE, `noticed_usage_charge_at = ${LAST_NEAR_CHARGE}`),
      "it is charged in advance": usageCharge(LAST_NEAR_CHARGE, "claim_method_type = 'PRE'"),
    },
    claim: async ({ subscriptionNotices }) => (await subscriptionNotices.claimUsageCharges(vendorId, 7, 20)).length,
  },
  "notices.queue-trial-ends": {
    due: { "its trial ends within seven days": trialEnd(LAST_NEAR_CHARGE) },
    nearlyDue: {
      "its trial ends a moment later": trialEnd("timestamptz '2026-03-07T15:00:00Z'"),
      "its trial is over": trialEnd(now),
      "its notice was claimed": trialEnd(LAST_NEAR_CHARGE, `noticed_trial_end = ${LAST_NEAR_CHARGE}`),
      "no charge follows": trialEnd(LAST_NEAR_CHARGE, "next_payment_date = null"),
    },
    claim: async ({ subscriptionNotices }) => (await subscriptionNotices.claimTrialEnds(vendorId, 7, 20)).length,
  },
  "notices.queue-dormancies": {
    due: {
      "nobody saw the customer for eleven months": dormant(LAST_NEAR_ACTIVITY),
      "the customer was seen after an earlier notice": `${dormant(LAST_NEAR_ACTIVITY)};
        ${set("customers", customerId, `noticed_inactive_since = ${yearAgo}`)}`,
    },
    nearlyDue: {
      "the customer was seen a moment later": dormant("timestamptz '2025-03-31T15:00:00Z'"),
      "the customer becomes dormant now": dormant(yearAgo),
      "the notice was claimed": `${dormant(LAST_NEAR_ACTIVITY)};
        ${set("customers", customerId, `noticed_inactive_since = ${LAST_NEAR_ACTIVITY}`)}`,
      "the customer has a live subscription": `${dormant(LAST_NEAR_ACTIVITY)};
        ${set("subscriptions", failing.id, `customer_id = ${customerId}`)}`,
      "the vendor does not warn": `${dormant(LAST_NEAR_ACTIVITY)};
        update vendor_settings set use_dormant_notification = false where vendor_id = ${vendorId}`,
    },
    claim: async ({ customers }) => (await customers.claimDormancyNotices(vendorId, 1, 20)).length,
  },
  "messages.release-due": {
    due: { "its time has come": message(`'QUEUED', ${now}, null, null`) },
    nearlyDue: {
      "its time comes soon": message(`'QUEUED', ${soon}, null, null`),
      "it waits for its next attempt": message(`'QUEUED', ${now}, ${now}, null`),
      "it ended": message(`'CANCELED', ${now}, null, ${now}`),
    },
    claim: ({ messages }) => messages.releaseDue(vendorId, 20),
  },
  "messages.delete-expired": {
    due: { "it ended more than 400 days ago": message(`'SENT', ${now}, null, ${at(-400 * DAY - 1)}`) },
    nearlyDue: { "it ended 400 days ago": message(`'SENT', ${now}, null, ${at(-400 * DAY)}`) },
    claim: ({ messages }) => messages.removeExpired(vendorId, 20),
  },
  "people.delete-sessions": {
    due: { "it expired": session(now) },
    nearlyDue: { "it expires soon": session(soon) },
    claim: ({ sessions }) => sessions.removeExpired(vendorId, 20),
  },
  "people.mail-password-links": {
    due: { "its next attempt is due": passwordLink(now) },
    nearlyDue: { "its next attempt comes soon": passwordLink(soon), "it was sent": passwordLink("null") },
    claim: async ({ passwordLinks }) => ((await passwordLinks.claimDue(vendorId)) ? 1 : 0),
  },
  "webhooks.delete-expired": {
    due: { "it ended more than 30 days ago": delivery(at(-30 * DAY - 1)) },
    nearlyDue: { "it ended 30 days ago": delivery(at(-30 * DAY)) },
    claim: ({ webhookDeliveries }) => webhookDeliveries.removeExpired(vendorId, 20),
  },
  "webhooks.delete-endpoints": {
    due: { "its vendor deleted it": endpoint(now) },
    nearlyDue: { "it is not deleted": endpoint("null") },
    claim: ({ webhookDeliveries }) => webhookDeliveries.removeDeletedEndpoint(vendorId, 20),
  },
};

/** A year with a leap day has 366 days. */
const inLeapYear: Kind = {
  due: { "nobody saw the customer for a leap year": dormant("timestamptz '2027-12-01T03:00:00Z'") },
  nearlyDue: { "nobody saw the customer for 365 days of a leap year": dormant(at(-365 * DAY, leapYear)) },
  now: leapYear,
  claim: everyMinute["customers.fall-asleep"]!.claim,
};

/** Ends a transaction whose changes are not to be saved. */
class Undone extends Error {}

/** Changes rows, and looks for the vendor and claims the work, in one transaction that is rolled back. */
async function find(
  change: string,
  { claim, now: when = NOW }: Kind,
  search: (work: DueVendorRepository) => Promise<number[]>,
) {
  const seen = { isFound: false, claimed: 0 };
  const work = async (handle: Handle) => {
    for (const statement of change.split(";")) await handle.execute(sql.raw(statement));
    seen.isFound = (await search(new DueVendorRepository(handle))).includes(vendorId);
    seen.claimed = await claim(createServices(handle, when, { publicAddress: () => "http://127.0.0.1" }));
    throw new Undone();
  };
  await gateway.database.transaction(work).catch((error: unknown) => {
    if (!(error instanceof Undone)) throw error;
  });
  return seen;
}

/** The cases of kinds of work, each with its title. */
const casesOf = (kinds: [string, Kind][]) =>
  kinds.flatMap(([name, kind]) =>
    [true, false].flatMap((isDue) =>
      Object.entries(isDue ? kind.due : kind.nearlyDue).map(
        ([reason, change]) =>
          [`${name} ${isDue ? "taken" : "left"} when ${reason}`, { name, kind, change, isDue }] as const,
      ),
    ),
  );

const outcomeOf = (isDue: boolean) => ({ isFound: isDue, claimed: isDue ? 1 : 0 });

describe("the search for vendors agrees with the claim", () => {
  test("about every kind of work", () => {
    expect(Object.keys(turns)).toEqual(Object.keys(dueWork));
    expect(Object.keys(everyMinute)).toEqual(Object.keys(scheduledTasks));
  });

  test.each(casesOf(Object.entries(turns)))("about %s", async (_, { change, kind, isDue }) => {
    const search = (work: DueVendorRepository) => work.vendorsWithDueWork(NOW, Object.values(dueWork));
    expect(await find(change, kind, search)).toEqual(outcomeOf(isDue));
  });

  test.each(casesOf([...Object.entries(everyMinute), ["customers.fall-asleep", inLeapYear]]))(
    "about %s",
    async (_, { name, change, kind, isDue }) => {
      const { dueRows, isHousekeeping } = scheduledTasks[name]!;
      const search = (work: DueVendorRepository) =>
        isHousekeeping ? work.vendorsMatchingAtRealTime(dueRows, NOW) : work.vendorsWithDue(dueRows, kind.now ?? NOW);
      expect(await find(change, kind, search)).toEqual(outcomeOf(isDue));
    },
  );
});

test.each(["renewals", "retries"] as const)(
  "a claim of %s leases its row, so that the next claim finds none",
  async (name) => {
    const kind = turns[name];
    let next: number | undefined;
    const claimTwice = async (services: Services) => {
      const first = await kind.claim(services);
      next = await kind.claim(services);
      return first;
    };
    const search = (work: DueVendorRepository) => work.vendorsWithDueWork(NOW, Object.values(dueWork));
    const found = await find(kind.due["its date has come"]!, { ...kind, claim: claimTwice }, search);
    expect([found.claimed, next]).toEqual([1, 0]);
  },
);

test("an order is too old to be charged at once by the clock of its sandbox", async () => {
  const vendor = await gateway.openVendor({ sandbox: true });
  const own = await TestPayments.start(gateway, { token: vendor.token });
  const { databaseId } = await own.createOrder("10000", { plan: { type: "FLAT", recurring: everyMonth } });
  await own.payOrder(databaseId);
  const unpaid = (await own.createOrder("3000", { plan: { type: "FLAT", recurring: everyMonth } })).databaseId;
  await queryRows(
    gateway,
    `update orders set type = 'ADDITIONAL', charged_at_once = true where vendor_id > 0 and id = ${unpaid};
    insert into order_subscriptions (vendor_id, order_id, subscription_id)
      select vendor_id, ${unpaid}, subscription_id from order_subscriptions where vendor_id > 0 and order_id = ${databaseId}`,
  );
  const work = new DueVendorRepository(gateway.database.handle);
  const isFound = async () =>
    (await work.vendorsWithDueWork(gateway.clock.now(), Object.values(dueWork))).includes(vendor.id);
  const move = (by: string) =>
    gateway.queryRawData(`mutation { advanceTestClock(input: { by: "${by}" }) { now } }`, {}, { token: vendor.token });
  await move("P7D");
  expect(await isFound()).toBe(true);
  await move("PT1S");
  expect(await isFound()).toBe(false);
});
