import { and, eq, notInArray } from "drizzle-orm";
import { customers, shippingAddresses, subscriptions, vendors } from "../../schema/tables/index.ts";
import { personalTables, type ErasureTime, type Person } from "./personal-data.projection.ts";
import type { Handle } from "../database/client.ts";
import { openThings, type OpenThing } from "./open-things.projection.ts";

export type { Person } from "./personal-data.projection.ts";
export type CustomerRow = typeof customers.$inferSelect;

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
  async lockCustomer({ vendorId, customerId }: Person): Promise<CustomerRow | undefined> {
    const [row] = await this.db
      .select()
      .from(customers)
      .where(and(eq(customers.vendorId, vendorId), eq(customers.id, customerId)))
      .for("update");
    return row;
  }

  async findCustomer(vendorId: number, uuid: string): Promise<CustomerRow | undefined> {
    const [row] = await this.db
      .select()
      .from(customers)
      .where(and(eq(customers.vendorId, vendorId), eq(customers.uuid, uuid)));
    return row;
  }

  /** The vendor's children, which know the customer of their parent under the same unique id. */
  async childIds(vendorId: number): Promise<number[]> {
    const rows = await this.db.select({ id: vendors.id }).from(vendors).where(eq(vendors.parentId, vendorId));
    return rows.map(({ id }) => id);
  }

  addressesOf({ vendorId, customerId }: Person): Promise<(typeof shippingAddresses.$inferSelect)[]> {
    return this.db
      .select()
      .from(shippingAddresses)
      .where(and(eq(shippingAddresses.vendorId, vendorId), eq(shippingAddresses.customerId, customerId)));
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
