import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { isOneOf, idIsOneOf, type TimeRange, whenGiven, isWithinRange } from "../../database/conditions.ts";
import { dueRowsOf, timestamp, type DueRows } from "../../database/due-rows.ts";
import { preparedStatement, insertRows, updateRow } from "../../database/prepared-statements.ts";
import { columnOfRow } from "../../database/projection.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { coverAttempts, coverDecisions, covers } from "../../../schema/tables/index.ts";
import type { CoverEndReason, CoverState } from "../../../schema/vocabulary.ts";
import { firstRow } from "../../database/rows.ts";

export type CoverRecord = typeof covers.$inferSelect;
export type CoverAttemptRecord = typeof coverAttempts.$inferSelect;
export type CoverDecisionRecord = typeof coverDecisions.$inferSelect;

type NewValues<Table extends { $inferInsert: object }> = Omit<Table["$inferInsert"], "vendorId" | "id">;

/** Filters for covers. */
export interface CoverFilter {
  states?: CoverState[] | null;
  endReasons?: CoverEndReason[] | null;
  orderId?: number | null;
  subscriptionId?: number | null;
  renewalOrderId?: number | null;
  renewalSubscriptionId?: number | null;
  startedAt?: TimeRange | null;
  retryDate?: TimeRange | null;
}

const lockLatest = preparedStatement((db) =>
  db
    .select()
    .from(covers)
    .where(and(eq(covers.vendorId, sql.placeholder("vendorId")), eq(covers.orderId, sql.placeholder("orderId"))))
    .orderBy(desc(covers.startedAt), desc(covers.id))
    .limit(1)
    .for("no key update"),
);

/** The amount that a cover recovers, and who is to pay it. */
export interface CoverDebt {
  id: number;
  amount: string;
  currency: string;
  payerName: string;
}

/** Covers in progress with a date that has come and was not announced to the caller who makes the retry. */
export const dueAnnouncements: DueRows = {
  table: covers,
  isDue: (at) =>
    sql`${covers.state} = 'IN_PROGRESS' and ${covers.announceAt} is not null and ${covers.announceAt} <= ${at}`,
};

