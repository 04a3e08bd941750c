import { and, desc, eq, sql, type SQL } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf, isOneOf } from "../../database/conditions.ts";
import { timestamp, type DueRows } from "../../database/due-rows.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import {
  recoveryModelEvents,
  recoveryModels,
  recoveryModelTrust,
  recoveryModelWatches,
  recoveryTrainings,
  sharedRecoveryModels,
  vendors,
} from "../../../schema/tables/index.ts";
import type { ModelSource } from "../../../schema/vocabulary.ts";

export type ModelWatchRecord = typeof recoveryModelWatches.$inferSelect;
export type ModelTrustRecord = typeof recoveryModelTrust.$inferSelect;
export type ModelEventRecord = typeof recoveryModelEvents.$inferSelect;

/** A retry with a result, in the order in which results came in. */
export interface ResultPosition {
  at: Date;
  /** 0 for a failed attempt, 1 for a recovered cover. */
  kind: number;
  id: number;
  coverId: number;
}

/** Vendors whose results have not been read for a while. */
export const dueModelWatches: DueRows = {
  table: recoveryModelWatches,
  isDue: (at: SQL) => sql`${recoveryModelWatches.dueAt} <= ${at}`,
};

/** Queries for the trust in models: positions among results, what the tests have seen, and events. */
export class ModelTrustRepository {
  readonly events: RecordList<ModelEventRecord, object, "OCCURRED_AT", never>;

  constructor(private readonly db: Handle) {
    this.events = new RecordList(db, {
      table: recoveryModelEvents,
      sorts: { OCCURRED_AT: recoveryModelEvents.occurredAt },
      parentConditions: {},
      filterCondition: () => undefined,
    });
  }

  eventsByIds(vendorId: number, ids: readonly number[]): Promise<ModelEventRecord[]> {
    return this.db
      .select()
      .from(recoveryModelEvents)
      .where(and(eq(recoveryModelEvents.vendorId, vendorId), idIsOneOf(recoveryModelEvents.id, ids)));
  }

  /** The vendor at the top of a vendor's family: a model and its tests are of the whole family. */
  async familyOf(vendorId: number): Promise<number> {
    const [row] = await this.db.select({ parentId: vendors.parentId }).from(vendors).where(eq(vendors.id, vendorId));
    return row?.parentId ?? vendorId;
  }

  /** Begins to read the results of a vendor, from an instant on. Nothing happens if they are read already. */
  async addWatch(vendorId: number, from: Date): Promise<void> {
    await this.db.insert(recoveryModelWatches).values({ vendorId, seenAt: from, dueAt: from }).onConflictDoNothing();
  }

  /** The position of a vendor, locked until the transaction ends; undefined if its results are not read. */
  async lockWatch(vendorId: number): Promise<ModelWatchRecord | undefined> {
    const [watch] = await this.db
      .select()
      .from(recoveryModelWatches)
      .where(eq(recoveryModelWatches.vendorId, vendorId))
      .for("no key update");
    return watch;
  }

  async changeWatch(vendorId: number, values: Partial<Omit<ModelWatchRecord, "vendorId">>): Promise<void> {
    await this.db.update(recoveryModelWatches).set(values).where(eq(recoveryModelWatches.vendorId, vendorId));
  }

  /** The time of the last result in a family; null if none of its vendors is watched. */
  async lastResultAt(familyId: number): Promise<Date | null> {
    const rows = await this.db.execute(sql`select max(w."seen_at") as "at" from ${vendors} v
      join "recovery_model_watches" w on w."vendor_id" = v."id"
      where v."id" = ${familyId}::bigint or v."parent_id" = ${familyId}::bigint`);
    const [row] = [...(rows as Iterable<{ at: Date | string | null }>)];
    return row?.at ? new Date(row.at) : null;
  }

  /** So many results after a position and until an instant, in the order in which they came in: each kind by its own index. */
  async resultsAfter(
    vendorId: number,
    { seenAt, seenKind, seenId }: Pick<ModelWatchRecord, "seenAt" | "seenKind" | "seenId">,
    until: Date,
    limit: number,
  ): Promise<ResultPosition[]> {
    const isNew = (at: SQL, kind: number, id: SQL) => sql`${at} >= ${timestamp(seenAt)} and ${at} <= ${timestamp(until)}
      and (${at}, ${kind}::int, ${id}) > (${timestamp(seenAt)}, ${seenKind}::int, ${seenId}::bigint)`;
    const rows = await this.db.execute(sql`
      (select a."attempted_at" as "at", 0 as "kind", a."id", a."cover_id" as "coverId" from "cover_attempts" a
        where a."vendor_id" = ${vendorId}::bigint and a.kind = 'SCHEDULED' and ${isNew(sql`a."attempted_at"`, 0, sql`a."id"`)}
        order by a."attempted_at", a."id" limit ${limit})
      union all
      (select c."ended_at", 1, c."id", c."id" from "covers" c
        where c."vendor_id" = ${vendorId}::bigint and c.state = 'RECOVERED' and ${isNew(sql`c."ended_at"`, 1, sql`c."id"`)}
        order by c."ended_at", c."id" limit ${limit})
      order by 1, 2, 3 limit ${limit}`);
    return Array.from(
      rows as Iterable<{ at: Date | string; kind: number; id: string; coverId: string }>,
      ({ at, kind, id, coverId }) => ({ at: new Date(at), kind, id: Number(id), coverId: Number(coverId) }),
    );
  }

