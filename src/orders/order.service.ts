import type { RegionCode } from "../../schema/regions.ts";
import type { Actor, PaymentGateway, PaymentMethod } from "../../schema/vocabulary.ts";
import type { CustomerService, NamedCustomer } from "../customers/customer.service.ts";
import { amountOf, isTooHigh, rateBetween, ZERO, type Amount, type Rate } from "../kernel/amounts.ts";
import { newCode, newIdKey } from "../kernel/codes.ts";
import { invalid, invalidField, type FieldFault } from "../kernel/errors.ts";
import { isCurrency } from "../kernel/currencies.ts";
import { moneyOf, type Money } from "../products/price.currency.ts";
import type { Orderable, OfferRequest, OfferService } from "../products/offer.service.ts";
import type { StockService } from "../products/stock.service.ts";
import type { SubscriptionService } from "../subscriptions/subscription.service.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { OrderLine } from "./order.line.ts";
import { isPricedInBundles } from "./order.item-lines.ts";
import { orderLines } from "./order.lines.ts";
import type { OrderRecord, OrderRepository } from "./order.repository.ts";
import { orderCurrencyPrice, orderTotals } from "./order.totals.ts";
import { valuesOf, type OfferedItem } from "./order.values.ts";

/** One product that is ordered. */
export interface OrderedItem extends OfferRequest {
  /** The quantity, and the least that a payer may choose; one where it is absent or 0. */
  minimumQuantity?: number | null;
  /** The most that a payer may choose. */
  maximumQuantity?: number | null;
  /** A price of one that stands in for the plan's, in the order's currency. */
  price?: Amount | null;
}

/** What is ordered, by whom, and how it is to be paid. */
export interface NewOrder extends NamedCustomer {
  items: readonly OrderedItem[];
  currency?: string | null;
  region?: RegionCode | null;
  purchaseDeadline?: Date | null;
  paymentGateway?: PaymentGateway | null;
  allowedPaymentMethods?: readonly PaymentMethod[] | null;
  /** Taken off the whole order, in its currency. */
  discount?: Amount | null;
}

/** No order, and no invoice, has more items. */
export const MOST_ITEMS = 500;

type OrderTerms = Awaited<ReturnType<VendorService["terms"]>>;

/** Whose order it is. */
interface Seller {
  id: number;
  country: string;
}

/** The order of a parent vendor that an order of a child belongs to. */
interface ParentOrder {
  parentVendorId: number;
  parentOrderId: number;
}

interface Item extends OfferedItem {
  ordered: OrderedItem | null;
  /** Its place in the request; members have that of their bundle. */
  index: number;
}

/** Makes orders: reckons their lines, takes their stock, and lets child vendors know of what is theirs. */
export class OrderService {
  constructor(
    private readonly orders: OrderRepository,
    private readonly vendors: VendorService,
    private readonly customers: CustomerService,
    private readonly offers: OfferService,
    private readonly stock: StockService,
    private readonly subscriptions: SubscriptionService,
    private readonly now: Date,
  ) {}

