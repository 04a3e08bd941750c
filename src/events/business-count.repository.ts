import { and, eq, gte, lte, sql, type SQL } from "drizzle-orm";
import { businessDays, recurringAmounts } from "../../schema/tables/index.ts";
import type { BusinessMetric } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { isCollected } from "../database/collected-rows.ts";
import { bigintArray } from "../database/conditions.ts";
import { preparedExecution } from "../database/prepared-statements.ts";
import { firstRow } from "../database/rows.ts";
import type { Amount } from "../kernel/amounts.ts";

/** One count of a metric, with its time and its amount. */
export interface BusinessCount {
  metric: BusinessMetric;
  at: Date;
  /** An empty string for metrics without an amount. */
  currency: string;
  amount: Amount;
  /** Id of the counted record. It selects the shard. */
  recordId: number;
  /** The gateway and the codes of a failed charge. The code may have the gateway's message on a second line. */
  decline?: { gateway: string; code: string; advice: string };
}

/** A range of days in the vendor's time zone, both included. */
export interface BusinessDays {
  from: string;
  until: string;
}

/** The rows that a count is spread over, so that concurrent transactions rarely wait for the same row. */
const SHARDS = 16;

const countTable = businessDays;

/**
 * The monthly recurring revenue of the subscription `s`: the agreed prices of its recurring items for a month. Metered
 * items are excluded, because their usage is not known in advance.
 */
const monthlyAmount = `(
  select coalesce(round(sum((i."price" + i."option_price") * i."quantity")
    * case s."interval" when 'DAY' then 365 when 'WEEK' then 52 when 'MONTH' then 12 else 1 end / (12 * s."interval_count"), 6), 0)
  from "subscription_items" i join "price_plans" p on p."vendor_id" = i."vendor_id" and p."id" = i."price_id"
  where i."vendor_id" = s."vendor_id" and i."subscription_id" = s."id" and i."activated_at" is not null and i."removed_at" is null
    and (i."keep_when_renew" or not i."is_additional") and p."type" not in ('ONE_TIME', 'UNIT_BASED', 'USAGE_BASED'))`;

/** True if the subscription `s` has recurring revenue: it is running, and its trial is over and was followed by a charge. */
const isRecurring = `(s."status" in ('ACTIVE', 'QUEUEING', 'UNPAID', 'PENDING_PAUSE', 'PENDING_CANCEL')
  and (s."trial_end_date" is null or s."renewal_count" > 0))`;

/** Adds the counts of one or many events: rows are locked in one order, so that two transactions cannot deadlock. */
const addCounted = preparedExecution(sql`
  insert into "business_days" ("vendor_id", "day", "metric", "currency", "gateway", "code", "advice", "shard", "count", "amount")
  select v."id", (r."at" at time zone v."zone_id")::date, r."metric", r."currency", r."gateway", r."code", r."advice", r."shard",
    count(*), sum(r."amount")
  from json_to_recordset(${sql.placeholder("rows")}::text::json) r ("at" timestamptz, "metric" text, "currency" text,
    "gateway" text, "code" text, "advice" text, "shard" integer, "amount" numeric)
  join "vendors" v on v."id" = ${sql.placeholder("vendorId")}::bigint
  where ${isCollected}
  group by 1, 2, 3, 4, 5, 6, 7, 8 order by 2, 3, 4, 5, 6, 7, 8
  on conflict ("vendor_id", "metric", "day", "currency", "gateway", "code", "advice", "shard") do update
  set "count" = "business_days"."count" + excluded."count", "amount" = "business_days"."amount" + excluded."amount"`);

/** Queries for the daily counts of the billing side. Counts are only incremented. */
export class BusinessCountRepository {
  constructor(private readonly db: Handle) {}

