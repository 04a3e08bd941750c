import type { RegionCode } from "../../schema/regions.ts";
import type { Actor, ClaimMethodType, OrderType, PaymentGateway, PaymentMethod } from "../../schema/vocabulary.ts";
import type { EventService } from "../events/event.service.ts";
import type { CustomerService } from "../customers/customer.service.ts";
import { toAmount, hasTooManyDigits, exchangeRateBetween, ZERO, type Amount, type Rate } from "../kernel/amounts.ts";
import { newIdKey, newOrderCode } from "../kernel/codes.ts";
import { startInOrder } from "../kernel/scheduling/start-in-order.ts";
import { invalid, invalidField, invariant } from "../kernel/refusals.ts";
import { toPaymentCurrency, type PaymentCurrency } from "../products/price-plans/price.currency.ts";
import type { StockService } from "../products/stock.service.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { OrderLine, PricedItem } from "./pricing/order.line.ts";
import { buildOrderLines } from "./pricing/order.line-builder.ts";
import type { OrderItemRecord, OrderRecord, OrderRepository } from "./order.repository.ts";
import { calculateTotalsByCurrency, calculateOrderTotals } from "./pricing/order.totals.ts";
import { toOrderItemValues, type OfferedItem } from "./pricing/order.item-values.ts";

export type { OrderItemRecord, OrderRecord } from "./order.repository.ts";

export type OrderTerms = Awaited<ReturnType<VendorService["billingTerms"]>>;
type Customer = Awaited<ReturnType<CustomerService["findByReference"]>>;

/** An order to save, with priced lines. */
export interface PricedOrder<I extends OfferedItem> {
  type: OrderType;
  customer: Customer;
  items: readonly I[];
  lines: readonly OrderLine<I>[];
  terms: OrderTerms;
  money: PaymentCurrency;
  region: RegionCode | null;
  claimMethodType: ClaimMethodType;
  actor: Actor;
  /** The name of the order. Defaults to its products' names. */
  productName?: string;
  /** The items that take stock. Defaults to none. */
  stockItems?: readonly I[];
  discount?: Amount | null;
  allowedPaymentMethods?: readonly PaymentMethod[] | null;
  paymentGateway?: PaymentGateway | null;
  purchaseDeadline?: Date | null;
  paymentDueDate?: Date | null;
  /** Whether it is charged to its subscription's stored method as soon as it exists. Defaults to false. */
  isChargedAtOnce?: boolean;
  calculateStartDate?: Date | null;
  calculateEndDate?: Date | null;
  parentSubscriptionId?: number | null;
  parentVendorId?: number;
  parentOrderId?: number;
}

/** Reads and locks the records of orders for the modules that charge them, and saves priced orders. */
export class OrderRecordService {
  constructor(
    private readonly deps: {
      orderRepository: OrderRepository;
      customers: CustomerService;
      stock: StockService;
      events: EventService;
      now: Date;
    },
  ) {}

  /** An order by its number; undefined if the vendor has none. */
  find(vendorId: number, id: number): Promise<OrderRecord | undefined> {
    return this.deps.orderRepository.byId(vendorId, id);
  }

  /** The order of a record that refers to it. */
  async byId(vendorId: number, id: number): Promise<OrderRecord> {
    const order = await this.find(vendorId, id);
    invariant(order, "what refers to an order keeps it");
    return order;
  }

  /** The order, locked until the transaction ends; undefined if the vendor has none. */
  async lockOrder(vendorId: number, id: number): Promise<OrderRecord | undefined> {
    const [order] = await this.deps.orderRepository.lock(vendorId, [id]);
    return order;
  }

  /**
   * Orders after the given number with an unpaid amount, by their numbers; child orders are included through their
   * parents'.
   */
  unpaidAfter(vendorId: number, id: number, limit: number): Promise<OrderRecord[]> {
    return this.deps.orderRepository.unpaidAfter(vendorId, id, limit);
  }

  /** All lines of an order, in order. */
  itemsOf(vendorId: number, orderId: number): Promise<OrderItemRecord[]> {
    return this.deps.orderRepository.itemsOf(vendorId, orderId);
  }

  /** Notes which item of a subscription a line of an order pays for. */
  linkItem(vendorId: number, lineId: number, subscriptionItemId: number): Promise<void> {
    return this.deps.orderRepository.updateItem(vendorId, lineId, { relatedSubscriptionItemId: subscriptionItemId });
  }

