import { and, eq, exists, isNotNull, isNull, not, or, sql, type SQL } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { when, within, type Period } from "../../database/conditions.ts";
import { Keyset } from "../../database/keyset-list.ts";
import { RegisteredRepository } from "../../database/registered.repository.ts";
import { covers, coverSubscriptions } from "../../../schema/tables/index.ts";
import type { CoverSubscriptionStatus } from "../../../schema/vocabulary.ts";

export type CoverSubscriptionRecord = typeof coverSubscriptions.$inferSelect;

/** Which subscriptions are asked for. */
export interface CoverSubscriptionFilter {
  statuses?: CoverSubscriptionStatus[] | null;
  customerId?: number | null;
  createdAt?: Period | null;
}

/** Every question we ask of the registered subscriptions. */
export class CoverSubscriptionRepository extends RegisteredRepository<typeof coverSubscriptions> {
  readonly list: Keyset<CoverSubscriptionRecord, CoverSubscriptionFilter, "CREATED_AT", "customerId">;

  constructor(db: Handle) {
    super(db, coverSubscriptions, coverSubscriptions.partnerSubscriptionId);
    this.list = new Keyset(db, {
      table: coverSubscriptions,
      sorts: { CREATED_AT: { expression: coverSubscriptions.createdAt, valueOf: (row) => row.createdAt } },
      parents: { customerId: coverSubscriptions.customerId },
      matching: ({ statuses, customerId, createdAt }) =>
        and(
          when(statuses, (words) => or(sql`false`, ...words.map((word) => this.inStatus(word)))),
          when(customerId, (id) => eq(coverSubscriptions.customerId, id)),
          within(coverSubscriptions.createdAt, createdAt),
        ),
    });
  }

  /** The rule of `subscriptionStatus` as a condition, for lists that are filtered by it. */
  private inStatus(status: CoverSubscriptionStatus): SQL | undefined {
    const unpaid = exists(
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
        return and(isNull(coverSubscriptions.canceledAt), unpaid);
      case "ACTIVE":
        return and(isNull(coverSubscriptions.canceledAt), not(unpaid));
      default:
        return undefined;
    }
  }
}