  /** Adds counts to their days in the vendor's time zone. */
  async addCounts(vendorId: number, counts: readonly BusinessCount[]): Promise<void> {
    const rows = counts.map(({ recordId, decline, amount, ...counted }) => ({
      ...counted,
      ...(decline ?? { gateway: "", code: "", advice: "" }),
      amount: amount.toFixed(),
      shard: recordId % SHARDS,
    }));
    await addCounted(this.db, { vendorId, rows: JSON.stringify(rows) });
  }

  /**
   * Counts the changes of subscriptions' monthly recurring revenue, where it changed. The caller must have locked the
   * subscriptions.
   */
  async countRecurring(vendorId: number, subscriptionIds: readonly number[], at: Date): Promise<void> {
    await this.db.execute(sql`
      with "known" as (
        select s."id", s."currency", coalesce(r."amount", 0) as "before",
          case when ${sql.raw(isRecurring)} then ${sql.raw(monthlyAmount)} else 0 end as "amount"
        from "subscriptions" s left join "recurring_amounts" r on r."vendor_id" = s."vendor_id" and r."subscription_id" = s."id"
        where s."vendor_id" = ${vendorId}::bigint and s."id" = any(${bigintArray(subscriptionIds)})
      ), "saved" as (
        insert into "recurring_amounts" ("vendor_id", "subscription_id", "amount")
        select ${vendorId}::bigint, "id", "amount" from "known" where "amount" <> "before"
        on conflict ("vendor_id", "subscription_id") do update set "amount" = excluded."amount"
      )
      insert into "business_days" ("vendor_id", "day", "metric", "currency", "shard", "count", "amount")
      select v."id", (${at.toISOString()}::timestamptz at time zone v."zone_id")::date, 'RECURRING', k."currency", k."id" % ${SHARDS}::integer,
        count(*), sum(k."amount" - k."before")
      from "known" k join "vendors" v on v."id" = ${vendorId}::bigint where k."amount" <> k."before" and ${isCollected}
      group by 1, 2, 3, 4, 5 order by 4, 5
      on conflict ("vendor_id", "metric", "day", "currency", "gateway", "code", "advice", "shard") do update
      set "count" = "business_days"."count" + excluded."count", "amount" = "business_days"."amount" + excluded."amount"`);
  }

  /**
   * Computes all counts of a vendor from its rows, for a history that was saved without events. Recurring revenue is
   * counted at current prices, from the start of a subscription to its end or its pause.
   */
  async recountHistory(vendorId: number): Promise<void> {
    await this.db.delete(countTable).where(eq(countTable.vendorId, vendorId));
    await this.db.delete(recurringAmounts).where(eq(recurringAmounts.vendorId, vendorId));
    await this.db.execute(sql`
      insert into "recurring_amounts" ("vendor_id", "subscription_id", "amount")
      select s."vendor_id", s."id", ${sql.raw(monthlyAmount)} from "subscriptions" s
      where s."vendor_id" = ${vendorId}::bigint and ${sql.raw(isRecurring)} and ${isCollected}`);
    await this.db.execute(sql`
      insert into business_days (vendor_id, day, metric, currency, gateway, code, advice, shard, count, amount)
      select ${vendorId}::bigint, (x.at at time zone v.zone_id)::date, x.metric, x.currency, x.gateway, x.code, x.advice, 0, count(*), sum(x.amount)
      from (
        select created_at as at, case account when 'SALES' then 'GROSS' else 'REFUNDED' end as metric, currency,
          '' as gateway, '' as code, '' as advice, abs(amount) as amount
        from ledger_entries where vendor_id = ${vendorId}::bigint and account in ('SALES', 'REFUNDS')
        union all select settled_at, 'DECLINED', currency, payment_gateway, upper(trim(coalesce(error_code, '')))
            || coalesce(chr(10) || nullif(upper(trim(left(regexp_replace(error_message, '[0-9]+', '#', 'g'), 100))), ''), ''),
          upper(trim(coalesce(advice_code, ''))), amount
        from payments where vendor_id = ${vendorId}::bigint and state = 'FAILED'
          and coalesce(error_code, '') not in ('GATEWAY_UNAVAILABLE', 'NOT_CHARGED')
        union all select start_date, 'STARTED', '', '', '', '', 0 from subscriptions where vendor_id = ${vendorId}::bigint
        union all select coalesce(end_date, modified_at), 'ENDED', '', '', '', '', 0 from subscriptions
        where vendor_id = ${vendorId}::bigint and status in ('CANCELED', 'EXPIRED')
        union all select x.at, 'RECURRING', s.currency, '', '', '', x.sign * ${sql.raw(monthlyAmount)}
        from subscriptions s cross join lateral (
          values (coalesce(s.trial_end_date, s.start_date), 1),
            (case when s.status in ('CANCELED', 'EXPIRED') then coalesce(s.end_date, s.modified_at)
              when s.status = 'PAUSE' then coalesce(s.paused_at, s.modified_at) end, -1)
        ) x (at, sign)
        where s.vendor_id = ${vendorId}::bigint and x.at is not null and s.status <> 'INCOMPLETE'
          and (s.trial_end_date is null or s.renewal_count > 0)
      ) x join vendors v on v.id = ${vendorId}::bigint and ${isCollected}
      group by 1, 2, 3, 4, 5, 6, 7`);
  }

