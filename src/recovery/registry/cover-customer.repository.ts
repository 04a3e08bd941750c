import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { when, within, type Period } from "../../database/conditions.ts";
import { drafted } from "../../database/prepared-statements.ts";
import { Keyset } from "../../database/keyset-list.ts";
import { RegisteredRepository } from "../../database/registered.repository.ts";
import { coverCustomers, coverOrders } from "../../../schema/tables/index.ts";

export type CoverCustomerRecord = typeof coverCustomers.$inferSelect;

/** Which customers are asked for. */
export interface CoverCustomerFilter {
  email?: string | null;
  createdAt?: Period | null;
}

const payerOf = drafted((db) =>
  db
    .select(getTableColumns(coverCustomers))
    .from(coverOrders)
    .innerJoin(
      coverCustomers,
      and(eq(coverCustomers.vendorId, coverOrders.vendorId), eq(coverCustomers.id, coverOrders.customerId)),
    )
    .where(and(eq(coverOrders.vendorId, sql.placeholder("vendorId")), eq(coverOrders.id, sql.placeholder("orderId")))),
);

/** Every question we ask of the registered customers. */
export class CoverCustomerRepository extends RegisteredRepository<typeof coverCustomers> {
  readonly list: Keyset<CoverCustomerRecord, CoverCustomerFilter, "CREATED_AT", never>;

  constructor(db: Handle) {
    super(db, coverCustomers, coverCustomers.partnerCustomerId);
    this.list = new Keyset(db, {
      table: coverCustomers,
      sorts: { CREATED_AT: { expression: coverCustomers.createdAt, valueOf: (row) => row.createdAt } },
      parents: {},
      matching: ({ email, createdAt }) =>
        and(
          when(email, (address) => sql`lower(${coverCustomers.email}) = lower(${address})`),
          within(coverCustomers.createdAt, createdAt),
        ),
    });
  }

  /** Who is to pay an order. */
  async ofOrder(vendorId: number, orderId: number): Promise<CoverCustomerRecord | undefined> {
    const [found] = await payerOf(this.db, { vendorId, orderId });
    return found;
  }
}
