import type { GatewayWindow } from "../../payments/gateways/gateway.window.ts";
import type { Amount } from "../../kernel/amounts.ts";
import { Refusal } from "../../kernel/refusals.ts";
import type { PromiseResult, RenewalCoverService } from "../../recovery/renewal-covers/renewal-cover.service.ts";
import { promisableDays } from "../../recovery/renewal-covers/cover.promise.ts";
import type { RecoveryVendor } from "../../recovery/covers/cover.facts.ts";
import type { ProrationOrderService } from "../../subscriptions/renewal-orders/proration-order.service.ts";
import type { PaymentForm } from "../checkout.form.ts";
import { toOfferedMethods, type OfferedMethods } from "../checkout.methods.ts";
import type { CheckoutRepository } from "../checkout.repository.ts";
import type { CheckoutService, CheckoutView } from "../checkout.service.ts";
import type { PaymentError } from "../checkout.texts.ts";
import { paidOrderOf } from "./payment-method.order.ts";
import type { PaymentMethodLinkContent } from "./payment-method-link.codec.ts";
import type { PageSubscription, PaymentMethodPageRepository } from "./payment-method-page.repository.ts";

/** An open charge of a subscription. */
export interface OpenCharge {
  amount: Amount;
  currency: string;
  /** The payer's time zone. */
  zoneId: string;
  /** The next try; null if only a new payment method can pay. */
  retryAt: Date | null;
  promisedAt: Date | null;
  /** The days that the payer can ask for; null if there is none. */
  days: { first: string; last: string } | null;
}

/** The page of a subscription's payment method at an instant. */
export interface PaymentMethodView extends OfferedMethods {
  subscription: PageSubscription;
  /** The name of the product that the subscription charges first. */
  productName: string;
  openCharge: OpenCharge | null;
  /** The newest order by which a payment method was stored, or is to be stored. */
  methodOrder: CheckoutView | null;
  now: Date;
}

/** The result of a form that stores a payment method. */
type StoreResult =
  { orderId: number; paymentError: PaymentError | null } | "STORED_BEFORE" | "TOO_MANY_METHODS" | "ENDED";

/** Runs work in its own transaction. */
type RunTransaction = <T>(
  work: (services: { prorationOrders: ProrationOrderService; renewalCovers: RenewalCoverService }) => Promise<T>,
) => Promise<T>;

/** A stolen link must not serve to try out cards: a subscription's page stores so many payment methods within a day. */
const MAX_METHODS_PER_DAY = 5;
const DAY_MS = 86_400_000;

/**
 * The page on which the payer of a subscription stores another payment method, or asks for the day of the next charge. A
 * method is stored by paying an order with the amount 0, as any order is paid on the checkout.
 */
export class PaymentMethodPageService {
  constructor(
    private readonly deps: {
      checkoutRepository: CheckoutRepository;
      paymentMethodPageRepository: PaymentMethodPageRepository;
      checkout: CheckoutService;
      write: RunTransaction;
      vendor: RecoveryVendor;
      now: () => Date;
    },
  ) {}

  /** Loads the page of a link; undefined if the subscription has another customer now. */
  async loadView({ subscriptionId, customerId }: PaymentMethodLinkContent): Promise<PaymentMethodView | undefined> {
    const { paymentMethodPageRepository: pages, checkoutRepository, vendor } = this.deps;
    const subscription = await pages.findSubscription(vendor.id, subscriptionId);
    if (subscription?.customerId !== customerId) return undefined;
    const accounts = await checkoutRepository.listGatewayAccounts(vendor.id);
    const orderId = await pages.findNewestMethodOrder(vendor.id, subscriptionId);
    const { currency } = subscription;
    const facts = { type: "PAYMENT_METHOD" as const, currency, paymentGateway: null, parentOrderId: null };
    return {
      subscription,
      productName: (await pages.findProductName(vendor.id, subscriptionId)) ?? "",
      openCharge: subscription.status === "UNPAID" ? await this.findOpenCharge(subscriptionId) : null,
      methodOrder: orderId === undefined ? null : await this.deps.checkout.loadView(vendor.id, orderId),
      ...toOfferedMethods({ ...facts, allowedPaymentMethods: [] }, accounts),
      now: this.deps.now(),
    };
  }

  /**
   * Stores the payment method of a form. @param storedBefore the order by which the newest method was stored when the
   * page was shown: a form that is sent again stores nothing.
   */
  async storeMethod(
    { subscription, methodOrder }: PaymentMethodView,
    form: PaymentForm,
    { storedBefore, returnUrl }: { storedBefore: number | null; returnUrl: string },
  ): Promise<StoreResult> {
    if (paidOrderOf(methodOrder) !== storedBefore) return "STORED_BEFORE";
    const since = new Date(this.deps.now().getTime() - DAY_MS);
    const orderId = await this.openOrder(subscription.id, since);
    if (orderId === "ENDED") return orderId;
    if (orderId === undefined) return "TOO_MANY_METHODS";
    const paymentError = await this.deps.checkout.payOrder(this.deps.vendor.id, orderId, form, returnUrl);
    return { orderId, paymentError };
  }

  /** Makes the day that the payer asked for the date of the next charge. */
  promiseDay({ subscription }: PaymentMethodView, day: string): Promise<PromiseResult> {
    return this.deps.write(({ renewalCovers }) => renewalCovers.promiseDay(this.deps.vendor, subscription, day));
  }

  /** Completes the payment of an open order when its payer returns, with the parameters of the return address. */
  completeOrder({ order }: CheckoutView, parameters: Readonly<Record<string, string>>): Promise<void> {
    return this.deps.checkout.completePayment(this.deps.vendor.id, order, parameters);
  }

  /** The gateway's window for the payment of an open order; null if its gateway has a page of its own. */
  findOpenWindow({ order }: CheckoutView, returnUrl: string): Promise<GatewayWindow | null> {
    return this.deps.checkout.findOpenWindow(this.deps.vendor.id, order, returnUrl);
  }

  /** The order that stores the method; undefined if there were too many, ENDED if the subscription has ended meanwhile. */
  private async openOrder(subscriptionId: number, since: Date): Promise<number | undefined | "ENDED"> {
    const { write, vendor } = this.deps;
    const limits = { limit: MAX_METHODS_PER_DAY, since };
    try {
      return await write(({ prorationOrders }) =>
        prorationOrders.openPaymentMethodOrder(vendor.id, subscriptionId, limits, { actor: "CUSTOMER" }),
      );
    } catch (error) {
      if (error instanceof Refusal && error.code === "SUBSCRIPTION_NOT_RUNNING") return "ENDED";
      throw error;
    }
  }

  private async findOpenCharge(subscriptionId: number): Promise<OpenCharge | null> {
    const cover = await this.deps.paymentMethodPageRepository.findLatestCover(this.deps.vendor.id, subscriptionId);
    if (!cover) return null;
    const { amount, paidAmount, currency, zoneId, promisedAt } = cover;
    const isRunning = cover.state === "IN_PROGRESS";
    return {
      amount: amount.minus(paidAmount),
      currency,
      zoneId,
      retryAt: isRunning ? cover.retryAt : null,
      promisedAt: isRunning ? promisedAt : null,
      days: isRunning ? promisableDays(cover, this.deps.now()) : null,
    };
  }
}