  /** Saves an order and takes its stock. @throws a Refusal INVALID_ARGUMENT for a deadline that has passed, OUT_OF_STOCK, NO_EXCHANGE_RATE. */
  async saveOrder<I extends OfferedItem>(vendorId: number, order: PricedOrder<I>): Promise<OrderRecord> {
    const { customer, items, lines, terms, money, discount = null } = order;
    if (order.purchaseDeadline && order.purchaseDeadline <= this.deps.now)
      throw invalidField("purchaseDeadline", "must be in the future.");
    const exchangeRate = rateOf(items, terms, money);
    const totals = calculateOrderTotals(lines);
    refuseTooHigh([totals.amount, exchangeRate, ...lines.flatMap((line) => [line.amount, line.unitPrice])]);
    const record = await this.deps.orderRepository.add(vendorId, {
      code: newOrderCode(vendorId),
      idKey: newIdKey(this.deps.now),
      type: order.type,
      customerId: customer.id,
      customerName: customer.name,
      customerPhone: customer.phone,
      customerEmail: customer.email,
      productName: order.productName ?? joinProductNames(items),
      currency: money.currency,
      baseCurrency: money.baseCurrency,
      exchangeRate,
      region: order.region,
      ...totals,
      paidAmount: ZERO,
      returnedAmount: ZERO,
      currencyPrice: toDecimalStrings(calculateTotalsByCurrency(items, terms, discount)),
      claimMethodType: order.claimMethodType,
      allowedPaymentMethods: [...(order.allowedPaymentMethods ?? [])],
      paymentGateway: order.paymentGateway,
      purchaseDeadline: order.purchaseDeadline,
      paymentDueDate: order.paymentDueDate,
      chargedAtOnce: order.isChargedAtOnce,
      calculateStartDate: order.calculateStartDate,
      calculateEndDate: order.calculateEndDate,
      parentSubscriptionId: order.parentSubscriptionId,
      parentVendorId: order.parentVendorId,
      parentOrderId: order.parentOrderId,
      createdAt: this.deps.now,
      modifiedAt: this.deps.now,
    });
    const { currency } = money;
    const values = lines.map((line, position) => toOrderItemValues(line, { position, currency, now: this.deps.now }));
    const { orderRepository, events, customers } = this.deps;
    const writes = await startInOrder(
      () => orderRepository.addLines(vendorId, record, values, toLineLinks(lines)),
      () =>
        events.recordEvents(vendorId, {
          subject: "ORDER",
          subjectId: record.id,
          orderId: record.id,
          customerId: customer.id,
          subscriptionId: order.parentSubscriptionId ?? null,
          trigger: "createOrder",
          statusAfter: "CREATED",
          actor: order.actor,
          facts: { type: order.type, amount: record.amount.toFixed(), currency: record.currency },
        }),
      () => customers.recordOrderActivity(vendorId, customer.id, order.actor),
    );
    for (const write of writes) await write;
    // The customer before the products, as payments lock them.
    await this.deps.stock.takeStock(vendorId, (order.stockItems ?? []).map(toStockLine));
    return record;
  }
}

/** The names of the products, each once; members of bundles are not named. */
const joinProductNames = (items: readonly OfferedItem[]): string =>
  [...new Set(items.filter(({ parent }) => parent == null).map(({ productName }) => productName))].join(", ");

/** The vendor's rate; if the plans have their own prices in the currency, the ratio of these. */
function rateOf(items: readonly PricedItem[], terms: OrderTerms, money: PaymentCurrency): Rate {
  if (money.currency === money.baseCurrency) return toAmount(1);
  if (money.rate) return money.rate;
  // Before any discount, because discounts apply in the order's currency only.
  const totalIn = (paid: PaymentCurrency): Amount =>
    calculateOrderTotals(buildOrderLines(items, terms, paid, null)).amount;
  const [amount, baseAmount] = [totalIn(money), totalIn(toPaymentCurrency(terms, terms.currency))];
  return baseAmount.gt(0) && amount.gt(0) ? exchangeRateBetween(amount, baseAmount) : toAmount(1);
}

const toDecimalStrings = (amounts: Readonly<Record<string, Amount>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([currency, amount]) => [currency, amount.toFixed()]));

/** The links between lines, by index. */
const toLineLinks = (lines: readonly OrderLine<OfferedItem>[]) =>
  lines.flatMap(({ related, parent }, position) =>
    related === null && parent === null ? [] : [{ position, related, parent }],
  );

const toStockLine = ({ orderable: { product, optionIds }, quantity, raisedBy, path, quantityName }: OfferedItem) => ({
  productId: product.id,
  optionIds,
  quantity: raisedBy ?? quantity,
  ...(path !== undefined && { path }),
  ...(quantityName !== undefined && { quantityName }),
});

function refuseTooHigh(amounts: readonly Amount[]): void {
  if (amounts.some(hasTooManyDigits))
    throw invalid("AMOUNT_TOO_HIGH", "The total of the order has more than 15 digits; order a smaller quantity.");
}
