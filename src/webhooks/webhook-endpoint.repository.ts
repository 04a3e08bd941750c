import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { eventSequences, webhookEndpoints } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";
import { idIsOneOf } from "../database/conditions.ts";
import type { DueRows } from "../database/due-rows.ts";
import { insertRows, lockRow, updateRow } from "../database/prepared-statements.ts";
import { RecordList } from "../database/lists/record-list.ts";
import { firstRow } from "../database/rows.ts";

export type WebhookEndpointRecord = typeof webhookEndpoints.$inferSelect;
export type WebhookEndpointValues = Omit<typeof webhookEndpoints.$inferInsert, "vendorId" | "id">;

/** Endpoints that their vendors deleted. */
export const deletedEndpoints: DueRows = {
  table: webhookEndpoints,
  isDue: (at) => sql`${webhookEndpoints.deletedAt} <= ${at}`,
};

/** Queries for the webhook endpoints of vendors. */
export class WebhookEndpointRepository {
  readonly list: RecordList<WebhookEndpointRecord, object, "CREATED_AT", never>;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: webhookEndpoints,
      sorts: { CREATED_AT: webhookEndpoints.createdAt },
      parentConditions: {},
      filterCondition: () => isNull(webhookEndpoints.deletedAt),
    });
  }

  byIds(vendorId: number, ids: readonly number[]): Promise<WebhookEndpointRecord[]> {
    return this.db
      .select()
      .from(webhookEndpoints)
      .where(
        and(
          eq(webhookEndpoints.vendorId, vendorId),
          idIsOneOf(webhookEndpoints.id, ids),
          isNull(webhookEndpoints.deletedAt),
        ),
      );
  }

  /** Lets one transaction at a time create endpoints of a vendor, so that none counts them while another adds one. */
  async lockCreation(vendorId: number): Promise<void> {
    await this.db.execute(
      sql`select pg_advisory_xact_lock(hashtextextended('webhook endpoints', ${vendorId}::bigint))`,
    );
  }

  /** The number of endpoints that are not deleted. */
  count(vendorId: number): Promise<number> {
    return this.db.$count(
      webhookEndpoints,
      and(eq(webhookEndpoints.vendorId, vendorId), isNull(webhookEndpoints.deletedAt)),
    );
  }

  /** The endpoint, locked until the transaction ends; a deleted one too. */
  async lock(vendorId: number, id: number): Promise<WebhookEndpointRecord | undefined> {
    const [endpoint] = await lockRow(this.db, webhookEndpoints, vendorId, id);
    return endpoint;
  }

  async add(vendorId: number, values: WebhookEndpointValues): Promise<WebhookEndpointRecord> {
    return firstRow(await insertRows(this.db, webhookEndpoints, [{ vendorId, ...values }]));
  }

  async change(vendorId: number, id: number, values: Partial<WebhookEndpointValues>): Promise<WebhookEndpointRecord> {
    return firstRow(await updateRow(this.db, webhookEndpoints, vendorId, id, values));
  }

  /** The number of the vendor's last event; 0 if it has none. */
  async lastEventNumber(vendorId: number): Promise<number> {
    const [sequence] = await this.db
      .select({ lastNumber: eventSequences.lastNumber })
      .from(eventSequences)
      .where(eq(eventSequences.vendorId, vendorId));
    return sequence?.lastNumber ?? 0;
  }

  /** An endpoint that the vendor deleted; undefined if there is none. */
  async findDeleted(vendorId: number): Promise<number | undefined> {
    const [endpoint] = await this.db
      .select({ id: webhookEndpoints.id })
      .from(webhookEndpoints)
      .where(and(eq(webhookEndpoints.vendorId, vendorId), isNotNull(webhookEndpoints.deletedAt)))
      .limit(1);
    return endpoint?.id;
  }

  /** Removes an endpoint that has no deliveries. */
  async remove(vendorId: number, id: number): Promise<void> {
    await this.db
      .delete(webhookEndpoints)
      .where(and(eq(webhookEndpoints.vendorId, vendorId), eq(webhookEndpoints.id, id)));
  }

  /** The endpoints of all vendors with their encrypted secrets, for the operator who changes the key. */
  allEncrypted(): Promise<WebhookEndpointRecord[]> {
    return this.db.select().from(webhookEndpoints);
  }
}
