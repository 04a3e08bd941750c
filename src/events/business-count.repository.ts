import { and, eq, gte, lte, sql, type SQL } from "drizzle-orm";
import { businessDays } from "../../schema/tables/index.ts";
import type { BusinessMetric } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import type { Amount } from "../kernel/amounts.ts";

/** Something that is counted: when it was, and how much money it was about. */
export interface BusinessCount {
  metric: BusinessMetric;
  at: Date;
  /** Empty where no money is concerned. */
  currency: string;
  amount: Amount;
  /** Number of the record that is counted: it spreads the counts over rows. */
  recordId: number;
  /** Of a failed charge: who declined it, and how. */
  decline?: { gateway: string; code: string; advice: string };
}

/** Days of the vendor's zone, both included. */
export interface BusinessDays {
  from: string;
  until: string;
}

/** So many rows share a count: transactions of one moment seldom wait for each other. */
const SHARDS = 16;

const table = businessDays;
const added = {
  count: sql`${table.count} + excluded.count`,
  amount: sql`${table.amount} + excluded.amount`,
};
const key = [
  table.vendorId,
  table.metric,
  table.day,
  table.currency,
  table.gateway,
  table.code,
  table.advice,
  table.shard,
];

/** Every question we ask of the counts of the billing side. They are only ever added to. */
export class BusinessCountRepository {
  constructor(private readonly db: Handle) {}

  /** Counts something on its day in the vendor's zone. */
  async count(vendorId: number, { metric, at, currency, amount, recordId, decline }: BusinessCount): Promise<void> {
    const day = sql<string>`(select (${at.toISOString()}::timestamptz at time zone v.zone_id)::date from vendors v where v.id = ${vendorId}::bigint)`;
    await this.db
      .insert(table)
      .values({
        vendorId,
        day,
        metric,
        currency,
        ...decline,
        shard: recordId % SHARDS,
        count: 1,
        amount,
      })
      .onConflictDoUpdate({ target: key, set: added });
  }

  /** Counts all that a vendor has anew, where a history was saved in rows without its events. */
  async countHistory(vendorId: number): Promise<void> {
    await this.db.delete(table).where(eq(table.vendorId, vendorId));
    await this.db.execute(sql`
      insert into business_days (vendor_id, day, metric, currency, gateway, code, advice, shard, count, amount)
      select ${vendorId}::bigint, (x.at at time zone v.zone_id)::date, x.metric, x.currency, x.gateway, x.code, x.advice, 0, count(*), sum(x.amount)
      from (
        select created_at as at, case account when 'SALES' then 'GROSS' else 'REFUNDED' end as metric, currency,
          '' as gateway, '' as code, '' as advice, abs(amount) as amount
        from ledger_entries where vendor_id = ${vendorId}::bigint and account in ('SALES', 'REFUNDS')
        union all select settled_at, 'DECLINED', currency, payment_gateway, upper(trim(coalesce(error_code, ''))),
          upper(trim(coalesce(advice_code, ''))), amount
        from payments where vendor_id = ${vendorId}::bigint and state = 'FAILED'
          and coalesce(error_code, '') not in ('GATEWAY_UNAVAILABLE', 'NOT_CHARGED')
        union all select start_date, 'STARTED', '', '', '', '', 0 from subscriptions where vendor_id = ${vendorId}::bigint
        union all select coalesce(end_date, modified_at), 'ENDED', '', '', '', '', 0 from subscriptions
        where vendor_id = ${vendorId}::bigint and status in ('CANCELED', 'EXPIRED')
      ) x join vendors v on v.id = ${vendorId}::bigint
      group by 1, 2, 3, 4, 5, 6, 7`);
  }

  /** Sums by day and currency. */
  sums(vendorId: number, metric: BusinessMetric, { from, until }: BusinessDays) {
    return this.db
      .select({
        day: table.day,
        currency: table.currency,
        count: sql<number>`sum(${table.count})::integer`,
        amount: sql<Amount>`sum(${table.amount})`.mapWith(table.amount),
      })
      .from(table)
      .where(this.within(vendorId, metric, from, until))
      .groupBy(table.day, table.currency)
      .orderBy(table.day, table.currency);
  }

  /** How many were counted before a day. */
  async before(vendorId: number, metric: BusinessMetric, day: string): Promise<number> {
    const [row] = await this.db
      .select({ count: sql<number>`coalesce(sum(${table.count}), 0)::integer` })
      .from(table)
      .where(and(eq(table.vendorId, vendorId), eq(table.metric, metric), sql`${table.day} < ${day}`));
    return row!.count;
  }

  /** Failed charges by gateway, codes and currency. */
  declines(vendorId: number, { from, until }: BusinessDays) {
    return this.db
      .select({
        gateway: table.gateway,
        code: table.code,
        advice: table.advice,
        currency: table.currency,
        count: sql<number>`sum(${table.count})::integer`,
        amount: sql<Amount>`sum(${table.amount})`.mapWith(table.amount),
      })
      .from(table)
      .where(this.within(vendorId, "DECLINED", from, until))
      .groupBy(table.gateway, table.code, table.advice, table.currency);
  }

  private within(vendorId: number, metric: BusinessMetric, from: string, until: string): SQL | undefined {
    return and(eq(table.vendorId, vendorId), eq(table.metric, metric), gte(table.day, from), lte(table.day, until));
  }
}
