import { aliasedTable, and, eq, getTableColumns, gt, notInArray, or, sql } from "drizzle-orm";
import type { Handle } from "../database/client.ts";
import type { Selection } from "../database/projection.ts";
import { ProjectedList, type ProjectedRow } from "../database/lists/projected-list.ts";
import { toAmount, type Amount } from "../kernel/amounts.ts";
import { invariant } from "../kernel/refusals.ts";
import { exchangeRates, subscriptions, vendors, vendorSettings } from "../../schema/tables/index.ts";
import { preparedStatement } from "../database/prepared-statements.ts";
import { firstRow } from "../database/rows.ts";
import { vendorProjection } from "./vendor.projection.ts";

type VendorRow = typeof vendors.$inferSelect;

/** A vendor with the offset of its clock. A child has the offset of its parent. */
export type VendorRecord = Omit<VendorRow, "clockAheadMs"> & { clockAheadMs: number };

/** The values of a new vendor. */
export type NewVendor = Omit<typeof vendors.$inferInsert, "id">;

/** The pricing settings of a vendor's orders and invoices. Amounts are in its base currency. */
export type VendorBillingTerms = Pick<VendorRow, "zoneId" | "currency"> &
  Pick<
    typeof vendorSettings.$inferSelect,
    | "vatIncluded"
    | "vatRate"
    | "paymentAmountScale"
    | "useDeliveryCharge"
    | "deliveryChargeType"
    | "defaultDeliveryCharge"
    | "freeShipOverAmount"
    | "draftInvoicesByDefault"
    | "returnOrigins"
  > & {
    /** The factors for amounts in the base currency, by target currency. */
    rates: Readonly<Record<string, Amount>>;
  };

const toRateAmounts = (rates: Record<string, string>): Record<string, Amount> =>
  Object.fromEntries(Object.entries(rates).map(([currency, rate]) => [currency, toAmount(rate)]));

const billingTermsColumns = {
  zoneId: vendors.zoneId,
  currency: vendors.currency,
  vatIncluded: vendorSettings.vatIncluded,
  vatRate: vendorSettings.vatRate,
  paymentAmountScale: vendorSettings.paymentAmountScale,
  useDeliveryCharge: vendorSettings.useDeliveryCharge,
  deliveryChargeType: vendorSettings.deliveryChargeType,
  defaultDeliveryCharge: vendorSettings.defaultDeliveryCharge,
  freeShipOverAmount: vendorSettings.freeShipOverAmount,
  draftInvoicesByDefault: vendorSettings.draftInvoicesByDefault,
  returnOrigins: vendorSettings.returnOrigins,
  rates: sql<
    Record<string, Amount>
  >`(select coalesce(json_object_agg(${exchangeRates.currency}, ${exchangeRates.rate}::text), '{}')
    from ${exchangeRates} where ${exchangeRates.vendorId} = ${vendorSettings.vendorId})`.mapWith(toRateAmounts),
};

const finishTimeColumns = {
  finishedAfterHours: vendorSettings.finishedAfterHours,
  exchangeUntilHours: vendorSettings.exchangeUntilHours,
  returnUntilHours: vendorSettings.returnUntilHours,
};

const parentVendors = aliasedTable(vendors, "parents");

/** The columns of a vendor record. The statement must join `parents` by {@link parentJoin}. */
export const vendorColumns = {
  ...getTableColumns(vendors),
  clockAheadMs: sql<number>`coalesce(${parentVendors.clockAheadMs}, ${vendors.clockAheadMs})`
    .mapWith(Number)
    .as("clock_ahead"),
};

/** The left join of a vendor's parent. */
export const parentJoin = { table: parentVendors, on: eq(parentVendors.id, vendors.parentId) };

/** All fields that the projection can read. A field that is neither here nor in the record has its own resolver. */
const fieldsBeyondRow: object = { ...vendorProjection.fields, ...vendorProjection.one };

const billingTermsOf = preparedStatement((db) =>
  db
    .select(billingTermsColumns)
    .from(vendorSettings)
    .innerJoin(vendors, eq(vendors.id, vendorSettings.vendorId))
    .where(eq(vendorSettings.vendorId, sql.placeholder("vendorId"))),
);

/** Queries for vendors. */
export class VendorRepository {
  private readonly ownRow: ProjectedList<object, "ID">;

  constructor(private readonly db: Handle) {
    this.ownRow = new ProjectedList(db, {
      projection: vendorProjection,
      ownerColumn: vendors.id,
      sorts: { ID: vendors.id },
      parentConditions: {},
      filterCondition: () => undefined,
    });
  }

  /** Finds the selected fields of a vendor in one statement. */
  async findProjected(vendorId: number, selection: Selection): Promise<ProjectedRow> {
    const row = await this.ownRow.byId(vendorId, vendorId, selection);
    invariant(row, "the requested vendor exists");
    return row;
  }

