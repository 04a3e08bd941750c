import { rounded, ZERO } from "../../kernel/amounts.ts";
import { invalid, invalidField } from "../../kernel/refusals.ts";
import type { OfferRequest, OfferService, Orderable } from "../../products/offer.service.ts";
import { planAmount } from "../../products/price-plans/price.amount.ts";
import { priceIn } from "../../products/price-plans/price.currency.ts";
import type { SubscriptionChangesService } from "./subscription-item-writer.service.ts";
import type { SubscriptionRecord } from "../subscription.service.ts";
import type { OrderRightsService } from "../../orders/order-eligibility.service.ts";
import type { OfferedItem } from "../../orders/pricing/order.item-values.ts";
import { refuseMisfit, refuseTooMany, type ChangeCase } from "./change.context.ts";
import type { SubscriptionOrderRepository } from "../subscription-order.repository.ts";

/** A product that joins a subscription. */
export interface AddedItem extends OfferRequest {
  quantity?: number | null;
  /** Whether it stays at the next renewal; true unless told. */
  keepWhenRenew?: boolean | null;
}

const ALL_DECIMALS = 6;

/** Adds products to subscriptions that are held. */
export class SubscriptionAdditionService {
  constructor(
    private readonly subscriptionOrders: SubscriptionOrderRepository,
    private readonly rights: OrderRightsService,
    private readonly changes: SubscriptionChangesService,
    private readonly offers: OfferService,
  ) {}

  /**
   * Adds the items, which join when what they cost is paid; postpaid at once. @returns them as they are ordered.
   * @throws a Refusal INVALID_ARGUMENT, PRODUCT_NOT_FOUND, PRICE_NOT_FOUND, PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD,
   * QUANTITY_LIMIT, QUANTITY_NOT_PRICED, ALREADY_SUBSCRIBED.
   */
  async add(vendorId: number, about: ChangeCase, added: readonly AddedItem[]): Promise<OfferedItem[]> {
    if (added.length === 0) return [];
    const { record, money, isPrepaid, left } = about;
    if (record.nextInterval !== null)
      throw invalidField("add", "cannot be told while the interval is about to change; add it afterwards.");
    const region = await this.subscriptionOrders.regionOf(vendorId, record.id);
    const found = await this.offers.orderable(vendorId, added, region, "add");
    await this.refuseTwice(vendorId, record, found);
    const settled: OfferedItem[] = [];
    for (const [index, orderable] of found.entries()) {
      const { quantity: asked, keepWhenRenew } = added[index]!;
      const quantity = asked ?? 1;
      refuseMisfit(record, orderable, `add[${index}].priceCode`);
      refuseTooMany(orderable, quantity, `add[${index}].quantity`);
      const bundle = settled.length;
      let bundleId: number | null = null;
      for (const [nth, one] of [orderable, ...orderable.members].entries()) {
        const { unitPrice } = planAmount(one.terms, { quantity, first: false }, money);
        const isMember = nth > 0;
        const optionPrice = rounded(priceIn(money, one.optionPrice), ALL_DECIMALS);
        const item = await this.changes.add(
          vendorId,
          record,
          about.count++,
          {
            productId: one.product.id,
            priceId: one.plan.id,
            price: isMember && one.terms.type !== "USAGE_BASED" ? ZERO : unitPrice,
            quantity,
            optionIds: [...one.optionIds],
            optionLabel: one.optionLabel,
            optionPrice,
            parentItemId: bundleId,
            keepWhenRenew: keepWhenRenew ?? true,
          },
          !isPrepaid,
        );
        if (!isMember) bundleId = item.id;
        settled.push({
          orderable: one,
          terms: one.terms,
          productName: one.product.name,
          productType: one.product.type,
          quantity,
          optionPrice: one.optionPrice,
          starts: 1,
          ends: null,
          cycle: isPrepaid ? left : null,
          parent: isMember ? bundle : null,
          subscriptionItemId: item.id,
          path: `add[${index}]`,
        });
      }
    }
    return settled;
  }

  private async refuseTwice(vendorId: number, record: SubscriptionRecord, found: readonly Orderable[]) {
    const productIds = found.map(({ product }) => product.id);
    const subscribed = await this.rights.productsSubscribed(vendorId, record.customerId, productIds);
    const twice = found.findIndex(
      ({ product: { id, isOnetimePurchasable } }) => isOnetimePurchasable && subscribed.has(id),
    );
    if (twice < 0) return;
    const message = "The customer has a live subscription of this product, which allows only one.";
    const fault = { path: `add[${twice}].productCode`, code: "INVALID_VALUE" as const, message };
    throw invalid("ALREADY_SUBSCRIBED", message, { fields: [fault] });
  }
}
