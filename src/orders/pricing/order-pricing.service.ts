import { least, sum, ZERO, type Amount } from "../../kernel/amounts.ts";
import { minorUnits } from "../../kernel/currencies.ts";
import { invalid, missing } from "../../kernel/refusals.ts";
import type { Orderable, OfferService } from "../../products/offer.service.ts";
import { planAmount } from "../../products/price-plans/price.amount.ts";
import { priceIn, type Money } from "../../products/price-plans/price.currency.ts";
import type { StockLine, StockService } from "../../products/stock.service.ts";
import type { VendorService } from "../../vendors/vendor.service.ts";
import { FIRST_PURCHASE, INVOICE_DISCOUNT, type OrderLine } from "./order.line.ts";
import { orderLines } from "./order.line-builder.ts";
import type { OrderRightsService } from "../order-eligibility.service.ts";
import type { OrderItemRecord, OrderRecord, OrderRepository } from "../order.repository.ts";
import { orderTotals } from "./order.totals.ts";
import { valuesOf, type OfferedItem } from "./order.item-values.ts";

/** Quantities by the numbers of their lines. */
export type Quantities = ReadonlyMap<number, number>;

interface Reckoned extends OfferedItem {
  row: OrderItemRecord;
}

/** Reckons orders that nobody has paid anew: by the quantities that a payer chose, and by what the payer has bought since. */
export class OrderReckoningService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly vendors: VendorService,
    private readonly offers: OfferService,
    private readonly stock: StockService,
    private readonly rights: OrderRightsService,
    private readonly now: Date,
  ) {}

  /**
   * Reckons an order anew. Prices that were agreed to stay; trials and first-purchase discounts that another order has used go,
   * and those that it did not use after all come back. Once somebody has begun to pay, it stays as it is. Child vendors are ordered as much of as their parent is.
   * @throws a Refusal ORDER_NOT_FOUND, ORDER_NOT_PAYABLE for quantities that come too late, QUANTITY_LIMIT for what the payer may not
   * choose, QUANTITY_NOT_PRICED, DISCOUNT_TOO_HIGH, OUT_OF_STOCK.
   */
  async reckon(vendorId: number, orderId: number, quantities: Quantities = new Map()): Promise<OrderRecord> {
    const [order] = await this.orders.lock(vendorId, [orderId]);
    if (!order) throw missing("ORDER_NOT_FOUND", "There is no order with this id.");
    const rows = await this.orders.itemsOf(vendorId, orderId);
    if (order.paidAmount.gt(0) || !rows.every(({ status }) => status === "CREATED" || status === "PAYMENT_FAILURE")) {
      if (quantities.size === 0) return order;
      throw invalid("ORDER_NOT_PAYABLE", "Quantities can be chosen until somebody begins to pay.");
    }
    refuseQuantities(rows.filter(isOffered), quantities);
    const items = await this.reckonLines(vendorId, order, rows, quantities);
    await this.passOn(vendorId, orderId, items);
    return (await this.orders.byId(vendorId, orderId))!;
  }

  /** Gives a locked order back what it lost to another order that was not paid after all. @returns the order as it is then. */
  async restore(vendorId: number, order: OrderRecord): Promise<OrderRecord> {
    const lost = (await this.orders.itemsOf(vendorId, order.id)).filter(
      ({ discountName, amount, trialLost }) => trialLost || (discountName === FIRST_PURCHASE && amount.eq(0)),
    );
    const used = await this.rights.firstPurchasesUsed(vendorId, order, lost.map(productOf));
    return lost.some((row) => !used.has(productOf(row))) ? this.reckon(vendorId, order.id) : order;
  }

  /** Reckons the lines of an order that is held. @returns its items in their quantities of now. */
  private async reckonLines(
    vendorId: number,
    order: OrderRecord,
    rows: readonly OrderItemRecord[],
    quantities: Quantities,
  ): Promise<Reckoned[]> {
    const terms = await this.vendors.terms(vendorId);
    const { currency, baseCurrency, exchangeRate: rate } = order;
    const money: Money = { currency, baseCurrency, rate, scale: terms.paymentAmountScale ?? minorUnits(currency) };
    const items = await this.itemsOf(vendorId, order, rows, quantities, money);
    const discounts = rows.filter(({ discountName }) => discountName === INVOICE_DISCOUNT);
    const lines = orderLines(items, terms, money, sum(discounts.map(({ amount }) => amount)).neg());
    await this.keep(vendorId, order, rows, lines);
    await this.restock(vendorId, order, items);
    return items;
  }

  /** What child vendors have of an order that was reckoned changes with it. */
  private async passOn(vendorId: number, orderId: number, items: readonly Reckoned[]): Promise<void> {
    const children = await this.orders.childrenOf(vendorId, orderId);
    if (children.length === 0) return;
    const sold = await this.orders.soldAs(vendorId, orderId);
    const wanted = new Map(items.map(({ row, quantity }) => [sold.get(row.id), quantity]));
    for (const { id, vendorId: childId } of children) {
      const [child] = await this.orders.lock(childId, [id]);
      const rows = await this.orders.itemsOf(childId, id);
      // One that the child has cancelled stays so.
      if (!rows.every(({ status }) => status === "CREATED")) continue;
      const theirs = await this.orders.soldAs(childId, id);
      const chosen = rows.map((row) => [row.id, wanted.get(theirs.get(row.id)) ?? row.quantity] as const);
      await this.reckonLines(childId, child!, rows, new Map(chosen));
    }
  }

  /** The items as they were priced, in the quantities that are chosen now. */
  private async itemsOf(
    vendorId: number,
    order: OrderRecord,
    rows: readonly OrderItemRecord[],
    quantities: Quantities,
    money: Money,
  ): Promise<Reckoned[]> {
    const skus = rows.filter(isOffered);
    const reduced = new Set(
      rows.filter(({ discountName }) => discountName === FIRST_PURCHASE).map(({ relatedItemId }) => relatedItemId),
    );
    const firsts = skus.filter((row) => reduced.has(row.id) || row.demoCycleNum !== null || row.trialLost);
    const used = await this.rights.firstPurchasesUsed(vendorId, order, firsts.map(productOf));
    const offered = await this.offers.sold(
      vendorId,
      skus.map(({ priceId, optionIds }) => ({ priceId: priceId!, optionIds })),
    );
    return skus.map((row, at) => {
      const parent = row.parentItemId === null ? null : skus.findIndex(({ id }) => id === row.parentItemId);
      const quantity = quantities.get(row.parentItemId ?? row.id) ?? row.quantity;
      const orderable = offered[at]!;
      return {
        row,
        orderable,
        ordered: { maximumQuantity: row.maximumQuantity },
        terms: orderable.terms,
        productName: row.orderedProductName,
        productType: row.orderedProductType!,
        quantity,
        optionPrice: orderable.optionPrice,
        price: agreedPrice(row, orderable, money),
        firstPurchase: reduced.has(row.id) && !used.has(row.productId!),
        trial: used.has(row.productId!) ? null : trialOf(row, orderable),
        parent,
      };
    });
  }

  /** Writes the lines over those that the order has. One that is gone stays as nothing, so that its history does. */
  private async keep(
    vendorId: number,
    order: OrderRecord,
    rows: readonly OrderItemRecord[],
    lines: readonly OrderLine<Reckoned>[],
  ): Promise<void> {
    const left = [...rows];
    const ids: number[] = [];
    let position = rows.at(-1)!.position;
    let changed = 0;
    for (const line of lines) {
      const at = left.findIndex((row) => isOf(row, line));
      if (at < 0) {
        const values = valuesOf(line, { position: ++position, currency: order.currency, now: this.now });
        const links = { relatedItemId: idAt(ids, line.related), parentItemId: idAt(ids, line.parent) };
        ids.push(await this.orders.addLine(vendorId, order.id, { ...values, ...links }));
        changed++;
        continue;
      }
      const [row] = left.splice(at, 1) as [OrderItemRecord];
      ids.push(row.id);
      const { amount, quantity, unitPrice } = line;
      const demoCycleNum = line.demoCycle?.num ?? null;
      if (row.amount.eq(amount) && row.quantity === quantity && row.demoCycleNum === demoCycleNum) continue;
      const trial = { demoCycleNum, demoCycleType: line.demoCycle?.type ?? null };
      const trialLost = demoCycleNum === null && (row.trialLost || row.demoCycleNum !== null);
      const values = { amount, quantity, unitPrice, ...trial, trialLost, modifiedAt: this.now };
      await this.orders.changeItem(vendorId, row.id, values);
      changed++;
    }
    for (const { id } of left.filter(({ amount }) => !amount.eq(0))) {
      await this.orders.changeItem(vendorId, id, { amount: ZERO, unitPrice: ZERO, modifiedAt: this.now });
      changed++;
    }
    if (changed === 0) return;
    const { amount, discountedAmount } = orderTotals(lines);
    // What it comes to in other currencies was told of other quantities.
    await this.orders.change(vendorId, order.id, { amount, discountedAmount, currencyPrice: {}, modifiedAt: this.now });
    const content = `The order was reckoned anew: ${amount.toFixed()} ${order.currency}.`;
    await this.orders.addLog(vendorId, order.id, { type: "CUSTOMER", content, createdAt: this.now });
  }

  /** Takes what is ordered more now, and gives back what is ordered less. */
  private async restock(vendorId: number, { stockReturnedAt }: OrderRecord, items: readonly Reckoned[]): Promise<void> {
    if (stockReturnedAt !== null) return;
    const more = items.filter(({ row, quantity }) => quantity > row.quantity);
    const fewer = items.filter(({ row, quantity }) => quantity < row.quantity);
    await this.stock.take(vendorId, more.map(changeOf));
    await this.stock.giveBack(vendorId, fewer.map(changeOf));
  }
}