  /** Returns the selected fields of the request's vendor. Fields of the vendor record need no query. */
  async projectOwn(vendor: VendorRecord, selection: Selection): Promise<object> {
    const isInRecord = [...selection.keys()].every((name) => name in vendor || !(name in fieldsBeyondRow));
    return isInRecord ? vendor : { ...vendor, ...(await this.findProjected(vendor.id, selection)) };
  }

  /** Finds the vendor itself or one of its children by uuid. */
  async findSelfOrChild(vendorId: number, uuid: string): Promise<VendorRecord | undefined> {
    const [vendor] = await this.selectVendors().where(
      and(eq(vendors.uuid, uuid), or(eq(vendors.id, vendorId), eq(vendors.parentId, vendorId))),
    );
    return vendor;
  }

  async byUuid(uuid: string): Promise<VendorRecord | undefined> {
    const [vendor] = await this.selectVendors().where(eq(vendors.uuid, uuid));
    return vendor;
  }

  /** Lists up to `limit` vendors with ids above `id`, in the order of their ids. */
  pageAfterId(id: number, limit: number): Promise<VendorRecord[]> {
    return this.selectVendors().where(gt(vendors.id, id)).orderBy(vendors.id).limit(limit);
  }

  async byId(vendorId: number): Promise<VendorRecord | undefined> {
    const [vendor] = await this.selectVendors().where(eq(vendors.id, vendorId));
    return vendor;
  }

  /** Finds the pricing settings of a vendor in one statement. */
  async billingTerms(vendorId: number): Promise<VendorBillingTerms> {
    const [terms] = await billingTermsOf(this.db, { vendorId });
    invariant(terms, "every vendor has settings");
    return terms;
  }

  /** Finds the hours after which delivered goods become final. */
  async finishTimes(vendorId: number) {
    const [times] = await this.db
      .select(finishTimeColumns)
      .from(vendorSettings)
      .where(eq(vendorSettings.vendorId, vendorId));
    invariant(times, "every vendor has settings");
    return times;
  }

  /** Adds a vendor and its default settings. @returns the vendor's id. */
  async add(values: NewVendor): Promise<number> {
    const added = firstRow(await this.db.insert(vendors).values(values).returning({ id: vendors.id }));
    await this.db.insert(vendorSettings).values({ vendorId: added.id });
    return added.id;
  }

  async update(vendorId: number, values: Partial<NewVendor>): Promise<void> {
    await this.db.update(vendors).set(values).where(eq(vendors.id, vendorId));
  }

  /** Locks the vendor's clock until the transaction ends, so that concurrent advances run one after the other. */
  async lockClock(vendorId: number): Promise<{ aheadMs: number; charges: number; day: string | null }> {
    const [clock] = await this.db
      .select({ aheadMs: vendors.clockAheadMs, charges: vendors.clockCharges, day: vendors.clockDay })
      .from(vendors)
      .where(eq(vendors.id, vendorId))
      .for("no key update");
    invariant(clock, "the vendor of a token is never deleted");
    return clock;
  }

  async setClock(vendorId: number, aheadMs: number, charges: number, day: string): Promise<void> {
    await this.db
      .update(vendors)
      .set({ clockAheadMs: aheadMs, clockCharges: charges, clockDay: day })
      .where(eq(vendors.id, vendorId));
  }

  /**
   * Estimates the number of charges of a vendor's and its children's subscriptions that become due within a duration. A
   * part of a period counts as a part of a charge, so that many short durations add up to the same number.
   */
  async estimateChargesWithin(vendorId: number, now: Date, milliseconds: number): Promise<number> {
    const seconds = sql`${milliseconds / 1000}::float8`;
    const cycle = sql`(case ${subscriptions.interval} when 'DAY' then 1 when 'WEEK' then 7 when 'MONTH' then 28 else 365 end * 86400.0 * ${subscriptions.intervalCount})`;
    const untilEnd = sql`extract(epoch from least(${subscriptions.endDate}, ${subscriptions.membershipEndDate}, ${subscriptions.cancelAt}) - ${now.toISOString()}::timestamptz)`;
    const cyclesLeft = sql`${subscriptions.expiryRecurringCount} - ${subscriptions.renewalCount}`;
    // least() ignores nulls, so a missing end date sets no limit.
    const charges = sql<number>`coalesce(sum(greatest(0, least(${seconds} / ${cycle}, ${untilEnd} / ${cycle}, ${cyclesLeft}))), 0)::float8`;
    const row = firstRow(
      await this.db
        .select({ charges })
        .from(subscriptions)
        .innerJoin(vendors, eq(subscriptions.vendorId, vendors.id))
        .where(
          and(
            or(eq(vendors.id, vendorId), eq(vendors.parentId, vendorId)),
            notInArray(subscriptions.status, ["CANCELED", "EXPIRED"]),
          ),
        ),
    );
    return row.charges;
  }

  private selectVendors() {
    return this.db.select(vendorColumns).from(vendors).leftJoin(parentJoin.table, parentJoin.on);
  }
}
