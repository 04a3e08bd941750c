import type { OrderType } from "../../schema/vocabulary.ts";
import { toAmount, exchangeRateBetween, ZERO, type Amount, type Ratio } from "../kernel/amounts.ts";
import { itemAt } from "../kernel/required-values.ts";
import { buildInstantLines } from "../orders/pricing/order.extra-lines.ts";
import { buildOrderLines } from "../orders/pricing/order.line-builder.ts";
import { createLine, type OrderLine, type PricedItem } from "../orders/pricing/order.line.ts";
import type { OrderItemRecord } from "../orders/order.repository.ts";
import { calculateTotalsByCurrency, calculateOrderTotals } from "../orders/pricing/order.totals.ts";
import { toPaymentCurrency } from "../products/price-plans/price.currency.ts";
import type { Orderable } from "../products/offer.service.ts";
import { trialOfProduct } from "../products/product.rules.ts";
import type { VendorBillingTerms } from "../vendors/vendor.repository.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { OrderDraft, type LineDraft, type OrderValues } from "./rows/order-draft.ts";
import type { CustomerDraft } from "./customers.ts";
import type { ItemDraft } from "./rows/subscription-draft.ts";

/** The fields of a line when its order is created. */
export type LineValues = Omit<
  OrderItemRecord,
  | "vendorId"
  | "id"
  | "orderId"
  | "status"
  | "paidAmount"
  | "returnedAmount"
  | "canceledAt"
  | "arrivedAt"
  | "transitionAt"
  | "trialLost"
  | "modifiedAt"
  | "relatedItemId"
  | "parentItemId"
  | "relatedSubscriptionItemId"
>;

/** An ordered offer, with its pricing input. */
export interface OrderedOffer extends PricedItem {
  offer: Orderable;
  subscriptionItem?: ItemDraft | null;
  /** The highest quantity that the payer may choose. */
  maxQuantity?: number | null;
  unitChanges?: { changedCount: number; days: number }[] | null;
}

/** The quantity, the cycles and the price of an ordered offer. */
export interface OrderOptions {
  quantity?: number;
  firstPurchase?: boolean;
  starts?: number | null;
  ends?: number | null;
  used?: Ratio | null;
  cycle?: Ratio | null;
  price?: Amount | null;
  maxQuantity?: number | null;
}

/** Converts an offer to items for pricing. The members of a bundle follow it. `position` is its index in the order. */
export function orderItemsOf(offer: Orderable, options: OrderOptions = {}, position = 0): OrderedOffer[] {
  const { firstPurchase = false } = options;
  const item = (itemOffer: Orderable, parent: number | null): OrderedOffer => ({
    ...options,
    offer: itemOffer,
    terms: itemOffer.terms,
    productName: itemOffer.product.name,
    productType: itemOffer.product.type,
    quantity: options.quantity ?? 1,
    optionPrice: itemOffer.optionPrice,
    firstPurchase,
    parent,
    price: parent === null ? options.price : null,
    trial: itemOffer.terms.recurring !== null && firstPurchase ? trialOfProduct(itemOffer.product) : null,
  });
  return [item(offer, null), ...offer.members.map((member) => item(member, position))];
}

/** The input for an order, apart from its items. */
export interface OrderInput extends Partial<OrderValues> {
  type: OrderType;
  createdAt: Date;
  discount?: Amount | null;
  instantAmount?: Amount | null;
  /** The type of the product lines, for prorations and manual sales. Defaults to `SKU`. */
  lineType?: OrderItemRecord["type"];
  /** The name of the item of a free order. */
  freeItemName?: string;
}

/** Creates orders by the gateway's pricing functions, without the database. */
export class OrderFactory {
  constructor(
    private readonly random: SeededRandom,
    private readonly terms: VendorBillingTerms,
  ) {}

