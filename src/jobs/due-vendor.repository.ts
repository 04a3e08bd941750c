import { sql, type SQL } from "drizzle-orm";
import type { Handle } from "../database/client.ts";
import { dueRowsOf, timestamp, timestampLiteral, type DueRows } from "../database/due-rows.ts";

/** A webhook endpoint and its vendor. */
export interface VendorEndpoint {
  vendorId: number;
  endpointId: number;
}

/** An endpoint with due deliveries. */
export interface DueEndpoint extends VendorEndpoint {
  /** The parent of a child vendor, otherwise the vendor itself. */
  familyId: number;
  /** Whether its last attempt failed. */
  isFailing: boolean;
}

/** The families and endpoints at which a process makes as many attempts as it can. */
export interface BusyDestinations {
  familyIds: readonly number[];
  endpointIds: readonly number[];
  /** Endpoints with an attempt under way: one more is enough if they fail. */
  attemptedEndpointIds: readonly number[];
  /** Whether endpoints that fail have all the slots that they can have. */
  isFullOfFailing: boolean;
}

/**
 * Finds the vendors with due work. Only these queries read across all vendors; the work itself is done vendor by vendor.
 * A sandbox's clock may be ahead of the real time. Its child vendors use the same clock.
 */
export class DueVendorRepository {
  constructor(private readonly db: Handle) {}

  /**
   * Finds enabled vendors with due rows of any kind. The cost grows with the number of due rows, because each kind has an
   * index over all vendors that begins with its time. The few vendors whose clock is ahead are queried one by one, at
   * their own time only, by a statement of their own: it takes longer to plan than the rest to run.
   */
  async vendorsWithDueWork(now: Date, kinds: readonly DueRows[]): Promise<number[]> {
    const at = timestampLiteral(now);
    const dueAtRealTime = await this.idsOf(sql`
      select v."id" from "vendors" v where v."enabled" and v."id" in (
        ${sql.join(
          kinds.map(({ table, isDue }) => sql`select ${table.vendorId} from ${table} where ${isDue(at)}`),
          sql` union `,
        )})`);
    const aheadIds = new Set(await this.idsOf(sql`select a."id" from (${vendorsAhead(at)}) a`));
    const dueAtOwnTime = aheadIds.size === 0 ? [] : await this.vendorsAheadWithDueWork(at, kinds);
    return [...dueAtRealTime.filter((id) => !aheadIds.has(id)), ...dueAtOwnTime].toSorted((a, b) => a - b);
  }

  private vendorsAheadWithDueWork(at: SQL, kinds: readonly DueRows[]): Promise<number[]> {
    const hasDueOfAny = kinds.map((rows) => hasDue(rows, sql`a."id"`, sql`a."at"`));
    return this.idsOf(sql`
      select v."id" from "vendors" v join (${vendorsAhead(at)}) a on a."id" = v."id"
      where v."enabled" and (${sql.join(hasDueOfAny, sql` or `)})`);
  }

  /**
   * Finds enabled vendors with due rows at their own time, with one index look-up for each vendor. The condition is a
   * scalar subquery, because PostgreSQL may plan `exists` as a join that reads the rows of all vendors.
   */
  vendorsWithDue(rows: DueRows, now: Date): Promise<number[]> {
    return this.idsOf(sql`
      select v."id" from "vendors" v left join "vendors" p on p."id" = v."parent_id"
      cross join lateral (select ${timestampLiteral(now)}
        + coalesce(p."clock_ahead_ms", v."clock_ahead_ms") * interval '1 millisecond' as "at") t
      where v."enabled" and (select true from ${rows.table} where ${dueRowsOf(rows, sql`v."id"`, sql`t."at"`)} limit 1)
      order by v."id"`);
  }

  /** Finds vendors with due rows at the real time, including disabled vendors. An index begins with the time. */
  vendorsMatchingAtRealTime(rows: DueRows, now: Date): Promise<number[]> {
    return this.idsOf(sql`
      select v."id" from "vendors" v where ${hasDue(rows, sql`v."id"`, timestampLiteral(now))} order by v."id"`);
  }

  /**
   * Finds vendors with events that have no number, including disabled vendors, in the order of their ids after one. Each step
   * finds the next vendor by one index look-up, so that the cost grows with these vendors and not with their events.
   */
  vendorsWithUnnumberedEvents(afterId: number, limit: number): Promise<number[]> {
    return this.idsOf(sql`
      with recursive "found" as (
        (select "vendor_id" as "id" from "unnumbered_events" where "vendor_id" > ${afterId}::bigint order by "vendor_id" limit 1)
        union all
        select (select u."vendor_id" from "unnumbered_events" u where u."vendor_id" > f."id" order by u."vendor_id" limit 1)
        from "found" f where f."id" is not null)
      select "id" from "found" where "id" is not null limit ${limit}::integer`);
  }

