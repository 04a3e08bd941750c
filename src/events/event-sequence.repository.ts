import { eq, sql } from "drizzle-orm";
import { eventSequences } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

/** Queries for the numbers of events. */
export class EventSequenceRepository {
  constructor(private readonly db: Handle) {}

  /** Locks the vendor's sequence, and makes it first if there is none. False if another transaction has locked it. */
  async lockSequence(vendorId: number): Promise<boolean> {
    if (await this.tryLock(vendorId)) return true;
    await this.db.insert(eventSequences).values({ vendorId, lastNumber: 0 }).onConflictDoNothing();
    return this.tryLock(vendorId);
  }

  /**
   * Numbers the events that have no number, in the order of their ids. The sequence must be locked by an earlier statement,
   * so that this one sees all numbers that were given. @returns how many.
   */
  async numberEvents(vendorId: number, limit: number): Promise<number> {
    const rows = (await this.db.execute(sql`
      with "next" as (
        select "event_id" from "unnumbered_events" where "unnumbered_events"."vendor_id" = ${vendorId}::bigint
        order by "event_id" limit ${limit}::integer
      ), "taken" as (
        delete from "unnumbered_events" u using "next" n where u."vendor_id" = ${vendorId}::bigint and u."event_id" = n."event_id"
        returning u."event_id", u."recorded_at", u."type"
      ), "numbered" as (
        insert into "event_numbers" ("vendor_id", "number", "event_id", "recorded_at", "type")
        select s."vendor_id", s."last_number" + row_number() over (order by t."event_id"), t."event_id", t."recorded_at", t."type"
        from "taken" t join "event_sequences" s on s."vendor_id" = ${vendorId}::bigint
        returning "number"
      )
      update "event_sequences" set "last_number" = "last_number" + (select count(*) from "numbered")
      where "event_sequences"."vendor_id" = ${vendorId}::bigint returning (select count(*)::integer from "numbered") as "count"`)) as Iterable<{
      count: number;
    }>;
    return [...rows][0]?.count ?? 0;
  }

  private async tryLock(vendorId: number): Promise<boolean> {
    const rows = await this.db
      .select({ lastNumber: eventSequences.lastNumber })
      .from(eventSequences)
      .where(eq(eventSequences.vendorId, vendorId))
      .for("no key update", { skipLocked: true });
    return rows.length > 0;
  }
}
