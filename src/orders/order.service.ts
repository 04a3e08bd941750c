import type { RegionCode } from "../../schema/regions.ts";
import type { Actor, PaymentGateway, PaymentMethod } from "../../schema/vocabulary.ts";
import type { CustomerService, CustomerReference } from "../customers/customer.service.ts";
import { ZERO, type Amount } from "../kernel/amounts.ts";
import { invalid, invalidField, type FieldError } from "../kernel/refusals.ts";
import { isCurrency } from "../kernel/currencies.ts";
import { startInOrder } from "../kernel/scheduling/start-in-order.ts";
import { firstOf, itemAt } from "../kernel/required-values.ts";
import { toPaymentCurrency, type PaymentCurrency } from "../products/price-plans/price.currency.ts";
import type { Orderable, OfferRequest, OfferService } from "../products/offer.service.ts";
import { trialOfProduct } from "../products/product.rules.ts";
import type { OrderEligibilityService } from "./order-eligibility.service.ts";
import type { VendorService } from "../vendors/vendor.service.ts";
import type { ChildOrderService } from "./child-order.service.ts";
import { planTypes } from "../products/price-plans/price.plan-types.ts";
import { buildInstantLines } from "./pricing/order.extra-lines.ts";
import { buildOrderLines } from "./pricing/order.line-builder.ts";
import type { OrderRecordService, OrderTerms } from "./order-record.service.ts";
import type { OrderRecord } from "./order.repository.ts";
import type { OfferedItem } from "./pricing/order.item-values.ts";

/** One product that is ordered. */
export interface OrderedItem extends OfferRequest {
  /** The quantity, and the least that a payer may choose; one where it is absent or 0. */
  quantity?: number | null;
  /** The same under the name that it has in REST. */
  minimumQuantity?: number | null;
  /** The most that a payer may choose. */
  maximumQuantity?: number | null;
  /** A unit price that replaces the plan's, in the order's currency. */
  price?: Amount | null;
  /** The order's currency. */
  currency?: string | null;
}

/** The items, the customer and the payment method of a new order. */
export interface NewOrder extends CustomerReference {
  items: readonly OrderedItem[];
  currency?: string | null;
  region?: RegionCode | null;
  purchaseDeadline?: Date | null;
  paymentGateway?: PaymentGateway | null;
  allowedPaymentMethods?: readonly PaymentMethod[] | null;
  /** Taken off the whole order, in its currency. */
  discount?: Amount | null;
  /** The instant amount: the part that is due at once, in its currency. */
  instantAmount?: Amount | null;
}

/** No order, and no invoice, has more items. */
export const MAX_ORDER_ITEMS = 500;

/** The vendor that sells the order. */
interface Seller {
  id: number;
  country: string;
}

/** The order of a parent vendor that an order of a child belongs to. */
interface ParentOrder {
  parentVendorId: number;
  parentOrderId: number;
}

interface RequestedOfferItem extends OfferedItem {
  ordered: OrderedItem | null;
  /** Its place in the request; members have that of their bundle. */
  index: number;
}

/** Creates orders: prices their lines, takes their stock, and creates the child vendors' orders. */
export class OrderService {
  constructor(
    private readonly deps: {
      vendors: VendorService;
      customers: CustomerService;
      offers: OfferService;
      orderRecords: OrderRecordService;
      childOrders: ChildOrderService;
      orderEligibility: OrderEligibilityService;
    },
  ) {}

