import type { ImportKind } from "../../schema/vocabulary.ts";
import type { CustomerService } from "../customers/customer.service.ts";
import type { EventService } from "../events/event.service.ts";
import type { ProductService } from "../products/product.service.ts";
import type { PricePlanService } from "../products/price-plans/price-plan.service.ts";
import type { GatewayAccountService } from "../payments/gateways/gateway-account.service.ts";
import type { StoredMethodService } from "../payments/stored-method.service.ts";
import type { SubscriptionImportService } from "../subscriptions/subscription-import.service.ts";
import { getOrThrow } from "../kernel/required-values.ts";
import { rowProblem, UnusableRow } from "./import.refusal.ts";
import type { RowValues } from "./import.rows.ts";
import type { ImportedRecord, ImportedRecordRepository } from "./imported-record.repository.ts";

/** The vendor that records are imported for. */
export interface ImportVendor {
  id: number;
  parentId: number | null;
  /** The base currency. */
  currency: string;
}

/** The record of a row, as far as an import counts it. */
export interface CreatedRecord {
  /** Whether an account of the vendor charges a stored method, or that of a subscription; false for other kinds. */
  isChargeable: boolean;
  /** When Recoup charges a subscription first. */
  chargedAt?: Date | null;
}

/** A record that was created from a row. */
type NewRecord = { id: number } & Partial<CreatedRecord>;

