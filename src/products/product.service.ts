import type { RegionCode } from "../../schema/regions.ts";
import type { ProductStatus, ProductType, RecurringInterval } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import { ZERO, type Amount } from "../kernel/amounts.ts";
import { newCode } from "../kernel/codes.ts";
import { invalid, invalidField, invalidFields, notFound, unknownReference } from "../kernel/refusals.ts";
import { required } from "../kernel/required-values.ts";
import { refuseNulls, sentFields, nonNullFields } from "../kernel/sent-fields.ts";
import type { ProductRecord } from "./offer.repository.ts";
import type { ProductOptionFields, ProductOptionsService } from "./product-options.service.ts";
import type { ProductRelationsRepository } from "./product-relations.repository.ts";
import type { ProductRepository, ProductValues } from "./product.repository.ts";
import { toProductCreatedEvent, toProductUpdatedEvent } from "./product.events.ts";
import { validateLists, validateProduct } from "./product.rules.ts";
import { productStatesOf } from "./product.states.ts";
import type { StockService } from "./stock.service.ts";

/** The vendor of the products. */
export interface ProductVendor {
  id: number;
  parentId: number | null;
}

/** A merchant's input for a product; on update, absent fields stay unchanged. */
export interface ProductFields extends ProductOptionFields {
  name: string;
  draftOf?: ProductType | null;
  subTitle?: string | null;
  description?: string | null;
  summary?: string | null;
  featuredImageUrl?: string | null;
  imageUrls?: string[] | null;
  sku?: string | null;
  quantity?: number | null;
  useCombination?: boolean | null;
  /** Numbers of the members of a bundle, in order. */
  combinedProductIds?: readonly number[] | null;
  enabledDemo?: boolean | null;
  demoPeriod?: number | null;
  demoPeriodUnit?: RecurringInterval | null;
  /** Names; those that the vendor does not have are made. */
  categories?: readonly string[] | null;
  productOrder?: number | null;
  isOnetimePurchasable?: boolean | null;
  eventBadge?: readonly { event: string; startDateTime?: Date | null; endDateTime?: Date | null }[] | null;
  notice?: string | null;
  useWidget?: {
    useDemo?: boolean | null;
    useEventBadge?: boolean | null;
    useOnetimePurchasable?: boolean | null;
    useNotice?: boolean | null;
  } | null;
  groupId?: number | null;
  countrySetting?: {
    countryCode: string;
    timezoneName: string;
    currencyCode: string;
    isDefault?: boolean | null;
    taxRate?: Amount | null;
  } | null;
  availableRegions?: RegionCode[] | null;
  /** SALE or UNSOLD. */
  status?: ProductStatus | null;
}

/** Fields that null clears. */
const clearableFields = ["sku", "quantity", "demoPeriod", "demoPeriodUnit", "notice", "groupId", "countrySetting"];

/** Keeps the products that a vendor sells. */
export class ProductService {
  constructor(
    private readonly deps: {
      productRepository: ProductRepository;
      productRelationsRepository: ProductRelationsRepository;
      productOptions: ProductOptionsService;
      stock: StockService;
      events: EventService;
      now: Date;
    },
  ) {}