  /**
   * Records what a customer agreed to buy. Nothing is charged yet.
   * @throws a Refusal: CUSTOMER_NOT_FOUND, PRODUCT_NOT_FOUND, PRICE_NOT_FOUND, PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD,
   * QUANTITY_LIMIT, QUANTITY_NOT_PRICED, ALREADY_SUBSCRIBED, OUT_OF_STOCK, NO_EXCHANGE_RATE, DISCOUNT_TOO_HIGH, AMOUNT_TOO_HIGH.
   */
  async create(seller: Seller, order: NewOrder, actor: Actor, parent?: ParentOrder): Promise<OrderRecord> {
    const customer = await this.customers.named(seller.id, order);
    const terms = await this.vendors.terms(seller.id);
    const region = order.region ?? (seller.country as RegionCode);
    const money = moneyIn(order.currency ?? "KRW", terms);
    const items = await this.priced(seller.id, customer.id, order.items, region);
    const lines = orderLines(items, terms, money, order.discount ?? null);
    const { amount, discountedAmount } = orderTotals(lines);
    const exchangeRate = rateOf(items, terms, money);
    refuseTooHigh([amount, exchangeRate, ...lines.flatMap((line) => [line.amount, line.unitPrice])]);
    const isRecurring = items.some(({ terms: { recurring } }) => recurring !== null);
    const record = await this.orders.add(seller.id, {
      code: newCode("order"),
      idKey: newIdKey(this.now),
      type: isRecurring ? "RECURRING_INITIAL" : "ONE_TIME",
      customerId: customer.id,
      customerName: customer.name,
      customerPhone: customer.phone,
      customerEmail: customer.email,
      productName: [...new Set(items.filter(({ parent: of }) => of == null).map((item) => item.productName))].join(
        ", ",
      ),
      currency: money.currency,
      baseCurrency: money.baseCurrency,
      exchangeRate,
      region,
      amount,
      discountedAmount,
      paidAmount: ZERO,
      returnedAmount: ZERO,
      currencyPrice: written(orderCurrencyPrice(items, terms, order.discount ?? null)),
      claimMethodType: items[0]!.terms.claim.methodType,
      allowedPaymentMethods: [...(order.allowedPaymentMethods ?? [])],
      paymentGateway: order.paymentGateway,
      purchaseDeadline: order.purchaseDeadline,
      ...parent,
      createdAt: this.now,
      modifiedAt: this.now,
    });
    await this.orders.addLines(
      seller.id,
      record.id,
      lines.map((line, position) => valuesOf(line, { position, currency: money.currency, now: this.now })),
      linksOf(lines),
    );
    await this.orders.addLog(seller.id, record.id, {
      type: actor,
      content: "The order was made.",
      createdAt: this.now,
    });
    await this.stock.take(seller.id, items.map(stockOf));
    await this.customers.ordered(seller.id, customer.id);
    await this.tellChildren(seller.id, order, record, items, customer.id);
    return record;
  }

  /** The items with all that their price depends on; members of bundles follow their bundle. */
  private async priced(
    vendorId: number,
    customerId: number,
    ordered: readonly OrderedItem[],
    region: RegionCode,
  ): Promise<Item[]> {
    refuseRanges(ordered);
    const quantities = ordered.map(quantityOf);
    const found = await this.offers.orderable(vendorId, ordered, region);
    const productIds = found.map(({ product }) => product.id);
    const bought = await this.orders.boughtBefore(vendorId, customerId, productIds);
    const subscribed = await this.subscriptions.productsOfLive(vendorId, customerId, productIds);
    const items: Item[] = [];
    // What holds for an order holds for all its lines of a product together.
    const inAll = new Map<number, number>();
    const seen = new Set<number>();
    for (const [index, orderable] of found.entries()) {
      const { product, plan } = orderable;
      const quantity = quantities[index]!;
      const path = `items[${index}]`;
      const most = (inAll.get(plan.id) ?? 0) + Math.max(quantity, ordered[index]!.maximumQuantity ?? 0);
      inAll.set(plan.id, most);
      if (plan.maximumPurchaseQuantity > 0 && most > plan.maximumPurchaseQuantity)
        throw limit(
          "QUANTITY_LIMIT",
          `${path}.minimumQuantity`,
          `At most ${plan.maximumPurchaseQuantity} can be bought at once.`,
        );
      const isFirst = !seen.has(product.id) && !bought.has(product.id);
      const subscribes = product.isOnetimePurchasable && orderable.terms.recurring !== null;
      if (subscribes && (subscribed.has(product.id) || seen.has(product.id)))
        throw limit(
          "ALREADY_SUBSCRIBED",
          `${path}.productCode`,
          "The customer has, or orders with this, a subscription of this product, which allows only one.",
        );
      seen.add(product.id);
      const bundle = items.length;
      const asked = { index, quantity };
      items.push(this.itemOf(orderable, { ...asked, ordered: ordered[index]!, firstPurchase: isFirst, parent: null }));
      for (const member of orderable.members)
        items.push(this.itemOf(member, { ...asked, ordered: null, firstPurchase: false, parent: bundle }));
    }
    return items;
  }

