import { and, eq } from "drizzle-orm";
import { customers } from "../../../schema/tables/index.ts";
import { batchCalls, batchReads } from "../../database/batched-calls.ts";
import type { Handle } from "../../database/client.ts";
import { idIsOneOf } from "../../database/conditions.ts";
import { updateRowBatch } from "../../database/row-batches.ts";
import { CustomerRepository, type CustomerRecord } from "../customer.repository.ts";

type CustomerChange = { id: number; values: Parameters<CustomerRepository["update"]>[2] };

/** Customers of work that runs many times at once in one transaction: one statement for the calls of all. */
export class CustomerBatchRepository extends CustomerRepository {
  private readonly reads;
  private readonly updates;

  constructor(handle: Handle) {
    super(handle);
    const select = (vendorId: number, ids: readonly number[]) =>
      handle
        .select()
        .from(customers)
        .where(and(eq(customers.vendorId, vendorId), idIsOneOf(customers.id, ids)))
        .orderBy(customers.id);
    this.reads = batchReads<number, CustomerRecord>(select, ({ id }) => id);
    this.updates = batchCalls<CustomerChange, CustomerRecord | undefined>(async (vendorId, all) => {
      const ids = [...new Set(all.map(({ id }) => id))];
      // In the order of their ids, so that two transactions cannot deadlock.
      const locked = await select(vendorId, ids).for("no key update");
      await updateRowBatch(handle, customers, vendorId, [
        ...new Map(all.map((change) => [change.id, change])).values(),
      ]);
      const changed = new Map(locked.map((customer) => [customer.id, customer]));
      return all.map(({ id, values }) => {
        const customer = changed.get(id);
        return customer && { ...customer, ...values };
      });
    });
  }

  override async byId(vendorId: number, id: number): Promise<CustomerRecord | undefined> {
    const [row] = await this.reads(vendorId, id);
    return row;
  }

  override recordActivity(vendorId: number, id: number, lastActiveAt: Date): Promise<CustomerRecord | undefined> {
    return this.updates(vendorId, { id, values: { lastActiveAt } });
  }

  override update(vendorId: number, id: number, values: CustomerChange["values"]): Promise<CustomerRecord | undefined> {
    return this.updates(vendorId, { id, values });
  }
}
