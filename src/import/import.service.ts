import type { ImportKind } from "../../schema/vocabulary.ts";
import type { CustomerService } from "../customers/customer.service.ts";
import type { EventService } from "../events/event.service.ts";
import { invalidField } from "../kernel/refusals.ts";
import { chargingAccount } from "../orders/order.payability.ts";
import { adapterTraits } from "../payments/gateways/adapter.traits.ts";
import type { GatewayAccountRecord } from "../payments/gateways/gateway-account.repository.ts";
import type { GatewayAccountService } from "../payments/gateways/gateway-account.service.ts";
import type { StoredMethodService } from "../payments/stored-method.service.ts";
import type { CatalogService } from "../products/catalog.service.ts";
import type { PricePlanService } from "../products/price-plans/price-plan.service.ts";
import type { SubscriptionImportService } from "../subscriptions/subscription-import.service.ts";
import { referencesOf } from "./import.references.ts";
import { rowProblem, UnusableRow } from "./import.refusal.ts";
import type { RowValues } from "./import.rows.ts";
import type { ImportedRecordRepository, KnownRecord } from "./imported-record.repository.ts";
import { KnownRecords } from "./known-records.ts";

/** The vendor that records are imported for. */
export interface ImportVendor {
  id: number;
  parentId: number | null;
  /** The base currency. */
  currency: string;
}

/** What the rows of a batch have in common. */
export interface BatchFacts {
  known: KnownRecords;
  accounts: readonly GatewayAccountRecord[];
  /** Since when Recoup charges imported subscriptions. */
  switchOver: Date;
}

/** The record of a row, with what an import counts of it. */
export interface CreatedRecord {
  id: number;
  /** Whether an account of the vendor charges a stored method, or that of a subscription. Absent for other kinds. */
  isChargeable?: boolean;
  /** When Recoup charges a subscription first. */
  chargedAt?: Date | null;
}

/** Creates records from the rows of a file, by the services of the mutations, and saves the merchant's ids of them. */
export class ImportService {
  constructor(
    private readonly deps: {
      importedRecordRepository: ImportedRecordRepository;
      customers: CustomerService;
      catalog: CatalogService;
      pricePlans: PricePlanService;
      storedMethods: StoredMethodService;
      gatewayAccounts: GatewayAccountService;
      subscriptionImports: SubscriptionImportService;
      events: EventService;
      now: Date;
    },
  ) {}

  /** Locks the vendor's imports until the transaction ends. @returns false if another import has the lock. */
  tryLockImports(vendorId: number): Promise<boolean> {
    return this.deps.importedRecordRepository.tryLockImports(vendorId);
  }

  /** Reads, for all rows of a batch at once, the imported records that they are or refer to. */
  async findKnown<K extends ImportKind>(
    vendorId: number,
    kind: K,
    rows: readonly RowValues[K][],
  ): Promise<KnownRecords> {
    const idsByKind = new Map<ImportKind, Set<string>>([[kind, new Set(rows.map(({ partnerId }) => partnerId))]]);
    for (const reference of rows.flatMap((row) => referencesOf[kind](row))) {
      const ids = idsByKind.get(reference.kind) ?? new Set();
      idsByKind.set(reference.kind, ids.add(reference.partnerId));
    }
    const known = new KnownRecords();
    for (const [ofKind, ids] of idsByKind)
      known.add(...(await this.deps.importedRecordRepository.byPartnerIds(vendorId, ofKind, [...ids])));
    return known;
  }

  /** The accounts that could charge imported methods. */
  listAccounts(vendorId: number): Promise<GatewayAccountRecord[]> {
    return this.deps.gatewayAccounts.list(vendorId);
  }

  /** Saves the merchant's ids of records, in the transaction that creates them. */
  async saveIds(vendorId: number, records: readonly KnownRecord[]): Promise<void> {
    const createdAt = this.deps.now;
    const rows = records.map((record) => ({ ...record, createdAt }));
    await this.deps.importedRecordRepository.addAll(vendorId, rows);
  }

  /** Creates the record of a row. @throws a Refusal of the service, or UnusableRow. */
  async importRow<K extends ImportKind>(
    vendor: ImportVendor,
    kind: K,
    { partnerId: _partnerId, ...fields }: RowValues[K],
    batch: BatchFacts,
  ): Promise<CreatedRecord> {
    batch.known.requireAll(referencesOf[kind](fields));
    this.deps.events.stopNotifying();
    return this.creators[kind](vendor, fields, batch);
  }

