import type { EventService } from "../events/event.service.ts";
import { invalid, invalidField, notFound } from "../kernel/refusals.ts";
import { required } from "../kernel/required-values.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { OfferRepository, PricePlanRecord, ProductRecord } from "./offer.repository.ts";
import type { PriceWriteRepository } from "./price-plans/price-write.repository.ts";
import type { ProductOptionsRepository } from "./product-options.repository.ts";
import type { ProductSubmissionRepository } from "./product-submission.repository.ts";
import type { ProductRepository } from "./product.repository.ts";
import { toPricePlanEvent, toProductCreatedEvent, toProductUpdatedEvent } from "./product.events.ts";
import { productStatesOf } from "./product.states.ts";
import type { StockService } from "./stock.service.ts";

/** A vendor, and whose child it is. */
interface Submitter {
  id: number;
  parentId: number | null;
}

/**
 * Approves or rejects products of child vendors for their parent. An approved one gets a product of the parent that
 * lists the child's: the one write that crosses the vendor fence, besides the orders for it.
 */
export class ProductApprovalService {
  constructor(
    private readonly deps: {
      productRepository: ProductRepository;
      productOptionsRepository: ProductOptionsRepository;
      priceWriteRepository: PriceWriteRepository;
      offerRepository: OfferRepository;
      productSubmissionRepository: ProductSubmissionRepository;
      stock: StockService;
      vendors: VendorService;
      events: EventService;
      now: Date;
    },
  ) {}