const isOffered = ({ type, priceId }: OrderItemRecord): boolean => type === "SKU" && priceId !== null;

const productOf = ({ productId }: OrderItemRecord): number => productId!;

/** The trial that an item was ordered with; one that it had lost is that of its product. */
function trialOf({ demoCycleNum, demoCycleType, trialLost }: OrderItemRecord, { product }: Orderable) {
  if (demoCycleNum !== null) return { num: demoCycleNum, type: demoCycleType! };
  return trialLost && product.enabledDemo ? { num: product.demoPeriod!, type: product.demoPeriodUnit! } : null;
}

const idAt = (ids: readonly number[], index: number | null): number | null => (index === null ? null : ids[index]!);

/** Whether a line takes the place of one that the order has. Both stand in the same order. */
const isOf = (row: OrderItemRecord, { type, item, discountName }: OrderLine<Reckoned>): boolean =>
  row.type === type &&
  row.discountName === discountName &&
  row.productId === (item?.row.productId ?? null) &&
  row.priceId === (item?.row.priceId ?? null);

const changeOf = ({ row: { productId, optionIds, quantity: before }, quantity }: Reckoned): StockLine => ({
  productId: productId!,
  optionIds,
  quantity: Math.abs(quantity - before),
});

/**
 * The price of one that was agreed to, where the plan would have another one today; null where it has the same, so that
 * ranges and volumes go on to count.
 */
function agreedPrice(row: OrderItemRecord, { terms, optionPrice }: Orderable, money: Money): Amount | null {
  if (row.parentItemId !== null || row.demoCycleNum !== null) return null;
  const { quantity, unitPrice } = row;
  const today = planAmount(terms, { quantity, optionPrice, first: true }, money).unitPrice;
  if (today.eq(unitPrice)) return null;
  const options = priceIn(money, optionPrice);
  return unitPrice.minus(least(options, unitPrice));
}

function refuseQuantities(skus: readonly OrderItemRecord[], quantities: Quantities): void {
  for (const [id, quantity] of quantities) {
    const row = skus.find((sku) => sku.id === id);
    const { minimumQuantity, maximumQuantity } = row ?? { minimumQuantity: null, maximumQuantity: null };
    if (maximumQuantity === null || quantity < (minimumQuantity ?? 1) || quantity > maximumQuantity)
      throw invalid("QUANTITY_LIMIT", "The quantity is not one that the payer may choose.");
  }
}
