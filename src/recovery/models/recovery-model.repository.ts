import { and, desc, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { isCollected } from "../../database/collected-rows.ts";
import { idIsOneOf, isOneOf } from "../../database/conditions.ts";
import { preparedStatement } from "../../database/prepared-statements.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { firstRow } from "../../database/rows.ts";
import {
  recoveryModelActivations,
  recoveryModels,
  sharedRecoveryModels,
  vendors,
} from "../../../schema/tables/index.ts";
import type { ModelFallbackReason, ModelSource } from "../../../schema/vocabulary.ts";

export type RecoveryModelRecord = typeof recoveryModels.$inferSelect;
export type SharedModelRecord = typeof sharedRecoveryModels.$inferSelect;
export type RecoveryModelActivation = typeof recoveryModelActivations.$inferSelect;

/** The content of a model, under its version. */
export interface ModelContent {
  version: string;
  model: Record<string, unknown>;
}

/** The vendor at the top of a vendor's family: models are trained on the retries of all of it. */
const familyOf = (vendorId: unknown): SQL =>
  sql`coalesce((select ${vendors.parentId} from ${vendors} where ${vendors.id} = ${vendorId}), ${vendorId})`;

/** The version of the model that a vendor's decisions are made by: the newest activation of its family. */
const activeVersionOf = (vendorId: unknown): SQL<string | null> =>
  sql<string | null>`(select m."version" from "recovery_model_activations" a
    join "recovery_models" m on m."vendor_id" = a."vendor_id" and m."id" = a."model_id"
    where a."vendor_id" = ${familyOf(vendorId)} order by a."id" desc limit 1)`;

/** The version of the pooled model of a family's country: that of the country's newest pooling, if it was activated. */
const pooledVersionOf = (vendorId: unknown): SQL<string | null> =>
  sql<string | null>`(select case when p."result" = 'ACTIVATED' then p."version" end from "recovery_poolings" p
    where p.state = 'DONE' and p."country" = (select f."country" from ${vendors} f where f."id" = ${familyOf(vendorId)})
    order by p."id" desc limit 1)`;

/** Which models may decide for a vendor. */
export interface ModelStanding {
  /** The version of its family's own model; null if none is active. */
  own: string | null;
  /** The version of the pooled model of its family's country; null if the country has none. */
  pooled: string | null;
  /** The versions that were given up. */
  givenUp: { source: ModelSource; version: string; reason: ModelFallbackReason }[];
  /** Whether the vendor's results are read, so that they test the model. */
  isWatched: boolean;
}

/** Which models may decide for a vendor, as one value. */
export const modelStandingOf = (vendorId: unknown): SQL<ModelStanding> =>
  sql<ModelStanding>`json_build_object('own', ${activeVersionOf(vendorId)},
    'pooled', ${pooledVersionOf(vendorId)},
    'givenUp', (select coalesce(json_agg(json_build_object('source', t."source", 'version', t."given_up_version",
        'reason', t."given_up_for")), '[]'::json) from "recovery_model_trust" t
      where t."vendor_id" = ${familyOf(vendorId)} and t."given_up_version" is not null),
    'isWatched', exists (select from "recovery_model_watches" w where w."vendor_id" = ${vendorId}))`;

const findStanding = preparedStatement((db) =>
  db
    .select({ standing: modelStandingOf(sql.placeholder("vendorId")) })
    .from(vendors)
    .where(eq(vendors.id, sql.placeholder("vendorId"))),
);

/** Queries for the models that decisions are made by. */
export class RecoveryModelRepository {
  readonly list: RecordList<RecoveryModelRecord, object, "MADE_AT", never>;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: recoveryModels,
      sorts: { MADE_AT: recoveryModels.madeAt },
      parentConditions: {},
      filterCondition: () => undefined,
    });
  }

  byIds(vendorId: number, ids: readonly number[]): Promise<RecoveryModelRecord[]> {
    return this.db
      .select()
      .from(recoveryModels)
      .where(and(eq(recoveryModels.vendorId, vendorId), idIsOneOf(recoveryModels.id, ids)));
  }

  /** The newest activation of a vendor at the top of its family, with its model. */
  async latestActivation(
    vendorId: number,
  ): Promise<{ activation: RecoveryModelActivation; model: RecoveryModelRecord } | undefined> {
    const [row] = await this.db
      .select({ activation: recoveryModelActivations, model: recoveryModels })
      .from(recoveryModelActivations)
      .innerJoin(
        recoveryModels,
        and(
          eq(recoveryModels.vendorId, recoveryModelActivations.vendorId),
          eq(recoveryModels.id, recoveryModelActivations.modelId),
        ),
      )
      .where(eq(recoveryModelActivations.vendorId, vendorId))
      .orderBy(desc(recoveryModelActivations.id))
      .limit(1);
    return row;
  }

  /** The pooled model of a family's country; undefined if the country has none. */
  async pooledModelOf(familyId: number): Promise<Omit<SharedModelRecord, "model"> | undefined> {
    const { model: _content, ...about } = getTableColumns(sharedRecoveryModels);
    const [model] = await this.db
      .select(about)
      .from(sharedRecoveryModels)
      .where(eq(sharedRecoveryModels.version, pooledVersionOf(sql`${familyId}::bigint`)));
    return model;
  }

  /** Whether a version is that of a country's model, and of none of the vendor's family. */
  async isOnlyPooled(vendorId: number, version: string): Promise<boolean> {
    const family = familyOf(sql`${vendorId}::bigint`);
    const rows = await this.db
      .select({ version: sharedRecoveryModels.version })
      .from(sharedRecoveryModels)
      .where(
        and(
          eq(sharedRecoveryModels.version, version),
          eq(sharedRecoveryModels.scope, "COUNTRY"),
          sql`not exists (select from "recovery_models" m where m."vendor_id" = ${family} and m."version" = ${version})`,
        ),
      );
    return rows.length > 0;
  }

  /** Which models may decide for a vendor. */
  async standing(vendorId: number): Promise<ModelStanding> {
    const { standing } = firstRow(await findStanding(this.db, { vendorId }));
    return standing;
  }

  /** The model of a family with a version. */
  async byVersion(familyId: number, version: string): Promise<RecoveryModelRecord | undefined> {
    const [model] = await this.db
      .select()
      .from(recoveryModels)
      .where(and(eq(recoveryModels.vendorId, familyId), eq(recoveryModels.version, version)));
    return model;
  }

  /** Those of the models that a vendor may use: its family's, and those that belong to no vendor. */
  contentsOf(vendorId: number, versions: readonly string[]): Promise<ModelContent[]> {
    const family = familyOf(sql`${vendorId}::bigint`);
    return this.db
      .select({ version: recoveryModels.version, model: recoveryModels.model })
      .from(recoveryModels)
      .where(and(eq(recoveryModels.vendorId, family), isOneOf(recoveryModels.version, versions)))
      .unionAll(
        this.db
          .select({ version: sharedRecoveryModels.version, model: sharedRecoveryModels.model })
          .from(sharedRecoveryModels)
          .where(isOneOf(sharedRecoveryModels.version, versions)),
      );
  }

  /** Saves a model of a family; a model with the same content is the same model. */
  async add(
    vendorId: number,
    values: Omit<typeof recoveryModels.$inferInsert, "vendorId" | "id">,
  ): Promise<RecoveryModelRecord> {
    await this.db
      .insert(recoveryModels)
      .values({ vendorId, ...values })
      .onConflictDoNothing();
    return firstRow(
      await this.db
        .select()
        .from(recoveryModels)
        .where(and(eq(recoveryModels.vendorId, vendorId), eq(recoveryModels.version, values.version))),
    );
  }

  /** Saves a model that belongs to no vendor, once. */
  async addShared(values: typeof sharedRecoveryModels.$inferInsert): Promise<void> {
    await this.db.insert(sharedRecoveryModels).values(values).onConflictDoNothing();
  }

  /** Makes the family's next decisions by a model, and records that as an event. */
  async activate(
    vendorId: number,
    values: Omit<typeof recoveryModelActivations.$inferInsert, "vendorId" | "id">,
  ): Promise<void> {
    await this.db.insert(recoveryModelActivations).values({ vendorId, ...values });
    await this.db
      .execute(sql`insert into "recovery_model_events" ("vendor_id", "type", "source", "version", "occurred_at")
      select m."vendor_id", 'MODEL_TRAINED', 'VENDOR', m."version", ${values.activatedAt.toISOString()}::timestamptz
      from "recovery_models" m where m."vendor_id" = ${vendorId}::bigint and m."id" = ${values.modelId}::bigint and ${isCollected}`);
  }
}