/** Creates records from the rows of a file, by the services of the mutations, and saves the merchant's ids of them. */
export class ImportService {
  constructor(
    private readonly deps: {
      importedRecordRepository: ImportedRecordRepository;
      customers: CustomerService;
      products: ProductService;
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

  /** The records among those of some rows that were imported before, by the merchant's id. */
  async findImported(
    vendorId: number,
    kind: ImportKind,
    partnerIds: readonly string[],
  ): Promise<Map<string, ImportedRecord>> {
    const records = await this.deps.importedRecordRepository.byPartnerIds(vendorId, kind, partnerIds);
    return new Map(records.map((record) => [record.partnerId, record]));
  }

  /**
   * Creates the record of a row. Recoup charges an imported subscription since `switchOver`.
   * @throws a Refusal of the service, or UnusableRow.
   */
  async importRow<K extends ImportKind>(
    vendor: ImportVendor,
    kind: K,
    values: RowValues[K],
    { rowHash, switchOver }: { rowHash: string; switchOver: Date },
  ): Promise<CreatedRecord> {
    const { partnerId, ...fields } = values;
    this.deps.events.stopNotifying();
    const created = await this.creators[kind](vendor, fields, switchOver);
    const record = { kind, partnerId, recordId: created.id, rowHash, createdAt: this.deps.now };
    await this.deps.importedRecordRepository.add(vendor.id, record);
    return { isChargeable: created.isChargeable === true, chargedAt: created.chargedAt ?? null };
  }

  /** Creates a record of each kind. */
  private readonly creators: {
    [K in ImportKind]: (
      vendor: ImportVendor,
      fields: Omit<RowValues[K], "partnerId">,
      switchOver: Date,
    ) => Promise<NewRecord>;
  } = {
    CUSTOMER: (vendor, fields) => this.deps.customers.create(vendor.id, fields),
    PRODUCT: async (vendor, { combinedProductIds, ...fields }) => {
      const members = combinedProductIds ?? [];
      const ids = await this.findIds(
        vendor.id,
        "PRODUCT",
        members.map((id, index) => [id, `combinedProductIds[${index}]`]),
      );
      const product = { ...fields, combinedProductIds: members.map((id) => getOrThrow(ids, id)) };
      return this.deps.products.create(vendor, product);
    },
    PRICE_PLAN: async (vendor, { productId, currency, options, bundlePrices, ...fields }) => {
      refuseOtherCurrency(vendor, currency);
      const products = await this.findIds(vendor.id, "PRODUCT", [
        [productId, "productId"],
        ...(bundlePrices ?? []).map((member, index) => [member.productId, `bundlePrices[${index}].productId`] as const),
      ]);
      const plans = await this.findIds(vendor.id, "PRICE_PLAN", [
        ...(options ?? []).flatMap(({ optionPriceId }, index) =>
          optionPriceId == null ? [] : [[optionPriceId, `options[${index}].optionPriceId`] as const],
        ),
        ...(bundlePrices ?? []).map((member, index) => [member.priceId, `bundlePrices[${index}].priceId`] as const),
      ]);
      const plan = {
        ...fields,
        options: options?.map(({ optionPriceId, ...option }) => ({
          ...option,
          optionPriceId: optionPriceId == null ? null : getOrThrow(plans, optionPriceId),
        })),
        bundlePrices: bundlePrices?.map((member) => ({
          productId: getOrThrow(products, member.productId),
          priceId: getOrThrow(plans, member.priceId),
        })),
      };
      return this.deps.pricePlans.create(vendor, getOrThrow(products, productId), plan);
    },
    PAYMENT_METHOD: async (vendor, { customerId, gatewayCustomerId, gatewayMethodId, ...fields }) => {
      const customers = await this.findIds(vendor.id, "CUSTOMER", [[customerId, "customerId"]]);
      const { id, gateway, method } = await this.deps.storedMethods.importMethod(vendor.id, {
        customerId: getOrThrow(customers, customerId),
        gateway: fields.paymentGateway,
        method: fields.paymentMethod,
        // A gateway that charges a method only together with its customer has both in its token.
        token: gatewayCustomerId == null ? gatewayMethodId : `${gatewayCustomerId}/${gatewayMethodId}`,
        fingerprint: fields.fingerprint ?? null,
        network: fields.network ?? null,
        paymentInfo: fields.paymentInfo ?? null,
      });
      const terms = { gateway, method, currency: vendor.currency };
      return { id, isChargeable: await this.deps.gatewayAccounts.canCharge(vendor.id, terms) };
    },
    SUBSCRIPTION: async (vendor, fields, switchOver) => {
      const customers = await this.findIds(vendor.id, "CUSTOMER", [[fields.customerId, "customerId"]]);
      const plans = await this.findIds(vendor.id, "PRICE_PLAN", [[fields.priceId, "priceId"]]);
      const customerId = getOrThrow(customers, fields.customerId);
      const method =
        fields.paymentMethodId == null ? null : await this.findMethod(vendor.id, customerId, fields.paymentMethodId);
      const { id, currency, nextPaymentDate } = await this.deps.subscriptionImports.importSubscription(vendor.id, {
        customerId,
        priceId: getOrThrow(plans, fields.priceId),
        methodId: method?.id ?? null,
        quantity: fields.quantity ?? 1,
        currency: fields.currency ?? null,
        price: fields.price ?? null,
        startDate: fields.startDate ?? null,
        nextPaymentDate: fields.nextPaymentDate,
        cycleAnchor: fields.cycleAnchor ?? null,
        chargedCount: fields.chargedCount ?? null,
        chargesFrom: switchOver,
      });
      return {
        id,
        chargedAt: nextPaymentDate,
        isChargeable:
          method !== null && (await this.deps.gatewayAccounts.canCharge(vendor.id, { ...method, currency })),
      };
    },
  };

  /** A stored method of the customer. @throws UnusableRow if none was imported with this id. */
  private async findMethod(vendorId: number, customerId: number, partnerId: string) {
    const methods = await this.findIds(vendorId, "PAYMENT_METHOD", [[partnerId, "paymentMethodId"]]);
    const method = await this.deps.storedMethods.findMethod(vendorId, customerId, getOrThrow(methods, partnerId));
    if (method) return method;
    const message = "The payment method in `paymentMethodId` belongs to another customer, or was removed.";
    throw new UnusableRow([rowProblem("PARENT_NOT_IMPORTED", "paymentMethodId", message)]);
  }

  /** The ids of records that a row refers to, by the merchant's ids. @throws UnusableRow for those that were not imported. */
  private async findIds(
    vendorId: number,
    kind: ImportKind,
    references: readonly (readonly [partnerId: string, path: string])[],
  ): Promise<Map<string, number>> {
    if (references.length === 0) return new Map();
    const partnerIds = references.map(([partnerId]) => partnerId);
    const known = await this.findImported(vendorId, kind, partnerIds);
    const missing = references.filter(([partnerId]) => !known.has(partnerId));
    if (missing.length > 0)
      throw new UnusableRow(
        missing.map(([, path]) =>
          rowProblem("PARENT_NOT_IMPORTED", path, `No ${nouns[kind]} was imported with the id in \`${path}\`.`),
        ),
      );
    return new Map([...known].map(([partnerId, { recordId }]) => [partnerId, recordId]));
  }
}

/** Amounts of plans are in the base currency of the vendor. */
function refuseOtherCurrency(vendor: ImportVendor, currency: string | null | undefined): void {
  if (currency == null || currency === vendor.currency) return;
  const message = `The amounts of a price plan are in ${vendor.currency}, the base currency of the vendor. Those of other currencies belong into \`currencyPrice\`.`;
  throw new UnusableRow([rowProblem("CURRENCY_MISMATCH", "currency", message)]);
}

const nouns: Readonly<Record<ImportKind, string>> = {
  CUSTOMER: "customer",
  PRODUCT: "product",
  PRICE_PLAN: "price plan",
  PAYMENT_METHOD: "payment method",
  SUBSCRIPTION: "subscription",
};
