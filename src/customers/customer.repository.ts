import { and, eq, like, sql } from "drizzle-orm";
import { customers, shippingAddresses, subscriptions, vendors, vendorSettings } from "../../schema/tables/index.ts";
import type { RegionCode } from "../../schema/regions.ts";
import type { CustomerStatus } from "../../schema/vocabulary.ts";
import type { Handle } from "../database/client.ts";
import {
  containsPattern,
  idIsOneOf,
  matchesKeyword,
  whenGiven,
  isWithinRange,
  type TimeRange,
} from "../database/conditions.ts";
import { dueRowsOf, timestamp, type DueRows } from "../database/due-rows.ts";
import { noticeHorizon } from "../database/notice-horizon.ts";
import { preparedStatement, updateRow } from "../database/prepared-statements.ts";
import { ProjectedList } from "../database/lists/projected-list.ts";
import { firstRow } from "../database/rows.ts";
import { customerProjection } from "./customer.projection.ts";

export type CustomerRecord = typeof customers.$inferSelect;
export type CustomerValues = Omit<typeof customers.$inferInsert, "id" | "vendorId">;
export type AddressValues = Omit<typeof shippingAddresses.$inferInsert, "id" | "vendorId" | "customerId">;

/** Filters for customers. */
export interface CustomerFilter {
  status?: CustomerStatus | null;
  region?: RegionCode | null;
  keyword?: string | null;
  code?: string | null;
  /** Digits, with an optional leading +; they may stand anywhere in the number. */
  phone?: string | null;
  createdAt?: TimeRange | null;
}

export type CustomerSortField = "CREATED_AT" | "NAME" | "EMAIL" | "ID";

const hasNoLiveSubscription = sql`not exists (select from ${subscriptions}
  where ${subscriptions.vendorId} = ${customers.vendorId} and ${subscriptions.customerId} = ${customers.id}
    and ${subscriptions.status} not in ('CANCELED', 'EXPIRED'))`;

/** Customers who were not seen for a calendar year and have no live subscription, where the vendor makes them dormant. */
export const dormantCustomers: DueRows = {
  table: customers,
  isDue: (at) => sql`${customers.status} = 'NORMAL' and ${customers.erasedAt} is null
    and ${customers.lastActiveAt} <= (${at} at time zone 'UTC' - interval '1 year') at time zone 'UTC'
    and exists (select from ${vendorSettings} where ${vendorSettings.vendorId} = ${customers.vendorId}
      and ${vendorSettings.useDormantCustomer})
    and ${hasNoLiveSubscription}`,
  // Evaluated once, before any customer of a vendor without dormancy is read.
  ofOneVendor: (_at, vendorId) => sql`(select ${vendorSettings.useDormantCustomer} from ${vendorSettings}
    where ${vendorSettings.vendorId} = ${vendorId})`,
};

/**
 * Customers who become dormant within some months, and for whom the notice was not claimed since they were seen last. Where
 * the vendor makes customers dormant and warns them. An index leaves out those that were claimed.
 */
export const dueDormancyNotices = (months: number): DueRows => ({
  table: customers,
  isDue: (at) => sql`${customers.status} = 'NORMAL' and ${customers.erasedAt} is null
    and ${customers.noticedInactiveSince} is distinct from ${customers.lastActiveAt}
    and ${customers.lastActiveAt} > (${at} at time zone 'UTC' - interval '1 year') at time zone 'UTC'
    and ${hasNoLiveSubscription}`,
  ofOneVendor: (at, vendorId) => {
    const ahead = sql`(${months} - 12) * interval '1 month'`;
    const condition = sql`${vendorSettings.useDormantCustomer} and ${vendorSettings.useDormantNotification}`;
    const horizon = noticeHorizon({ vendors, vendorSettings }, vendorId, { at, ahead, condition });
    return sql`${customers.lastActiveAt} < ${horizon}`;
  },
});

const customerById = preparedStatement((db) =>
  db
    .select()
    .from(customers)
    .where(and(eq(customers.vendorId, sql.placeholder("vendorId")), eq(customers.id, sql.placeholder("id")))),
);