  /** Where models of some versions come from; those of other vendors and unknown ones are missing. */
  async sourcesOf(familyId: number, versions: readonly string[]): Promise<Map<string, ModelSource>> {
    const rows = await this.db
      .select({ version: recoveryModels.version, source: sql<ModelSource>`'VENDOR'` })
      .from(recoveryModels)
      .where(and(eq(recoveryModels.vendorId, familyId), isOneOf(recoveryModels.version, versions)))
      .unionAll(
        this.db
          .select({ version: sharedRecoveryModels.version, source: sql<ModelSource>`${sharedRecoveryModels.scope}` })
          .from(sharedRecoveryModels)
          .where(isOneOf(sharedRecoveryModels.version, versions)),
      );
    return new Map(rows.map(({ version, source }) => [version, source]));
  }

  /** The ids of a family's own models by version; those of all families are missing. */
  async ownModelIds(familyId: number, versions: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.db
      .select({ version: recoveryModels.version, id: recoveryModels.id })
      .from(recoveryModels)
      .where(and(eq(recoveryModels.vendorId, familyId), isOneOf(recoveryModels.version, versions)));
    return new Map(rows.map(({ version, id }) => [version, id]));
  }

  /** The training of a family that has not ended; null if there is none. */
  async openTraining(
    familyId: number,
  ): Promise<Pick<typeof recoveryTrainings.$inferSelect, "state" | "requestedAt" | "startedAt"> | null> {
    const { state, requestedAt, startedAt } = recoveryTrainings;
    const [training] = await this.db
      .select({ state, requestedAt, startedAt })
      .from(recoveryTrainings)
      .where(and(eq(recoveryTrainings.vendorId, familyId), isOneOf(state, ["REQUESTED", "RUNNING"])));
    return training ?? null;
  }

  /** The newest training of a family that has ended, with the version of its candidate; null if there is none. */
  async lastTraining(familyId: number) {
    const { state, result, requestedAt, finishedAt, tries, evaluation, failure } = recoveryTrainings;
    const [training] = await this.db
      .select({ state, result, requestedAt, finishedAt, tries, evaluation, failure, version: recoveryModels.version })
      .from(recoveryTrainings)
      .leftJoin(
        recoveryModels,
        and(eq(recoveryModels.vendorId, recoveryTrainings.vendorId), eq(recoveryModels.id, recoveryTrainings.modelId)),
      )
      .where(and(eq(recoveryTrainings.vendorId, familyId), isOneOf(state, ["DONE", "FAILED"])))
      .orderBy(desc(recoveryTrainings.id))
      .limit(1);
    return training ?? null;
  }

  /** What the tests of a family have seen, without a lock. */
  trustOf(familyId: number): Promise<ModelTrustRecord[]> {
    return this.db.select().from(recoveryModelTrust).where(eq(recoveryModelTrust.vendorId, familyId));
  }

  /** The same, locked until the transaction ends; rows that are missing are added first. */
  async lockTrust(familyId: number, sources: readonly ModelSource[]): Promise<ModelTrustRecord[]> {
    const [drift, testedFrom] = [{ counts: {}, windows: [] }, new Date(0)];
    await this.db
      .insert(recoveryModelTrust)
      .values(sources.map((source) => ({ vendorId: familyId, source, drift, testedFrom })))
      .onConflictDoNothing();
    return this.db
      .select()
      .from(recoveryModelTrust)
      .where(eq(recoveryModelTrust.vendorId, familyId))
      .orderBy(recoveryModelTrust.source)
      .for("no key update");
  }

  async saveTrust(
    familyId: number,
    source: ModelSource,
    values: Omit<ModelTrustRecord, "vendorId" | "source">,
  ): Promise<void> {
    await this.db
      .update(recoveryModelTrust)
      .set(values)
      .where(and(eq(recoveryModelTrust.vendorId, familyId), eq(recoveryModelTrust.source, source)));
  }

  async addEvents(
    familyId: number,
    events: readonly Omit<typeof recoveryModelEvents.$inferInsert, "vendorId" | "id">[],
  ): Promise<void> {
    if (events.length > 0)
      await this.db.insert(recoveryModelEvents).values(events.map((event) => ({ vendorId: familyId, ...event })));
  }
}
