import type { RegionCode } from "../../schema/regions.ts";
import type { Actor, PaymentGateway, PaymentMethod } from "../../schema/vocabulary.ts";
import type { CustomerService, NamedCustomer } from "../customers/customer.service.ts";
import { ZERO, type Amount } from "../kernel/amounts.ts";
import { invalid, invalidField, type FieldFault } from "../kernel/refusals.ts";
import { isCurrency } from "../kernel/currencies.ts";
import { moneyOf, type Money } from "../products/price-plans/price.currency.ts";
import type { Orderable, OfferRequest, OfferService } from "../products/offer.service.ts";
import type { OrderRightsService } from "./order-eligibility.service.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { ChildOrderService } from "./child-order.service.ts";
import { isPricedInBundles } from "./pricing/order.item-lines.ts";
import { instantLines } from "./pricing/order.extra-lines.ts";
import { orderLines } from "./pricing/order.line-builder.ts";
import type { OrderRecordService, OrderTerms } from "./order-writer.service.ts";
import type { OrderRecord, OrderRepository } from "./order.repository.ts";
import type { OfferedItem } from "./pricing/order.item-values.ts";

/** One product that is ordered. */
export interface OrderedItem extends OfferRequest {
  /** The quantity, and the least that a payer may choose; one where it is absent or 0. */
  quantity?: number | null;
  /** The same under the name that it has in REST. */
  minimumQuantity?: number | null;
  /** The most that a payer may choose. */
  maximumQuantity?: number | null;
  /** A price of one that stands in for the plan's, in the order's currency. */
  price?: Amount | null;
  /** The order's currency. */
  currency?: string | null;
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
  /** The part of it that is to be paid at once, in its currency. */
  instantAmount?: Amount | null;
}

/** No order, and no invoice, has more items. */
export const MOST_ITEMS = 500;

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
    private readonly records: OrderRecordService,
    private readonly childOrders: ChildOrderService,
    private readonly rights: OrderRightsService,
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
    const money = moneyIn(currencyOf(order) ?? terms.currency, terms);
    const items = await this.priced(seller.id, customer.id, order.items, region);
    const isRecurring = items.some(({ terms: { recurring } }) => recurring !== null);
    const record = await this.records.keep(seller.id, {
      type: isRecurring ? "RECURRING_INITIAL" : "ONE_TIME",
      customer,
      items,
      lines: [
        ...orderLines(items, terms, money, order.discount ?? null),
        ...instantLines<Item>(order.instantAmount ?? null, money),
      ],
      terms,
      money,
      region,
      claimMethodType: items[0]!.terms.claim.methodType,
      actor,
      taken: items.map((item) => ({
        ...item,
        path: `items[${item.index}]`,
        quantityName: quantityName(order.items[item.index]!),
      })),
      discount: order.discount ?? null,
      allowedPaymentMethods: order.allowedPaymentMethods ?? [],
      paymentGateway: order.paymentGateway ?? null,
      purchaseDeadline: order.purchaseDeadline ?? null,
      ...parent,
    });
    await this.childOrders.tell(seller.id, record, items, async (share) => {
      const { id: customerId } = share.customer;
      const of = {
        customerId,
        customerCode: null,
        customerUuid: null,
        currency: money.currency,
        discount: null,
        instantAmount: null,
        items: share.items.map(passedOn),
      };
      await this.create(share.child, { ...order, ...of }, "SYSTEM", share.parent);
    });
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
    const bought = await this.rights.productsBought(vendorId, customerId, productIds);
    const subscribed = await this.rights.productsSubscribed(vendorId, customerId, productIds);
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
          `${path}.${quantityName(ordered[index]!)}`,
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
}

/** An item as its child vendor is asked for it. What the price of a bundle covers costs nothing beside it. */
const passedOn = ({ ordered, orderable: { product, plan }, quantity }: Item): OrderedItem =>
  ordered ?? {
    productCode: product.code,
    priceCode: plan.code,
    minimumQuantity: quantity,
    price: isPricedInBundles(plan) ? null : ZERO,
  };

/** How much of an item is ordered: one where it is absent or zero. */
const quantityOf = ({ quantity, minimumQuantity }: OrderedItem): number => quantity || minimumQuantity || 1;

/** The field that says how much of an item is ordered. */
const quantityName = ({ quantity }: OrderedItem): string => (quantity == null ? "minimumQuantity" : "quantity");

/** The currency that the order or its items name. @throws a Refusal where two differ. */
function currencyOf({ currency, items }: NewOrder): string | undefined {
  const named = currency ?? items.find((item) => item.currency != null)?.currency ?? undefined;
  const other = items.findIndex((item) => item.currency != null && item.currency !== named);
  if (other >= 0) throw invalidField(`items[${other}].currency`, `must be ${named!}: an order has one currency.`);
  return named;
}

function refuseRanges(ordered: readonly OrderedItem[]): void {
  if (ordered.length < 1 || ordered.length > MOST_ITEMS)
    throw invalidField("items", `must have 1 to ${MOST_ITEMS} entries.`);
  for (const [index, item] of ordered.entries()) {
    if (item.quantity && item.minimumQuantity && item.quantity !== item.minimumQuantity)
      throw invalidField(`items[${index}].quantity`, "must not differ from minimumQuantity, which is its other name.");
    if (item.maximumQuantity != null && quantityOf(item) > item.maximumQuantity)
      throw invalidField(`items[${index}].maximumQuantity`, `must not be less than ${quantityOf(item)}, the quantity.`);
  }
}

function moneyIn(currency: string, terms: OrderTerms): Money {
  if (!isCurrency(currency)) throw invalidField("currency", "must be the ISO 4217 code of a currency, such as KRW.");
  return moneyOf(terms, currency);
}

function limit(code: "QUANTITY_LIMIT" | "ALREADY_SUBSCRIBED", path: string, message: string) {
  const fault: FieldFault = { path, code: "INVALID_VALUE", message };
  return invalid(code, message, { fields: [fault] });
}