  /** @throws a Refusal PRODUCT_NOT_FOUND, NO_PARENT_VENDOR, CURRENCY_MISMATCH, ILLEGAL_TRANSITION, or INVALID_ARGUMENT without a price plan. */
  async submit({ id: vendorId, parentId }: Submitter, productId: number): Promise<void> {
    const product = await this.deps.productRepository.lock(vendorId, productId);
    if (!product) throw productNotFound();
    if (parentId === null)
      throw invalid(
        "NO_PARENT_VENDOR",
        "The vendor has no parent that could approve the product; put it on sale directly.",
      );
    const status = productStatesOf(product.type).transition(product.status, "submitProduct");
    await this.refuseOtherCurrency(vendorId, parentId);
    if ((await this.deps.priceWriteRepository.ofProduct(vendorId, productId)).length === 0)
      throw invalidField("productId", "has no price plan yet; create one before you submit the product.");
    const submitted = await this.deps.productRepository.update(vendorId, productId, {
      status,
      reasonOfReject: null,
      submittedTo: parentId,
      submittedAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    await this.deps.events.recordModuleEvents(
      vendorId,
      toProductUpdatedEvent(submitted, "submitProduct", product.status),
    );
  }

  /**
   * The parent's product that lists the child's.
   * @throws a Refusal PRODUCT_NOT_FOUND for all that does not wait for this parent; CURRENCY_MISMATCH.
   */
  async approve(parentId: number, productId: number): Promise<ProductRecord> {
    const draft = await this.lockSubmitted(parentId, productId);
    await this.refuseOtherCurrency(draft.vendorId, parentId);
    const approved = await this.deps.productRepository.update(draft.vendorId, draft.id, {
      ...this.clearedSubmission,
      status: productStatesOf(draft.type).transition(draft.status, "approveProduct"),
      type: required(draft.draftOf, "draftOf"),
      draftOf: null,
    });
    await this.deps.events.recordModuleEvents(
      approved.vendorId,
      toProductUpdatedEvent(approved, "approveProduct", draft.status),
    );
    const listing = await this.createListing(parentId, approved);
    await this.deps.stock.syncStatus(approved.vendorId, approved);
    return listing;
  }

  /** @throws a Refusal PRODUCT_NOT_FOUND for all that does not wait for this parent. */
  async reject(parentId: number, productId: number, reason: string): Promise<void> {
    const draft = await this.lockSubmitted(parentId, productId);
    const rejected = await this.deps.productRepository.update(draft.vendorId, draft.id, {
      ...this.clearedSubmission,
      status: productStatesOf(draft.type).transition(draft.status, "rejectProduct"),
      reasonOfReject: reason,
    });
    await this.deps.events.recordModuleEvents(draft.vendorId, {
      ...toProductUpdatedEvent(rejected, "rejectProduct", draft.status),
      reason,
    });
  }

  private async lockSubmitted(parentId: number, productId: number): Promise<ProductRecord> {
    const draft = await this.deps.productSubmissionRepository.lock(parentId, productId);
    if (!draft) throw productNotFound();
    return draft;
  }

  /** Prices have no currency of their own: they are in that of the vendor whose they are. */
  private async refuseOtherCurrency(childId: number, parentId: number): Promise<void> {
    const [child, parent] = await Promise.all([
      this.deps.vendors.billingTerms(childId),
      this.deps.vendors.billingTerms(parentId),
    ]);
    if (child.currency === parent.currency) return;
    throw invalid(
      "CURRENCY_MISMATCH",
      `The child's prices are in ${child.currency}, its parent's in ${parent.currency}; both vendors need the same base currency.`,
    );
  }

  private get clearedSubmission() {
    return { submittedTo: null, submittedAt: null, modifiedAt: this.deps.now };
  }

  /**
   * Codes and numbers of options are the child's, so that an order can be passed on unchanged. The child counts the
   * stock.
   */
  private async createListing(parentId: number, product: ProductRecord): Promise<ProductRecord> {
    const { vendorId: childVendorId, id: childProductId, countrySettingId: _, ...sharedValues } = product;
    const times = { createdAt: this.deps.now, modifiedAt: this.deps.now };
    const listing = await this.deps.productRepository.add(parentId, {
      ...sharedValues,
      quantity: null,
      childVendorId,
      childProductId,
      ...times,
    });
    const groups = await this.deps.productOptionsRepository.groupsOf(childVendorId, childProductId);
    const options = await this.deps.offerRepository.optionsOf(childVendorId, [childProductId]);
    await this.deps.productOptionsRepository.addCopies(
      parentId,
      listing.id,
      groups,
      options.map(({ id, groupId, position, name, price, parentId: parentOptionId }) => {
        return { id, groupId, position, name, price, parentId: parentOptionId, quantity: null };
      }),
    );
    const combinations = await this.deps.offerRepository.combinationsOf(childVendorId, [childProductId]);
    await this.deps.productOptionsRepository.setCombinations(
      parentId,
      listing.id,
      combinations.map(({ optionIds, price }) => ({ optionIds, price, quantity: null, status: "SALE" })),
    );
    await this.deps.events.recordModuleEvents(parentId, toProductCreatedEvent(listing, "listProduct"));
    const { currency } = await this.deps.vendors.billingTerms(parentId);
    for (const plan of await this.deps.priceWriteRepository.ofProduct(childVendorId, childProductId))
      await this.copyPlan(parentId, listing.id, plan, currency);
    return listing;
  }

  private async copyPlan(parentId: number, productId: number, plan: PricePlanRecord, currency: string): Promise<void> {
    const { vendorId: childVendorId, id: childPriceId, ...sharedValues } = plan;
    const copy = await this.deps.priceWriteRepository.add(parentId, {
      ...sharedValues,
      productId,
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    const options = await this.deps.priceWriteRepository.optionsOf(childVendorId, childPriceId);
    // The plans that options are stay the child's.
    await this.deps.priceWriteRepository.addOptions(
      parentId,
      copy.id,
      options.map(({ position, name, type, price }) => ({ position, name, type, price })),
    );
    await this.deps.events.recordModuleEvents(parentId, toPricePlanEvent(copy, "listPricePlan", currency));
  }
}

const productNotFound = () => notFound("PRODUCT_NOT_FOUND", "There is no product with this id.");
