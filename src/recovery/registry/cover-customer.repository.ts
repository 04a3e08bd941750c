import { and, eq, getTableColumns, sql } from "drizzle-orm";
import type { Handle } from "../../database/client.ts";
import { whenGiven, isWithinRange, type TimeRange } from "../../database/conditions.ts";
import { preparedStatement } from "../../database/prepared-statements.ts";
import { RecordList } from "../../database/lists/record-list.ts";
import { RegisteredRepository } from "../../database/registered.repository.ts";
import { coverCustomers, coverOrders } from "../../../schema/tables/index.ts";

export type CoverCustomerRecord = typeof coverCustomers.$inferSelect;

/** Filters for registered customers. */
export interface CoverCustomerFilter {
  email?: string | null;
  createdAt?: TimeRange | null;
}

const findPayerOfOrder = preparedStatement((db) =>
  db
    .select(getTableColumns(coverCustomers))
    .from(coverOrders)
    .innerJoin(
      coverCustomers,
      and(eq(coverCustomers.vendorId, coverOrders.vendorId), eq(coverCustomers.id, coverOrders.customerId)),
    )
    .where(and(eq(coverOrders.vendorId, sql.placeholder("vendorId")), eq(coverOrders.id, sql.placeholder("orderId")))),
);

/** Queries for the registered customers. */
export class CoverCustomerRepository extends RegisteredRepository<typeof coverCustomers> {
  readonly list: RecordList<CoverCustomerRecord, CoverCustomerFilter, "CREATED_AT", never>;

  constructor(db: Handle) {
    super(db, coverCustomers, coverCustomers.partnerCustomerId);
    this.list = new RecordList(db, {
      table: coverCustomers,
      sorts: { CREATED_AT: coverCustomers.createdAt },
      parentConditions: {},
      filterCondition: ({ email, createdAt }) =>
        and(
          whenGiven(email, (address) => sql`lower(${coverCustomers.email}) = lower(${address})`),
          isWithinRange(coverCustomers.createdAt, createdAt),
        ),
    });
  }

  /** The payer of an order. */
  async payerOfOrder(vendorId: number, orderId: number): Promise<CoverCustomerRecord | undefined> {
    const [found] = await findPayerOfOrder(this.db, { vendorId, orderId });
    return found;
  }
}
