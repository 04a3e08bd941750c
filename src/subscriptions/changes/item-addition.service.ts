import { roundAmount, ZERO } from "../../kernel/amounts.ts";
import { invalid, invalidField } from "../../kernel/refusals.ts";
import { itemAt } from "../../kernel/required-values.ts";
import type { OfferRequest, OfferService, Orderable } from "../../products/offer.service.ts";
import { calculatePlanAmount } from "../../products/price-plans/price.amount.ts";
import { convertPrice } from "../../products/price-plans/price.currency.ts";
import type { SubscriptionItemWriterService } from "./subscription-item-writer.service.ts";
import type { SubscriptionRecord } from "../subscription.service.ts";
import type { OrderEligibilityService } from "../../orders/order-eligibility.service.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import { refuseOtherBillingCycle, refuseQuantityOverLimit, type ChangeContext } from "./change.context.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";
import { planTypes } from "../../products/price-plans/price.plan-types.ts";

/** A product that joins a subscription. */
export interface AddedItem extends OfferRequest {
  quantity?: number | null;
  /** Whether the item stays at the next renewal. Defaults to true. */
  keepWhenRenew?: boolean | null;
}

const MAX_SCALE = 6;

/** Adds products to subscriptions that the caller has locked. */
export class SubscriptionItemAdditionService {
  constructor(
    private readonly deps: {
      subscriptionOrderRepository: SubscriptionOrderRepository;
      orderEligibility: OrderEligibilityService;
      subscriptionItemWriter: SubscriptionItemWriterService;
      offers: OfferService;
    },
  ) {}

  /**
   * Adds the items, which join when their charge is paid; postpaid at once. @returns the ordered items.
   * @throws a Refusal INVALID_ARGUMENT, PRODUCT_NOT_FOUND, PRICE_NOT_FOUND, PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD,
   * QUANTITY_LIMIT, QUANTITY_NOT_PRICED, ALREADY_SUBSCRIBED.
   */
  async addItems(vendorId: number, context: ChangeContext, added: readonly AddedItem[]): Promise<OfferedItem[]> {
    if (added.length === 0) return [];
    const { record, money, isPrepaid, remainingShare } = context;
    if (record.nextInterval !== null)
      throw invalidField(
        "add",
        "cannot be used while a change of the interval is pending; add the item after that change.",
      );
    const region = await this.deps.subscriptionOrderRepository.regionOf(vendorId, record.id);
    const found = await this.deps.offers.findOrderable(vendorId, added, region, "add");
    await this.refuseAlreadySubscribed(vendorId, record, found);
    const pricedItems: OfferedItem[] = [];
    for (const [index, orderable] of found.entries()) {
      const { quantity: requestedQuantity, keepWhenRenew } = itemAt(added, index);
      const quantity = requestedQuantity ?? 1;
      refuseOtherBillingCycle(record, orderable, `add[${index}].priceCode`);
      refuseQuantityOverLimit(orderable, quantity, `add[${index}].quantity`);
      const bundleIndex = pricedItems.length;
      let bundleId: number | null = null;
      for (const [memberIndex, offer] of [orderable, ...orderable.members].entries()) {
        const { unitPrice } = calculatePlanAmount(offer.terms, { quantity, first: false }, money);
        const isMember = memberIndex > 0;
        const optionPrice = roundAmount(convertPrice(money, offer.optionPrice), MAX_SCALE);
        const item = await this.deps.subscriptionItemWriter.addItem(
          vendorId,
          record,
          context.itemCount++,
          {
            productId: offer.product.id,
            priceId: offer.plan.id,
            price: isMember && !planTypes[offer.terms.type].chargedInBundles ? ZERO : unitPrice,
            quantity,
            optionIds: [...offer.optionIds],
            optionLabel: offer.optionLabel,
            optionPrice,
            parentItemId: bundleId,
            keepWhenRenew: keepWhenRenew ?? true,
          },
          !isPrepaid,
        );
        if (!isMember) bundleId = item.id;
        pricedItems.push({
          orderable: offer,
          terms: offer.terms,
          productName: offer.product.name,
          productType: offer.product.type,
          quantity,
          optionPrice: offer.optionPrice,
          starts: 1,
          ends: null,
          cycle: isPrepaid ? remainingShare : null,
          parent: isMember ? bundleIndex : null,
          subscriptionItemId: item.id,
          path: `add[${index}]`,
        });
      }
    }
    return pricedItems;
  }

  private async refuseAlreadySubscribed(vendorId: number, record: SubscriptionRecord, found: readonly Orderable[]) {
    const productIds = found.map(({ product }) => product.id);
    const subscribed = await this.deps.orderEligibility.productsWithLiveSubscription(
      vendorId,
      record.customerId,
      productIds,
    );
    const duplicateIndex = found.findIndex(
      ({ product: { id, isOnetimePurchasable } }) => isOnetimePurchasable && subscribed.has(id),
    );
    if (duplicateIndex < 0) return;
    const message = "The customer has a subscription of this product, which allows only one.";
    const fieldError = { path: `add[${duplicateIndex}].productCode`, code: "INVALID_VALUE" as const, message };
    throw invalid("ALREADY_SUBSCRIBED", message, { fields: [fieldError] });
  }
}
