import { sql } from "drizzle-orm";
import { timedStatuses } from "../../schema/tables/index.ts";
import type { Handle } from "../database/client.ts";

/** Where rows are looked for: at all vendors, or at the one called `a`. */
type VendorCondition = "true" | `x."vendor_id" = a."id"`;

/** What rows are due by: the instant, as SQL, and the codes of payments that failed by a fault of nobody's but ours. */
interface DueInstant {
  at: string;
  faultCodesSql: string;
}

/**
 * Rows at which there is something to do at an instant. Each is found by an index that begins with the time, so that what is
 * asked costs as much as is due, however many vendors there are.
 */
const dueRowQueries: Readonly<Record<string, (where: VendorCondition, now: DueInstant) => string>> = {
  renewals: (where, { at }) =>
    `from "subscriptions" x where ${where} and x."status" in ('ACTIVE', 'QUEUEING', 'PENDING_PAUSE', 'PENDING_CANCEL')
      and x."next_payment_date" is not null and greatest(x."next_payment_date", x."lease_until") <= ${at}`,
  acts: (where, { at }) =>
    `from "subscriptions" x where ${where} and x."act_at" is not null and x."act_at" <= ${at} and x."status" <> 'QUEUEING'`,
  retries: (where, { at }) =>
    `from "covers" x where ${where} and x."state" = 'IN_PROGRESS' and x."renewal_order_id" is not null
      and x."retry_at" is not null and greatest(x."retry_at", x."lease_until") <= ${at}`,
  orders: (where, { at, faultCodesSql }) =>
    `from "orders" x where ${where} and x."type" in ('RECURRING', 'ADDITIONAL', 'ADD_USAGE')
      and x."created_at" >= ${at} - interval '7 days' and x."payment_date" is null and x."parent_order_id" is null
      and exists (select from "order_items" i where i."vendor_id" = x."vendor_id" and i."order_id" = x."id" and i."status" in ('CREATED', 'PAYMENT_FAILURE'))
      and not exists (select from "renewals" r where r."vendor_id" = x."vendor_id" and r."order_id" = x."id")
      and not exists (select from "payments" t where t."vendor_id" = x."vendor_id" and t."order_id" = x."id"
        and not (t."state" = 'FAILED' and t."error_code" in (${faultCodesSql}) and t."created_at" + interval '1 minute' <= ${at}))
      and not exists (select from "events" e where e."vendor_id" = x."vendor_id" and e."order_id" = x."id"
        and e."happening" = 'postponeRenewal' and (e."facts" ->> 'until')::timestamptz > ${at})`,
  arrivals: (where, { at }) =>
    `from "order_items" x where ${where} and x."status" in ('${timedStatuses.join("', '")}') and coalesce(x."transition_at", x."modified_at") <= ${at}`,
  // All covers in progress are gone through, each by the keys of what it stands on: nobody below knows of covers.
  covers: (where) =>
    `from "covers" x where ${where} and x."state" = 'IN_PROGRESS' and x."renewal_order_id" is not null and x."retry_at" is not null
      and ((select s."status" from "subscriptions" s where s."vendor_id" = x."vendor_id" and s."id" = x."renewal_subscription_id") in ('CANCELED', 'EXPIRED')
        or (select o."status" from "order_states" o where o."vendor_id" = x."vendor_id" and o."order_id" = x."renewal_order_id" and o."status" = 'PAID') is not null)`,
  payments: (where, { at }) =>
    `from "payments" x where ${where} and x."look_up_at" is not null and x."look_up_at" <= ${at}`,
  refunds: (where, { at }) =>
    `from "refunds" x where ${where} and x."look_up_at" is not null and x."look_up_at" <= ${at}`,
};

/**
 * Which vendors have work. It is the one question that concerns all vendors; what it finds is then done vendor by vendor.
 * Each vendor's clock counts: a sandbox may be ahead.
 */
export class DueWorkRepository {
  constructor(private readonly db: Handle) {}

  /** Vendors with charges, retries or moves that are due. Payments that failed with one of the codes are no tries. */
  async vendorsWithDueWork(now: Date, faultCodes: readonly string[]): Promise<number[]> {
    const at = `'${now.toISOString()}'::timestamptz`;
    const faults = faultCodes.map((code) => `'${code}'`).join(", ");
    // What is due now is due for those who are ahead too; they are few, and each is asked for what else is due there.
    const everywhere = Object.values(dueRowQueries).map(
      (rows) => `select x."vendor_id" ${rows("true", { at, faultCodesSql: faults })}`,
    );
    const ahead = Object.values(dueRowQueries).map(
      (rows) => `exists (select ${rows(`x."vendor_id" = a."id"`, { at: `a."at"`, faultCodesSql: faults })})`,
    );
    return this.findEnabledVendors(
      sql.raw(`and v."id" in (
        ${everywhere.join(" union ")}
        union select a."id" from (
          select "id", ${at} + "clock_ahead_ms" * interval '1 millisecond' as "at" from "vendors" where "clock_ahead_ms" > 0
          union all select c."id", ${at} + p."clock_ahead_ms" * interval '1 millisecond' from "vendors" p
            join "vendors" c on c."parent_id" = p."id" where p."clock_ahead_ms" > 0
        ) a where ${ahead.join(" or ")})`),
    );
  }

  /** Vendors at which some rows are, in words of the vendor `v` and of its instant `at`: one look into an index for each vendor. */
  vendorsMatching(rows: string, now: Date): Promise<number[]> {
    const ahead = `coalesce((select p."clock_ahead_ms" from "vendors" p where p."id" = v."parent_id"), v."clock_ahead_ms")`;
    return this.findEnabledVendors(
      sql.raw(`and exists (select from (select '${now.toISOString()}'::timestamptz + ${ahead} * interval '1 millisecond' as at) t
        where exists (select from ${rows}))`),
    );
  }

  /** All vendors at which some rows are, `at` the real time: an index that begins with the time finds them. */
  async vendorsMatchingAtRealTime(rows: string, now: Date): Promise<number[]> {
    const found = await this.db.execute(
      sql.raw(`select v."id" from "vendors" v cross join (select '${now.toISOString()}'::timestamptz as at) t
        where exists (select from ${rows}) order by v."id"`),
    );
    return [...(found as Iterable<{ id: string }>)].map(({ id }) => Number(id));
  }

  private async findEnabledVendors(condition: ReturnType<typeof sql>): Promise<number[]> {
    const rows = (await this.db.execute(
      sql`select v."id" from "vendors" v where v."enabled" ${condition} order by v."id"`,
    )) as Iterable<{ id: string }>;
    return [...rows].map(({ id }) => Number(id));
  }
}