/** Queries for the customers of the billing side. */
export class CustomerRepository {
  readonly list: ProjectedList<CustomerFilter, CustomerSortField>;

  constructor(private readonly db: Handle) {
    this.list = new ProjectedList(db, {
      projection: customerProjection,
      sorts: { CREATED_AT: customers.createdAt, NAME: customers.name, EMAIL: customers.email, ID: customers.id },
      parentConditions: {},
      filterCondition: ({ status, region, keyword, code, phone, createdAt }) =>
        and(
          whenGiven(status, (word) => eq(customers.status, word)),
          whenGiven(region, (code) => eq(customers.region, code)),
          whenGiven(keyword, (text) => matchesKeyword(customers.searchText, text)),
          whenGiven(code, (text) => eq(customers.code, text)),
          whenGiven(phone, (number) => like(customers.phone, containsPattern(number.replace("+", "")))),
          isWithinRange(customers.createdAt, createdAt),
        ),
    });
  }

  async byId(vendorId: number, id: number): Promise<CustomerRecord | undefined> {
    const [row] = await customerById(this.db, { vendorId, id });
    return row;
  }

  async byCode(vendorId: number, code: string): Promise<CustomerRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(customers)
      .where(and(ofVendor(vendorId), eq(customers.code, code)));
    return row;
  }

  async byUuid(vendorId: number, uuid: string): Promise<CustomerRecord | undefined> {
    const [row] = await this.db
      .select()
      .from(customers)
      .where(and(ofVendor(vendorId), eq(customers.uuid, uuid)));
    return row;
  }

  async add(vendorId: number, values: CustomerValues): Promise<CustomerRecord> {
    const row = firstRow(
      await this.db
        .insert(customers)
        .values({ vendorId, ...values })
        .returning(),
    );
    return row;
  }

  /** Sets what is given; undefined where the vendor has no such customer. */
  async update(vendorId: number, id: number, values: Partial<CustomerValues>): Promise<CustomerRecord | undefined> {
    const [row] = await this.db
      .update(customers)
      .set(values)
      .where(and(ofVendor(vendorId), eq(customers.id, id)))
      .returning();
    return row;
  }

  /** Notes when a customer was last active. @returns the customer, undefined if the vendor has none. */
  async recordActivity(vendorId: number, id: number, lastActiveAt: Date): Promise<CustomerRecord | undefined> {
    const [row] = await updateRow(this.db, customers, vendorId, id, { lastActiveAt });
    return row;
  }

  /** Customers who are to become DORMANT, locked until the transaction ends; rows that another worker has locked are skipped. */
  lockDormantCandidates(vendorId: number, now: Date, limit: number): Promise<CustomerRecord[]> {
    return this.db
      .select()
      .from(customers)
      .where(dueRowsOf(dormantCustomers, vendorId, timestamp(now)))
      .orderBy(customers.lastActiveAt, customers.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
  }

  /** Claims notices of dormancy: no further claim returns a customer who was not seen since. */
  async claimDormancyNotices(vendorId: number, months: number, now: Date, limit: number): Promise<CustomerRecord[]> {
    const due = await this.db
      .select()
      .from(customers)
      .where(dueRowsOf(dueDormancyNotices(months), vendorId, timestamp(now)))
      .orderBy(customers.lastActiveAt, customers.id)
      .limit(limit)
      .for("no key update", { skipLocked: true });
    const ids = due.map(({ id }) => id);
    if (ids.length > 0)
      await this.db
        .update(customers)
        .set({ noticedInactiveSince: sql`${customers.lastActiveAt}` })
        .where(and(ofVendor(vendorId), idIsOneOf(customers.id, ids)));
    return due;
  }

  /** An address that is used from now on. */
  async addAddress(vendorId: number, customerId: number, values: AddressValues): Promise<void> {
    await this.db.insert(shippingAddresses).values({ vendorId, customerId, ...values });
  }
}

const ofVendor = (vendorId: number) => eq(customers.vendorId, vendorId);
