import { sql } from "drizzle-orm";
import type { Handle } from "../database/client.ts";

/** Rows at which a vendor has something to do now; `at` is what the vendor's clock says. */
const due: Readonly<Record<string, (at: string) => string>> = {
  renewals: (at) =>
    `from "subscriptions" x where x."vendor_id" = v."id" and x."status" in ('ACTIVE', 'QUEUEING', 'PENDING_PAUSE', 'PENDING_CANCEL')
      and x."next_payment_date" <= ${at} and (x."lease_until" is null or x."lease_until" <= ${at})`,
  acts: (at) => `from "subscriptions" x where x."vendor_id" = v."id" and x."act_at" <= ${at}`,
  retries: (at) =>
    `from "covers" x where x."vendor_id" = v."id" and x."state" = 'IN_PROGRESS' and x."renewal_order_id" is not null
      and x."retry_at" <= ${at} and (x."lease_until" is null or x."lease_until" <= ${at})`,
  orders: (at) =>
    `from "orders" x where x."vendor_id" = v."id" and x."type" in ('RECURRING', 'ADDITIONAL', 'ADD_USAGE')
      and x."created_at" >= ${at} - interval '7 days' and x."payment_date" is null
      and exists (select from "order_items" i where i."vendor_id" = x."vendor_id" and i."order_id" = x."id" and i."status" in ('CREATED', 'PAYMENT_FAILURE'))
      and not exists (select from "renewals" r where r."vendor_id" = x."vendor_id" and r."order_id" = x."id")`,
  covers: () =>
    `from "covers" x where x."vendor_id" = v."id" and x."state" = 'IN_PROGRESS' and x."renewal_order_id" is not null`,
  payments: (at) => `from "payments" x where x."vendor_id" = v."id" and x."look_up_at" <= ${at}`,
  refunds: (at) => `from "refunds" x where x."vendor_id" = v."id" and x."look_up_at" <= ${at}`,
};

/**
 * Which vendors have work. It is the one question that concerns all vendors; what it finds is then done vendor by vendor.
 * Each vendor's clock counts: a sandbox may be ahead.
 */
export class WorkRepository {
  constructor(private readonly db: Handle) {}

  /** Vendors with charges, retries or moves that are due. */
  async vendorsWithWork(now: Date): Promise<number[]> {
    const at = `(${instant(now)} + coalesce(p."clock_ahead_ms", v."clock_ahead_ms") * interval '1 millisecond')`;
    const any = Object.values(due).map((rows) => `exists (select ${rows(at)})`);
    return this.vendors(sql.raw(`and (${any.join(" or ")})`));
  }

  /** All vendors that are enabled. */
  enabled(): Promise<number[]> {
    return this.vendors(sql``);
  }

  private async vendors(condition: ReturnType<typeof sql>): Promise<number[]> {
    const rows = (await this.db.execute(
      sql`select v."id" from "vendors" v left join "vendors" p on p."id" = v."parent_id" where v."enabled" ${condition} order by v."id"`,
    )) as Iterable<{ id: string }>;
    return [...rows].map(({ id }) => Number(id));
  }
}

const instant = (now: Date): string => `'${now.toISOString()}'::timestamptz`;
