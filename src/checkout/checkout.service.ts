import type { PaymentMethod } from "../../schema/vocabulary.ts";
import type { Amount } from "../kernel/amounts.ts";
import { conflict, invariant, Refusal } from "../kernel/refusals.ts";
import { amountDue, offeredMethods } from "../orders/order.payability.ts";
import type { OrderPricingService, Quantities } from "../orders/pricing/order-pricing.service.ts";
import type { UpcomingCharge, UpcomingChargeService } from "../subscriptions/renewal-orders/upcoming-charge.service.ts";
import type { PaymentProcessor } from "../payments/payment-processor.service.ts";
import type { PaymentService } from "../payments/payment.service.ts";
import type { PaymentForm } from "./checkout.form.ts";
import type { CheckoutOrder, CheckoutRepository } from "./checkout.repository.ts";
import { isPayable, checkoutStateOf, type CheckoutState } from "./checkout.state.ts";
import type { PaymentError } from "./checkout.texts.ts";

/** An order as its payer finds it at an instant. */
export interface CheckoutView {
  order: CheckoutOrder;
  state: CheckoutState;
  /** What is to be paid now. */
  amountDue: Amount;
  methods: readonly PaymentMethod[];
  /** What the subscriptions that it starts will charge later. */
  upcoming: readonly UpcomingCharge[];
  now: Date;
}

/** What a payer is told instead of the refusal of a payment; what is not in it the order's standing tells. */
const paymentErrorOfRefusal: Readonly<Record<string, PaymentError | null>> = {
  PRICE_CHANGED: "PRICE_CHANGED",
  OUT_OF_STOCK: "OUT_OF_STOCK",
  ALREADY_SUBSCRIBED: "SUBSCRIBED",
  QUANTITY_LIMIT: "QUANTITY",
  QUANTITY_NOT_PRICED: "QUANTITY",
  DISCOUNT_TOO_HIGH: "QUANTITY",
  TOO_MANY_DECLINES: "TOO_MANY",
  NO_PAYMENT_GATEWAY: "OTHER_WAY",
  CHARGES_AWAIT_OPERATOR: "OTHER_WAY",
  PAYMENT_METHOD_NOT_ALLOWED: "OTHER_WAY",
  ORDER_ALREADY_PAID: null,
  ORDER_NOT_PAYABLE: null,
  PAYMENT_IN_PROGRESS: null,
  IDEMPOTENCY_KEY_IN_USE: null,
};

/** Runs work in a transaction of its own. */
type RunTransaction = <T>(
  work: (services: {
    orderPricing: OrderPricingService;
    payments: PaymentService;
    upcomingCharges: UpcomingChargeService;
  }) => Promise<T>,
) => Promise<T>;

/** What payers see of an order and do about it. */
export class CheckoutService {
  constructor(
    private readonly deps: {
      checkoutRepository: CheckoutRepository;
      cashier: PaymentProcessor;
      write: RunTransaction;
      now: () => Date;
    },
  ) {}

  /** The order, and whether it can be paid. */
  async loadView(vendorId: number, orderId: number): Promise<CheckoutView> {
    const order = await this.deps.checkoutRepository.findOrder(vendorId, orderId);
    invariant(order, "an order that a link was made for stays");
    const methods = offeredMethods(order, await this.deps.checkoutRepository.listGatewayAccounts(vendorId));
    const now = this.deps.now();
    const state = checkoutStateOf({ ...order, methods }, now);
    const startsSubscription = order.type === "RECURRING_INITIAL" && isPayable(state) && methods.length > 0;
    const upcoming = startsSubscription
      ? await this.deps.write(({ upcomingCharges }) => upcomingCharges.forecastFirstOrder(vendorId, orderId))
      : [];
    return { order, methods, now, state, amountDue: amountDue(order, order.instantAmount), upcoming };
  }

  /**
   * Pays an order as its payer wants it. Whatever else is under way, it is charged once: the same form makes no second
   * attempt, and another form none beside it.
   * @returns what stands in the way, if anything does; else the order tells what became of it.
   */
  async payOrder(
    vendorId: number,
    orderId: number,
    form: PaymentForm,
    returnUrl: string,
  ): Promise<PaymentError | null> {
    const { method, card, amount, attempt } = form;
    return toPaymentError(() =>
      this.deps.cashier.payOrder(vendorId, {
        orderId,
        method,
        card,
        storeMethod: method.endsWith("_BILL"),
        initiator: "CUSTOMER",
        actor: "CUSTOMER",
        expectedAmount: amount,
        // A payer who goes back and types another card means another payment.
        requestKey: ["checkout", attempt, amount, method, card && Object.values(card).join("/")].join(" "),
        returnUrl,
      }),
    );
  }

  /**
   * Orders the quantities that the payer chose.
   * @returns what stands in the way, if anything does.
   */
  changeQuantities(vendorId: number, orderId: number, quantities: Quantities): Promise<PaymentError | null> {
    return toPaymentError(() =>
      this.deps.write(async ({ orderPricing, payments }) => {
        await orderPricing.recalculate(vendorId, orderId, quantities);
        // The order is held now: no payment can begin before this is over.
        if (await payments.openAttemptOf(vendorId, orderId))
          throw conflict("PAYMENT_IN_PROGRESS", "A payment of the order is in progress.");
      }),
    );
  }

  /** Asks the gateway what became of a payment that its payer comes back from. */
  async refreshPayment(vendorId: number, orderId: number): Promise<void> {
    await this.deps.cashier.refreshOpenPayment(vendorId, orderId);
  }
}

/** Does something; where it is refused for what the payer can see or mend, tells what that is. */
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
