import { and, asc, desc, eq, or, sql, type SQL } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { dueRowsOf, timestamp, type DueRows } from "../../database/due-rows.ts";
import { firstRow } from "../../database/rows.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { covers, recoveryTrainings, vendors } from "../../../schema/tables/index.ts";

export type RecoveryTrainingRecord = typeof recoveryTrainings.$inferSelect;

/** The hour of the vendor's day before which cases are trained on at night. */
const NIGHT_HOUR = 3;

/** The last night of a vendor before an instant: three o'clock by its clocks. */
const lastNight = (vendorId: unknown, at: unknown) => sql`(select date_trunc('day',
  (${at} - interval '${sql.raw(String(NIGHT_HOUR))} hours') at time zone z."zone_id") at time zone z."zone_id"
  + interval '${sql.raw(String(NIGHT_HOUR))} hours' from ${vendors} z where z."id" = ${vendorId})`;

/** When the last training of a vendor's family was requested. */
const lastRequest = (vendorId: unknown) => sql`coalesce((select max(t."requested_at") from "recovery_trainings" t
  where t."vendor_id" = (select coalesce(f."parent_id", f."id") from ${vendors} f where f."id" = ${vendorId})), '-infinity')`;

/**
 * Covers with a result after the last training of their family and before the last night, however old the cover is: a family
 * without new results has nothing to learn. The vendor is the one of the search, so that indexes find failed retries and
 * payments by their times.
 */
export const untrainedCovers: DueRows = {
  table: covers,
  isDue: (at) => sql`${covers.startedAt} <= ${at}`,
  ofOneVendor: (at, vendorId) => {
    const isNew = (time: SQL) => sql`${time} > ${lastRequest(vendorId)} and ${time} < ${lastNight(vendorId, at)}`;
    // One is enough, and an array of one is found by two indexes, however many covers the vendor has.
    return sql`${covers.id} = any(array(select r."id" from (
      select a."cover_id" as "id" from "cover_attempts" a
        where a."vendor_id" = ${vendorId} and a.kind = 'SCHEDULED' and ${isNew(sql`a."attempted_at"`)}
      union all select c."id" from "covers" c
        where c."vendor_id" = ${vendorId} and c.state = 'RECOVERED' and ${isNew(sql`c."ended_at"`)}) r limit 1))`;
  },
};

/** Trainings that were requested, and those whose worker has died. */
export const dueTrainings: DueRows = {
  table: recoveryTrainings,
  isDue: (at) =>
    sql`(${recoveryTrainings.state} = 'REQUESTED' or (${recoveryTrainings.state} = 'RUNNING' and ${recoveryTrainings.leaseUntil} <= ${at}))`,
  ofOneVendor: () => sql`${recoveryTrainings.state} in ('REQUESTED', 'RUNNING')`,
};

const isOpen = sql`state in ('REQUESTED', 'RUNNING')`;

/** Queries for the trainings of models. */
export class RecoveryTrainingRepository {
  readonly list: RecordList<RecoveryTrainingRecord, object, "REQUESTED_AT", never>;

  constructor(private readonly db: Handle) {
    this.list = new RecordList(db, {
      table: recoveryTrainings,
      sorts: { REQUESTED_AT: recoveryTrainings.requestedAt },
      parentConditions: {},
      filterCondition: () => undefined,
    });
  }

  byIds(vendorId: number, ids: readonly number[]): Promise<RecoveryTrainingRecord[]> {
    return this.db
      .select()
      .from(recoveryTrainings)
      .where(and(eq(recoveryTrainings.vendorId, vendorId), idIsOneOf(recoveryTrainings.id, ids)));
  }

  /** Whether the vendor has results that its family was not trained on. */
  async hasUntrainedResults(vendorId: number, now: Date): Promise<boolean> {
    const rows = await this.db
      .select({ id: covers.id })
      .from(covers)
      .where(dueRowsOf(untrainedCovers, vendorId, timestamp(now)))
      .limit(1);
    return rows.length > 0;
  }

  /** The open training of a family; a new one if there is none. */
  async request(
    vendorId: number,
    values: Pick<RecoveryTrainingRecord, "trigger" | "requestedAt">,
  ): Promise<RecoveryTrainingRecord> {
    const [added] = await this.db
      .insert(recoveryTrainings)
      .values({ vendorId, state: "REQUESTED", ...values })
      .onConflictDoNothing({ target: recoveryTrainings.vendorId, where: isOpen })
      .returning();
    if (added) return added;
    return firstRow(
      await this.db
        .select()
        .from(recoveryTrainings)
        .where(eq(recoveryTrainings.vendorId, vendorId))
        .orderBy(desc(recoveryTrainings.id))
        .limit(1),
    );
  }

  /** A training that is due, locked; one that another worker has locked is skipped. */
  async lockDue(vendorId: number, now: Date): Promise<RecoveryTrainingRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(recoveryTrainings)
      .where(dueRowsOf(dueTrainings, vendorId, timestamp(now)))
      .orderBy(asc(recoveryTrainings.id))
      .limit(1)
      .for("no key update", { skipLocked: true });
    return row;
  }

  /** Names the candidate that a training made. */
  async setModel(vendorId: number, id: number, modelId: number): Promise<void> {
    await this.db
      .update(recoveryTrainings)
      .set({ modelId })
      .where(and(eq(recoveryTrainings.vendorId, vendorId), eq(recoveryTrainings.id, id)));
  }

  /**
   * Changes a training that a worker has to itself. @returns whether it still had: undefined if another worker has taken the
   * training over, or ended it.
   */
  async changeRun(
    vendorId: number,
    { id, runs }: Pick<RecoveryTrainingRecord, "id" | "runs">,
    values: Partial<typeof recoveryTrainings.$inferInsert>,
  ): Promise<RecoveryTrainingRecord | undefined> {
    const [changed] = await this.db
      .update(recoveryTrainings)
      .set(values)
      .where(
        and(
          eq(recoveryTrainings.vendorId, vendorId),
          eq(recoveryTrainings.id, id),
          eq(recoveryTrainings.runs, runs),
          or(eq(recoveryTrainings.state, "RUNNING"), eq(recoveryTrainings.state, "REQUESTED")),
        ),
      )
      .returning();
    return changed;
  }
}
