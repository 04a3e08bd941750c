import { minAmount, sumAmounts, ZERO, type Amount } from "../../kernel/amounts.ts";
import { minorUnits } from "../../kernel/currencies.ts";
import { invalid, notFound } from "../../kernel/refusals.ts";
import { itemAt, lastOf, required, firstOf } from "../../kernel/required-values.ts";
import type { Orderable, OfferService } from "../../products/offer.service.ts";
import { calculatePlanAmount } from "../../products/price-plans/price.amount.ts";
import { convertPrice, type PaymentCurrency } from "../../products/price-plans/price.currency.ts";
import { trialOfProduct } from "../../products/product.rules.ts";
import type { StockLine, StockService } from "../../products/stock.service.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import { FIRST_PURCHASE, INVOICE_DISCOUNT, type OrderLine } from "./order.line.ts";
import { buildOrderLines } from "./order.line-builder.ts";
import type { ChildOfferRepository } from "../child-offer.repository.ts";
import type { OrderEligibilityService } from "../order-eligibility.service.ts";
import { isUntouched } from "../order.payability.ts";
import type { OrderItemRecord, OrderRecord, OrderRepository } from "../order.repository.ts";
import { calculateOrderTotals } from "./order.totals.ts";
import { toOrderItemValues, type OfferedItem } from "./order.item-values.ts";

/** Quantities by the numbers of their lines. */
export type Quantities = ReadonlyMap<number, number>;

interface RepricedItem extends OfferedItem {
  row: OrderItemRecord;
}

/** Recalculates unpaid orders: by the quantities that a payer chose, and by the payer's purchases since. */
export class OrderPricingService {
  constructor(
    private readonly deps: {
      orderRepository: OrderRepository;
      childOfferRepository: ChildOfferRepository;
      vendors: VendorService;
      offers: OfferService;
      stock: StockService;
      orderEligibility: OrderEligibilityService;
      now: Date;
    },
  ) {}

  /**
   * Recalculates the price of an order. Agreed prices stay; trials and first-purchase discounts that another order has
   * used are removed, and those that it did not use after all are restored. Once a payment has started, the order stays
   * as it is. Child orders get the same quantities as their parent.
   * @throws a Refusal ORDER_NOT_FOUND, ORDER_NOT_PAYABLE for quantities that come too late, QUANTITY_LIMIT for
   * quantities that the payer may not choose, QUANTITY_NOT_PRICED, DISCOUNT_TOO_HIGH, OUT_OF_STOCK.
   */
  async recalculate(vendorId: number, orderId: number, quantities: Quantities = new Map()): Promise<OrderRecord> {
    const [order] = await this.deps.orderRepository.lock(vendorId, [orderId]);
    if (!order) throw notFound("ORDER_NOT_FOUND", "There is no order with this id.");
    const rows = await this.deps.orderRepository.itemsOf(vendorId, orderId);
    if (!isUntouched(order) || !rows.every(({ status }) => status === "CREATED" || status === "PAYMENT_FAILURE")) {
      if (quantities.size === 0) return order;
      throw invalid("ORDER_NOT_PAYABLE", "Quantities can be changed only before the first payment attempt.");
    }
    refuseUnchoosableQuantities(rows.filter(isPlanLine), quantities);
    const items = await this.recalculateLines(vendorId, order, rows, quantities);
    await this.recalculateChildOrders(vendorId, orderId, items);
    return required(await this.deps.orderRepository.byId(vendorId, orderId), "the order");
  }

  /** Recalculates the lines of a locked order. @returns its items in their current quantities. */
  private async recalculateLines(
    vendorId: number,
    order: OrderRecord,
    rows: readonly OrderItemRecord[],
    quantities: Quantities,
  ): Promise<RepricedItem[]> {
    const terms = await this.deps.vendors.billingTerms(vendorId);
    const { currency, baseCurrency, exchangeRate: rate } = order;
    const money: PaymentCurrency = {
      currency,
      baseCurrency,
      rate,
      scale: terms.paymentAmountScale ?? minorUnits(currency),
    };
    const items = await this.toRepricedItems(vendorId, order, rows, quantities, money);
    const discounts = rows.filter(({ discountName }) => discountName === INVOICE_DISCOUNT);
    const lines = buildOrderLines(items, terms, money, sumAmounts(discounts.map(({ amount }) => amount)).neg());
    await this.saveLines(vendorId, order, rows, lines);
    await this.adjustStock(vendorId, order, items);
    return items;
  }

