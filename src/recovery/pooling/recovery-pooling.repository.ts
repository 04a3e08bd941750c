import { and, asc, desc, eq, or, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { isOneOf } from "../../database/conditions.ts";
import { timestamp } from "../../database/due-rows.ts";
import { firstRow } from "../../database/rows.ts";
import { recoveryPoolings, vendors, vendorSettings } from "../../../schema/tables/index.ts";
import type { PoolingResult } from "../../../schema/vocabulary.ts";

export type RecoveryPoolingRecord = typeof recoveryPoolings.$inferSelect;

/** What a family may know of the pooling of its country. */
interface PoolingStanding {
  country: string;
  isSharing: boolean;
  /** Of the newest pooling that is done; null before the first. */
  result: PoolingResult | null;
  pooledAt: Date | null;
}

/** Queries for the poolings of countries. Rows belong to no vendor and name none. */
export class RecoveryPoolingRepository {
  constructor(private readonly db: Handle) {}

  /** Whether a pooling was requested after an instant. */
  async isRequestedSince(since: Date): Promise<boolean> {
    const rows = await this.db
      .select({ id: recoveryPoolings.id })
      .from(recoveryPoolings)
      .where(sql`${recoveryPoolings.requestedAt} > ${timestamp(since)}`)
      .limit(1);
    return rows.length > 0;
  }

  /** Requests a pooling of each country that has no open one. */
  async request(countries: readonly string[], requestedAt: Date): Promise<void> {
    if (countries.length > 0)
      await this.db
        .insert(recoveryPoolings)
        .values(countries.map((country) => ({ country, state: "REQUESTED" as const, requestedAt })))
        .onConflictDoNothing();
  }

  /** A pooling that was requested, or whose worker has died, locked; one that another worker has locked is skipped. */
  async lockDue(now: Date): Promise<RecoveryPoolingRecord | undefined> {
    const { state, leaseUntil, id } = recoveryPoolings;
    const [row] = await this.db
      .select()
      .from(recoveryPoolings)
      .where(
        and(
          // The words of the index of open rows.
          sql`state in ('REQUESTED', 'RUNNING')`,
          or(eq(state, "REQUESTED"), sql`${leaseUntil} <= ${timestamp(now)}`),
        ),
      )
      .orderBy(asc(id))
      .limit(1)
      .for("no key update", { skipLocked: true });
    return row;
  }

  /**
   * Changes a pooling that a worker has to itself. @returns whether it still had: undefined if another worker has taken it over,
   * or ended it.
   */
  async changeRun(
    { id, runs }: Pick<RecoveryPoolingRecord, "id" | "runs">,
    values: Partial<typeof recoveryPoolings.$inferInsert>,
  ): Promise<RecoveryPoolingRecord | undefined> {
    const [changed] = await this.db
      .update(recoveryPoolings)
      .set(values)
      .where(
        and(
          eq(recoveryPoolings.id, id),
          eq(recoveryPoolings.runs, runs),
          isOneOf(recoveryPoolings.state, ["RUNNING", "REQUESTED"]),
        ),
      )
      .returning();
    return changed;
  }

  /** The newest poolings, for the operator. */
  newest(limit: number): Promise<RecoveryPoolingRecord[]> {
    return this.db.select().from(recoveryPoolings).orderBy(desc(recoveryPoolings.id)).limit(limit);
  }

  /** What a family may know of the pooling of its country. */
  async standingOf(familyId: number): Promise<PoolingStanding> {
    const latest = this.db
      .select({ result: recoveryPoolings.result, finishedAt: recoveryPoolings.finishedAt })
      .from(recoveryPoolings)
      .where(and(eq(recoveryPoolings.country, vendors.country), sql`${recoveryPoolings.state} = 'DONE'`))
      .orderBy(desc(recoveryPoolings.id))
      .limit(1)
      .as("latest");
    const rows = await this.db
      .select({
        country: vendors.country,
        isSharing: sql<boolean>`coalesce(${vendorSettings.recoveryPooling}, false)`,
        result: latest.result,
        pooledAt: latest.finishedAt,
      })
      .from(vendors)
      .leftJoin(vendorSettings, eq(vendorSettings.vendorId, vendors.id))
      .leftJoinLateral(latest, sql`true`)
      .where(eq(vendors.id, familyId));
    return firstRow(rows);
  }
}