/** Queries for covers, their attempts and decisions. */
export class CoverRepository {
  readonly list: RecordList<
    CoverRecord,
    CoverFilter,
    "STARTED_AT" | "RETRY_DATE",
    "orderId" | "subscriptionId" | "renewalOrderId" | "renewalSubscriptionId"
  >;
  readonly attempts: RecordList<CoverAttemptRecord, object, "ATTEMPTED_AT", "coverId">;
  readonly decisions: RecordList<CoverDecisionRecord, object, "DECIDED_AT", "coverId">;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: covers,
      sorts: {
        STARTED_AT: covers.startedAt,
        // The next retry, or the end: every cover has one of them. The same expression as in its index.
        RETRY_DATE: (cover) => `coalesce(${columnOfRow(cover, covers.retryAt)}, ${columnOfRow(cover, covers.endedAt)})`,
      },
      parentConditions: {
        orderId: covers.orderId,
        subscriptionId: covers.subscriptionId,
        renewalOrderId: covers.renewalOrderId,
        renewalSubscriptionId: covers.renewalSubscriptionId,
      },
      filterCondition: ({ states, endReasons, startedAt, retryDate, ...of }) =>
        and(
          whenGiven(states, (words) => isOneOf(covers.state, words)),
          whenGiven(endReasons, (words) => isOneOf(covers.endReason, words)),
          whenGiven(of.orderId, (id) => eq(covers.orderId, id)),
          whenGiven(of.subscriptionId, (id) => eq(covers.subscriptionId, id)),
          whenGiven(of.renewalOrderId, (id) => eq(covers.renewalOrderId, id)),
          whenGiven(of.renewalSubscriptionId, (id) => eq(covers.renewalSubscriptionId, id)),
          isWithinRange(covers.startedAt, startedAt),
          isWithinRange(covers.retryAt, retryDate),
        ),
    });
    this.attempts = new RecordList(db, {
      table: coverAttempts,
      sorts: { ATTEMPTED_AT: coverAttempts.attemptedAt },
      parentConditions: { coverId: coverAttempts.coverId },
      filterCondition: () => undefined,
    });
    this.decisions = new RecordList(db, {
      table: coverDecisions,
      sorts: { DECIDED_AT: coverDecisions.decidedAt },
      parentConditions: { coverId: coverDecisions.coverId },
      filterCondition: () => undefined,
    });
  }

  byIds(vendorId: number, ids: readonly number[]): Promise<CoverRecord[]> {
    return this.db
      .select()
      .from(covers)
      .where(and(eq(covers.vendorId, vendorId), idIsOneOf(covers.id, ids)));
  }

  /** The amounts that covers recover, and who is to pay them. Registered orders are in the vendor's currency. */
  async debtsOf(vendorId: number, ids: readonly number[]): Promise<CoverDebt[]> {
    const rows = await this.db.execute(sql`
      select c.id::bigint as id, trim_scale(coalesce(r.amount, o.amount))::text as amount,
        coalesce(r.currency, v.currency) as currency, coalesce(r.customer_name, p.name) as "payerName"
      from covers c join vendors v on v.id = c.vendor_id
      left join orders r on r.vendor_id = ${vendorId}::bigint and r.id = c.renewal_order_id
      left join cover_orders o on o.vendor_id = ${vendorId}::bigint and o.id = c.order_id
      left join cover_customers p on p.vendor_id = ${vendorId}::bigint and p.id = o.customer_id
      where c.vendor_id = ${vendorId}::bigint and c.id = any(${`{${ids.join(",")}}`}::bigint[])`);
    return Array.from(rows as Iterable<Omit<CoverDebt, "id"> & { id: string }>, (row) => ({
      ...row,
      id: Number(row.id),
    }));
  }

  /** For the loader: the newest cover of each order. */
  latestOfOrders(vendorId: number, orderIds: readonly number[]): Promise<CoverRecord[]> {
    return this.db
      .selectDistinctOn([covers.orderId])
      .from(covers)
      .where(and(eq(covers.vendorId, vendorId), idIsOneOf(covers.orderId, orderIds)))
      .orderBy(covers.orderId, desc(covers.startedAt), desc(covers.id));
  }

  /** The newest cover of an order, locked until the transaction ends. */
  async lockLatestOf(vendorId: number, orderId: number): Promise<CoverRecord | undefined> {
    const [cover] = await lockLatest(this.db, { vendorId, orderId });
    return cover;
  }

  /** All covers in progress of a subscription, locked until the transaction ends, in the order of their ids. */
  lockRunningOf(vendorId: number, subscriptionId: number): Promise<CoverRecord[]> {
    return this.db
      .select()
      .from(covers)
      .where(
        and(eq(covers.vendorId, vendorId), eq(covers.subscriptionId, subscriptionId), eq(covers.state, "IN_PROGRESS")),
      )
      .orderBy(asc(covers.id))
      .for("no key update");
  }

  /** For the loader: those of the subscriptions that have a cover in progress. */
  async subscriptionsInRecovery(vendorId: number, subscriptionIds: readonly number[]): Promise<Set<number>> {
    const rows = await this.db
      .select({ id: covers.subscriptionId })
      .from(covers)
      .where(
        and(
          eq(covers.vendorId, vendorId),
          idIsOneOf(covers.subscriptionId, subscriptionIds),
          eq(covers.state, "IN_PROGRESS"),
        ),
      );
    return new Set(rows.map(({ id }) => id as number));
  }

  /** The attempts of a cover in order of time. */
  attemptsOf(vendorId: number, coverId: number): Promise<CoverAttemptRecord[]> {
    return this.db
      .select()
      .from(coverAttempts)
      .where(and(eq(coverAttempts.vendorId, vendorId), eq(coverAttempts.coverId, coverId)))
      .orderBy(asc(coverAttempts.number));
  }

  /** Those of the decisions that exist, in no particular order. */
  decisionsByIds(vendorId: number, ids: readonly number[]): Promise<CoverDecisionRecord[]> {
    return this.db
      .select()
      .from(coverDecisions)
      .where(and(eq(coverDecisions.vendorId, vendorId), idIsOneOf(coverDecisions.id, ids)));
  }

  /** So many decisions of the vendor with numbers beyond one, in the order of their numbers. */
  decisionsAfter(vendorId: number, id: number, limit: number): Promise<CoverDecisionRecord[]> {
    return this.db
      .select()
      .from(coverDecisions)
      .where(and(eq(coverDecisions.vendorId, vendorId), gt(coverDecisions.id, id)))
      .orderBy(asc(coverDecisions.id))
      .limit(limit);
  }

  /** For the loader: the newest decision of each cover. */
  latestDecisions(vendorId: number, coverIds: readonly number[]): Promise<CoverDecisionRecord[]> {
    return this.db
      .selectDistinctOn([coverDecisions.coverId])
      .from(coverDecisions)
      .where(and(eq(coverDecisions.vendorId, vendorId), idIsOneOf(coverDecisions.coverId, coverIds)))
      .orderBy(coverDecisions.coverId, desc(coverDecisions.decidedAt), desc(coverDecisions.id));
  }

  /** Covers with a date to announce, locked; those that another transaction has locked are skipped. */
  lockDueAnnouncements(vendorId: number, now: Date, limit: number): Promise<CoverRecord[]> {
    return this.db
      .select()
      .from(covers)
      .where(dueRowsOf(dueAnnouncements, vendorId, timestamp(now)))
      .orderBy(covers.announceAt, covers.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
  }

  /** The number of failed attempts of each cover. */
  async countAttempts(vendorId: number, coverIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.db
      .select({ coverId: coverAttempts.coverId, count: sql<number>`count(*)::integer` })
      .from(coverAttempts)
      .where(and(eq(coverAttempts.vendorId, vendorId), idIsOneOf(coverAttempts.coverId, coverIds)))
      .groupBy(coverAttempts.coverId);
    return new Map(rows.map(({ coverId, count }) => [coverId, count]));
  }

  async add(vendorId: number, values: NewValues<typeof covers>): Promise<CoverRecord> {
    const cover = firstRow(await insertRows(this.db, covers, [{ vendorId, ...values }]));
    return cover;
  }

  async change(vendorId: number, coverId: number, values: Partial<NewValues<typeof covers>>): Promise<CoverRecord> {
    const cover = firstRow(await updateRow(this.db, covers, vendorId, coverId, values));
    return cover;
  }

  async addAttempt(vendorId: number, values: NewValues<typeof coverAttempts>): Promise<void> {
    await insertRows(this.db, coverAttempts, [{ vendorId, ...values }]);
  }

  async addDecision(vendorId: number, values: NewValues<typeof coverDecisions>): Promise<void> {
    await insertRows(this.db, coverDecisions, [{ vendorId, ...values }]);
  }
}
