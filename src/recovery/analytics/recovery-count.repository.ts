import { and, eq, gte, lte, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { declineMappings, recoveryCases, recoveryTries, unmappedDeclines } from "../../../schema/tables/index.ts";
import type { PaymentGateway, ReasonClass } from "../../../schema/vocabulary.ts";
import { sumAmounts, ZERO, type Amount } from "../../kernel/amounts.ts";
import { groupBy } from "../../kernel/group-by.ts";
import { firstOf } from "../../kernel/required-values.ts";
import { ofVendorOrParent } from "../policies/recovery-policy.repository.ts";

/** The dimensions under which a cover is counted. */
export interface CountedCover {
  id: number;
  startedOn: string;
  reasonClass: ReasonClass;
  gateway: PaymentGateway;
  country: string;
  amount: Amount;
}

/** The change of a day's counts. */
export interface CountChange {
  cases?: 1;
  recovered?: 1;
  lost?: 1;
}

/** Days of the vendor's calendar, both included. */
export interface DayRange {
  from: string;
  until: string;
}

/** A cover with the change of the counts of its day. */
export interface CoverChange {
  cover: CountedCover;
  change: CountChange;
}

/** So many rows share a count: covers that start at the same time seldom wait for each other. */
const SHARDS = 16;
const shardOf = ({ id }: CountedCover): number => id % SHARDS;

/** Queries for the recovery counts, which are only ever incremented. */
export class RecoveryCountRepository {
  constructor(private readonly db: Handle) {}

  /** Counts a cover that starts, ends, or both. */
  async countCover(vendorId: number, cover: CountedCover, change: CountChange): Promise<void> {
    await this.countCovers(vendorId, [{ cover, change }]);
  }

  /** Counts what happened to several covers. */
  async countCovers(vendorId: number, all: readonly CoverChange[]): Promise<void> {
    const groups = [...groupBy(all, ({ cover }) => JSON.stringify(Object.values(toCountKey(cover))))];
    const table = recoveryCases;
    await this.db
      .insert(table)
      // In the order of their keys, so that two transactions wait for each other in turn.
      .values(groups.sort(([key], [other]) => (key < other ? -1 : 1)).map(([, group]) => toCountRow(vendorId, group)))
      .onConflictDoUpdate({
        target: [table.vendorId, table.day, table.reasonClass, table.gateway, table.country, table.shard],
        set: {
          cases: sql`${table.cases} + excluded.cases`,
          amount: sql`${table.amount} + excluded.amount`,
          recovered: sql`${table.recovered} + excluded.recovered`,
          recoveredAmount: sql`${table.recoveredAmount} + excluded.recovered_amount`,
          lost: sql`${table.lost} + excluded.lost`,
          lostAmount: sql`${table.lostAmount} + excluded.lost_amount`,
        },
      });
  }

  /** Counts the try that brought the money. */
  async countRecoveringAttempt(
    vendorId: number,
    cover: CountedCover,
    attempt: number,
    daysTaken: number,
  ): Promise<void> {
    const table = recoveryTries;
    await this.db
      .insert(table)
      .values({
        vendorId,
        day: cover.startedOn,
        attempt,
        daysTaken,
        shard: shardOf(cover),
        recovered: 1,
        recoveredAmount: cover.amount,
      })
      .onConflictDoUpdate({
        target: [table.vendorId, table.day, table.attempt, table.daysTaken, table.shard],
        set: {
          recovered: sql`${table.recovered} + 1`,
          recoveredAmount: sql`${table.recoveredAmount} + excluded.recovered_amount`,
        },
      });
  }

  /** Counts a decline with an unmapped code, or a cover that was lost to one. */
  async countUnmapped(
    vendorId: number,
    cover: CountedCover,
    decline: { code: string; message: string | null },
    change: { declines: 0 | 1; lost: 0 | 1 },
    at: Date,
  ): Promise<void> {
    const table = unmappedDeclines;
    await this.db
      .insert(table)
      .values({
        vendorId,
        gateway: cover.gateway,
        ...decline,
        shard: shardOf(cover),
        ...change,
        lostAmount: change.lost ? cover.amount : ZERO,
        firstSeenAt: at,
        lastSeenAt: at,
      })
      .onConflictDoUpdate({
        target: [table.vendorId, table.gateway, table.code, table.shard],
        set: {
          message: sql`coalesce(excluded.message, ${table.message})`,
          declines: sql`${table.declines} + excluded.declines`,
          lost: sql`${table.lost} + excluded.lost`,
          lostAmount: sql`${table.lostAmount} + excluded.lost_amount`,
          lastSeenAt: sql`greatest(${table.lastSeenAt}, excluded.last_seen)`,
        },
      });
  }

  /** The unmapped declines, the most expensive first. */
  listUnmappedDeclines(vendorId: number, limit: number) {
    const table = unmappedDeclines;
    const lostAmount = sql<Amount>`sum(${table.lostAmount})`.mapWith(table.lostAmount);
    const declines = sql<number>`sum(${table.declines})::integer`;
    return this.db
      .select({
        gateway: table.gateway,
        code: table.code,
        message: sql<string | null>`(array_agg(${table.message} order by ${table.lastSeenAt} desc))[1]`,
        declines,
        lost: sql<number>`sum(${table.lost})::integer`,
        lostAmount,
        firstSeenAt: sql<Date>`min(${table.firstSeenAt})`.mapWith(table.firstSeenAt),
        lastSeenAt: sql<Date>`max(${table.lastSeenAt})`.mapWith(table.lastSeenAt),
      })
      .from(table)
      .leftJoin(
        declineMappings,
        and(
          ofVendorOrParent(declineMappings.vendorId, vendorId),
          eq(declineMappings.gateway, table.gateway),
          eq(declineMappings.code, table.code),
        ),
      )
      .where(and(eq(table.vendorId, vendorId), sql`${declineMappings.code} is null`))
      .groupBy(table.gateway, table.code)
      .orderBy(sql`${lostAmount} desc`, sql`${declines} desc`, table.gateway, table.code)
      .limit(limit);
  }

  /** The counts of a range of days, grouped by one dimension of the covers. */
  casesGroupedBy(vendorId: number, by: "day" | "reasonClass" | "gateway" | "country", { from, until }: DayRange) {
    const table = recoveryCases;
    // A region is a country, or a country with one of its states.
    const column = by === "country" ? sql`left(${table.country}, 2)` : sql`${table[by]}`;
    const count = (of: "cases" | "recovered" | "lost") => sql<number>`sum(${table[of]})::integer`;
    const money = (of: "amount" | "recoveredAmount" | "lostAmount") =>
      sql<Amount>`sum(${table[of]})`.mapWith(table.amount);
    return this.db
      .select({
        key: sql<string>`${column}::text`,
        cases: count("cases"),
        amount: money("amount"),
        recovered: count("recovered"),
        recoveredAmount: money("recoveredAmount"),
        lost: count("lost"),
        lostAmount: money("lostAmount"),
      })
      .from(table)
      .where(and(eq(table.vendorId, vendorId), gte(table.day, from), lte(table.day, until)))
      .groupBy(column)
      .orderBy(column);
  }

  /** The recovered part of the covers that started on a range of days, by attempt or by days taken. */
  recoveredGroupedBy(vendorId: number, by: "attempt" | "daysTaken", { from, until }: DayRange) {
    const table = recoveryTries;
    return this.db
      .select({
        key: table[by],
        recovered: sql<number>`sum(${table.recovered})::integer`,
        recoveredAmount: sql<Amount>`sum(${table.recoveredAmount})`.mapWith(table.recoveredAmount),
      })
      .from(table)
      .where(and(eq(table.vendorId, vendorId), gte(table.day, from), lte(table.day, until)))
      .groupBy(table[by])
      .orderBy(table[by]);
  }
}

const toCountKey = (cover: CountedCover) => {
  const { startedOn: day, reasonClass, gateway, country } = cover;
  return { day, reasonClass, gateway, country, shard: shardOf(cover) };
};

/** The row that counts changes of covers with the same key. */
function toCountRow(vendorId: number, group: readonly CoverChange[]): typeof recoveryCases.$inferInsert {
  const changesOf = (of: keyof CountChange) => group.filter(({ change }) => change[of]);
  const amountOf = (of: keyof CountChange) => sumAmounts(changesOf(of).map(({ cover }) => cover.amount));
  return {
    vendorId,
    ...toCountKey(firstOf(group).cover),
    cases: changesOf("cases").length,
    amount: amountOf("cases"),
    recovered: changesOf("recovered").length,
    recoveredAmount: amountOf("recovered"),
    lost: changesOf("lost").length,
    lostAmount: amountOf("lost"),
  };
}