  /** @throws a Refusal INVALID_ARGUMENT, PRODUCT_NOT_FOUND for a member of a bundle, ILLEGAL_TRANSITION. */
  async create(
    vendor: ProductVendor,
    { type, ...fields }: ProductFields & { type: ProductType },
  ): Promise<ProductRecord> {
    const { draftOf = null } = fields;
    const errors = [
      ...validateProduct({ ...fields, type, draftOf }, vendor.parentId !== null),
      ...validateLists(type, { ...fields, combinedProductIds: fields.combinedProductIds ?? [] }),
    ];
    if (errors.length > 0) throw invalidFields(errors);
    const { initialStates } = productStatesOf(type).definition;
    const product = await this.deps.productRepository.add(vendor.id, {
      ...(await this.toProductValues(vendor.id, fields)),
      name: fields.name,
      code: newCode("product"),
      type,
      draftOf,
      status: required(type === "DRAFT" ? initialStates.draftProduct : initialStates.createProduct, "the first state"),
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    const saved = await this.saveRelations(vendor.id, product, fields);
    const trigger = type === "DRAFT" ? "draftProduct" : "createProduct";
    await this.deps.events.recordModuleEvents(vendor.id, toProductCreatedEvent(saved, trigger));
    return saved;
  }

  /** @throws a Refusal as `create`, besides PRODUCT_NOT_FOUND and WAITING_APPROVAL. */
  async update(vendor: ProductVendor, id: number, fields: Partial<ProductFields>): Promise<ProductRecord> {
    refuseNulls(fields, clearableFields);
    refuseNulls(fields.useWidget ?? {}, [], "useWidget.");
    const product = await this.lockProductForChange(vendor.id, id);
    const { draftOf, ...values } = await this.toProductValues(vendor.id, fields);
    const changed = { ...product, ...values, draftOf: draftOf ?? product.draftOf };
    const errors = [...validateProduct(changed, vendor.parentId !== null), ...validateLists(product.type, fields)];
    if (errors.length > 0) throw invalidFields(errors);
    if (product.childVendorId !== null && (fields.optionGroups ?? fields.optionCombinations ?? fields.quantity) != null)
      throw invalidField(
        fields.optionGroups ? "optionGroups" : fields.optionCombinations ? "optionCombinations" : "quantity",
        "is a child vendor's product, which this product lists.",
      );
    const { id: number } = product;
    const after = await this.deps.productRepository.update(vendor.id, number, {
      ...values,
      draftOf: changed.draftOf,
      modifiedAt: this.deps.now,
    });
    const saved = await this.saveRelations(vendor.id, after, fields);
    await this.deps.events.recordModuleEvents(vendor.id, toProductUpdatedEvent(saved, "updateProduct", product.status));
    return saved;
  }

  /**
   * A product that may be changed, locked until the transaction ends.
   * @throws a Refusal PRODUCT_NOT_FOUND, WAITING_APPROVAL
   */
  async lockProductForChange(vendorId: number, id: number): Promise<ProductRecord> {
    const product = await this.deps.productRepository.lock(vendorId, id);
    if (!product) throw notFound("PRODUCT_NOT_FOUND", "There is no product with this id.");
    if (product.status === "WAITING_APPROVAL")
      throw invalid("WAITING_APPROVAL", "The product waits for the parent vendor's decision; change it after that.");
    return product;
  }

  /** Saves the dependent records of the product, then its status. */
  private async saveRelations(
    vendorId: number,
    product: ProductRecord,
    fields: Partial<ProductFields>,
  ): Promise<ProductRecord> {
    const { id } = product;
    if ((fields.optionGroups ?? fields.optionCombinations ?? fields.useCombination) != null)
      await this.deps.productOptions.setProductOptions(vendorId, product, fields);
    if (fields.combinedProductIds?.length) await this.setMembers(vendorId, id, fields.combinedProductIds);
    if (fields.categories) await this.deps.productRelationsRepository.setCategories(vendorId, id, fields.categories);
    const status = this.resolveStatus(product, fields.status);
    const moved =
      status === product.status ? product : await this.deps.productRepository.update(vendorId, id, { status });
    await this.deps.stock.syncStatus(vendorId, moved);
    return moved;
  }

  private resolveStatus({ type, status }: ProductRecord, requested: ProductStatus | null | undefined): ProductStatus {
    if (requested == null || requested === status) return status;
    const states = productStatesOf(type);
    if (requested === "UNSOLD") return states.transition(status, "unpublishProduct");
    if (requested !== "SALE")
      throw invalidField("status", "must be SALE or UNSOLD; the other states are set automatically.");
    // An OUT_OF_STOCK product is already published: it is available again with the next units.
    return status === "OUT_OF_STOCK" ? status : states.transition(status, "publishProduct");
  }

  private async setMembers(vendorId: number, bundleId: number, memberIds: readonly number[]): Promise<void> {
    const typeById = new Map(
      (await this.deps.productRepository.typesOf(vendorId, memberIds)).map(({ id, type }) => [id, type]),
    );
    for (const [index, id] of memberIds.entries()) {
      const path = `combinedProductIds[${index}]`;
      const type = typeById.get(id);
      if (!type) throw unknownReference("PRODUCT_NOT_FOUND", path, "product");
      if (type === "BUNDLE" || type === "DRAFT") throw invalidField(path, `is a ${type}, which cannot be in a bundle.`);
    }
    const before = await this.deps.productRelationsRepository.membersOf(vendorId, bundleId);
    const isSame = before.length === memberIds.length && before.every((id) => typeById.has(id));
    if (!isSame && (await this.deps.productRelationsRepository.hasPlans(vendorId, bundleId)))
      throw invalidField(
        "combinedProductIds",
        "cannot be changed: price plans of the bundle use these members. Create another bundle.",
      );
    await this.deps.productRelationsRepository.setMembers(vendorId, bundleId, memberIds);
  }

  /** The columns of the sent fields. */
  private async toProductValues(vendorId: number, fields: Partial<ProductFields>) {
    const { sku, quantity, demoPeriod, demoPeriodUnit, notice, groupId, countrySetting } = fields;
    const { name, subTitle, description, summary, featuredImageUrl, imageUrls, productOrder, draftOf } = fields;
    const { useCombination, enabledDemo, isOnetimePurchasable, availableRegions, eventBadge, useWidget } = fields;
    const values: Partial<ProductValues> = {
      ...sentFields({ sku, quantity, demoPeriod, demoPeriodUnit, notice, groupId }),
      ...nonNullFields({ name, subTitle, description, summary, featuredImageUrl, imageUrls, productOrder, draftOf }),
      ...nonNullFields({ useCombination, enabledDemo, isOnetimePurchasable, availableRegions, ...useWidget }),
      ...(eventBadge && { eventBadge: eventBadge.map(toStoredBadge) }),
      ...(countrySetting !== undefined && {
        countrySettingId:
          countrySetting &&
          (await this.deps.productRelationsRepository.saveCountrySetting(
            vendorId,
            toCountrySettingValues(countrySetting),
          )),
      }),
    };
    return values;
  }
}

const toStoredBadge = ({ event, startDateTime, endDateTime }: NonNullable<ProductFields["eventBadge"]>[number]) => ({
  event,
  startDateTime: startDateTime?.toISOString() ?? null,
  endDateTime: endDateTime?.toISOString() ?? null,
});

const toCountrySettingValues = ({ isDefault, taxRate, ...setting }: NonNullable<ProductFields["countrySetting"]>) => ({
  ...setting,
  isDefault: isDefault ?? false,
  taxRate: taxRate ?? ZERO,
});
