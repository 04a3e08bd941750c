import type Stripe from "stripe";
import { ApiError, noSuch } from "./api-error.ts";
import {
  idOf,
  type CardBehaviour,
  type FakeDecline,
  type FakeDispute,
  type FakePage,
  type FakePayment,
  type FakeRefund,
  type FakeSetup,
  type StoredCard,
} from "./stripe-objects.ts";
import { render } from "./stripe-rendering.ts";

/** What Stripe keeps for an account, and what happens to a card that is charged. */
export class StripeAccount {
  readonly payments = new Map<string, FakePayment>();
  readonly setups = new Map<string, FakeSetup>();
  readonly pages = new Map<string, FakePage>();
  readonly refunds = new Map<string, FakeRefund>();
  readonly disputes = new Map<string, FakeDispute>();
  readonly cards = new Map<string, StoredCard>();
  /** The payments that searches find, as they were when they were indexed. */
  readonly indexed = new Map<string, FakePayment>();

  constructor(private readonly now: () => Date) {}

  addCard(behaviour: CardBehaviour, customer: string | null): StoredCard {
    const card: StoredCard = { id: idOf("pm"), customer, behaviour, last4: "4242" };
    this.cards.set(card.id, card);
    return card;
  }

  cardOf(method: string): StoredCard {
    const card = this.cards.get(method);
    if (!card) throw noSuch("PaymentMethod", method);
    return card;
  }

  addPayment(
    values: Pick<
      FakePayment,
      "amount" | "currency" | "customer" | "payment_method" | "description" | "metadata" | "setup_future_usage"
    >,
  ): FakePayment {
    const payment: FakePayment = {
      ...values,
      id: idOf("pi"),
      object: "payment_intent",
      created: Math.floor(this.now().getTime() / 1000),
      last_payment_error: null,
      latest_charge: null,
      next_action: null,
      status: values.payment_method === null ? "requires_payment_method" : "requires_confirmation",
    };
    this.payments.set(payment.id, payment);
    return payment;
  }

  addSetup(card: StoredCard, metadata: Record<string, string>): FakeSetup {
    const setup: FakeSetup = {
      id: idOf("seti"),
      object: "setup_intent",
      customer: card.customer,
      last_setup_error: null,
      metadata,
      next_action: null,
      status: "succeeded",
      payment_method: { id: card.id, object: "payment_method", card: cardDetailsOf(card) },
      methodId: card.id,
    };
    this.setups.set(setup.id, setup);
    return setup;
  }

  settle(payment: FakePayment, card: StoredCard): void {
    payment.status = "succeeded";
    payment.next_action = null;
    payment.latest_charge = {
      id: idOf("ch"),
      object: "charge",
      receipt_url: `https://pay.stripe.com/receipts/${payment.id}`,
      refunded: false,
      payment_method_details: { type: "card", card: cardDetailsOf(card) },
    };
  }

  /** @throws the card error. */
  decline(payment: FakePayment, card: StoredCard, decline: FakeDecline): never {
    const error = { type: "card_error" as const, code: "card_declined", ...decline };
    payment.status = "requires_payment_method";
    payment.payment_method = null;
    payment.last_payment_error = {
      ...error,
      payment_method: { id: card.id, object: "payment_method", card: cardDetailsOf(card) },
    } as unknown as Stripe.PaymentIntent["last_payment_error"];
    throw new ApiError(402, { ...error, payment_intent: render(payment, []) as object });
  }
}

const cardDetailsOf = ({ last4, id }: StoredCard) => ({
  brand: "visa",
  last4,
  fingerprint: `fingerprint_${id}`,
  exp_month: 12,
  exp_year: 2031,
});
