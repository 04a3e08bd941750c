import { conflict, invalid } from "../kernel/refusals.ts";
import { required } from "../kernel/required-values.ts";
import { canHaveBenefits } from "./order.payability.ts";
import { FIRST_PURCHASE } from "./pricing/order.line.ts";
import type { CompetingPayment, OrderEligibilityRepository } from "./order-eligibility.repository.ts";
import type { OrderItemRecord, OrderRecord, OrderRepository } from "./order.repository.ts";

/**
 * The products of an order that its customer can use once only: those with a trial or a first-purchase discount, and
 * those that allow one subscription.
 */
interface OnceOnlyProducts {
  firstPurchase: number[];
  oneTime: number[];
}

/**
 * Validates a customer's once-only benefits: a trial, a first-purchase discount, a product that allows one
 * subscription. Paid orders use them; an attempt to pay one reserves them until its outcome is known.
 */
export class OrderEligibilityService {
  constructor(
    private readonly deps: {
      orderRepository: OrderRepository;
      orderEligibilityRepository: OrderEligibilityRepository;
    },
  ) {}

  /** The products among these that the customer has paid for before, including later refunded ones. */
  productsBoughtBefore(vendorId: number, customerId: number, productIds: readonly number[]): Promise<Set<number>> {
    return this.deps.orderEligibilityRepository.productsBoughtBefore(vendorId, customerId, productIds);
  }

  /** Those of the products that the customer has in a live subscription. */
  productsWithLiveSubscription(
    vendorId: number,
    customerId: number,
    productIds: readonly number[],
  ): Promise<Set<number>> {
    return this.deps.orderEligibilityRepository.productsWithLiveSubscription(vendorId, customerId, productIds);
  }

  /** Those of the products whose first purchase is used, or reserved, by another order of the customer. */
  async usedFirstPurchases(
    vendorId: number,
    { id, customerId }: OrderRecord,
    productIds: readonly number[],
  ): Promise<Set<number>> {
    if (productIds.length === 0) return new Set();
    const bought = await this.deps.orderEligibilityRepository.productsBoughtBefore(
      vendorId,
      customerId,
      productIds,
      id,
    );
    const claims = await this.deps.orderEligibilityRepository.competingPayments(vendorId, customerId, id, productIds);
    return new Set([...bought, ...claims.filter(reservesProduct).map(({ productId }) => productId)]);
  }

  /** Whether an order lost benefits to another order that was not paid after all: pricing it again restores them. */
  async canRestoreBenefits(vendorId: number, order: OrderRecord): Promise<boolean> {
    const lostProductIds = (await this.deps.orderRepository.itemsOf(vendorId, order.id))
      .filter(hasLostBenefit)
      .map(({ productId }) => required(productId, "productId"));
    const usedProductIds = await this.usedFirstPurchases(vendorId, order, lostProductIds);
    return lostProductIds.some((id) => !usedProductIds.has(id));
  }

  /**
   * Reserves an order's once-only benefits for an attempt to pay it. The customer is locked until the transaction ends,
   * so that two orders that are paid at the same time do not both use them.
   * @throws a Refusal ALREADY_SUBSCRIBED; PRICE_CHANGED if a trial or a discount no longer applies; PAYMENT_IN_PROGRESS
   * if another order that waits for its payer has reserved one and has to be closed first.
   */
  async reserveOnceOnlyProducts(vendorId: number, order: OrderRecord): Promise<void> {
    const { firstPurchase, oneTime } = await this.findOnceOnlyProducts(vendorId, order);
    if (firstPurchase.length === 0 && oneTime.length === 0) return;
    await this.deps.orderEligibilityRepository.lockCustomer(vendorId, order.customerId);
    const subscribed = await this.deps.orderEligibilityRepository.productsWithLiveSubscription(
      vendorId,
      order.customerId,
      oneTime,
    );
    if (subscribed.size > 0) throw alreadySubscribed();
    const bought = await this.deps.orderEligibilityRepository.productsBoughtBefore(
      vendorId,
      order.customerId,
      firstPurchase,
      order.id,
    );
    if (bought.size > 0) throw priceChanged();
    const claims = await this.findCompetingPayments(vendorId, order, [...firstPurchase, ...oneTime]);
    if (claims.some((claim) => !reservesProduct(claim)))
      throw conflict(
        "PAYMENT_IN_PROGRESS",
        "A payment of another order of the customer is in progress; wait for its outcome.",
      );
    if (claims.some(({ productId }) => oneTime.includes(productId))) throw alreadySubscribed();
    if (claims.length > 0) throw priceChanged();
  }

