import { readdirSync, readFileSync } from "node:fs";
import type { Sql } from "postgres";
import { beforeAll, describe, expect, test } from "vitest";
import { EventType } from "../../schema/vocabulary.ts";
import { eventTypes, toEventType } from "../../src/events/event.catalogue.ts";
import type { EventTrigger } from "../../src/events/event.titles.ts";
import { coverEventTypes, toCoverEventType } from "../../src/recovery/covers/cover-timeline.catalogue.ts";
import { adminSession, createDatabase } from "./harness/fault-databases.ts";

/* The events of earlier versions are copied into the log, and gateways of these versions read and write it through views. */

const LOG_MIGRATION = "0039_one_event_log.sql";
const VENDOR = 7;

/** The statements of a migration. */
const statementsOf = (file: string): string[] =>
  readFileSync(`schema/migrations/${file}`, "utf8").split("--> statement-breakpoint");

let sql: Sql;
beforeAll(async () => {
  sql = adminSession(await createDatabase({ empty: true }));
  const files = readdirSync("schema/migrations")
    .filter((name) => name.endsWith(".sql"))
    .sort();
  for (const file of files.slice(0, files.indexOf(LOG_MIGRATION)))
    for (const statement of statementsOf(file)) if (statement.trim()) await sql.unsafe(statement);
  // The records that events are about play no part here.
  for (const table of ["events", "cover_events"]) {
    const keys = await sql`select conname from pg_constraint where conrelid = ${table}::regclass and contype = 'f'`;
    for (const { conname } of keys) await sql.unsafe(`alter table ${table} drop constraint ${String(conname)}`);
  }
  await sql`insert into events (vendor_id, subject, subject_id, happening, status_before, status_after, customer_id, order_id, subscription_id,
      actor, reason, facts, occurred_at) values
    (${VENDOR}, 'ORDER', 5, 'createOrder', null, 'CREATED', 3, 5, null, 'CUSTOMER', null, '{"amount": "10"}', '2025-11-30T23:59:59.999Z'),
    (${VENDOR}, 'PAYMENT', 6, 'losePayment', 'PENDING', 'UNKNOWN', 3, 5, null, 'SYSTEM', 'No answer.', '{}', '2025-12-01T00:00:00Z'),
    (${VENDOR + 1}, 'COVER', 9, 'endRecovery', 'IN_PROGRESS', 'RECOVERED', 3, 5, 4, 'SYSTEM', null, '{}', '1999-01-01T00:00:00Z'),
    (${VENDOR}, 'SUBSCRIPTION', 4, 'payBesides', 'ACTIVE', 'ACTIVE', 3, 5, 4, 'CUSTOMER', null, '{}', '2999-01-01T00:00:00Z')`;
  await sql`insert into cover_events (vendor_id, type, order_id, subscription_id, cover_id, actor, facts, notify, occurred_at) values
    (${VENDOR}, 'ORDER_STATUS_CHANGED', 11, 12, null, 'MANAGER', '{"from": "CREATED", "to": "PAYMENT_FAILURE"}', false, '2026-01-05T00:00:00Z'),
    (${VENDOR}, 'RECOVERY_RECOVERED', 11, 12, 13, 'MANAGER', '{"reason": "PAID"}', true, '2026-01-06T00:00:00Z')`;
  await sql.begin(async (transaction) => {
    for (const statement of statementsOf(LOG_MIGRATION)) await transaction.unsafe(statement);
  });
}, 60_000);

