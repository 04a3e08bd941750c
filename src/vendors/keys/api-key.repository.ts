import { and, eq, isNull, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { bigintArray, idIsOneOf } from "../../database/conditions.ts";
import { preparedStatement } from "../../database/prepared-statements.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { apiKeys, vendors } from "../../../schema/tables/index.ts";
import type { KeyScope } from "../../../schema/vocabulary.ts";
import { firstRow } from "../../database/rows.ts";
import { parentJoin, vendorColumns, type VendorRecord } from "../vendor.repository.ts";

/** A stored key without its hash. */
export type ApiKeyRecord = Omit<typeof apiKeys.$inferSelect, "hash">;

/** A key that is not revoked, and its vendor. It may have expired. */
export interface ActiveKey {
  keyId: number;
  scopes: readonly KeyScope[];
  expiresAt: Date | null;
  vendor: VendorRecord;
}

const apiKeyColumns = {
  vendorId: apiKeys.vendorId,
  id: apiKeys.id,
  name: apiKeys.name,
  ending: apiKeys.ending,
  createdAt: apiKeys.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  revokedAt: apiKeys.revokedAt,
  scopes: apiKeys.scopes,
  expiresAt: apiKeys.expiresAt,
  rotatedAt: apiKeys.rotatedAt,
};

const selectActiveKeys = (db: Handle) =>
  db
    .select({ keyId: apiKeys.id, scopes: apiKeys.scopes, expiresAt: apiKeys.expiresAt, vendor: vendorColumns })
    .from(apiKeys)
    .innerJoin(vendors, eq(vendors.id, apiKeys.vendorId))
    .leftJoin(parentJoin.table, parentJoin.on);

const keyOfTokenStatement = preparedStatement((db) =>
  selectActiveKeys(db).where(and(eq(apiKeys.hash, sql.placeholder("hash")), isNull(apiKeys.revokedAt))),
);

const keyOfSessionStatement = preparedStatement((db) =>
  selectActiveKeys(db).where(
    and(
      eq(apiKeys.vendorId, sql.placeholder("vendorId")),
      eq(apiKeys.id, sql.placeholder("keyId")),
      isNull(apiKeys.revokedAt),
    ),
  ),
);

/** A use so soon after the last one that is known is not recorded. */
const MIN_USE_INTERVAL_MS = 60_000;

/** Queries for API keys. */
export class ApiKeyRepository {
  readonly list: RecordList<ApiKeyRecord, object, "CREATED_AT", never>;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: apiKeys,
      sorts: { CREATED_AT: apiKeys.createdAt },
      parentConditions: {},
      filterCondition: () => undefined,
    });
  }

  byIds(vendorId: number, ids: readonly number[]): Promise<ApiKeyRecord[]> {
    return this.db
      .select(apiKeyColumns)
      .from(apiKeys)
      .where(and(eq(apiKeys.vendorId, vendorId), idIsOneOf(apiKeys.id, ids)));
  }

  /** Finds the valid key with a hash, and its vendor. It is the only query without a vendor id. */
  async findActive(hash: Buffer): Promise<ActiveKey | undefined> {
    const [found] = await keyOfTokenStatement(this.db, { hash });
    return found;
  }

  /** Finds a key by its id, and its vendor; undefined if the key was revoked. */
  async findActiveById(vendorId: number, keyId: number): Promise<ActiveKey | undefined> {
    const [found] = await keyOfSessionStatement(this.db, { vendorId, keyId });
    return found;
  }

  /** Finds which of these keys are valid, and whether their vendors are enabled. */
  statusesOf(keys: readonly { vendorId: number; keyId: number }[]) {
    const vendorIds = bigintArray(keys.map(({ vendorId }) => vendorId));
    const keyIds = bigintArray(keys.map(({ keyId }) => keyId));
    return this.db
      .select({ keyId: apiKeys.id, isVendorEnabled: vendors.enabled })
      .from(apiKeys)
      .innerJoin(vendors, eq(vendors.id, apiKeys.vendorId))
      .innerJoin(
        sql`unnest(${vendorIds}, ${keyIds}) as "used" ("vendor_id", "key_id")`,
        sql`${apiKeys.vendorId} = "used"."vendor_id" and ${apiKeys.id} = "used"."key_id"`,
      )
      .where(and(isNull(apiKeys.revokedAt), sql`coalesce(${apiKeys.expiresAt} > now(), true)`));
  }

  async add(vendorId: number, values: Omit<typeof apiKeys.$inferInsert, "id" | "vendorId">): Promise<ApiKeyRecord> {
    const added = firstRow(
      await this.db
        .insert(apiKeys)
        .values({ vendorId, ...values })
        .returning(apiKeyColumns),
    );
    return added;
  }

  allOfVendor(vendorId: number): Promise<ApiKeyRecord[]> {
    return this.db.select(apiKeyColumns).from(apiKeys).where(eq(apiKeys.vendorId, vendorId)).orderBy(apiKeys.id);
  }

  /** The key, locked until the transaction ends. */
  async lock(vendorId: number, keyId: number): Promise<ApiKeyRecord | undefined> {
    const [key] = await this.db
      .select(apiKeyColumns)
      .from(apiKeys)
      .where(and(eq(apiKeys.vendorId, vendorId), eq(apiKeys.id, keyId)))
      .for("no key update");
    return key;
  }

  /** Saves that another key replaced a key, and until when it is valid. */
  async markRotated(
    vendorId: number,
    keyId: number,
    { rotatedAt, expiresAt }: { rotatedAt: Date; expiresAt: Date },
  ): Promise<ApiKeyRecord> {
    return firstRow(
      await this.db
        .update(apiKeys)
        .set({ rotatedAt, expiresAt })
        .where(and(eq(apiKeys.vendorId, vendorId), eq(apiKeys.id, keyId)))
        .returning(apiKeyColumns),
    );
  }

  /** Revokes a valid key. Returns undefined if the vendor has no such key. */
  async revoke(vendorId: number, keyId: number, at: Date): Promise<ApiKeyRecord | undefined> {
    const [revoked] = await this.db
      .update(apiKeys)
      .set({ revokedAt: at })
      .where(and(eq(apiKeys.vendorId, vendorId), eq(apiKeys.id, keyId), isNull(apiKeys.revokedAt)))
      .returning(apiKeyColumns);
    return revoked;
  }

  /** Saves the times of the last uses of several keys, each at most once a minute, however many gateways there are. */
  async saveLastUses(uses: { vendorId: number; keyId: number; at: Date }[]): Promise<void> {
    // Not by the database: Citus accepts no arithmetic with times and columns in an update.
    const before = (at: Date) => new Date(at.getTime() - MIN_USE_INTERVAL_MS);
    const list = sql.join(
      uses.map(
        ({ vendorId, keyId, at }) =>
          sql`(${vendorId}::bigint, ${keyId}::bigint, ${at.toISOString()}::timestamptz, ${before(at).toISOString()}::timestamptz)`,
      ),
      sql`, `,
    );
    await this.db.execute(sql`
      update ${apiKeys} set last_used_at = greatest(uses.at, ${apiKeys.lastUsedAt})
      from (values ${list}) as uses (vendor_id, id, at, since)
      where ${apiKeys.vendorId} = uses.vendor_id and ${apiKeys.id} = uses.id
        and (${apiKeys.lastUsedAt} is null or ${apiKeys.lastUsedAt} <= uses.since)`);
  }
}
