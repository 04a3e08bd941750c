import type { PaymentMethod } from "../../schema/vocabulary.ts";
import type { Amount } from "../kernel/amounts.ts";
import { invariant, Refusal } from "../kernel/errors.ts";
import type { CashierService } from "../payments/cashier.service.ts";
import type { PaymentForm } from "./checkout.form.ts";
import type { CheckoutOrder, CheckoutRepository } from "./checkout.repository.ts";
import { dueOf, standingOf, type Standing } from "./checkout.standing.ts";
import { waysOf } from "./checkout.ways.ts";
import type { Obstacle } from "./checkout.words.ts";

/** An order as its payer finds it at an instant. */
export interface Visit {
  order: CheckoutOrder;
  standing: Standing;
  /** What is to be paid now. */
  due: Amount;
  ways: readonly PaymentMethod[];
  now: Date;
}

/** What a payer is told instead of the refusal of a payment; what is not in it the order's standing tells. */
const obstacles: Readonly<Record<string, Obstacle | null>> = {
  PRICE_CHANGED: "PRICE_CHANGED",
  OUT_OF_STOCK: "OUT_OF_STOCK",
  NO_PAYMENT_GATEWAY: "OTHER_WAY",
  PAYMENT_METHOD_NOT_ALLOWED: "OTHER_WAY",
  ORDER_ALREADY_PAID: null,
  ORDER_NOT_PAYABLE: null,
  PAYMENT_IN_PROGRESS: null,
  IDEMPOTENCY_KEY_IN_USE: null,
};

/** What payers see of an order and do about it. */
export class CheckoutService {
  constructor(
    private readonly checkouts: CheckoutRepository,
    private readonly cashier: CashierService,
    private readonly now: () => Date,
  ) {}

  /** The order, and whether it can be paid. */
  async visit(vendorId: number, orderId: number): Promise<Visit> {
    const order = await this.checkouts.order(vendorId, orderId);
    invariant(order, "an order that a link was made for stays");
    const ways = waysOf({ ...order, isKept: order.type !== "ONE_TIME" }, await this.checkouts.accounts(vendorId));
    const facts = { ...order, ways, statuses: order.items.map(({ status }) => status) };
    const now = this.now();
    return { order, ways, now, standing: standingOf(facts, now), due: dueOf(facts) };
  }

  /**
   * Pays an order as its payer wants it. Whatever else is under way, it is charged once: the same form makes no second
   * attempt, and another form none beside it.
   * @returns what stands in the way, if anything does; else the order tells what became of it.
   */
  async pay(vendorId: number, orderId: number, form: PaymentForm, returnUrl: string): Promise<Obstacle | null> {
    const { method, card, amount, attempt } = form;
    try {
      await this.cashier.pay(vendorId, {
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
      });
      return null;
    } catch (error) {
      if (!(error instanceof Refusal) || !(error.code in obstacles)) throw error;
      return obstacles[error.code]!;
    }
  }

  /** Asks the gateway what became of a payment that its payer comes back from. */
  async comeBack(vendorId: number, orderId: number): Promise<void> {
    await this.cashier.lookAgain(vendorId, orderId);
  }
}
