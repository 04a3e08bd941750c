import type { PaymentMethod } from "../../schema/vocabulary.ts";
import type { Amount } from "../kernel/amounts.ts";
import { conflict, invariant, Refusal } from "../kernel/refusals.ts";
import type { OrderReckoningService, Quantities } from "../orders/pricing/order-pricing.service.ts";
import type { UpcomingCharge, UpcomingChargeService } from "../subscriptions/renewal-orders/upcoming-charge.service.ts";
import type { CashierService } from "../payments/payment-processor.service.ts";
import type { PaymentService } from "../payments/payment.service.ts";
import type { PaymentForm } from "./checkout.form.ts";
import type { CheckoutOrder, CheckoutRepository } from "./checkout.repository.ts";
import { dueOf, isPayable, standingOf, type Standing } from "./checkout.state.ts";
import { waysOf } from "./checkout.methods.ts";
import type { Obstacle } from "./checkout.texts.ts";

/** An order as its payer finds it at an instant. */
export interface Visit {
  order: CheckoutOrder;
  standing: Standing;
  /** What is to be paid now. */
  due: Amount;
  ways: readonly PaymentMethod[];
  /** What the subscriptions that it starts will charge later. */
  upcoming: readonly UpcomingCharge[];
  now: Date;
}

/** What a payer is told instead of the refusal of a payment; what is not in it the order's standing tells. */
const obstacles: Readonly<Record<string, Obstacle | null>> = {
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
type Write = <T>(
  work: (services: {
    reckonings: OrderReckoningService;
    payments: PaymentService;
    upcomingCharges: UpcomingChargeService;
  }) => Promise<T>,
) => Promise<T>;

/** What payers see of an order and do about it. */
export class CheckoutService {
  constructor(
    private readonly checkouts: CheckoutRepository,
    private readonly cashier: CashierService,
    private readonly write: Write,
    private readonly now: () => Date,
  ) {}

  /** The order, and whether it can be paid. */
  async visit(vendorId: number, orderId: number): Promise<Visit> {
    const order = await this.checkouts.order(vendorId, orderId);
    invariant(order, "an order that a link was made for stays");
    // What a child vendor has of an order is paid with that of its parent.
    const accounts = order.parentOrderId === null ? await this.checkouts.accounts(vendorId) : [];
    const ways = waysOf({ ...order, isKept: order.type !== "ONE_TIME" }, accounts);
    const facts = { ...order, ways, statuses: order.items.map(({ status }) => status) };
    const now = this.now();
    const standing = standingOf(facts, now);
    const starts = order.type === "RECURRING_INITIAL" && isPayable(standing) && ways.length > 0;
    const upcoming = starts
      ? await this.write(({ upcomingCharges }) => upcomingCharges.ofFirstOrder(vendorId, orderId))
      : [];
    return { order, ways, now, standing, due: dueOf(facts), upcoming };
  }

  /**
   * Pays an order as its payer wants it. Whatever else is under way, it is charged once: the same form makes no second
   * attempt, and another form none beside it.
   * @returns what stands in the way, if anything does; else the order tells what became of it.
   */
  async pay(vendorId: number, orderId: number, form: PaymentForm, returnUrl: string): Promise<Obstacle | null> {
    const { method, card, amount, attempt } = form;
    return hindered(() =>
      this.cashier.pay(vendorId, {
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
  choose(vendorId: number, orderId: number, quantities: Quantities): Promise<Obstacle | null> {
    return hindered(() =>
      this.write(async ({ reckonings, payments }) => {
        await reckonings.reckon(vendorId, orderId, quantities);
        // The order is held now: no payment can begin before this is over.
        if (await payments.openOf(vendorId, orderId))
          throw conflict("PAYMENT_IN_PROGRESS", "A payment of the order is under way.");
      }),
    );
  }

  /** Asks the gateway what became of a payment that its payer comes back from. */
  async comeBack(vendorId: number, orderId: number): Promise<void> {
    await this.cashier.lookAgain(vendorId, orderId);
  }
}

/** Does something; where it is refused for what the payer can see or mend, tells what that is. */
async function hindered(work: () => Promise<unknown>): Promise<Obstacle | null> {
  try {
    await work();
    return null;
  } catch (error) {
    const known = error instanceof Refusal ? obstacles[error.code] : undefined;
    if (known === undefined) throw error;
    return known;
  }
}