  /** Applies the recalculation of an order to its child orders. */
  private async recalculateChildOrders(
    vendorId: number,
    orderId: number,
    items: readonly RepricedItem[],
  ): Promise<void> {
    const children = await this.deps.orderRepository.childrenOf(vendorId, orderId);
    if (children.length === 0) return;
    const parentOfferKeys = await this.deps.childOfferRepository.offerKeysByLine(vendorId, orderId);
    const quantityByOfferKey = new Map(items.map(({ row, quantity }) => [parentOfferKeys.get(row.id), quantity]));
    for (const { id, vendorId: childId } of children) {
      const child = firstOf(await this.deps.orderRepository.lock(childId, [id]));
      const rows = await this.deps.orderRepository.itemsOf(childId, id);
      // One that the child has cancelled stays so.
      if (!rows.every(({ status }) => status === "CREATED")) continue;
      const childOfferKeys = await this.deps.childOfferRepository.offerKeysByLine(childId, id);
      const childQuantities = rows.map(
        (row) => [row.id, quantityByOfferKey.get(childOfferKeys.get(row.id)) ?? row.quantity] as const,
      );
      await this.recalculateLines(childId, child, rows, new Map(childQuantities));
    }
  }

  /** The items as they were priced, in the quantities that are chosen now. */
  private async toRepricedItems(
    vendorId: number,
    order: OrderRecord,
    rows: readonly OrderItemRecord[],
    quantities: Quantities,
    money: PaymentCurrency,
  ): Promise<RepricedItem[]> {
    const skus = rows.filter(isPlanLine);
    const discountedLineIds = new Set(
      rows.filter(({ discountName }) => discountName === FIRST_PURCHASE).map(({ relatedItemId }) => relatedItemId),
    );
    const firstPurchaseLines = skus.filter(
      (row) => discountedLineIds.has(row.id) || row.demoCycleNum !== null || row.trialLost,
    );
    const usedProductIds = await this.deps.orderEligibility.usedFirstPurchases(
      vendorId,
      order,
      firstPurchaseLines.map(productIdOf),
    );
    const offered = await this.deps.offers.findSold(
      vendorId,
      skus.map(({ priceId, optionIds }) => ({ priceId: required(priceId, "priceId"), optionIds })),
    );
    return skus.map((row, index) => {
      const parent = row.parentItemId === null ? null : skus.findIndex(({ id }) => id === row.parentItemId);
      const quantity = quantities.get(row.parentItemId ?? row.id) ?? row.quantity;
      const orderable = itemAt(offered, index);
      return {
        row,
        orderable,
        ordered: { maximumQuantity: row.maximumQuantity },
        terms: orderable.terms,
        productName: row.orderedProductName,
        productType: required(row.orderedProductType, "orderedProductType"),
        quantity,
        optionPrice: orderable.optionPrice,
        price: agreedUnitPrice(row, orderable, money),
        firstPurchase: discountedLineIds.has(row.id) && !usedProductIds.has(productIdOf(row)),
        trial: usedProductIds.has(productIdOf(row)) ? null : trialOf(row, orderable),
        parent,
      };
    });
  }

