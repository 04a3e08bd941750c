import { and, desc, eq, or, sql, type Placeholder } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Handle } from "../../database/client.ts";
import { preparedStatement, insertRows } from "../../database/prepared-statements.ts";
import { isOneOf, idIsOneOf } from "../../database/conditions.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { declineMappings, recoveryPolicies, vendors } from "../../../schema/tables/index.ts";
import type { PaymentGateway, ReasonClass } from "../../../schema/vocabulary.ts";
import { firstRow } from "../../database/rows.ts";

export type RecoveryPolicyRecord = typeof recoveryPolicies.$inferSelect;

const findActiveOfVendorOrParent = preparedStatement((db) =>
  db
    .select()
    .from(recoveryPolicies)
    .where(
      and(
        eq(recoveryPolicies.state, "ACTIVE"),
        ofVendorOrParent(recoveryPolicies.vendorId, sql.placeholder("vendorId")),
      ),
    )
    .orderBy(desc(eq(recoveryPolicies.vendorId, sql.placeholder("vendorId"))))
    .limit(1),
);

/** Queries for the vendors' input to the engine: policies and decline mappings. */
export class RecoveryPolicyRepository {
  readonly list: RecordList<RecoveryPolicyRecord, object, "PROPOSED_AT", never>;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: recoveryPolicies,
      sorts: { PROPOSED_AT: recoveryPolicies.proposedAt },
      parentConditions: {},
      filterCondition: () => undefined,
    });
  }

  byIds(vendorId: number, ids: readonly number[]): Promise<RecoveryPolicyRecord[]> {
    return this.db
      .select()
      .from(recoveryPolicies)
      .where(and(eq(recoveryPolicies.vendorId, vendorId), idIsOneOf(recoveryPolicies.id, ids)));
  }

  /** The active policy of the vendor, else of its parent. */
  async findActive(vendorId: number): Promise<RecoveryPolicyRecord | undefined> {
    const [policy] = await findActiveOfVendorOrParent(this.db, { vendorId });
    return policy;
  }

  /** The vendor's active policies and this one, locked until the transaction ends. */
  lockWithActive(vendorId: number, id: number): Promise<RecoveryPolicyRecord[]> {
    return this.db
      .select()
      .from(recoveryPolicies)
      .where(
        and(
          eq(recoveryPolicies.vendorId, vendorId),
          or(eq(recoveryPolicies.id, id), eq(recoveryPolicies.state, "ACTIVE")),
        ),
      )
      .orderBy(recoveryPolicies.id)
      .for("no key update");
  }

  async add(
    vendorId: number,
    values: Omit<typeof recoveryPolicies.$inferInsert, "vendorId" | "id">,
  ): Promise<RecoveryPolicyRecord> {
    const added = firstRow(await insertRows(this.db, recoveryPolicies, [{ vendorId, ...values }]));
    return added;
  }

  async change(vendorId: number, id: number, values: Partial<RecoveryPolicyRecord>): Promise<RecoveryPolicyRecord> {
    const changed = firstRow(
      await this.db
        .update(recoveryPolicies)
        .set(values)
        .where(and(eq(recoveryPolicies.vendorId, vendorId), eq(recoveryPolicies.id, id)))
        .returning(),
    );
    return changed;
  }

  /** The decline mappings of the vendor and its parent, by gateway and code; the vendor's own take precedence. */
  async allDeclineMappings(vendorId: number): Promise<Map<string, ReasonClass>> {
    const rows = await this.db
      .select({
        gateway: declineMappings.gateway,
        code: declineMappings.code,
        reasonClass: declineMappings.reasonClass,
      })
      .from(declineMappings)
      .where(ofVendorOrParent(declineMappings.vendorId, vendorId))
      .orderBy(eq(declineMappings.vendorId, vendorId));
    return new Map(rows.map(({ gateway, code, reasonClass }) => [`${gateway} ${code}`, reasonClass]));
  }

  /** The vendor's mappings of a gateway's codes, with its parent's as the fallback. */
  async declineMappingsOf(
    vendorId: number,
    gateway: PaymentGateway,
    codes: readonly string[],
  ): Promise<Map<string, ReasonClass>> {
    const rows = await this.db
      .select({ code: declineMappings.code, reasonClass: declineMappings.reasonClass })
      .from(declineMappings)
      .where(
        and(
          ofVendorOrParent(declineMappings.vendorId, vendorId),
          eq(declineMappings.gateway, gateway),
          isOneOf(declineMappings.code, codes),
        ),
      )
      .orderBy(eq(declineMappings.vendorId, vendorId));
    return new Map(rows.map(({ code, reasonClass }) => [code, reasonClass]));
  }

  /** Saves or replaces a decline mapping. */
  async saveDeclineMapping(
    vendorId: number,
    values: Omit<typeof declineMappings.$inferInsert, "vendorId">,
  ): Promise<void> {
    const { reasonClass, mappedAt } = values;
    await this.db
      .insert(declineMappings)
      .values({ vendorId, ...values })
      .onConflictDoUpdate({
        target: [declineMappings.vendorId, declineMappings.gateway, declineMappings.code],
        set: { reasonClass, mappedAt },
      });
  }

  /** Deletes a decline mapping. */
  async deleteDeclineMapping(vendorId: number, gateway: PaymentGateway, code: string): Promise<void> {
    await this.db
      .delete(declineMappings)
      .where(
        and(
          eq(declineMappings.vendorId, vendorId),
          eq(declineMappings.gateway, gateway),
          eq(declineMappings.code, code),
        ),
      );
  }
}

/** Rows of the vendor or of its parent. */
export const ofVendorOrParent = (column: PgColumn, vendorId: number | Placeholder) =>
  or(
    eq(column, vendorId),
    eq(column, sql`(select ${vendors.parentId} from ${vendors} where ${vendors.id} = ${vendorId})`),
  );