  private itemOf(
    orderable: Orderable,
    asked: Pick<Item, "index" | "quantity" | "ordered"> & { firstPurchase: boolean; parent: number | null },
  ): Item {
    const { product, terms, optionPrice } = orderable;
    const { ordered, firstPurchase } = asked;
    const trial =
      product.enabledDemo && terms.recurring !== null && firstPurchase
        ? { num: product.demoPeriod!, type: product.demoPeriodUnit! }
        : null;
    return {
      ...asked,
      orderable,
      terms,
      productName: product.name,
      productType: product.type,
      optionPrice,
      price: ordered?.price ?? null,
      trial,
    };
  }

  /** Each child vendor whose products were sold gets an order of its own for them. */
  private async tellChildren(
    vendorId: number,
    order: NewOrder,
    record: OrderRecord,
    items: readonly Item[],
    customerId: number,
  ): Promise<void> {
    const theirs = items.filter(({ orderable }) => orderable.product.childVendorId !== null);
    for (const childId of new Set(theirs.map(({ orderable }) => orderable.product.childVendorId!))) {
      const child = await this.vendors.child(vendorId, childId);
      const own = await this.customers.sharedWith(vendorId, customerId, childId);
      const sold = theirs.filter(({ orderable }) => orderable.product.childVendorId === childId);
      await this.create(
        child,
        {
          ...order,
          customerId: own.id,
          customerCode: null,
          customerUuid: null,
          discount: null,
          items: sold.map(passedOn),
        },
        "SYSTEM",
        { parentVendorId: vendorId, parentOrderId: record.id },
      );
    }
  }
}

/** An item as its child vendor is asked for it. What the price of a bundle covers costs nothing beside it. */
const passedOn = ({ ordered, orderable: { product, plan }, quantity }: Item): OrderedItem =>
  ordered ?? {
    productCode: product.code,
    priceCode: plan.code,
    minimumQuantity: quantity,
    price: isPricedInBundles(plan) ? null : ZERO,
  };

function refuseTooHigh(amounts: readonly Amount[]): void {
  if (amounts.some(isTooHigh))
    throw invalid("AMOUNT_TOO_HIGH", "What is ordered comes to more than 15 digits can tell; order less at once.");
}

/** How much of an item is ordered: one unless told, and zero means that nothing was told. */
const quantityOf = ({ minimumQuantity }: OrderedItem): number => minimumQuantity || 1;

function refuseRanges(ordered: readonly OrderedItem[]): void {
  if (ordered.length < 1 || ordered.length > MOST_ITEMS) throw invalidField("items", `must be 1 to ${MOST_ITEMS}.`);
  for (const [index, item] of ordered.entries()) {
    if (item.maximumQuantity != null && quantityOf(item) > item.maximumQuantity)
      throw invalidField(`items[${index}].maximumQuantity`, "must not be less than minimumQuantity.");
  }
}

function moneyIn(currency: string, terms: OrderTerms): Money {
  if (!isCurrency(currency)) throw invalidField("currency", "must be the ISO 4217 code of a currency, such as KRW.");
  return moneyOf(terms, currency);
}

/** The vendor's rate; where the plans have prices of their own, what they come to. */
function rateOf(items: readonly Item[], terms: OrderTerms, money: Money): Rate {
  if (money.currency === money.baseCurrency) return amountOf(1);
  if (money.rate) return money.rate;
  // Before any discount, which holds in the order's currency alone.
  const totalIn = (paid: Money): Amount => orderTotals(orderLines(items, terms, paid, null)).amount;
  const [amount, inBase] = [totalIn(money), totalIn(moneyOf(terms, terms.currency))];
  return inBase.gt(0) && amount.gt(0) ? rateBetween(amount, inBase) : amountOf(1);
}

const written = (amounts: Readonly<Record<string, Amount>>): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([currency, amount]) => [currency, amount.toFixed()]));

/** Which lines belong to which others, by their places. */
const linksOf = (lines: readonly OrderLine<Item>[]) =>
  lines.flatMap(({ related, parent }, position) =>
    related === null && parent === null ? [] : [{ position, related, parent }],
  );

const stockOf = ({ orderable: { product, optionIds }, quantity, index }: Item) => ({
  productId: product.id,
  optionIds,
  quantity,
  path: `items[${index}]`,
});

function limit(code: "QUANTITY_LIMIT" | "ALREADY_SUBSCRIBED", path: string, message: string) {
  const fault: FieldFault = { path, code: "INVALID_VALUE", message };
  return invalid(code, message, { fields: [fault] });
}