  /**
   * Records what a customer agreed to buy. Nothing is charged yet.
   * @throws a Refusal: CUSTOMER_NOT_FOUND, PRODUCT_NOT_FOUND, PRICE_NOT_FOUND, PRODUCT_NOT_ORDERABLE, REGION_NOT_SOLD,
   * QUANTITY_LIMIT, QUANTITY_NOT_PRICED, ALREADY_SUBSCRIBED, OUT_OF_STOCK, NO_EXCHANGE_RATE, DISCOUNT_TOO_HIGH, AMOUNT_TOO_HIGH.
   */
  async create(seller: Seller, order: NewOrder, actor: Actor, parent?: ParentOrder): Promise<OrderRecord> {
    const { customers, vendors, offers } = this.deps;
    const region = order.region ?? (seller.country as RegionCode);
    const [customerRead, termsRead, offersRead] = await startInOrder(
      () => customers.findByReference(seller.id, order),
      () => vendors.billingTerms(seller.id),
      () => offers.findOrderable(seller.id, order.items.slice(0, MAX_ORDER_ITEMS), region),
    );
    const customer = await customerRead;
    const terms = await termsRead;
    const money = parsePaymentCurrency(requestedCurrency(order) ?? terms.currency, terms);
    const items = await this.priceItems(seller.id, customer.id, order.items, offersRead);
    const isRecurring = items.some(({ terms: { recurring } }) => recurring !== null);
    const record = await this.deps.orderRecords.saveOrder(seller.id, {
      type: isRecurring ? "RECURRING_INITIAL" : "ONE_TIME",
      customer,
      items,
      lines: [
        ...buildOrderLines(items, terms, money, order.discount ?? null),
        ...buildInstantLines<RequestedOfferItem>(order.instantAmount ?? null, money),
      ],
      terms,
      money,
      region,
      claimMethodType: firstOf(items).terms.claim.methodType,
      actor,
      stockItems: items
        .filter(({ orderable }) => orderable.canHaveCountedStock)
        .map((item) => ({
          ...item,
          path: `items[${item.index}]`,
          quantityName: quantityFieldOf(itemAt(order.items, item.index)),
        })),
      discount: order.discount ?? null,
      allowedPaymentMethods: order.allowedPaymentMethods ?? [],
      paymentGateway: order.paymentGateway ?? null,
      purchaseDeadline: order.purchaseDeadline ?? null,
      ...parent,
    });
    await this.deps.childOrders.createForEachChild(seller.id, record, items, async (share) => {
      const { id: customerId } = share.customer;
      const childFields = {
        customerId,
        customerCode: null,
        customerUuid: null,
        currency: money.currency,
        discount: null,
        instantAmount: null,
        items: share.items.map(toChildRequest),
      };
      await this.create(share.child, { ...order, ...childFields }, "SYSTEM", share.parent);
    });
    return record;
  }

  /** The items with all that their price depends on; members of bundles follow their bundle. */
  private async priceItems(
    vendorId: number,
    customerId: number,
    ordered: readonly OrderedItem[],
    offers: Promise<readonly Orderable[]>,
  ): Promise<RequestedOfferItem[]> {
    refuseInvalidQuantities(ordered);
    const quantities = ordered.map(quantityOf);
    const found = await offers;
    const boughtProductIds = await this.deps.orderEligibility.productsBoughtBefore(
      vendorId,
      customerId,
      found.filter(hasFirstPurchaseBenefit).map(({ product }) => product.id),
    );
    const subscribedProductIds = await this.deps.orderEligibility.productsWithLiveSubscription(
      vendorId,
      customerId,
      found.filter(allowsOneSubscription).map(({ product }) => product.id),
    );
    const items: RequestedOfferItem[] = [];
    // Quantity limits apply to the sum of a product's lines.
    const quantityByPlan = new Map<number, number>();
    const seenProductIds = new Set<number>();
    for (const [index, orderable] of found.entries()) {
      const { product, plan } = orderable;
      const quantity = itemAt(quantities, index);
      const path = `items[${index}]`;
      const totalQuantity =
        (quantityByPlan.get(plan.id) ?? 0) + Math.max(quantity, itemAt(ordered, index).maximumQuantity ?? 0);
      quantityByPlan.set(plan.id, totalQuantity);
      if (plan.maximumPurchaseQuantity > 0 && totalQuantity > plan.maximumPurchaseQuantity)
        throw itemRefusal(
          "QUANTITY_LIMIT",
          `${path}.${quantityFieldOf(itemAt(ordered, index))}`,
          `At most ${plan.maximumPurchaseQuantity} can be bought in one order.`,
        );
      const isFirst = !seenProductIds.has(product.id) && !boughtProductIds.has(product.id);
      if (allowsOneSubscription(orderable) && (subscribedProductIds.has(product.id) || seenProductIds.has(product.id)))
        throw itemRefusal(
          "ALREADY_SUBSCRIBED",
          `${path}.productCode`,
          "The customer has, or would have with this order, a subscription of this product, which allows only one.",
        );
      seenProductIds.add(product.id);
      const bundleIndex = items.length;
      const position = { index, quantity };
      items.push(
        this.toRequestedItem(orderable, {
          ...position,
          ordered: itemAt(ordered, index),
          firstPurchase: isFirst,
          parent: null,
        }),
      );
      for (const member of orderable.members)
        items.push(
          this.toRequestedItem(member, { ...position, ordered: null, firstPurchase: false, parent: bundleIndex }),
        );
    }
    return items;
  }

