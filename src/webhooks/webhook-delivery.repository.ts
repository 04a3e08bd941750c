import { and, count, eq, isNotNull, isNull, lte, sql, type SQL } from "drizzle-orm";
import { webhookAttempts, webhookDeliveries } from "../../schema/tables/index.ts";
import type { EventSubject, WebhookDeliveryState } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import { idIsOneOf, isOneOf, whenGiven } from "../database/conditions.ts";
import { interval, timestamp, type DueRows } from "../database/due-rows.ts";
import { insertRows, updateRow } from "../database/prepared-statements.ts";
import { retentionMs } from "../kernel/retention.ts";
import { RecordList } from "../database/lists/record-list.ts";
import { firstRow } from "../database/rows.ts";

export type WebhookDeliveryRecord = typeof webhookDeliveries.$inferSelect;
export type WebhookDeliveryValues = Omit<typeof webhookDeliveries.$inferInsert, "vendorId" | "id">;
export type WebhookAttemptRecord = typeof webhookAttempts.$inferSelect;

/** The filter of a list of deliveries. */
export interface WebhookDeliveryFilter {
  endpointId?: number | undefined;
  state?: WebhookDeliveryState | null;
  eventId?: string | null;
}

/** Deliveries that ended longer ago than they are kept. An open one stays, because others wait for it. */
export const expiredDeliveries: DueRows = {
  table: webhookDeliveries,
  isDue: (at) => sql`${webhookDeliveries.endedAt} < ${at} - ${interval(retentionMs("webhookDeliveries"))}`,
};

/** The state is not a parameter, so that the planner can use the index of open deliveries in a prepared statement. */
const isOpenAt = (vendorId: number, endpointId: number): SQL | undefined =>
  and(
    eq(webhookDeliveries.vendorId, vendorId),
    eq(webhookDeliveries.endpointId, endpointId),
    sql`${webhookDeliveries.state} = 'PENDING'`,
  );

