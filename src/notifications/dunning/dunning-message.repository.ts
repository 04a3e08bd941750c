import { and, eq, gt, inArray, ne, or, type SQL } from "drizzle-orm";
import { covers, customers, messages, orders, subscriptions } from "../../../schema/tables/index.ts";
import type { MessageKind } from "../../../schema/vocabulary.ts";
import type { Handle } from "../../database/client.ts";
import { isOneOf } from "../../database/conditions.ts";
import type { MessageRecord } from "../message.repository.ts";

/** Queries for the covers that dunning messages are about. */
export class DunningMessageRepository {
  constructor(private readonly db: Handle) {}

  /** The cover of a renewal with its order, its subscription and its payer; undefined for a registered order's. */
  async findCover(vendorId: number, coverId: number) {
    const [found] = await this.db
      .select({
        id: covers.id,
        state: covers.state,
        endReason: covers.endReason,
        messageArm: covers.messageArm,
        retryAt: covers.retryAt,
        planned: covers.planned,
        zoneId: covers.zoneId,
        windowStart: covers.windowStart,
        policy: covers.policy,
        policyVersion: covers.policyVersion,
        orderId: orders.id,
        currency: orders.currency,
        amount: orders.amount,
        paidAmount: orders.paidAmount,
        productName: orders.productName,
        region: orders.region,
        subscriptionId: subscriptions.id,
        subscriptionStatus: subscriptions.status,
        customerId: customers.id,
        customerName: customers.name,
        customerRegion: customers.region,
        email: customers.email,
        phone: customers.phone,
      })
      .from(covers)
      .innerJoin(orders, and(eq(orders.vendorId, vendorId), eq(orders.id, covers.renewalOrderId)))
      .innerJoin(
        subscriptions,
        and(eq(subscriptions.vendorId, vendorId), eq(subscriptions.id, covers.renewalSubscriptionId)),
      )
      .innerJoin(customers, and(eq(customers.vendorId, vendorId), eq(customers.id, subscriptions.customerId)))
      .where(and(eq(covers.vendorId, vendorId), eq(covers.id, coverId)));
    return found;
  }

  /** Whether a message of these kinds about a cover was sent. */
  hasSent(vendorId: number, coverId: number, kinds: readonly MessageKind[]): Promise<boolean> {
    return this.hasMessage(
      vendorId,
      coverId,
      and(isOneOf(messages.kind, kinds), inArray(messages.state, ["SENDING", "SENT"])),
    );
  }

  /** Whether another message than those of an occurrence was sent about a cover since a time, or will be. */
  hasOtherSince(
    vendorId: number,
    coverId: number,
    { kind, occurrence }: Pick<MessageRecord, "kind" | "occurrence">,
    since: Date,
  ): Promise<boolean> {
    const isOther = or(ne(messages.kind, kind), ne(messages.occurrence, occurrence));
    const isNear = or(
      inArray(messages.state, ["QUEUED", "SENDING"]),
      and(eq(messages.state, "SENT"), gt(messages.endedAt, since)),
    );
    return this.hasMessage(vendorId, coverId, and(isOther, isNear));
  }

  private async hasMessage(vendorId: number, coverId: number, condition: SQL | undefined): Promise<boolean> {
    const found = await this.db
      .select({ id: messages.id })
      .from(messages)
      .where(
        and(eq(messages.vendorId, vendorId), eq(messages.subject, "COVER"), eq(messages.subjectId, coverId), condition),
      )
      .limit(1);
    return found.length > 0;
  }
}

export type DunnedCover = NonNullable<Awaited<ReturnType<DunningMessageRepository["findCover"]>>>;
