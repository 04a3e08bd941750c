import { and, desc, eq, inArray, isNotNull, isNull, lte, or, sql } from "drizzle-orm";
import { covers, orderStates, subscriptions } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import type { CoverRecord } from "../covers/cover.repository.ts";

/** A cover of a renewal. */
export interface RenewalCoverRecord extends CoverRecord {
  renewalOrderId: number;
  renewalSubscriptionId: number;
}

/** Queries for covers of renewals, for the side that makes the attempts. */
export class RenewalCoverRepository {
  constructor(private readonly db: Handle) {}

  /** The newest cover of a renewal's order, locked until the transaction ends. */
  async lockLatestOf(vendorId: number, orderId: number): Promise<RenewalCoverRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(covers)
      .where(and(eq(covers.vendorId, vendorId), eq(covers.renewalOrderId, orderId)))
      .orderBy(desc(covers.startedAt), desc(covers.id))
      .limit(1)
      .for("no key update");
    return row as RenewalCoverRecord | undefined;
  }

  /** A cover whose next attempt is due, locked; covers that another worker has locked or leased are skipped. */
  async lockDue(vendorId: number, now: Date): Promise<RenewalCoverRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(covers)
      .where(
        and(
          eq(covers.vendorId, vendorId),
          eq(covers.state, "IN_PROGRESS"),
          isNotNull(covers.renewalOrderId),
          lte(covers.retryAt, now),
          or(isNull(covers.leaseUntil), lte(covers.leaseUntil, now)),
        ),
      )
      .orderBy(covers.retryAt, covers.id)
      .limit(1)
      .for("no key update", { skipLocked: true });
    return row as RenewalCoverRecord | undefined;
  }

  /** Covers in progress of which nothing is left to be recovered: orders that were paid, and subscriptions that are over. */
  async findSettled(vendorId: number, limit: number): Promise<{ orderId: number; isPaid: boolean }[]> {
    const isPaid = sql<boolean>`exists (select from ${orderStates} where ${orderStates.vendorId} = ${covers.vendorId}
      and ${orderStates.orderId} = ${covers.renewalOrderId} and ${orderStates.status} = 'PAID')`;
    return this.db
      .select({ orderId: sql<number>`${covers.renewalOrderId}`.mapWith(Number), isPaid })
      .from(covers)
      .innerJoin(
        subscriptions,
        and(eq(subscriptions.vendorId, covers.vendorId), eq(subscriptions.id, covers.renewalSubscriptionId)),
      )
      .where(
        and(
          eq(covers.vendorId, vendorId),
          eq(subscriptions.vendorId, vendorId),
          eq(covers.state, "IN_PROGRESS"),
          isNotNull(covers.renewalOrderId),
          or(isPaid, inArray(subscriptions.status, ["CANCELED", "EXPIRED"])),
        ),
      )
      .limit(limit);
  }
}
