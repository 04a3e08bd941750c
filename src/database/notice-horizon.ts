import { sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { allOf } from "./conditions.ts";

/** The tables that have a vendor's time zone and its time for notices. */
interface NoticeTables {
  vendors: PgTable & { id: PgColumn; zoneId: PgColumn };
  vendorSettings: PgTable & { vendorId: PgColumn; notiBeforePaymentTime: PgColumn };
}

/**
 * The instant before which dates are near enough for a notice, as a subquery: the end of the day that is an interval ahead.
 * A day comes near at the vendor's time for notices, in the vendor's zone. It is one value for a vendor, so that an index of
 * dates finds those that are near enough. It is null, and near to nothing, for a vendor that does not meet `condition`.
 */
export const noticeHorizon = (
  { vendors, vendorSettings }: NoticeTables,
  vendorId: SQL | number,
  { at, ahead, condition }: { at: SQL; ahead: SQL; condition?: SQL },
): SQL =>
  sql`(select (date_trunc('day', ${at} at time zone ${vendors.zoneId}
      - ${vendorSettings.notiBeforePaymentTime} * interval '1 second')
      + interval '1 day' + ${ahead}) at time zone ${vendors.zoneId}
    from ${vendorSettings} join ${vendors} on ${vendors.id} = ${vendorSettings.vendorId}
    where ${allOf(sql`${vendorSettings.vendorId} = ${vendorId}`, condition)})`;
