import type { OrderType } from "../../schema/vocabulary.ts";
import { amountOf, rateBetween, ZERO, type Amount, type Ratio } from "../kernel/amounts.ts";
import { instantLines } from "../orders/pricing/order.extra-lines.ts";
import { orderLines } from "../orders/pricing/order.line-builder.ts";
import { lineOf, type OrderLine, type PricedItem } from "../orders/pricing/order.line.ts";
import type { OrderItemRecord } from "../orders/order.repository.ts";
import { orderCurrencyPrice, orderTotals } from "../orders/pricing/order.totals.ts";
import { moneyOf } from "../products/price-plans/price.currency.ts";
import type { Orderable } from "../products/offer.service.ts";
import type { OrderTerms } from "../vendors/vendor.repository.ts";
import type { Dice } from "./seeded-random.ts";
import { OrderDraft, type LineDraft, type OrderValues } from "./rows/order-draft.ts";
import type { Person } from "./customers.ts";
import type { ItemDraft } from "./rows/subscription-draft.ts";

/** A line as it is when its order is made. */
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

/** What is ordered of the shop, with what its price depends on. */
export interface Wanted extends PricedItem {
  offer: Orderable;
  subscriptionItem?: ItemDraft | null;
  /** The most that a payer may choose. */
  most?: number | null;
  unitChanges?: { changedCount: number; days: number }[] | null;
}

/** How an offer is ordered. */
export interface Asked {
  quantity?: number;
  firstPurchase?: boolean;
  starts?: number | null;
  ends?: number | null;
  used?: Ratio | null;
  cycle?: Ratio | null;
  price?: Amount | null;
  most?: number | null;
}

/** An offer as an order prices it; a bundle's members follow it. `at` is its place in the order. */
export function wanted(offer: Orderable, asked: Asked = {}, at = 0): Wanted[] {
  const { firstPurchase = false } = asked;
  const item = (of: Orderable, parent: number | null): Wanted => ({
    ...asked,
    offer: of,
    terms: of.terms,
    productName: of.product.name,
    productType: of.product.type,
    quantity: asked.quantity ?? 1,
    optionPrice: of.optionPrice,
    firstPurchase,
    parent,
    price: parent === null ? asked.price : null,
    trial:
      of.product.enabledDemo && of.terms.recurring !== null && firstPurchase
        ? { num: of.product.demoPeriod!, type: of.product.demoPeriodUnit! }
        : null,
  });
  return [item(offer, null), ...offer.members.map((member) => item(member, at))];
}

/** What an order is told besides its items. */
export interface Told extends Partial<OrderValues> {
  type: OrderType;
  createdAt: Date;
  discount?: Amount | null;
  instantAmount?: Amount | null;
  /** What the lines of products become: settlements, sales by hand. */
  lineType?: OrderItemRecord["type"];
  /** What an order that costs nothing is of. */
  costless?: string;
}

/** Makes orders by the arithmetic of the gateway, without its database. */
export class OrderMaker {
  constructor(
    private readonly dice: Dice,
    private readonly terms: OrderTerms,
  ) {}

  make(person: Person, items: readonly Wanted[], told: Told): OrderDraft {
    const { discount = null, instantAmount = null, lineType, costless, ...values } = told;
    const money = moneyOf(this.terms, values.currency ?? person.home.currency);
    const lines = costless
      ? [lineOf<Wanted>({ type: "ADDS", item: null, amount: ZERO, orderedProductName: costless })]
      : [...orderLines(items, this.terms, money, discount), ...instantLines<Wanted>(instantAmount, money)];
    const { amount, discountedAmount } = orderTotals(lines);
    const names = items.filter(({ parent }) => parent == null).map(({ productName }) => productName);
    const currencyPrices = Object.entries(orderCurrencyPrice(items, this.terms, discount));
    return new OrderDraft(
      person,
      {
        code: `order_${this.dice.letters(9)}`,
        idKey: `${values.createdAt.getTime()}${this.dice.letters(16)}`,
        customerName: person.name,
        customerPhone: person.phone,
        customerEmail: person.email,
        productName: costless ?? [...new Set(names)].join(", "),
        currency: money.currency,
        baseCurrency: money.baseCurrency,
        exchangeRate: this.rateOf(items, money.currency),
        region: person.home.region ?? "KR",
        amount,
        discountedAmount,
        currencyPrice: Object.fromEntries(currencyPrices.map(([currency, price]) => [currency, price.toFixed()])),
        claimMethodType: items[0]?.terms.claim.methodType ?? "PRE",
        paymentMethod: null,
        allowedPaymentMethods: [],
        paymentGateway: null,
        paymentDueDate: null,
        purchaseDeadline: null,
        stockReturnedAt: null,
        calculateStartDate: null,
        calculateEndDate: null,
        ...values,
      },
      linked(lines, (line, position) => this.lineOf(line, position, money.currency, values.createdAt, lineType)),
      money.scale,
    );
  }

  /** The vendor's rate; without one, what the prices in both currencies come to. */
  private rateOf(items: readonly Wanted[], currency: string): Amount {
    if (currency === this.terms.currency) return amountOf(1);
    const rate = this.terms.rates[currency];
    if (rate) return rate;
    const totalIn = (paid: string) =>
      orderTotals(orderLines(items, this.terms, moneyOf(this.terms, paid), null)).amount;
    return rateBetween(totalIn(currency), totalIn(this.terms.currency));
  }

  private lineOf(
    { item, ...line }: OrderLine<Wanted>,
    position: number,
    currency: string,
    createdAt: Date,
    lineType: OrderItemRecord["type"] = "SKU",
  ): LineDraft {
    const product = line.type === "SKU" && item ? item.offer : null;
    return {
      id: 0,
      values: {
        code: `order_item_${this.dice.letters(9)}`,
        position,
        type: line.type === "SKU" ? lineType : line.type,
        amount: line.amount,
        currency,
        quantity: line.quantity,
        minimumQuantity: product && line.quantity,
        maximumQuantity: (product && item?.most) ?? null,
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
        deliveryCode: product?.product.type === "BOX" ? String(500_000_000_000 + this.dice.below(99_999_999)) : null,
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
      happenings: [],
    };
  }
}

/** Lines with those that they belong to. */
function linked(
  lines: readonly OrderLine<Wanted>[],
  draftOf: (line: OrderLine<Wanted>, position: number) => LineDraft,
): LineDraft[] {
  const drafts = lines.map(draftOf);
  for (const [index, { related, parent }] of lines.entries()) {
    if (related !== null) drafts[index]!.related = drafts[related]!;
    if (parent !== null) drafts[index]!.parent = drafts[parent]!;
  }
  return drafts;
}
