import { and, desc, eq } from "drizzle-orm";
import { covers } from "../../../schema/tables/index.ts";
import { batchReads } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import type { CoverRecord } from "../covers/cover.repository.ts";
import { RenewalCoverRepository, type RenewalCoverRecord } from "../renewal-covers/renewal-cover.repository.ts";

/** Covers of renewals of work that runs many times at once in one transaction: one statement for the calls of all. */
export class RenewalCoverBatchRepository extends RenewalCoverRepository {
  private readonly locks;
  private readonly latestReads;

  constructor(handle: Handle) {
    super(handle);
    // All covers of an order are locked, because one statement cannot choose the newest of each order and lock it.
    this.locks = batchReads<number | null, CoverRecord>(
      (vendorId, orderIds) =>
        handle
          .select()
          .from(covers)
          .where(and(eq(covers.vendorId, vendorId), idIsOneOf(covers.renewalOrderId, withoutNull(orderIds))))
          .orderBy(covers.renewalOrderId, desc(covers.startedAt), desc(covers.id))
          .for("no key update"),
      ({ renewalOrderId }) => renewalOrderId,
    );
    this.latestReads = batchReads<number | null, CoverRecord>(
      (vendorId, subscriptionIds) =>
        handle
          .selectDistinctOn([covers.renewalSubscriptionId])
          .from(covers)
          .where(
            and(eq(covers.vendorId, vendorId), idIsOneOf(covers.renewalSubscriptionId, withoutNull(subscriptionIds))),
          )
          .orderBy(covers.renewalSubscriptionId, desc(covers.startedAt), desc(covers.id)),
      ({ renewalSubscriptionId }) => renewalSubscriptionId,
    );
  }

  override async lockLatestOf(vendorId: number, orderId: number): Promise<RenewalCoverRecord | undefined> {
    const [newest] = await this.locks(vendorId, orderId);
    return newest as RenewalCoverRecord | undefined;
  }

  override async findLatestOfSubscription(
    vendorId: number,
    subscriptionId: number,
  ): Promise<RenewalCoverRecord | undefined> {
    const [newest] = await this.latestReads(vendorId, subscriptionId);
    return newest as RenewalCoverRecord | undefined;
  }
}

const withoutNull = (ids: readonly (number | null)[]): number[] => ids.flatMap((id) => id ?? []);