  createOrder(customer: CustomerDraft, items: readonly OrderedOffer[], input: OrderInput): OrderDraft {
    const { discount = null, instantAmount = null, lineType, freeItemName, ...values } = input;
    const currencyTerms = toPaymentCurrency(this.terms, values.currency ?? customer.home.currency);
    const lines = freeItemName
      ? [createLine<OrderedOffer>({ type: "ADDS", item: null, amount: ZERO, orderedProductName: freeItemName })]
      : [
          ...buildOrderLines(items, this.terms, currencyTerms, discount),
          ...buildInstantLines<OrderedOffer>(instantAmount, currencyTerms),
        ];
    const { amount, discountedAmount } = calculateOrderTotals(lines);
    const names = items.filter(({ parent }) => parent == null).map(({ productName }) => productName);
    const currencyPrices = Object.entries(calculateTotalsByCurrency(items, this.terms, discount));
    return new OrderDraft(
      customer,
      {
        code: `order_${this.random.code(9)}`,
        idKey: `${values.createdAt.getTime()}${this.random.code(16)}`,
        customerName: customer.name,
        customerPhone: customer.phone,
        customerEmail: customer.email,
        productName: freeItemName ?? [...new Set(names)].join(", "),
        currency: currencyTerms.currency,
        baseCurrency: currencyTerms.baseCurrency,
        exchangeRate: this.exchangeRateOf(items, currencyTerms.currency),
        region: customer.home.region ?? "KR",
        amount,
        discountedAmount,
        currencyPrice: Object.fromEntries(currencyPrices.map(([currency, price]) => [currency, price.toFixed()])),
        claimMethodType: items[0]?.terms.claim.methodType ?? "PRE",
        paymentMethod: null,
        allowedPaymentMethods: [],
        paymentGateway: null,
        paymentDueDate: null,
        chargedAtOnce: false,
        purchaseDeadline: null,
        stockReturnedAt: null,
        calculateStartDate: null,
        calculateEndDate: null,
        ...values,
      },
      linkLines(lines, (line, position) =>
        this.toLineDraft(line, position, currencyTerms.currency, values.createdAt, lineType),
      ),
      currencyTerms.scale,
    );
  }

  /** The vendor's rate; without one, the ratio of the order's totals in both currencies. */
  private exchangeRateOf(items: readonly OrderedOffer[], currency: string): Amount {
    if (currency === this.terms.currency) return toAmount(1);
    const rate = this.terms.rates[currency];
    if (rate) return rate;
    const totalIn = (paidCurrency: string) =>
      calculateOrderTotals(buildOrderLines(items, this.terms, toPaymentCurrency(this.terms, paidCurrency), null))
        .amount;
    return exchangeRateBetween(totalIn(currency), totalIn(this.terms.currency));
  }

  private toLineDraft(
    { item, ...line }: OrderLine<OrderedOffer>,
    position: number,
    currency: string,
    createdAt: Date,
    lineType: OrderItemRecord["type"] = "SKU",
  ): LineDraft {
    const product = line.type === "SKU" && item ? item.offer : null;
    return {
      id: 0,
      values: {
        code: `order_item_${this.random.code(9)}`,
        position,
        type: line.type === "SKU" ? lineType : line.type,
        amount: line.amount,
        currency,
        quantity: line.quantity,
        minimumQuantity: product && line.quantity,
        maximumQuantity: (product && item?.maxQuantity) ?? null,
        productId: item?.offer.product.id ?? null,
        priceId: item?.offer.plan.id ?? null,
        unitPrice: line.unitPrice,
        optionIds: product ? [...product.optionIds] : [],
        optionLabel: product?.optionLabel ?? "",
        orderedProductType: item?.productType ?? null,
        orderedProductName: line.orderedProductName,
        orderedPlanName: item?.offer.plan.planName ?? "",
        featuredImageUrl: product?.product.featuredImageUrl ?? "",
        discountName: line.discountName,
        priceSetupType: line.priceSetupType,
        demoCycleNum: line.demoCycle?.num ?? null,
        demoCycleType: line.demoCycle?.type ?? null,
        usedCount: line.usedCount,
        usageFormula: line.usageFormula,
        deliveryCode:
          product?.product.type === "BOX" ? String(500_000_000_000 + this.random.integerBelow(99_999_999)) : null,
        unitCount: line.unitCount,
        unitChangeHistory: (line.type === "SKU" && item?.unitChanges) || null,
        statusBefore: null,
        changesPlan: false,
        createdAt,
      },
      status: "CREATED",
      paidAmount: ZERO,
      returnedAmount: ZERO,
      canceledAt: null,
      modifiedAt: createdAt,
      related: null,
      parent: null,
      subscriptionItem: line.type === "SKU" ? (item?.subscriptionItem ?? null) : null,
      events: [],
    };
  }
}

/** Converts lines to drafts, and links each draft to its related line and its parent. */
function linkLines(
  lines: readonly OrderLine<OrderedOffer>[],
  toDraft: (line: OrderLine<OrderedOffer>, position: number) => LineDraft,
): LineDraft[] {
  const drafts = lines.map(toDraft);
  for (const [index, { related, parent }] of lines.entries()) {
    if (related !== null) itemAt(drafts, index).related = itemAt(drafts, related);
    if (parent !== null) itemAt(drafts, index).parent = itemAt(drafts, parent);
  }
  return drafts;
}