  /** Replaces the lines of the order. A removed line stays with zero values, so that its history does. */
  private async saveLines(
    vendorId: number,
    order: OrderRecord,
    rows: readonly OrderItemRecord[],
    lines: readonly OrderLine<RepricedItem>[],
  ): Promise<void> {
    const remainingRows = [...rows];
    const ids: number[] = [];
    let position = lastOf(rows).position;
    let changeCount = 0;
    for (const line of lines) {
      const rowIndex = remainingRows.findIndex((row) => isSameLine(row, line));
      if (rowIndex < 0) {
        const values = toOrderItemValues(line, { position: ++position, currency: order.currency, now: this.deps.now });
        const links = { relatedItemId: idAt(ids, line.related), parentItemId: idAt(ids, line.parent) };
        ids.push(await this.deps.orderRepository.addLine(vendorId, order.id, { ...values, ...links }));
        changeCount++;
        continue;
      }
      const [row] = remainingRows.splice(rowIndex, 1) as [OrderItemRecord];
      ids.push(row.id);
      const { amount, quantity, unitPrice } = line;
      const demoCycleNum = line.demoCycle?.num ?? null;
      if (row.amount.eq(amount) && row.quantity === quantity && row.demoCycleNum === demoCycleNum) continue;
      const trial = { demoCycleNum, demoCycleType: line.demoCycle?.type ?? null };
      const trialLost = demoCycleNum === null && (row.trialLost || row.demoCycleNum !== null);
      const values = { amount, quantity, unitPrice, ...trial, trialLost, modifiedAt: this.deps.now };
      await this.deps.orderRepository.updateItem(vendorId, row.id, values);
      changeCount++;
    }
    for (const { id } of remainingRows.filter(({ amount }) => !amount.eq(0))) {
      await this.deps.orderRepository.updateItem(vendorId, id, {
        amount: ZERO,
        unitPrice: ZERO,
        modifiedAt: this.deps.now,
      });
      changeCount++;
    }
    if (changeCount === 0) return;
    const { amount, discountedAmount } = calculateOrderTotals(lines);
    // The totals in other currencies were for the previous quantities.
    await this.deps.orderRepository.update(vendorId, order.id, {
      amount,
      discountedAmount,
      currencyPrice: {},
      modifiedAt: this.deps.now,
    });
    const content = `The order was repriced: ${amount.toFixed()} ${order.currency}.`;
    await this.deps.orderRepository.addLog(vendorId, order.id, { type: "CUSTOMER", content, createdAt: this.deps.now });
  }

  /** Takes stock for increased quantities, and returns stock for decreased ones. */
  private async adjustStock(
    vendorId: number,
    { stockReturnedAt }: OrderRecord,
    items: readonly RepricedItem[],
  ): Promise<void> {
    if (stockReturnedAt !== null) return;
    const more = items.filter(({ row, quantity }) => quantity > row.quantity);
    const fewer = items.filter(({ row, quantity }) => quantity < row.quantity);
    await this.deps.stock.takeStock(vendorId, more.map(stockDifference));
    await this.deps.stock.returnToStock(vendorId, fewer.map(stockDifference));
  }
}

const isPlanLine = ({ type, priceId }: OrderItemRecord): boolean => type === "SKU" && priceId !== null;

const productIdOf = ({ productId }: OrderItemRecord): number => required(productId, "productId");

/** The trial that an item was ordered with; for a lost one, that of its product. */
function trialOf({ demoCycleNum, demoCycleType, trialLost }: OrderItemRecord, { product }: Orderable) {
  if (demoCycleNum !== null) return { num: demoCycleNum, type: required(demoCycleType, "demoCycleType") };
  return trialLost ? trialOfProduct(product) : null;
}

const idAt = (ids: readonly number[], index: number | null): number | null =>
  index === null ? null : itemAt(ids, index);

/** Whether a line replaces an existing one. Both lists have the same order. */
const isSameLine = (row: OrderItemRecord, { type, item, discountName }: OrderLine<RepricedItem>): boolean =>
  row.type === type &&
  row.discountName === discountName &&
  row.productId === (item?.row.productId ?? null) &&
  row.priceId === (item?.row.priceId ?? null);

const stockDifference = ({ row, quantity }: RepricedItem): StockLine => ({
  productId: productIdOf(row),
  optionIds: row.optionIds,
  quantity: Math.abs(quantity - row.quantity),
});

/**
 * The price of one that was agreed to, where the plan would have another one today; null where it has the same, so that
 * ranges and volumes go on to count.
 */
function agreedUnitPrice(
  row: OrderItemRecord,
  { terms, optionPrice }: Orderable,
  money: PaymentCurrency,
): Amount | null {
  if (row.parentItemId !== null || row.demoCycleNum !== null) return null;
  const { quantity, unitPrice } = row;
  const currentUnitPrice = calculatePlanAmount(terms, { quantity, optionPrice, first: true }, money).unitPrice;
  if (currentUnitPrice.eq(unitPrice)) return null;
  const options = convertPrice(money, optionPrice);
  return unitPrice.minus(minAmount(options, unitPrice));
}

function refuseUnchoosableQuantities(skus: readonly OrderItemRecord[], quantities: Quantities): void {
  for (const [id, quantity] of quantities) {
    const row = skus.find((sku) => sku.id === id);
    const { minimumQuantity, maximumQuantity } = row ?? { minimumQuantity: null, maximumQuantity: null };
    if (maximumQuantity === null || quantity < (minimumQuantity ?? 1) || quantity > maximumQuantity)
      throw invalid("QUANTITY_LIMIT", "The quantity is outside the range that the payer can choose.");
  }
}
