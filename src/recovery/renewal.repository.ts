import { and, desc, eq, gte, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import {
  orders,
  orderStates,
  orderSubscriptions,
  payments,
  renewalCoverAttempts,
  renewalCovers,
  renewals,
  subscriptions,
} from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

export type RenewalCoverRecord = typeof renewalCovers.$inferSelect;
export type RenewalAttemptRecord = typeof renewalCoverAttempts.$inferSelect;
type CoverValues = Omit<typeof renewalCovers.$inferInsert, "id" | "vendorId">;
type AttemptValues = Omit<typeof renewalCoverAttempts.$inferInsert, "vendorId">;

/** Every question we ask of renewals, of their covers and of the tries. */
export class RenewalRepository {
  constructor(private readonly db: Handle) {}

  /** The order that charges a period, if there is one. */
  async orderOf(vendorId: number, subscriptionId: number, dueAt: Date): Promise<number | undefined> {
    const [row] = await this.db
      .select({ orderId: renewals.orderId })
      .from(renewals)
      .where(
        and(eq(renewals.vendorId, vendorId), eq(renewals.subscriptionId, subscriptionId), eq(renewals.dueAt, dueAt)),
      );
    return row?.orderId;
  }

  /**
   * Orders of subscriptions that are to be charged at once and were not tried so far: the last one of a postpaid
   * subscription, items that were added, a raised quota.
   */
  async uncharged(vendorId: number, since: Date, most: number) {
    const isOpen = sql`exists (select from ${orderStates} where ${orderStates.vendorId} = ${orders.vendorId}
      and ${orderStates.orderId} = ${orders.id} and ${orderStates.status} = 'CREATED')`;
    const isTried = sql`exists (select from ${payments} where ${payments.vendorId} = ${orders.vendorId} and ${payments.orderId} = ${orders.id})`;
    const isRenewal = sql`exists (select from ${renewals} where ${renewals.vendorId} = ${orders.vendorId} and ${renewals.orderId} = ${orders.id})`;
    return this.db
      .select({ orderId: orders.id, subscriptionId: subscriptions.id, methodId: subscriptions.paymentMethodId })
      .from(orders)
      .innerJoin(
        orderSubscriptions,
        and(eq(orderSubscriptions.vendorId, orders.vendorId), eq(orderSubscriptions.orderId, orders.id)),
      )
      .innerJoin(
        subscriptions,
        and(
          eq(subscriptions.vendorId, orderSubscriptions.vendorId),
          eq(subscriptions.id, orderSubscriptions.subscriptionId),
        ),
      )
      .where(
        and(
          eq(orders.vendorId, vendorId),
          eq(orderSubscriptions.vendorId, vendorId),
          eq(subscriptions.vendorId, vendorId),
          inArray(orders.type, ["RECURRING", "ADDITIONAL", "ADD_USAGE"]),
          gte(orders.createdAt, since),
          isNull(orders.paymentDate),
          isNull(orders.stockReturnedAt),
          isNotNull(subscriptions.paymentMethodId),
          sql`${isOpen} and not ${isTried} and not ${isRenewal}`,
        ),
      )
      .orderBy(orders.id)
      .limit(most);
  }

  async add(vendorId: number, values: Omit<typeof renewals.$inferInsert, "vendorId">): Promise<void> {
    await this.db.insert(renewals).values({ vendorId, ...values });
  }

  /** The newest cover of an order, held until the transaction ends. */
  async lockCoverOf(vendorId: number, orderId: number): Promise<RenewalCoverRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(renewalCovers)
      .where(and(eq(renewalCovers.vendorId, vendorId), eq(renewalCovers.orderId, orderId)))
      .orderBy(desc(renewalCovers.id))
      .limit(1)
      .for("no key update");
    return row;
  }

  /** A cover whose next try is due, held; what another worker holds or has a lease of is passed over. */
  async lockDue(vendorId: number, now: Date): Promise<RenewalCoverRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(renewalCovers)
      .where(
        and(
          eq(renewalCovers.vendorId, vendorId),
          eq(renewalCovers.state, "IN_PROGRESS"),
          lte(renewalCovers.retryAt, now),
          or(isNull(renewalCovers.leaseUntil), lte(renewalCovers.leaseUntil, now)),
        ),
      )
      .orderBy(renewalCovers.retryAt, renewalCovers.id)
      .limit(1)
      .for("no key update", { skipLocked: true });
    return row;
  }

  /** Covers in progress of which nothing is left to be recovered: orders that were paid, and subscriptions that are over. */
  async settledOf(vendorId: number, most: number): Promise<{ orderId: number; isPaid: boolean }[]> {
    const isPaid = sql<boolean>`exists (select from ${orderStates} where ${orderStates.vendorId} = ${renewalCovers.vendorId}
      and ${orderStates.orderId} = ${renewalCovers.orderId} and ${orderStates.status} = 'PAID')`;
    return this.db
      .select({ orderId: renewalCovers.orderId, isPaid })
      .from(renewalCovers)
      .innerJoin(
        subscriptions,
        and(eq(subscriptions.vendorId, renewalCovers.vendorId), eq(subscriptions.id, renewalCovers.subscriptionId)),
      )
      .where(
        and(
          eq(renewalCovers.vendorId, vendorId),
          eq(subscriptions.vendorId, vendorId),
          eq(renewalCovers.state, "IN_PROGRESS"),
          or(isPaid, inArray(subscriptions.status, ["CANCELED", "EXPIRED"])),
        ),
      )
      .limit(most);
  }

  async addCover(vendorId: number, values: CoverValues): Promise<RenewalCoverRecord> {
    const [row] = await this.db
      .insert(renewalCovers)
      .values({ vendorId, ...values })
      .returning();
    return row!;
  }

  async changeCover(vendorId: number, id: number, values: Partial<CoverValues>): Promise<RenewalCoverRecord> {
    const [row] = await this.db
      .update(renewalCovers)
      .set(values)
      .where(and(eq(renewalCovers.vendorId, vendorId), eq(renewalCovers.id, id)))
      .returning();
    return row!;
  }

  attemptsOf(vendorId: number, coverId: number): Promise<RenewalAttemptRecord[]> {
    return this.db
      .select()
      .from(renewalCoverAttempts)
      .where(and(eq(renewalCoverAttempts.vendorId, vendorId), eq(renewalCoverAttempts.coverId, coverId)))
      .orderBy(renewalCoverAttempts.number);
  }

  async addAttempt(vendorId: number, values: AttemptValues): Promise<void> {
    await this.db.insert(renewalCoverAttempts).values({ vendorId, ...values });
  }
}