  /** Creates a record of each kind, all of whose references are known. */
  private readonly creators: {
    [K in ImportKind]: (
      vendor: ImportVendor,
      fields: Omit<RowValues[K], "partnerId">,
      batch: BatchFacts,
    ) => Promise<CreatedRecord>;
  } = {
    CUSTOMER: (vendor, fields) => this.deps.customers.create(vendor.id, fields),
    PRODUCT: (vendor, { combinedProductIds, ...fields }, { known }) =>
      this.deps.catalog.create(vendor, {
        ...fields,
        combinedProductIds: (combinedProductIds ?? []).map((id) => known.idOf("PRODUCT", id)),
      }),
    PRICE_PLAN: (vendor, { productId, currency, options, bundlePrices, ...fields }, { known }) => {
      refuseOtherCurrency(vendor, currency);
      return this.deps.pricePlans.create(vendor, known.idOf("PRODUCT", productId), {
        ...fields,
        options: options?.map(({ optionPriceId, ...option }) => ({
          ...option,
          optionPriceId: optionPriceId == null ? null : known.idOf("PRICE_PLAN", optionPriceId),
        })),
        bundlePrices: bundlePrices?.map((member) => ({
          productId: known.idOf("PRODUCT", member.productId),
          priceId: known.idOf("PRICE_PLAN", member.priceId),
        })),
      });
    },
    PAYMENT_METHOD: async (vendor, { customerId, gatewayCustomerId, gatewayMethodId, ...fields }, batch) => {
      const { paymentGateway } = fields;
      if (
        gatewayCustomerId == null &&
        batch.accounts.some(
          (account) => account.gateway === paymentGateway && adapterTraits[account.adapter].chargesWithCustomer,
        )
      )
        throw invalidField(
          "gatewayCustomerId",
          "is required: this gateway charges a method only together with its customer.",
        );
      const { id, gateway, method } = await this.deps.storedMethods.importMethod(vendor.id, {
        customerId: batch.known.idOf("CUSTOMER", customerId),
        gateway: paymentGateway,
        method: fields.paymentMethod,
        // A gateway that charges a method only together with its customer has both in its token.
        token: gatewayCustomerId == null ? gatewayMethodId : `${gatewayCustomerId}/${gatewayMethodId}`,
        fingerprint: fields.fingerprint ?? null,
        network: fields.network ?? null,
        paymentInfo: fields.paymentInfo ?? null,
      });
      return { id, isChargeable: isChargeable(batch, { gateway, method, currency: vendor.currency }) };
    },
    SUBSCRIPTION: async (vendor, fields, batch) => {
      const customerId = batch.known.idOf("CUSTOMER", fields.customerId);
      const { paymentMethodId } = fields;
      const method =
        paymentMethodId == null
          ? null
          : await this.findMethod(vendor.id, customerId, batch.known.idOf("PAYMENT_METHOD", paymentMethodId));
      const { id, currency, nextPaymentDate } = await this.deps.subscriptionImports.importSubscription(vendor.id, {
        customerId,
        priceId: batch.known.idOf("PRICE_PLAN", fields.priceId),
        methodId: method?.id ?? null,
        quantity: fields.quantity ?? 1,
        currency: fields.currency ?? null,
        price: fields.price ?? null,
        startDate: fields.startDate ?? null,
        nextPaymentDate: fields.nextPaymentDate,
        cycleAnchor: fields.cycleAnchor ?? null,
        chargedCount: fields.chargedCount ?? null,
        chargesFrom: batch.switchOver,
      });
      return {
        id,
        chargedAt: nextPaymentDate,
        isChargeable: method !== null && isChargeable(batch, { ...method, currency }),
      };
    },
  };

  /** A stored method of the customer. @throws UnusableRow if it is not one. */
  private async findMethod(vendorId: number, customerId: number, id: number) {
    const method = await this.deps.storedMethods.findMethod(vendorId, customerId, id);
    if (method) return method;
    const message = "The payment method in `paymentMethodId` belongs to another customer, or was removed.";
    throw new UnusableRow([rowProblem("PARENT_NOT_IMPORTED", "paymentMethodId", message)]);
  }
}

/** Whether an account of the vendor charges a method. */
const isChargeable = ({ accounts }: BatchFacts, terms: Parameters<typeof chargingAccount>[1]): boolean =>
  chargingAccount(accounts, terms) !== undefined;

/** Amounts of plans are in the base currency of the vendor. */
function refuseOtherCurrency(vendor: ImportVendor, currency: string | null | undefined): void {
  if (currency == null || currency === vendor.currency) return;
  const message = `The amounts of a price plan are in ${vendor.currency}, the base currency of the vendor. Those of other currencies belong into \`currencyPrice\`.`;
  throw new UnusableRow([rowProblem("CURRENCY_MISMATCH", "currency", message)]);
}