describe("the events of an earlier version", () => {
  test("are in the log, in order of time and with the words of this version", async () => {
    const rows =
      await sql`select n.number::int, l.id::int, l.type, l.subject, l.subject_id::int, l.trigger, l.status_before, l.status_after,
        l.customer_id::int, l.order_id::int, l.subscription_id::int, l.cover_order_id::int, l.cover_subscription_id::int, l.cover_id::int,
        l.reason, l.facts, l.notify, l.recorded_at <= now() as is_past
      from event_log l join event_numbers n on (n.vendor_id, n.event_id, n.recorded_at, n.type) = (l.vendor_id, l.id, l.recorded_at, l.type)
      where l.vendor_id = ${VENDOR} order by n.number`;
    const none = {
      ...{
        customer_id: null,
        order_id: null,
        subscription_id: null,
        cover_order_id: null,
        cover_subscription_id: null,
      },
      ...{ cover_id: null, reason: null, facts: {}, notify: true, is_past: true },
    };
    expect([...rows]).toEqual([
      {
        ...none,
        ...{ number: 1, id: 1, type: "ORDER_CREATED", subject: "ORDER", subject_id: 5, trigger: "createOrder" },
        ...{ status_before: null, status_after: "CREATED", customer_id: 3, order_id: 5, facts: { amount: "10" } },
      },
      {
        ...none,
        ...{ number: 2, id: 2, type: "PAYMENT_UNKNOWN", subject: "PAYMENT", subject_id: 6 },
        ...{ trigger: "markPaymentUnknown", status_before: "PENDING", status_after: "UNKNOWN" },
        ...{ customer_id: 3, order_id: 5, reason: "No answer." },
      },
      {
        ...none,
        ...{ number: 3, id: 5, type: "ORDER_PAYMENT_FAILED", subject: "COVER_ORDER", subject_id: 11 },
        ...{ trigger: "ORDER_STATUS_CHANGED", status_before: "CREATED", status_after: "PAYMENT_FAILURE" },
        ...{ cover_order_id: 11, cover_subscription_id: 12, facts: { from: "CREATED", to: "PAYMENT_FAILURE" } },
        notify: false,
      },
      {
        ...none,
        ...{ number: 4, id: 6, type: "COVER_RECOVERED", subject: "COVER", subject_id: 13 },
        ...{ trigger: "RECOVERY_RECOVERED", status_before: "IN_PROGRESS", status_after: "RECOVERED" },
        ...{ cover_order_id: 11, cover_subscription_id: 12, cover_id: 13, facts: { reason: "PAID" } },
      },
      {
        ...none,
        ...{ number: 5, id: 4, type: "SUBSCRIPTION_CHANGED", subject: "SUBSCRIPTION", subject_id: 4 },
        ...{ trigger: "receiveUnscheduledPayment", status_before: "ACTIVE", status_after: "ACTIVE" },
        ...{ customer_id: 3, order_id: 5, subscription_id: 4 },
      },
    ]);
    expect([...(await sql`select vendor_id::int, last_number::int from event_sequences order by vendor_id`)]).toEqual([
      { vendor_id: VENDOR, last_number: 5 },
      { vendor_id: VENDOR + 1, last_number: 1 },
    ]);
  });

  test("are in the partitions of their months, and very old ones in the default partition", async () => {
    const rows = await sql`select tableoid::regclass::text as partition, count(*)::int from event_log
      where occurred_at < '2026-02-01' group by 1 order by 1`;
    expect([...rows]).toEqual([
      { partition: "event_log_2025_11", count: 1 },
      { partition: "event_log_2025_12", count: 1 },
      { partition: "event_log_2026_01", count: 2 },
      { partition: "event_log_default", count: 1 },
    ]);
  });
});

