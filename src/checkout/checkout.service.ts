import type { Amount } from "../kernel/amounts.ts";
import { conflict, invariant, Refusal } from "../kernel/refusals.ts";
import { amountDue } from "../orders/order.payability.ts";
import type { OrderPricingService, Quantities } from "../orders/pricing/order-pricing.service.ts";
import type { UpcomingCharge, UpcomingChargeService } from "../subscriptions/renewal-orders/upcoming-charge.service.ts";
import type { GatewayWindow } from "../payments/gateways/gateway.window.ts";
import { adapterTraits } from "../payments/gateways/adapter.traits.ts";
import type { PaymentProcessor } from "../payments/payment-processor.service.ts";
import type { PaymentReconciliation } from "../payments/payment-reconciliation.service.ts";
import type { PaymentService } from "../payments/payment.service.ts";
import { toOfferedMethods, type OfferedMethods } from "./checkout.methods.ts";
import type { PaymentForm } from "./checkout.form.ts";
import type { CheckoutOrder, CheckoutRepository } from "./checkout.repository.ts";
import { isPayable, checkoutStateOf, type CheckoutState } from "./checkout.state.ts";
import type { PaymentError } from "./checkout.texts.ts";

/** The checkout of an order at an instant, as the payer sees it. */
export interface CheckoutView extends OfferedMethods {
  order: CheckoutOrder;
  state: CheckoutState;
  /** The amount that is due now. */
  amountDue: Amount;
  /** Whether the payer was sent to a page of the gateway to type the card there. */
  isCardPageOpen: boolean;
  /** The later charges of the subscriptions that the order starts. */
  upcoming: readonly UpcomingCharge[];
  now: Date;
}

/** The payment error that a payer sees for each refusal. Null if the checkout state explains the refusal. */
const paymentErrorOfRefusal: Readonly<Record<string, PaymentError | null>> = {
  PRICE_CHANGED: "PRICE_CHANGED",
  OUT_OF_STOCK: "OUT_OF_STOCK",
  ALREADY_SUBSCRIBED: "SUBSCRIBED",
  QUANTITY_LIMIT: "QUANTITY",
  QUANTITY_NOT_PRICED: "QUANTITY",
  DISCOUNT_TOO_HIGH: "QUANTITY",
  TOO_MANY_DECLINES: "TOO_MANY_DECLINES",
  NO_PAYMENT_GATEWAY: "OTHER_METHOD",
  CHARGES_AWAIT_OPERATOR: "OTHER_METHOD",
  PAYMENT_METHOD_NOT_ALLOWED: "OTHER_METHOD",
  ORDER_ALREADY_PAID: null,
  ORDER_NOT_PAYABLE: null,
  PAYMENT_IN_PROGRESS: null,
  IDEMPOTENCY_KEY_IN_USE: null,
};

/** Runs work in its own transaction. */
type RunTransaction = <T>(
  work: (services: {
    orderPricing: OrderPricingService;
    payments: PaymentService;
    upcomingCharges: UpcomingChargeService;
  }) => Promise<T>,
) => Promise<T>;

/** Shows orders to payers, and runs their payments and changes of quantities. */
export class CheckoutService {
  constructor(
    private readonly deps: {
      checkoutRepository: CheckoutRepository;
      paymentProcessor: PaymentProcessor;
      paymentReconciliation: PaymentReconciliation;
      write: RunTransaction;
      now: () => Date;
    },
  ) {}

  /** Loads an order with its checkout state, payment methods and later charges. */
  async loadView(vendorId: number, orderId: number): Promise<CheckoutView> {
    const order = await this.deps.checkoutRepository.findOrder(vendorId, orderId);
    invariant(order, "an order with a checkout link is never deleted");
    const accounts = await this.deps.checkoutRepository.listGatewayAccounts(vendorId);
    const offered = toOfferedMethods(order, accounts);
    const { methods } = offered;
    const now = this.deps.now();
    const state = checkoutStateOf({ ...order, methods }, now);
    const startsSubscription = order.type === "RECURRING_INITIAL" && isPayable(state) && methods.length > 0;
    const upcoming = startsSubscription
      ? await this.deps.write(({ upcomingCharges }) => upcomingCharges.forecastFirstOrder(vendorId, orderId))
      : [];
    const payingAccount = accounts.find((account) => account.gateway === order.payment?.paymentGateway);
    return {
      order,
      ...offered,
      isCardPageOpen:
        state === "CONFIRMATION_REQUIRED" &&
        payingAccount !== undefined &&
        adapterTraits[payingAccount.adapter].hasCardPage,
      now,
      state,
      amountDue: amountDue(order, order.instantAmount),
      upcoming,
    };
  }

  /**
   * Pays an order by the payer's form. The order is charged once: the same form starts no second attempt, and another
   * form starts no parallel attempt.
   * @returns the payment error, or null if the order's state shows the outcome.
   */
  async payOrder(
    vendorId: number,
    orderId: number,
    form: PaymentForm,
    returnUrl: string,
  ): Promise<PaymentError | null> {
    const { method, card, amount, attempt } = form;
    return toPaymentError(() =>
      this.deps.paymentProcessor.payOrder(vendorId, {
        orderId,
        method,
        card,
        storeMethod: method.endsWith("_BILL"),
        initiator: "CUSTOMER",
        actor: "CUSTOMER",
        expectedAmount: amount,
        // The same form with another card is another payment.
        requestKey: ["checkout", attempt, amount, method, card && Object.values(card).join("/")].join(" "),
        returnUrl,
      }),
    );
  }

  /**
   * Sets the quantities that the payer chose.
   * @returns the payment error, or null.
   */
  changeQuantities(vendorId: number, orderId: number, quantities: Quantities): Promise<PaymentError | null> {
    return toPaymentError(() =>
      this.deps.write(async ({ orderPricing, payments }) => {
        await orderPricing.recalculate(vendorId, orderId, quantities);
        // The order is locked now, so no payment can start before this transaction ends.
        if (await payments.openAttemptOf(vendorId, orderId))
          throw conflict("PAYMENT_IN_PROGRESS", "A payment of the order is in progress.");
      }),
    );
  }

  /** Completes the open payment of an order when its payer returns, with the parameters of the return address. */
  async completePayment(
    vendorId: number,
    { id, code }: CheckoutOrder,
    parameters: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.deps.paymentReconciliation.completeOpenPayment(vendorId, id, { parameters, orderName: code });
  }

  /** The gateway's window for the open payment of an order; null if its gateway has a page of its own. */
  findOpenWindow(vendorId: number, { id, code }: CheckoutOrder, returnUrl: string): Promise<GatewayWindow | null> {
    return this.deps.paymentReconciliation.findOpenWindow(vendorId, id, { orderName: code, returnUrl });
  }
}

/** Runs work, and converts a refusal that the payer may see to a payment error. */
async function toPaymentError(work: () => Promise<unknown>): Promise<PaymentError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const paymentError = error instanceof Refusal ? paymentErrorOfRefusal[error.code] : undefined;
    if (paymentError === undefined) throw error;
    return paymentError;
  }
}