  /**
   * Whether all once-only benefits of an order are still available. The customer is locked until the transaction ends.
   */
  async isStillEligible(vendorId: number, order: OrderRecord): Promise<boolean> {
    const { firstPurchase, oneTime } = await this.findOnceOnlyProducts(vendorId, order);
    if (firstPurchase.length === 0 && oneTime.length === 0) return true;
    await this.deps.orderEligibilityRepository.lockCustomer(vendorId, order.customerId);
    const usedProductIds = await this.usedFirstPurchases(vendorId, order, firstPurchase);
    const subscribed = await this.deps.orderEligibilityRepository.productsWithLiveSubscription(
      vendorId,
      order.customerId,
      oneTime,
    );
    const claims = await this.findCompetingPayments(vendorId, order, oneTime);
    return usedProductIds.size === 0 && subscribed.size === 0 && claims.length === 0;
  }

  /** Numbers of the attempts to pay other orders that wait for their payer with what this order may use once. */
  async findWaitingPaymentIds(vendorId: number, order: OrderRecord): Promise<number[]> {
    const { firstPurchase, oneTime } = await this.findOnceOnlyProducts(vendorId, order);
    const claims = await this.findCompetingPayments(vendorId, order, [...firstPurchase, ...oneTime]);
    return [...new Set(claims.filter((claim) => !reservesProduct(claim)).map(({ paymentId }) => paymentId))];
  }

  private findCompetingPayments(vendorId: number, { id, customerId }: OrderRecord, productIds: readonly number[]) {
    return productIds.length === 0
      ? []
      : this.deps.orderEligibilityRepository.competingPayments(vendorId, customerId, id, productIds);
  }

  private async findOnceOnlyProducts(vendorId: number, { id, type }: OrderRecord): Promise<OnceOnlyProducts> {
    if (!canHaveBenefits({ type })) return { firstPurchase: [], oneTime: [] };
    const benefitLines = (await this.deps.orderRepository.itemsOf(vendorId, id)).filter(hasFirstPurchaseBenefit);
    const oneTime =
      type === "ONE_TIME" ? [] : await this.deps.orderEligibilityRepository.oneTimeProductsOf(vendorId, id);
    return { firstPurchase: [...new Set(benefitLines.flatMap(({ productId }) => productId ?? []))], oneTime };
  }
}

/** Whether a line has a trial or a first-purchase discount. */
const hasFirstPurchaseBenefit = ({ discountName, amount, demoCycleNum, productId }: OrderItemRecord): boolean =>
  productId !== null && (demoCycleNum !== null || (discountName === FIRST_PURCHASE && amount.lt(0)));

/** Whether a line had a trial or a first-purchase discount that another order used. */
const hasLostBenefit = ({ discountName, amount, trialLost }: OrderItemRecord): boolean =>
  trialLost || (discountName === FIRST_PURCHASE && amount.eq(0));

/** An attempt that waits for its payer reserves nothing: another payer takes precedence. */
const reservesProduct = ({ waits }: CompetingPayment): boolean => !waits;

const alreadySubscribed = () =>
  invalid(
    "ALREADY_SUBSCRIBED",
    "The customer has, or is paying for, a subscription of a product of the order that allows only one; cancel this order.",
  );

const priceChanged = () =>
  invalid("PRICE_CHANGED", "Another order of the customer used a trial or a first-purchase discount of this order.");
