import { sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { recoveryPoolings, vendors, vendorSettings } from "../../../schema/tables/index.ts";

/** A family that shares its retries: the vendor at its top, and all vendors of it. */
export interface SharingFamily {
  familyId: number;
  vendorIds: number[];
}

/** A vendor at the top of its family that shares: by its own setting, live, and not closed. */
const shares = sql`top."parent_id" is null and top."enabled" and not top."sandbox" and s."recovery_pooling"`;
const topWithSettings = sql`${vendors} top join ${vendorSettings} s on s."vendor_id" = top."id"`;

/**
 * Which families share their retries: the one place that reads across vendors in order to learn. What it returns is used by the
 * thread of a pooling, and by nobody else.
 */
export class SharingFamiliesRepository {
  constructor(private readonly db: Handle) {}

  /** All families that share, in the order of their numbers. */
  async all(): Promise<SharingFamily[]> {
    const rows = await this.db.execute(sql`select top."id" as "familyId", v."id" as "vendorId"
      from ${topWithSettings} join ${vendors} v on v."id" = top."id" or v."parent_id" = top."id"
      where ${shares} order by top."id", v."id"`);
    const families: SharingFamily[] = [];
    for (const row of rows as Iterable<{ familyId: string; vendorId: string }>) {
      const [familyId, vendorId] = [Number(row.familyId), Number(row.vendorId)];
      const last = families.at(-1);
      if (last?.familyId === familyId) last.vendorIds.push(vendorId);
      else families.push({ familyId, vendorIds: [vendorId] });
    }
    return families;
  }

  /** Whether all of some families share. */
  async includes(familyIds: readonly number[]): Promise<boolean> {
    const rows = await this.db.execute(sql`select count(*)::int as "count" from ${topWithSettings}
      where ${shares} and top."id" = any(${sql.param(`{${familyIds.join()}}`)}::bigint[])`);
    const [row] = [...(rows as Iterable<{ count: number }>)];
    return row?.count === familyIds.length;
  }

  /**
   * The countries whose retries are pooled: those of live vendors if anybody shares, and those that have a pooled model, so that
   * it ends when nobody does any more.
   */
  async countries(): Promise<string[]> {
    const rows = await this.db.execute(sql`
      select distinct v."country" from ${vendors} v where v."parent_id" is null and v."enabled" and not v."sandbox"
        and exists (select from ${topWithSettings} where ${shares})
      union
      select l."country" from (select distinct on (p."country") p."country", p."result" from ${recoveryPoolings} p
        where p."state" = 'DONE' order by p."country", p."id" desc) l where l."result" = 'ACTIVATED'
      order by 1`);
    return Array.from(rows as Iterable<{ country: string }>, ({ country }) => country);
  }
}
