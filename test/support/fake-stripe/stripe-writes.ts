import type Stripe from "stripe";
import { invalidRequest, noSuch } from "./api-error.ts";
import type { FormFields } from "./form-body.ts";
import { checkParameters, parameterRules } from "./parameters.ts";
import type { StripeAccount } from "./stripe-account.ts";
import { idOf, type CardBehaviour, type FakeDecline, type FakePage, type FakeRefund } from "./stripe-objects.ts";
import { expansionsOf, render, textOf, toAmount, toCurrency } from "./stripe-rendering.ts";

/** The requests that change an account. */
export class StripeWrites {
  constructor(private readonly account: StripeAccount) {}

  /** Answers a request that changes something. @throws ApiError. */
  write(path: string, fields: FormFields): unknown {
    const [, kind, id = "", action = ""] = /^(checkout\/sessions|[a-z_]+)(?:\/([\w]+))?(?:\/(\w+))?$/.exec(path) ?? [];
    if (path === "payment_intents") return this.createPayment(fields);
    if (path === "setup_intents") return this.createSetup(fields);
    if (path === "checkout/sessions") return this.createPage(fields);
    if (path === "refunds") return this.createRefund(fields);
    if (path === "customers") {
      checkParameters(fields, parameterRules.createCustomer);
      return { id: idOf("cus"), object: "customer", metadata: fields["metadata"] ?? {} };
    }
    if (kind === "payment_methods" && action === "attach") return this.attach(id, fields);
    if (kind === "payment_methods" && action === "detach") return this.detach(id);
    checkParameters(fields, parameterRules.change);
    if (kind === "payment_intents" && action === "cancel") return this.cancelPayment(id, fields);
    if (kind === "setup_intents" && action === "cancel") {
      const setup = this.account.setups.get(id);
      if (!setup) throw noSuch("setup_intent", id);
      if (setup.status === "succeeded" || setup.status === "canceled")
        throw invalidRequest("You cannot cancel this SetupIntent.", "setup_intent_unexpected_state");
      setup.status = "canceled";
      return render(setup, expansionsOf(fields));
    }
    if (kind === "checkout/sessions" && action === "expire") {
      const page = this.account.pages.get(id);
      if (!page) throw noSuch("checkout.session", id);
      if (page.status !== "open") throw invalidRequest("Only Checkout Sessions with a status of open can be expired.");
      page.status = "expired";
      page.url = null;
      return render(page, expansionsOf(fields));
    }
    throw invalidRequest(`Unrecognized request URL (POST: /v1/${path}).`);
  }

  private createPayment(fields: FormFields): unknown {
    checkParameters(fields, parameterRules.createPayment);
    const amount = toAmount(fields["amount"]);
    const currency = toCurrency(fields["currency"]);
    const method = fields["payment_method"] as string | undefined;
    const card = method === undefined ? undefined : this.account.cardOf(method);
    const isConfirmed = fields["confirm"] === "true";
    if (fields["off_session"] !== undefined && !isConfirmed)
      throw invalidRequest("`off_session` can only be used with `confirm=true`.", "parameter_invalid");
    if (card && card.customer !== (fields["customer"] ?? null))
      throw invalidRequest("The customer does not have a payment method with this ID.", "payment_method_customer");
    const payment = this.account.addPayment({
      amount,
      currency,
      customer: (fields["customer"] as string | undefined) ?? null,
      payment_method: card?.id ?? null,
      description: (fields["description"] as string | undefined) ?? null,
      metadata: (fields["metadata"] as Record<string, string> | undefined) ?? {},
      setup_future_usage: null,
    });
    if (!isConfirmed) return render(payment, expansionsOf(fields));
    if (!card) throw invalidRequest("A payment method is needed to confirm.", "payment_intent_unexpected_state");
    const { behaviour } = card;
    if (typeof behaviour === "object") this.account.decline(payment, card, behaviour.decline);
    if (behaviour === "NEEDS_PAYER") {
      if (fields["off_session"] === "true" || fields["error_on_requires_action"] === "true")
        this.account.decline(payment, card, authenticationRequired);
      payment.status = "requires_action";
      payment.next_action = {
        type: "redirect_to_url",
        redirect_to_url: {
          url: `https://hooks.stripe.com/3d_secure_2/${payment.id}`,
          return_url: (fields["return_url"] as string | undefined) ?? null,
        },
      };
      return render(payment, expansionsOf(fields));
    }
    this.account.settle(payment, card);
    return render(payment, expansionsOf(fields));
  }

