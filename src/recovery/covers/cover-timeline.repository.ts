import { eq, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { preparedStatement } from "../../database/prepared-statements.ts";
import { firstRow } from "../../database/rows.ts";
import { vendors } from "../../../schema/tables/index.ts";

/** The subject of an event: the name of the products and the amount of the order, as far as they are known. */
interface CoverEventSubjectRow {
  id: number;
  name: string | null;
  amount: string | null;
  currency: string;
}

const findCurrency = preparedStatement((db) =>
  db
    .select({ currency: vendors.currency })
    .from(vendors)
    .where(eq(vendors.id, sql.placeholder("vendorId"))),
);

/** Queries for the subjects of events of registered orders and subscriptions. */
export class CoverTimelineRepository {
  constructor(private readonly db: Handle) {}

  /** The vendor's currency, which all amounts of registered orders are in. */
  async currencyOf(vendorId: number): Promise<string> {
    return firstRow(await findCurrency(this.db, { vendorId })).currency;
  }

  /**
   * The subjects of events, by the numbers of the events: names and amounts. The recovery module has only the vendor's
   * currency.
   */
  async eventSubjectsOf(vendorId: number, ids: readonly number[]): Promise<CoverEventSubjectRow[]> {
    const rows = await this.db.execute(sql`
      select e.id::bigint as id, trim_scale(o.amount)::text as amount, v.currency,
        (select string_agg(distinct p.name, ', ') from cover_order_items i
          join cover_prices r on r.vendor_id = i.vendor_id and r.id = i.price_id
          join cover_products p on p.vendor_id = r.vendor_id and p.id = r.product_id
          where i.vendor_id = ${vendorId}::bigint and i.order_id = coalesce(e.cover_order_id, s.initial_order_id)) as name
      from event_log e join vendors v on v.id = e.vendor_id
      left join cover_orders o on o.vendor_id = ${vendorId}::bigint and o.id = e.cover_order_id
      left join cover_subscriptions s on s.vendor_id = ${vendorId}::bigint and s.id = e.cover_subscription_id
      where e.vendor_id = ${vendorId}::bigint and e.id = any(${`{${ids.join(",")}}`}::bigint[])`);
    return Array.from(rows as Iterable<Omit<CoverEventSubjectRow, "id"> & { id: string }>, (row) => ({
      ...row,
      id: Number(row.id),
    }));
  }
}