describe("the types in the migration", () => {
  // Later triggers are unknown to the gateways that write through the views.
  const laterTriggers: readonly EventTrigger[] = [
    ...(["openDispute", "winDispute", "loseDispute", "deliverMessage", "failMessage"] as const),
    ...([
      "updateCustomer",
      "storePaymentMethod",
      "announceMethodExpiry",
      "retryWithNewMethod",
      "promiseRetry",
      "eraseCustomer",
    ] as const),
  ];
  const triggers = (Object.keys(eventTypes) as EventTrigger[]).filter((trigger) => !laterTriggers.includes(trigger));
  const states = [null, "PAUSE", "ACTIVE", "IN_PROGRESS", "RECOVERED", "EXHAUSTED", "STOPPED", "PAID"];

  test.each(["COVER", "PAYMENT", "ORDER", "SUBSCRIPTION"] as const)(
    "of a %s are those of the catalogue",
    async (subject) => {
      for (const trigger of triggers) {
        for (const state of states) {
          const [row] = await sql`select billing_event_type(${trigger}, ${subject}, ${state}, ${state}) as type`;
          expect(EventType).toHaveProperty(row!["type"] as string);
          expect(row!["type"]).toBe(toEventType({ trigger, subject, statusBefore: state, statusAfter: state }));
        }
      }
    },
  );

  // Later kinds are unknown to the gateways that write through the views.
  const kindsOfTheMigration = (Object.keys(coverEventTypes) as (keyof typeof coverEventTypes)[]).filter(
    (kind) => kind !== "RECOVERY_RETRY_DUE",
  );

  test("of registered records are those of the catalogue", async () => {
    for (const kind of kindsOfTheMigration) {
      for (const to of [null, "PAID", "PAYMENT_FAILURE", "CANCELED", "FULL_REFUND", "PARTIAL_REFUND", "CREATED"]) {
        const [row] = await sql`select cover_event_type(${kind}, ${to}) as type`;
        expect(row!["type"]).toBe(toCoverEventType(kind, { to }));
      }
    }
  });
});

describe("a gateway of an earlier version", () => {
  test("reads the words that it knows", async () => {
    const words = await sql`select happening from events where vendor_id = ${VENDOR} order by id`;
    expect(words.map(({ happening }) => happening as string)).toEqual(["createOrder", "losePayment", "payBesides"]);
    const kinds =
      await sql`select type, order_id::int, notify from cover_events where vendor_id = ${VENDOR} order by id`;
    expect([...kinds]).toEqual([
      { type: "ORDER_STATUS_CHANGED", order_id: 11, notify: false },
      { type: "RECOVERY_RECOVERED", order_id: 11, notify: true },
    ]);
  });

  test("writes events that are in the log and to be numbered", async () => {
    await sql`insert into "events" ("vendor_id", "id", "subject", "subject_id", "happening", "status_before", "status_after", "customer_id", "order_id",
        "subscription_id", "actor", "reason", "facts", "occurred_at", "posted_at")
      values (${VENDOR}, default, 'REFUND', 8, 'loseRefund', 'PENDING', 'UNKNOWN', 3, 5, default, 'SYSTEM', default, default, now(), default)`;
    const [written] =
      await sql`insert into "cover_events" ("vendor_id", "id", "type", "order_id", "subscription_id", "cover_id", "actor", "facts",
        "notify", "occurred_at")
      values (${VENDOR}, default, 'RECOVERY_STARTED', 11, null, 14, 'SYSTEM', '{}', default, now()) returning *`;
    expect(written).toMatchObject({ id: "8", notify: false });
    const rows =
      await sql`select u.event_id::int as id, u.type, l.trigger, l.facts, l.subject, l.subject_id::int, l.status_before, l.status_after
      from unnumbered_events u join event_log l on (l.vendor_id, l.id, l.recorded_at) = (u.vendor_id, u.event_id, u.recorded_at) order by 1`;
    expect([...rows]).toEqual([
      {
        ...{ id: 7, type: "REFUND_UNKNOWN", trigger: "markRefundUnknown", facts: {}, subject: "REFUND", subject_id: 8 },
        ...{ status_before: "PENDING", status_after: "UNKNOWN" },
      },
      {
        ...{ id: 8, type: "COVER_STARTED", trigger: "RECOVERY_STARTED", facts: {}, subject: "COVER", subject_id: 14 },
        ...{ status_before: null, status_after: "IN_PROGRESS" },
      },
    ]);
  });
});
