import { and, desc, eq, sql } from "drizzle-orm";
import { covers } from "../../../schema/tables/index.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { dueRowsOf, timestamp, type DueRows } from "../../database/due-rows.ts";
import type { CoverRecord } from "../covers/cover.repository.ts";

/** A cover of a renewal. */
export interface RenewalCoverRecord extends CoverRecord {
  renewalOrderId: number;
  renewalSubscriptionId: number;
}

/**
 * Covers of renewals whose next retry is due and that no worker has leased. The index over all vendors excludes leased
 * ones.
 */
export const dueRetries: DueRows = {
  table: covers,
  isDue: (at) => sql`${covers.state} = 'IN_PROGRESS' and ${covers.renewalOrderId} is not null
    and ${covers.retryAt} is not null and greatest(${covers.retryAt}, ${covers.leaseUntil}) <= ${at}`,
  ofOneVendor: (at) => sql`${covers.retryAt} <= ${at}`,
};

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

  /** The newest cover of a subscription's renewals. */
  async findLatestOfSubscription(vendorId: number, subscriptionId: number): Promise<RenewalCoverRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(covers)
      .where(and(eq(covers.vendorId, vendorId), eq(covers.renewalSubscriptionId, subscriptionId)))
      .orderBy(desc(covers.startedAt), desc(covers.id))
      .limit(1);
    return row as RenewalCoverRecord | undefined;
  }

  /** Covers whose next attempt is due, locked; covers that another worker has locked or leased are skipped. */
  async lockDue(vendorId: number, now: Date, limit: number): Promise<RenewalCoverRecord[]> {
    const rows = await this.db
      .select()
      .from(covers)
      .where(dueRowsOf(dueRetries, vendorId, timestamp(now)))
      .orderBy(covers.retryAt, covers.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
    return rows as RenewalCoverRecord[];
  }

  /** Leases covers to a worker. */
  async lease(vendorId: number, ids: readonly number[], leaseUntil: Date): Promise<void> {
    await this.db
      .update(covers)
      .set({ leaseUntil })
      .where(and(eq(covers.vendorId, vendorId), idIsOneOf(covers.id, ids)));
  }
}