  private createSetup(fields: FormFields): unknown {
    checkParameters(fields, parameterRules.createSetup);
    const card = this.account.cardOf(textOf(fields["payment_method"]));
    const setup = this.account.addSetup(card, (fields["metadata"] as Record<string, string> | undefined) ?? {});
    return render(setup, expansionsOf(fields));
  }

  private createPage(fields: FormFields): unknown {
    checkParameters(fields, parameterRules.createPage);
    const mode = fields["mode"] as Stripe.Checkout.Session["mode"];
    if (mode === "payment") {
      const [line] = (fields["line_items"] ?? []) as { price_data: { currency: string; unit_amount: string } }[];
      if (!line) throw invalidRequest("Missing required param: line_items.", "parameter_missing");
      toAmount(line.price_data.unit_amount);
      toCurrency(line.price_data.currency);
      if (fields["setup_intent_data"])
        throw invalidRequest("setup_intent_data is for mode setup.", "parameter_invalid");
    } else if (fields["line_items"] || fields["payment_intent_data"])
      throw invalidRequest("A set-up has no line items.", "parameter_invalid");
    const id = idOf("cs_test");
    const page: FakePage = {
      id,
      object: "checkout.session",
      client_reference_id: (fields["client_reference_id"] as string | undefined) ?? null,
      metadata: (fields["metadata"] as Record<string, string> | undefined) ?? {},
      mode,
      status: "open",
      url: `https://checkout.stripe.com/c/pay/${id}`,
      payment_intent: null,
      setup_intent: null,
      request: fields,
    };
    this.account.pages.set(id, page);
    return render(page, expansionsOf(fields));
  }

  /** https://docs.stripe.com/api/refunds/create */
  private createRefund(fields: FormFields): unknown {
    checkParameters(fields, parameterRules.createRefund);
    const payment = this.account.payments.get(textOf(fields["payment_intent"]));
    if (payment?.status !== "succeeded") throw noSuch("payment_intent", textOf(fields["payment_intent"]));
    const refunded = [...this.account.refunds.values()]
      .filter(({ payment_intent: id }) => id === payment.id)
      .reduce((sum, { amount }) => sum + amount, 0);
    if (refunded === payment.amount)
      throw invalidRequest("The charge has already been refunded.", "charge_already_refunded");
    const amount = fields["amount"] === undefined ? payment.amount - refunded : toAmount(fields["amount"]);
    if (refunded + amount > payment.amount)
      throw invalidRequest("Refund amount is greater than the unrefunded amount on the charge.");
    const refund: FakeRefund = {
      id: idOf("re"),
      object: "refund",
      amount,
      metadata: (fields["metadata"] as Record<string, string> | undefined) ?? {},
      status: "succeeded",
      payment_intent: payment.id,
    };
    this.account.refunds.set(refund.id, refund);
    return refund;
  }

  private cancelPayment(id: string, fields: FormFields): unknown {
    const payment = this.account.payments.get(id);
    if (!payment) throw noSuch("payment_intent", id);
    if (payment.status === "succeeded" || payment.status === "canceled")
      throw invalidRequest(
        `You cannot cancel this PaymentIntent because it has a status of ${payment.status}.`,
        "payment_intent_unexpected_state",
      );
    payment.status = "canceled";
    payment.next_action = null;
    return render(payment, expansionsOf(fields));
  }

  /** https://docs.stripe.com/api/payment_methods/detach */
  private detach(id: string): unknown {
    const card = this.account.cardOf(id);
    if (card.customer === null)
      throw invalidRequest(
        "The payment method you provided is not attached to a customer so detachment is impossible.",
      );
    card.customer = null;
    return { id, object: "payment_method", customer: null };
  }

  private attach(id: string, fields: FormFields): unknown {
    checkParameters(fields, parameterRules.attachMethod);
    const card = this.account.addCard(testMethods[id] ?? "APPROVES", textOf(fields["customer"]));
    return { id: card.id, object: "payment_method", customer: card.customer };
  }
}

/** https://docs.stripe.com/error-codes#authentication-required */
const authenticationRequired: FakeDecline = {
  code: "authentication_required",
  decline_code: "authentication_required",
  message: "Your card was declined. This transaction requires authentication.",
};

/** Stripe's own test payment methods: https://docs.stripe.com/testing. */
const testMethods: Readonly<Record<string, CardBehaviour>> = {
  pm_card_visa: "APPROVES",
  pm_card_chargeCustomerFail: { decline: { decline_code: "generic_decline", message: "Your card was declined." } },
  pm_card_authenticationRequired: "NEEDS_PAYER",
};