  private toRequestedItem(
    orderable: Orderable,
    details: Pick<RequestedOfferItem, "index" | "quantity" | "ordered"> & {
      firstPurchase: boolean;
      parent: number | null;
    },
  ): RequestedOfferItem {
    const { product, terms, optionPrice } = orderable;
    const { ordered, firstPurchase } = details;
    const trial = terms.recurring !== null && firstPurchase ? trialOfProduct(product) : null;
    return {
      ...details,
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

/** Whether its first purchase is cheaper, or begins with a trial. */
const hasFirstPurchaseBenefit = ({ product, terms }: Orderable): boolean =>
  terms.firstSale.enabled || (terms.recurring !== null && trialOfProduct(product) !== null);

/** Whether a customer may have one subscription of it. */
const allowsOneSubscription = ({ product, terms }: Orderable): boolean =>
  product.isOnetimePurchasable && terms.recurring !== null;

/** An item as requested from its child vendor. Items that the price of a bundle covers cost nothing. */
const toChildRequest = ({ ordered, orderable: { product, plan }, quantity }: RequestedOfferItem): OrderedItem =>
  ordered ?? {
    productCode: product.code,
    priceCode: plan.code,
    minimumQuantity: quantity,
    price: planTypes[plan.type].chargedInBundles ? null : ZERO,
  };

/** The ordered quantity of an item: 1 if it is absent or zero. */
const quantityOf = ({ quantity, minimumQuantity }: OrderedItem): number => quantity || minimumQuantity || 1;

/** The field with the ordered quantity of an item. */
const quantityFieldOf = ({ quantity }: OrderedItem): string => (quantity == null ? "minimumQuantity" : "quantity");

/** The currency that the order or its items name. @throws a Refusal where two differ. */
function requestedCurrency({ currency, items }: NewOrder): string | undefined {
  const requested = currency ?? items.find((item) => item.currency != null)?.currency ?? undefined;
  const conflictingIndex = items.findIndex((item) => item.currency != null && item.currency !== requested);
  if (conflictingIndex >= 0)
    throw invalidField(`items[${conflictingIndex}].currency`, `must be ${requested ?? ""}: an order has one currency.`);
  return requested;
}

function refuseInvalidQuantities(ordered: readonly OrderedItem[]): void {
  if (ordered.length < 1 || ordered.length > MAX_ORDER_ITEMS)
    throw invalidField("items", `must have 1 to ${MAX_ORDER_ITEMS} entries.`);
  for (const [index, item] of ordered.entries()) {
    if (item.quantity && item.minimumQuantity && item.quantity !== item.minimumQuantity)
      throw invalidField(
        `items[${index}].quantity`,
        "must not differ from minimumQuantity, which is the same field under its REST name.",
      );
    if (item.maximumQuantity != null && quantityOf(item) > item.maximumQuantity)
      throw invalidField(
        `items[${index}].maximumQuantity`,
        `must not be less than the quantity, which is ${quantityOf(item)}.`,
      );
  }
}

function parsePaymentCurrency(currency: string, terms: OrderTerms): PaymentCurrency {
  if (!isCurrency(currency)) throw invalidField("currency", "must be the ISO 4217 code of a currency, such as KRW.");
  return toPaymentCurrency(terms, currency);
}

function itemRefusal(code: "QUANTITY_LIMIT" | "ALREADY_SUBSCRIBED", path: string, message: string) {
  const fieldError: FieldError = { path, code: "INVALID_VALUE", message };
  return invalid(code, message, { fields: [fieldError] });
}
