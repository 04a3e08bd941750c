import { and, desc, eq, inArray, or, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { insertRows, lockRow, preparedStatement, updateRow } from "../../database/prepared-statements.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { firstRow } from "../../database/rows.ts";
import {
  recoveryExperimentArms,
  recoveryExperiments,
  recoveryPolicies,
  vendors,
  vendorSettings,
} from "../../../schema/tables/index.ts";
import { modelStandingOf, type ModelStanding } from "../models/recovery-model.repository.ts";
import { ofVendorOrParent } from "../policies/recovery-policy.repository.ts";

export type RecoveryExperimentRecord = typeof recoveryExperiments.$inferSelect;
export type ExperimentArmRecord = typeof recoveryExperimentArms.$inferSelect;

/** An arm with the stored terms of its policy, or those of the holdout; null for the built-in policy. */
export interface AssignableArm {
  number: number;
  shareParts: number;
  policyId: number | null;
  terms: Record<string, unknown> | null;
}

/** What decides about the policy of new covers: of the vendor itself, or of its parent. */
export interface PolicyLevel {
  policyId: number | null;
  policyTerms: Record<string, unknown> | null;
  experimentId: number | null;
  salt: string | null;
  arms: AssignableArm[] | null;
  /** The models that may decide for the vendor. */
  modelStanding: ModelStanding;
  /** Whether new covers of registered orders only record what they would advise; null where the level does not say. */
  shadowMode: boolean | null;
}

const armsOfExperiment = sql<AssignableArm[] | null>`(
  select json_agg(json_build_object('number', a.number, 'shareParts', a.share_parts, 'policyId', a.policy_id,
    'terms', coalesce(p.terms, a.terms)) order by a.number)
  from recovery_experiment_arms a
  left join recovery_policies p on p.vendor_id = a.vendor_id and p.id = a.policy_id
  where a.vendor_id = ${recoveryExperiments.vendorId} and a.experiment_id = ${recoveryExperiments.id})`;

/** A parent's experiment includes its children if it says so and their amounts can be added up. */
const includesVendor = (vendorId: unknown) =>
  sql`(${recoveryExperiments.includeChildren} and ${vendors.currency} = (select v.currency from vendors v where v.id = ${vendorId}))`;

const findLevels = preparedStatement((db) => {
  const vendorId = sql.placeholder("vendorId");
  return db
    .select({
      policyId: recoveryPolicies.id,
      policyTerms: recoveryPolicies.terms,
      experimentId: recoveryExperiments.id,
      salt: recoveryExperiments.salt,
      arms: armsOfExperiment,
      modelStanding: modelStandingOf(vendorId),
      shadowMode: vendorSettings.recoveryShadowMode,
    })
    .from(vendors)
    .leftJoin(vendorSettings, eq(vendorSettings.vendorId, vendors.id))
    .leftJoin(recoveryPolicies, and(eq(recoveryPolicies.vendorId, vendors.id), eq(recoveryPolicies.state, "ACTIVE")))
    .leftJoin(
      recoveryExperiments,
      and(
        eq(recoveryExperiments.vendorId, vendors.id),
        eq(recoveryExperiments.state, "RUNNING"),
        or(eq(vendors.id, vendorId), includesVendor(vendorId)),
      ),
    )
    .where(ofVendorOrParent(vendors.id, vendorId))
    .orderBy(desc(eq(vendors.id, vendorId)));
});

/** Queries for experiments and their arms. */
export class RecoveryExperimentRepository {
  readonly list: RecordList<RecoveryExperimentRecord, object, "STARTED_AT", never>;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: recoveryExperiments,
      sorts: { STARTED_AT: recoveryExperiments.startedAt },
      parentConditions: {},
      filterCondition: () => undefined,
    });
  }

  byIds(vendorId: number, ids: readonly number[]): Promise<RecoveryExperimentRecord[]> {
    return this.db
      .select()
      .from(recoveryExperiments)
      .where(and(eq(recoveryExperiments.vendorId, vendorId), idIsOneOf(recoveryExperiments.id, ids)));
  }

  /** The running experiment and the active policy of the vendor, then those of its parent. */
  findPolicyLevels(vendorId: number): Promise<PolicyLevel[]> {
    return findLevels(this.db, { vendorId });
  }

  /** The arm of a cover whose experiment has handed its covers in progress over to the active policy; undefined otherwise. */
  async findReleasedArm(
    vendorId: number,
    { experimentId, experimentArm }: { experimentId: number; experimentArm: number },
  ): Promise<ExperimentArmRecord | undefined> {
    const [row] = await this.db
      .select({ arm: recoveryExperimentArms })
      .from(recoveryExperiments)
      .innerJoin(
        recoveryExperimentArms,
        and(
          eq(recoveryExperimentArms.vendorId, recoveryExperiments.vendorId),
          eq(recoveryExperimentArms.experimentId, recoveryExperiments.id),
          eq(recoveryExperimentArms.number, experimentArm),
        ),
      )
      .where(
        and(
          ofVendorOrParent(recoveryExperiments.vendorId, vendorId),
          eq(recoveryExperiments.id, experimentId),
          eq(recoveryExperiments.coversInProgress, "USE_ACTIVE_POLICY"),
        ),
      );
    return row?.arm;
  }

  /** The experiment, locked until the transaction ends. */
  async lock(vendorId: number, id: number): Promise<RecoveryExperimentRecord | undefined> {
    const [experiment] = await lockRow(this.db, recoveryExperiments, vendorId, id);
    return experiment;
  }

  /** The arms of experiments, the holdout first. */
  armsOf(vendorId: number, experimentIds: readonly number[]): Promise<ExperimentArmRecord[]> {
    return this.db
      .select()
      .from(recoveryExperimentArms)
      .where(
        and(
          eq(recoveryExperimentArms.vendorId, vendorId),
          inArray(recoveryExperimentArms.experimentId, [...experimentIds]),
        ),
      )
      .orderBy(recoveryExperimentArms.experimentId, recoveryExperimentArms.number);
  }

  async add(
    vendorId: number,
    values: Omit<typeof recoveryExperiments.$inferInsert, "vendorId" | "id">,
    arms: readonly Omit<typeof recoveryExperimentArms.$inferInsert, "vendorId" | "experimentId">[],
  ): Promise<RecoveryExperimentRecord> {
    const experiment = firstRow(await insertRows(this.db, recoveryExperiments, [{ vendorId, ...values }]));
    const rows = arms.map((arm) => ({ vendorId, experimentId: experiment.id, ...arm }));
    await insertRows(this.db, recoveryExperimentArms, rows);
    return experiment;
  }

  async change(
    vendorId: number,
    id: number,
    values: Partial<RecoveryExperimentRecord>,
  ): Promise<RecoveryExperimentRecord> {
    return firstRow(await updateRow(this.db, recoveryExperiments, vendorId, id, values));
  }
}