  /** Sums a metric by day and currency. */
  sumsByDay(vendorId: number, metric: BusinessMetric, { from, until }: BusinessDays) {
    return this.db
      .select({
        day: countTable.day,
        currency: countTable.currency,
        count: sql<number>`sum(${countTable.count})::integer`,
        amount: sql<Amount>`sum(${countTable.amount})`.mapWith(countTable.amount),
      })
      .from(countTable)
      .where(this.isWithinDays(vendorId, metric, from, until))
      .groupBy(countTable.day, countTable.currency)
      .orderBy(countTable.day, countTable.currency);
  }

  /** Sums the counts of a metric before a day. */
  async countBefore(vendorId: number, metric: BusinessMetric, day: string): Promise<number> {
    const row = firstRow(
      await this.db
        .select({ count: sql<number>`coalesce(sum(${countTable.count}), 0)::integer` })
        .from(countTable)
        .where(and(eq(countTable.vendorId, vendorId), eq(countTable.metric, metric), sql`${countTable.day} < ${day}`)),
    );
    return row.count;
  }

  /** Sums the amounts of a metric before a day, by currency. */
  async amountsBeforeByCurrency(vendorId: number, metric: BusinessMetric, day: string): Promise<Map<string, Amount>> {
    const rows = await this.db
      .select({
        currency: countTable.currency,
        amount: sql<Amount>`sum(${countTable.amount})`.mapWith(countTable.amount),
      })
      .from(countTable)
      .where(and(eq(countTable.vendorId, vendorId), eq(countTable.metric, metric), sql`${countTable.day} < ${day}`))
      .groupBy(countTable.currency);
    return new Map(rows.map(({ currency, amount }) => [currency, amount]));
  }

  /** Sums failed charges by gateway, codes and currency. */
  declines(vendorId: number, { from, until }: BusinessDays) {
    return this.db
      .select({
        gateway: countTable.gateway,
        code: countTable.code,
        advice: countTable.advice,
        currency: countTable.currency,
        count: sql<number>`sum(${countTable.count})::integer`,
        amount: sql<Amount>`sum(${countTable.amount})`.mapWith(countTable.amount),
      })
      .from(countTable)
      .where(this.isWithinDays(vendorId, "DECLINED", from, until))
      .groupBy(countTable.gateway, countTable.code, countTable.advice, countTable.currency);
  }

  private isWithinDays(vendorId: number, metric: BusinessMetric, from: string, until: string): SQL | undefined {
    return and(
      eq(countTable.vendorId, vendorId),
      eq(countTable.metric, metric),
      gte(countTable.day, from),
      lte(countTable.day, until),
    );
  }
}