/** Queries for deliveries of events to webhook endpoints. */
export class WebhookDeliveryRepository {
  readonly list: RecordList<WebhookDeliveryRecord, WebhookDeliveryFilter, "CREATED_AT", never>;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: webhookDeliveries,
      sorts: { CREATED_AT: webhookDeliveries.createdAt },
      parentConditions: {},
      filterCondition: ({ endpointId, state, eventId }) =>
        and(
          whenGiven(endpointId, (id) => eq(webhookDeliveries.endpointId, id)),
          whenGiven(state, (word) => eq(webhookDeliveries.state, word)),
          whenGiven(eventId, (id) => eq(webhookDeliveries.eventId, id)),
        ),
    });
  }

  byIds(vendorId: number, ids: readonly number[]): Promise<WebhookDeliveryRecord[]> {
    return this.db
      .select()
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.vendorId, vendorId), idIsOneOf(webhookDeliveries.id, ids)));
  }

  /** The attempts of deliveries, each delivery's in their order. */
  attemptsOf(vendorId: number, deliveryIds: readonly number[]): Promise<WebhookAttemptRecord[]> {
    return this.db
      .select()
      .from(webhookAttempts)
      .where(and(eq(webhookAttempts.vendorId, vendorId), idIsOneOf(webhookAttempts.deliveryId, deliveryIds)))
      .orderBy(webhookAttempts.deliveryId, webhookAttempts.number);
  }

  async add(vendorId: number, values: WebhookDeliveryValues): Promise<WebhookDeliveryRecord> {
    return firstRow(await insertRows(this.db, webhookDeliveries, [{ vendorId, ...values }]));
  }

  async addAll(vendorId: number, rows: readonly WebhookDeliveryValues[]): Promise<void> {
    await this.db.insert(webhookDeliveries).values(rows.map((row) => ({ vendorId, ...row })));
  }

  /** The subjects, among some, that have an open delivery to an endpoint: `ORDER 7`. */
  async openSubjects(
    vendorId: number,
    endpointId: number,
    subjects: readonly { subject: EventSubject; subjectId: number }[],
  ): Promise<Set<string>> {
    const rows = await this.db
      .selectDistinct({ key: sql<string>`${webhookDeliveries.subject} || ' ' || ${webhookDeliveries.subjectId}` })
      .from(webhookDeliveries)
      .where(
        and(
          isOpenAt(vendorId, endpointId),
          isOneOf(
            webhookDeliveries.subject,
            subjects.map(({ subject }) => subject),
          ),
          idIsOneOf(
            webhookDeliveries.subjectId,
            subjects.map(({ subjectId }) => subjectId),
          ),
        ),
      );
    return new Set(rows.map(({ key }) => key));
  }

  /**
   * Begins attempts: takes due deliveries, the longest due first, until the end of a lease. The endpoint must be locked, so
   * that no other worker takes them.
   */
  claimDue(
    vendorId: number,
    endpointId: number,
    { now, leaseUntil, limit }: { now: Date; leaseUntil: Date; limit: number },
  ): Promise<WebhookDeliveryRecord[]> {
    const due = this.db
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.vendorId, vendorId),
          eq(webhookDeliveries.endpointId, endpointId),
          lte(webhookDeliveries.dueAt, now),
        ),
      )
      .orderBy(webhookDeliveries.dueAt, webhookDeliveries.id)
      .limit(limit);
    return this.db
      .update(webhookDeliveries)
      .set({
        dueAt: leaseUntil,
        attempts: sql`${webhookDeliveries.attempts} + 1`,
        firstAttemptAt: sql`coalesce(${webhookDeliveries.firstAttemptAt}, ${now.toISOString()}::timestamptz)`,
      })
      .where(and(eq(webhookDeliveries.vendorId, vendorId), sql`${webhookDeliveries.id} in ${due}`))
      .returning();
  }

  /** Makes the deliveries of an endpoint due that were attempted, as if they had not been. */
  async restartOpen(vendorId: number, endpointId: number, now: Date): Promise<void> {
    await this.db
      .update(webhookDeliveries)
      .set({ dueAt: now, firstAttemptAt: null })
      .where(
        and(
          eq(webhookDeliveries.vendorId, vendorId),
          eq(webhookDeliveries.endpointId, endpointId),
          isNotNull(webhookDeliveries.dueAt),
        ),
      );
  }

  /** The number of open deliveries to an endpoint; at most `limit`, which bounds the cost. */
  async countOpen(
    vendorId: number,
    endpointId: number,
    { limit, unorderedOnly = false }: { limit: number; unorderedOnly?: boolean },
  ): Promise<number> {
    const open = this.db
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(and(isOpenAt(vendorId, endpointId), unorderedOnly ? isNull(webhookDeliveries.subject) : undefined))
      .limit(limit)
      .as("open");
    const [row] = await this.db.select({ count: count() }).from(open);
    return row?.count ?? 0;
  }

  async change(vendorId: number, id: number, values: Partial<WebhookDeliveryValues>): Promise<void> {
    await updateRow(this.db, webhookDeliveries, vendorId, id, values);
  }

  async addAttempt(vendorId: number, values: Omit<WebhookAttemptRecord, "vendorId">): Promise<void> {
    await this.db
      .insert(webhookAttempts)
      .values({ vendorId, ...values })
      .onConflictDoNothing();
  }

  /** Makes the next open delivery of a subject due, which waited for the one before. */
  async releaseNext(
    vendorId: number,
    endpointId: number,
    { subject, subjectId }: { subject: EventSubject; subjectId: number },
    now: Date,
  ): Promise<void> {
    const next = this.db
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(
        and(
          isOpenAt(vendorId, endpointId),
          eq(webhookDeliveries.subject, subject),
          eq(webhookDeliveries.subjectId, subjectId),
        ),
      )
      .orderBy(webhookDeliveries.id)
      .limit(1);
    await this.db
      .update(webhookDeliveries)
      .set({ dueAt: now })
      .where(
        and(
          eq(webhookDeliveries.vendorId, vendorId),
          isNull(webhookDeliveries.dueAt),
          sql`${webhookDeliveries.id} = ${next}`,
        ),
      );
  }

  /** The earliest time at which a delivery of an endpoint is due, or the lease of one under way ends; null if none is open. */
  async earliestDueAt(vendorId: number, endpointId: number): Promise<Date | null> {
    const [earliest] = await this.db
      .select({ dueAt: webhookDeliveries.dueAt })
      .from(webhookDeliveries)
      .where(
        and(
          eq(webhookDeliveries.vendorId, vendorId),
          eq(webhookDeliveries.endpointId, endpointId),
          isNotNull(webhookDeliveries.dueAt),
        ),
      )
      .orderBy(webhookDeliveries.dueAt)
      .limit(1);
    return earliest?.dueAt ?? null;
  }

  /** Deletes deliveries that ended longer ago than they are kept. Their attempts go with their month. @returns how many. */
  async removeExpired(vendorId: number, now: Date, limit: number): Promise<number> {
    return (await this.remove(vendorId, expiredDeliveries.isDue(timestamp(now)), limit)).length;
  }

  /** Deletes deliveries of an endpoint, with their attempts. @returns how many. */
  async removeOfEndpoint(vendorId: number, endpointId: number, limit: number): Promise<number> {
    const removed = await this.remove(vendorId, eq(webhookDeliveries.endpointId, endpointId), limit);
    await this.db
      .delete(webhookAttempts)
      .where(and(eq(webhookAttempts.vendorId, vendorId), idIsOneOf(webhookAttempts.deliveryId, removed)));
    return removed.length;
  }

  private async remove(vendorId: number, condition: SQL, limit: number): Promise<number[]> {
    const rows = this.db
      .select({ id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(and(eq(webhookDeliveries.vendorId, vendorId), condition))
      .limit(limit);
    const removed = await this.db
      .delete(webhookDeliveries)
      .where(and(eq(webhookDeliveries.vendorId, vendorId), sql`${webhookDeliveries.id} in ${rows}`))
      .returning({ id: webhookDeliveries.id });
    return removed.map(({ id }) => id);
  }
}
