import { aliasedTable, and, eq, getTableColumns, gt, notInArray, or, sql } from "drizzle-orm";
import type { Handle } from "../database/client.ts";
import type { Selection } from "../database/projection.ts";
import { ProjectedList, type ProjectedRow } from "../database/projected-list.ts";
import { toAmount, type Amount } from "../kernel/amounts.ts";
import { invariant } from "../kernel/refusals.ts";
import { exchangeRates, subscriptions, vendors, vendorSettings } from "../../schema/tables/index.ts";
import { firstRow } from "../database/rows.ts";
import { vendorProjection } from "./vendor.projection.ts";

type VendorRow = typeof vendors.$inferSelect;

/** A vendor with its clock: a child's is its parent's. */
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

/** The columns of a vendor as the rest of the gateway sees them; needs a left join of `parents`. */
export const vendorColumns = {
  ...getTableColumns(vendors),
  clockAheadMs: sql<number>`coalesce(${parentVendors.clockAheadMs}, ${vendors.clockAheadMs})`
    .mapWith(Number)
    .as("clock_ahead"),
};

/** The condition that joins a vendor's parent. */
export const parentJoin = { table: parentVendors, on: eq(parentVendors.id, vendors.parentId) };

/** Fields that are not in the vendor's row. */
const fieldsBeyondRow: object = { ...vendorProjection.fields, ...vendorProjection.one };

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

  /** A vendor as it is selected, in one statement. */
  async findProjected(vendorId: number, selection: Selection): Promise<ProjectedRow> {
    const shown = await this.ownRow.byId(vendorId, vendorId, selection);
    invariant(shown, "a vendor that is asked for exists");
    return shown;
  }

  /** The selected fields of a vendor. Those in the authenticated row need no query. */
  async projectOwn(vendor: VendorRecord, selection: Selection): Promise<object> {
    const isInRecord = [...selection.keys()].every((name) => name in vendor || !(name in fieldsBeyondRow));
    return isInRecord ? vendor : { ...vendor, ...(await this.findProjected(vendor.id, selection)) };
  }

  /** The vendor itself, or one of its children; undefined for any other. */
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

  /** So many vendors with numbers beyond one, in the order of their numbers: for what is done to all of them. */
  pageAfterId(id: number, limit: number): Promise<VendorRecord[]> {
    return this.selectVendors().where(gt(vendors.id, id)).orderBy(vendors.id).limit(limit);
  }

  async byId(vendorId: number): Promise<VendorRecord | undefined> {
    const [vendor] = await this.selectVendors().where(eq(vendors.id, vendorId));
    return vendor;
  }

  /** The pricing settings of its orders, in one statement. Every vendor has settings. */
  async billingTerms(vendorId: number): Promise<VendorBillingTerms> {
    const [terms] = await this.db
      .select(billingTermsColumns)
      .from(vendorSettings)
      .innerJoin(vendors, eq(vendors.id, vendorSettings.vendorId))
      .where(eq(vendorSettings.vendorId, vendorId));
    invariant(terms, "every vendor has settings");
    return terms;
  }

  /** When its goods that arrived become final. */
  async finishTimes(vendorId: number) {
    const [times] = await this.db
      .select(finishTimeColumns)
      .from(vendorSettings)
      .where(eq(vendorSettings.vendorId, vendorId));
    invariant(times, "every vendor has settings");
    return times;
  }

  /** A vendor, with the settings that it starts with. */
  async add(values: NewVendor): Promise<number> {
    const added = firstRow(await this.db.insert(vendors).values(values).returning({ id: vendors.id }));
    await this.db.insert(vendorSettings).values({ vendorId: added.id });
    return added.id;
  }

  async update(vendorId: number, values: Partial<NewVendor>): Promise<void> {
    await this.db.update(vendors).set(values).where(eq(vendors.id, vendorId));
  }

  /** Locks the vendor's clock until the transaction ends: moves that are sent at once follow each other. */
  async lockClock(vendorId: number): Promise<{ aheadMs: number; charges: number; day: string | null }> {
    const [clock] = await this.db
      .select({ aheadMs: vendors.clockAheadMs, charges: vendors.clockCharges, day: vendors.clockDay })
      .from(vendors)
      .where(eq(vendors.id, vendorId))
      .for("no key update");
    invariant(clock, "the vendor of a token stays");
    return clock;
  }

  async setClock(vendorId: number, aheadMs: number, charges: number, day: string): Promise<void> {
    await this.db
      .update(vendors)
      .set({ clockAheadMs: aheadMs, clockCharges: charges, clockDay: day })
      .where(eq(vendors.id, vendorId));
  }

  /**
   * How many charges of a vendor's subscriptions and its children's fall due within a time from now, as a fraction: parts of
   * a period add up over many short times.
   */
  async estimateChargesWithin(vendorId: number, now: Date, milliseconds: number): Promise<number> {
    const seconds = sql`${milliseconds / 1000}::float8`;
    const cycle = sql`(case ${subscriptions.interval} when 'DAY' then 1 when 'WEEK' then 7 when 'MONTH' then 28 else 365 end * 86400.0 * ${subscriptions.intervalCount})`;
    const untilEnd = sql`extract(epoch from least(${subscriptions.endDate}, ${subscriptions.membershipEndDate}, ${subscriptions.cancelAt}) - ${now.toISOString()}::timestamptz)`;
    const cyclesLeft = sql`${subscriptions.expiryRecurringCount} - ${subscriptions.renewalCount}`;
    // An end that is not set is none, and least() passes over it.
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