  /**
   * Finds enabled endpoints with due webhook deliveries, those that have been due for the longest time first, and without those
   * that are busy: they would hide the others. The cost grows with these endpoints.
   */
  async dueWebhookEndpoints(now: Date, busy: BusyDestinations, limit: number): Promise<DueEndpoint[]> {
    const rows = (await this.db.execute(sql`
      select e."vendor_id", e."id", coalesce(v."parent_id", v."id") as "family_id", e."failing_since" is not null as "failing"
      from "webhook_endpoints" e join "vendors" v on e."vendor_id" = v."id"
      where e."enabled" and e."due_at" is not null and e."due_at" <= ${timestamp(now)} and v."enabled"
        and coalesce(v."parent_id", v."id") <> all(${toArray(busy.familyIds)}) and e."id" <> all(${toArray(busy.endpointIds)})
        and (e."failing_since" is null
          or (not ${busy.isFullOfFailing}::boolean and e."id" <> all(${toArray(busy.attemptedEndpointIds)})))
      order by e."due_at", e."vendor_id", e."id" limit ${limit}::integer`)) as Iterable<{
      vendor_id: string;
      id: string;
      family_id: string;
      failing: boolean;
    }>;
    return Array.from(rows, (row) => ({
      ...toVendorEndpoint(row),
      familyId: Number(row.family_id),
      isFailing: row.failing,
    }));
  }

  /**
   * Finds enabled endpoints with numbered events that they have not read, in the order of vendors and endpoints after one. The
   * cost grows with the enabled endpoints: two index look-ups for each.
   */
  async webhookEndpointsWithUnreadEvents(after: VendorEndpoint, limit: number): Promise<VendorEndpoint[]> {
    const rows = (await this.db.execute(sql`
      select e."vendor_id", e."id" from "webhook_endpoints" e join "vendors" v on e."vendor_id" = v."id"
      join "event_sequences" s on s."vendor_id" = e."vendor_id"
      where e."enabled" and s."last_number" > e."last_read_number" and v."enabled"
        and (e."vendor_id", e."id") > (${after.vendorId}::bigint, ${after.endpointId}::bigint)
      order by e."vendor_id", e."id" limit ${limit}::integer`)) as Iterable<{ vendor_id: string; id: string }>;
    return Array.from(rows, toVendorEndpoint);
  }

  /**
   * Finds enabled vendors with numbered events that were not read for messages. An index has these vendors only, so that the
   * cost grows with them.
   */
  vendorsWithUnreadMessageEvents(limit: number): Promise<number[]> {
    return this.idsOf(sql`
      select s."vendor_id" as "id" from "event_sequences" s join "vendors" v on s."vendor_id" = v."id"
      where s."last_number" > s."messages_read_number" and v."enabled" limit ${limit}::integer`);
  }

  /**
   * Finds enabled vendors with messages whose attempt is due at the real time. Each step finds the next vendor by one index
   * look-up, so that the cost grows with the vendors that have open messages, and not with these.
   */
  vendorsWithDueMessages(now: Date): Promise<number[]> {
    return this.idsOf(sql`
      with recursive "found" as (
        (select "vendor_id" as "id" from "messages" where "attempt_at" is not null order by "vendor_id" limit 1)
        union all
        select (select m."vendor_id" from "messages" m where m."attempt_at" is not null and m."vendor_id" > f."id"
          order by m."vendor_id" limit 1)
        from "found" f where f."id" is not null)
      select f."id" from "found" f join "vendors" v on v."id" = f."id" where v."enabled" and (
        select true from "messages" m where m."vendor_id" = f."id" and m."attempt_at" <= ${timestamp(now)} limit 1)
      order by f."id"`);
  }

  private async idsOf(statement: SQL): Promise<number[]> {
    const rows = (await this.db.execute(statement)) as Iterable<{ id: string }>;
    return [...rows].map(({ id }) => Number(id));
  }
}

/** The vendors whose clock is ahead, with their time; a child vendor has the clock of its parent. */
const vendorsAhead = (at: SQL): SQL => sql`
  select "id", ${at} + "clock_ahead_ms" * interval '1 millisecond' as "at" from "vendors" where "clock_ahead_ms" > 0
  union all select c."id", ${at} + p."clock_ahead_ms" * interval '1 millisecond' from "vendors" p
    join "vendors" c on c."parent_id" = p."id" where p."clock_ahead_ms" > 0`;

const hasDue = (rows: DueRows, vendorId: SQL, at: SQL): SQL =>
  sql`exists (select from ${rows.table} where ${dueRowsOf(rows, vendorId, at)})`;

const toVendorEndpoint = (row: { vendor_id: string; id: string }): VendorEndpoint => ({
  vendorId: Number(row.vendor_id),
  endpointId: Number(row.id),
});

const toArray = (ids: readonly number[]): SQL => sql`${`{${ids.join(",")}}`}::bigint[]`;
