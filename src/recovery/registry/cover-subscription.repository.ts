import { and, eq, exists, isNotNull, isNull, not, or, sql, type SQL } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { whenGiven, isWithinRange, type TimeRange } from "../../database/conditions.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { RegisteredRepository } from "../../database/registered.repository.ts";
import { covers, coverSubscriptions } from "../../../schema/tables/index.ts";
import type { CoverSubscriptionStatus } from "../../../schema/vocabulary.ts";

export type CoverSubscriptionRecord = typeof coverSubscriptions.$inferSelect;

/** Filters for registered subscriptions. */
export interface CoverSubscriptionFilter {
  statuses?: CoverSubscriptionStatus[] | null;
  customerId?: number | null;
  createdAt?: TimeRange | null;
}

/** Queries for the registered subscriptions. */
export class CoverSubscriptionRepository extends RegisteredRepository<typeof coverSubscriptions> {
  readonly list: RecordList<CoverSubscriptionRecord, CoverSubscriptionFilter, "CREATED_AT", "customerId">;

  constructor(db: Handle) {
    super(db, coverSubscriptions, coverSubscriptions.partnerSubscriptionId);
    this.list = new RecordList(db, {
      table: coverSubscriptions,
      sorts: { CREATED_AT: coverSubscriptions.createdAt },
      parentConditions: { customerId: coverSubscriptions.customerId },
      filterCondition: ({ statuses, customerId, createdAt }) =>
        and(
          whenGiven(statuses, (words) => or(sql`false`, ...words.map((word) => this.hasStatus(word)))),
          whenGiven(customerId, (id) => eq(coverSubscriptions.customerId, id)),
          isWithinRange(coverSubscriptions.createdAt, createdAt),
        ),
    });
  }

  /** The rule of `subscriptionStatus` as a condition, for lists that are filtered by it. */
  private hasStatus(status: CoverSubscriptionStatus): SQL | undefined {
    const hasRunningCover = exists(
      this.db
        .select({ one: sql`1` })
        .from(covers)
        .where(
          and(
            eq(covers.vendorId, coverSubscriptions.vendorId),
            eq(covers.subscriptionId, coverSubscriptions.id),
            eq(covers.state, "IN_PROGRESS"),
          ),
        ),
    );
    switch (status) {
      case "CANCELED":
        return isNotNull(coverSubscriptions.canceledAt);
      case "UNPAID":
        return and(isNull(coverSubscriptions.canceledAt), hasRunningCover);
      case "ACTIVE":
        return and(isNull(coverSubscriptions.canceledAt), not(hasRunningCover));
      default:
        return undefined;
    }
  }
}
