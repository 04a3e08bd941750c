import { and, eq, notInArray, or, sql } from "drizzle-orm";
import { coverCustomers, customers, shippingAddresses, subscriptions, vendors } from "../../schema/tables/index.ts";
import { personalTables, type ErasureTime } from "./personal-data.projection.ts";
import type { Handle } from "../database/client.ts";
import { importedIdsOf, ownIdsOf, type Person } from "./personal-rows.projection.ts";
import { openThings, type OpenThing } from "./open-things.projection.ts";

export type { Person } from "./personal-rows.projection.ts";
export type CustomerRow = typeof customers.$inferSelect;
export type PayerRow = typeof coverCustomers.$inferSelect;

/** The rows of a customer by the names of their tables. */
export type PersonalRows = Record<string, Record<string, unknown>[]>;

/** Columns of an export's rows that say nothing about the customer: the vendor, and a copy of other columns for searches. */
const isTechnical = (name: string): boolean => name === "vendorId" || name === "searchText";

/**
 * Reads and erases the data of a customer in the tables of all modules. It changes tables of other modules: each module would
 * otherwise have an erasure of its own, and one that is missing would not be noticed.
 */
export class PersonalDataRepository {
  constructor(private readonly db: Handle) {}

  /** The customer, locked until the transaction ends: orders of the customer wait. */
  async lockCustomer(vendorId: number, customerId: number): Promise<CustomerRow | undefined> {
    const [row] = await this.db
      .select()
      .from(customers)
      .where(and(eq(customers.vendorId, vendorId), eq(customers.id, customerId)))
      .for("update");
    return row;
  }

  async findCustomer(vendorId: number, customer: { id: number } | { uuid: string }): Promise<CustomerRow | undefined> {
    const isNamed = "id" in customer ? eq(customers.id, customer.id) : eq(customers.uuid, customer.uuid);
    const [row] = await this.db
      .select()
      .from(customers)
      .where(and(eq(customers.vendorId, vendorId), isNamed));
    return row;
  }

  /**
   * The payers registered for recovery who are a customer: those with the merchant's own id of the customer, and those with the
   * customer's e-mail address, unless another customer has it too and could be meant.
   */
  findPayers({ vendorId, id: customerId, email }: CustomerRow): Promise<PayerRow[]> {
    const others = sql`select from ${customers} where ${customers.vendorId} = ${vendorId} and ${customers.id} <> ${customerId}
      and ${customers.erasedAt} is null and lower(${customers.email}) = lower(${email})`;
    const hasEmail = sql`lower(${coverCustomers.email}) = lower(${email}) and ${email} <> '' and not exists (${others})`;
    const hasOwnId = sql`${coverCustomers.partnerCustomerId} in ${importedIdsOf({ vendorId, customerId })}`;
    return this.db
      .select()
      .from(coverCustomers)
      .where(and(eq(coverCustomers.vendorId, vendorId), or(hasOwnId, hasEmail)))
      .orderBy(coverCustomers.id);
  }

  /** The vendor's children, which know the customer of their parent under the same unique id. */
  childrenOf(vendorId: number): Promise<{ id: number; name: string }[]> {
    return this.db
      .select({ id: vendors.id, name: vendors.name })
      .from(vendors)
      .where(eq(vendors.parentId, vendorId))
      .orderBy(vendors.id);
  }

  addressesOf({ vendorId, customerId }: Person): Promise<(typeof shippingAddresses.$inferSelect)[]> {
    return this.db
      .select()
      .from(shippingAddresses)
      .where(and(eq(shippingAddresses.vendorId, vendorId), eq(shippingAddresses.customerId, customerId)));
  }

  /** The merchant's own ids of a customer's records. */
  async ownIdsOf(person: Person): Promise<string[]> {
    const rows: unknown = await this.db.execute(sql`select id from ${ownIdsOf(person)} as own_ids (id)`);
    return (rows as { id: string }[]).map(({ id }) => id);
  }

  /** All rows of a customer. Secrets are left out: they are bytes. */
  async readRows(person: Person): Promise<PersonalRows> {
    const read: PersonalRows = {};
    for (const { name, table, isOf } of personalTables) {
      const rows = await this.db.select().from(table).where(isOf(person));
      read[name] = rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).filter(([column, value]) => !isTechnical(column) && !Buffer.isBuffer(value)),
        ),
      );
    }
    return read;
  }

  /** Deletes the personal data of a customer. The caller has locked the customer. */
  async erase(person: Person, time: ErasureTime): Promise<void> {
    for (const { table, isOf, erasure } of personalTables) {
      if (erasure === "NOTHING") continue;
      if (erasure === "DELETE") await this.db.delete(table).where(isOf(person));
      else await this.db.update(table).set(erasure(time, person)).where(isOf(person));
    }
  }

  /** What a customer still has open, by kind, each with the first records. */
  async findOpenThings(person: Person, limit: number): Promise<{ thing: OpenThing; names: string[] }[]> {
    const found: { thing: OpenThing; names: string[] }[] = [];
    for (const thing of openThings) {
      const rows = await this.db
        .selectDistinct({ name: thing.nameColumn })
        .from(thing.table)
        .where(and(eq(thing.table.vendorId, person.vendorId), thing.isOpen(person)))
        .limit(limit);
      if (rows.length > 0) found.push({ thing, names: rows.map(({ name }) => String(name)) });
    }
    return found;
  }

  /** The subscriptions of a customer that have not ended. */
  async liveSubscriptionIds({ vendorId, customerId }: Person): Promise<number[]> {
    const rows = await this.db
      .select({ id: subscriptions.id })
      .from(subscriptions)
      .where(
        and(
          eq(subscriptions.vendorId, vendorId),
          eq(subscriptions.customerId, customerId),
          notInArray(subscriptions.status, ["CANCELED", "EXPIRED"]),
        ),
      )
      .orderBy(subscriptions.id);
    return rows.map(({ id }) => id);
  }
}
